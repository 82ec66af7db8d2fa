//! How much room buffers keep that are filled and emptied at every tick.
//!
//! Called by whoever owns such a buffer. Invariant: loads that vary a little allocate nothing after the first of them, and
//! the memory of one great load (an engine that is filled at once) does not stay for good.

/// Items that a buffer may always keep room for: chosen, a few ticks of a dense flow, some megabytes in all.
pub const KEPT_MAX: usize = 1 << 16;

/// Room beyond which a buffer gives memory back, so that loads about [`KEPT_MAX`] do not do so each time.
pub const GIVEN_FROM: usize = 4 * KEPT_MAX;

/// Empties a buffer. It keeps room for twice as many as it had, or gives back what a great load took.
pub fn empty<T>(buffer: &mut Vec<T>) {
    let len = buffer.len();
    buffer.clear();
    if buffer.capacity() > GIVEN_FROM {
        buffer.shrink_to(KEPT_MAX);
    } else {
        buffer.reserve(2 * len.min(KEPT_MAX));
    }
}

/// Makes room for one more: a long list grows by an eighth, as twice the memory of a million is much.
#[inline]
pub fn grow<T>(list: &mut Vec<T>) {
    if list.len() == list.capacity() && list.len() >= KEPT_MAX {
        list.reserve_exact(list.len() / 8);
    }
}

/// Appends all that another buffer holds, which then is empty as by [`empty`]; the list grows as by [`grow`].
pub fn append<T>(list: &mut Vec<T>, from: &mut Vec<T>) {
    if list.capacity() - list.len() < from.len() && list.len() >= KEPT_MAX {
        list.reserve_exact(from.len().max(list.len() / 8));
    }
    list.append(from);
    empty(from);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_that_vary_a_little_allocate_once_and_a_great_one_goes() {
        let mut buffer: Vec<u32> = (0..1_000).collect();
        empty(&mut buffer);
        let room = buffer.capacity();
        buffer.extend(0..1_400);
        assert_eq!(buffer.capacity(), room);
        buffer.extend(0..1_000_000);
        empty(&mut buffer);
        assert!(buffer.capacity() < 2 * KEPT_MAX);
        buffer.extend(0..200_000);
        let room = buffer.capacity();
        empty(&mut buffer);
        assert_eq!(buffer.capacity(), room);
    }

    #[test]
    fn a_long_list_has_an_eighth_of_room_at_most() {
        let mut list = Vec::new();
        for number in 0..500_000_u32 {
            grow(&mut list);
            list.push(number);
            assert!(list.len() <= KEPT_MAX || 8 * list.capacity() <= 9 * list.len() + 8);
        }
        let (mut rooms, mut last) = (0, list.capacity());
        for _ in 0..1_000 {
            append(&mut list, &mut vec![7; 1_000]);
            rooms += u32::from(list.capacity() != last);
            last = list.capacity();
        }
        assert!(rooms < 12 && 8 * last <= 9 * list.len() + 8_000, "{rooms} times, {last} in the end");
    }
}
