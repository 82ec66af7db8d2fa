//! Lists of differing lengths, one or a few to a ticket, in size classes whose places are used again.
//!
//! Called by `queue` for players, regions and string lists of tickets. Invariant: a list of n items stands in
//! a place of the next power of two, a place belongs to one list at a time, and the least free place of a class is the
//! next to be handed out; so in a steady state nothing is allocated, and what the places are depends on the calls
//! alone.

use super::columns::{CHUNK_ROWS, Column};
use super::rows::Rows;
use std::fmt;

/// The greatest length of a list: a place never crosses the border of a chunk.
pub const LIST_LEN_MAX: usize = CHUNK_ROWS;

/// Names a list in its [`Lists`]: 8 bytes, copied freely. Stale after `remove`, as an index would be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ListRef {
    /// The place within the class of the length.
    place: u32,
    len: u32,
}

impl ListRef {
    /// The empty list; in every [`Lists`], and takes no place.
    pub const NONE: ListRef = ListRef { place: 0, len: 0 };

    /// How many items the list has.
    pub const fn len(self) -> usize {
        self.len as usize
    }

    /// Whether the list has no items.
    pub const fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// Places for lists of up to `1 << class` items.
#[derive(Debug)]
struct SizeClass<T: Copy> {
    items: Column<T>,
    places: Rows,
}

/// Lists of up to [`LIST_LEN_MAX`] items.
pub struct Lists<T: Copy> {
    /// By the binary logarithm of the size; a class appears with its first list, which also gives its
    /// filling.
    classes: Vec<Option<SizeClass<T>>>,
    live: usize,
}

impl<T: Copy> Default for Lists<T> {
    fn default() -> Lists<T> {
        Lists::new()
    }
}

impl<T: Copy> Lists<T> {
    /// No lists.
    pub fn new() -> Lists<T> {
        let classes = LIST_LEN_MAX.ilog2() as usize + 1;
        Lists { classes: (0..classes).map(|_| None).collect(), live: 0 }
    }

    /// How many lists there are, empty ones not counted.
    pub fn live(&self) -> usize {
        self.live
    }

    /// Stores a copy of `items`. Panics beyond [`LIST_LEN_MAX`] items.
    pub fn insert(&mut self, items: &[T]) -> ListRef {
        self.insert_of(items, |&item| item)
    }

    /// Stores what each of some items comes to. Panics beyond [`LIST_LEN_MAX`] items.
    #[inline]
    pub fn insert_of<I>(&mut self, items: &[I], of: impl Fn(&I) -> T) -> ListRef {
        let (len, Some(first)) = (items.len(), items.first()) else { return ListRef::NONE };
        assert!(len <= LIST_LEN_MAX, "a list of {len} items is beyond the maximum");
        let class = class_of(len);
        let places = self.classes[class]
            .get_or_insert_with(|| SizeClass { items: Column::new(of(first)), places: Rows::new() });
        let list = ListRef { place: places.take(class), len: len as u32 };
        for (place, item) in places.slice_mut(list).iter_mut().zip(items) {
            *place = of(item);
        }
        self.live += 1;
        list
    }

    /// The items of a list.
    #[inline]
    pub fn get(&self, list: ListRef) -> &[T] {
        if list.is_empty() {
            return &[];
        }
        match &self.classes[class_of(list.len())] {
            Some(class) => class.slice(list),
            None => &[],
        }
    }

    /// The items of a list, to change in place.
    #[inline]
    pub fn get_mut(&mut self, list: ListRef) -> &mut [T] {
        if list.is_empty() {
            return &mut [];
        }
        match &mut self.classes[class_of(list.len())] {
            Some(class) => class.slice_mut(list),
            None => &mut [],
        }
    }

    /// Gives the list's place back; once for each list.
    pub fn remove(&mut self, list: ListRef) {
        if list.is_empty() {
            return;
        }
        if let Some(class) = &mut self.classes[class_of(list.len())] {
            let was_in_use = class.places.release(list.place);
            debug_assert!(was_in_use, "a list is removed once");
            self.live -= 1;
        }
    }
}

impl<T: Copy> SizeClass<T> {
    /// The least free place.
    fn take(&mut self, class: usize) -> u32 {
        let place = self.places.take();
        self.items.grow_to((place as usize + 1) << class);
        place
    }

    fn slice(&self, list: ListRef) -> &[T] {
        let (chunk, offset) = position(list);
        &self.items.chunk(chunk)[offset..offset + list.len()]
    }

    fn slice_mut(&mut self, list: ListRef) -> &mut [T] {
        let (chunk, offset) = position(list);
        &mut self.items.chunk_mut(chunk)[offset..offset + list.len()]
    }
}

impl<T: Copy> fmt::Debug for Lists<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lists").field("live", &self.live).finish_non_exhaustive()
    }
}

/// The binary logarithm of the place size for `len` (1 and up) items.
#[inline]
const fn class_of(len: usize) -> usize {
    len.next_power_of_two().ilog2() as usize
}

/// Chunk, and offset in it, of the first item of a list that is not empty.
#[inline]
const fn position(list: ListRef) -> (usize, usize) {
    let row = (list.place as usize) << class_of(list.len());
    (row / CHUNK_ROWS, row % CHUNK_ROWS)
}

const _: () = assert!(size_of::<ListRef>() == 8 && CHUNK_ROWS.is_power_of_two());

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Any mix of inserts, changes and removes keeps every other list as it is.
        #[test]
        fn equals_a_vector_of_vectors(steps in prop::collection::vec((0_usize..130, any::<u16>()), 1..400)) {
            let mut lists = Lists::new();
            let mut model: Vec<(ListRef, Vec<u32>)> = Vec::new();
            for (index, (len, word)) in steps.into_iter().enumerate() {
                if word % 3 == 0 && !model.is_empty() {
                    let (list, items) = model.swap_remove(word as usize % model.len());
                    prop_assert_eq!(lists.get(list), &items[..]);
                    lists.remove(list);
                } else {
                    let items: Vec<u32> = (0..len as u32).map(|i| i * 1000 + index as u32).collect();
                    model.push((lists.insert(&items), items));
                }
                if let Some((list, items)) = model.last_mut()
                    && word % 5 == 0
                {
                    items.iter_mut().for_each(|item| *item ^= 1);
                    lists.get_mut(*list).iter_mut().for_each(|item| *item ^= 1);
                }
            }
            for (list, items) in &model {
                prop_assert_eq!(lists.get(*list), &items[..]);
            }
            prop_assert_eq!(lists.live(), model.iter().filter(|(list, _)| !list.is_empty()).count());
        }
    }

    #[test]
    fn places_are_used_again() {
        let mut lists = Lists::new();
        let first = lists.insert(&[1, 2, 3]);
        lists.remove(first);
        let second = lists.insert(&[4, 5, 6, 7]);
        assert_eq!(second.place, first.place);
        assert_eq!(lists.get(second), &[4, 5, 6, 7]);
    }

    #[test]
    fn the_empty_list_takes_nothing() {
        let mut lists: Lists<u8> = Lists::new();
        assert_eq!(lists.insert(&[]), ListRef::NONE);
        assert_eq!(lists.get(ListRef::NONE), &[] as &[u8]);
        lists.remove(ListRef::NONE);
        assert_eq!(lists.live(), 0);
    }

    #[test]
    fn the_greatest_list_fits() {
        let mut lists = Lists::new();
        let items: Vec<u32> = (0..LIST_LEN_MAX as u32).collect();
        let refs: Vec<ListRef> = (0..3).map(|_| lists.insert(&items)).collect();
        assert!(refs.iter().all(|&list| lists.get(list) == items));
    }
}
