//! Memory in bulk: aligned chunks that stay for good, and the scratch memory of one tick.
//!
//! [`Chunks`] is called by `store::columns`; [`Scratch`] by `queue::matcher`, for memory until the end of a tick.
//! Both stand on bumpalo. Invariant of `Chunks`: a chunk never moves while the arena lives. Invariant of
//! `Scratch`: once a load has been seen, the same load allocates nothing more, however loads alternate.
//! bumpalo's own `reset` keeps only the largest of its chunks, so under it a tick that needs two chunks asks
//! the allocator at every tick; see [`Scratch::reset`].
#![allow(unsafe_code)] // Aligned chunks are raw memory; the safe door to them is `store::columns`.

use bumpalo::Bump;
use std::alloc::Layout;
use std::ptr::NonNull;

/// Alignment of every chunk, in bytes: a cache line, and the width of the widest vector register.
pub const CHUNK_ALIGN: usize = 64;

/// What bumpalo and the allocator take from a chunk of a round size, in bytes: bumpalo's own figure. Without
/// it a chunk of a power of two would become one of the next.
const CHUNK_OVERHEAD: usize = 64;

/// Aligned chunks that live as long as the arena.
#[derive(Default)]
pub struct Chunks {
    bump: Bump,
}

impl Chunks {
    /// An arena without memory.
    pub fn new() -> Chunks {
        Chunks::default()
    }

    /// A new chunk of `len` items, each `fill`, aligned to [`CHUNK_ALIGN`] bytes.
    ///
    /// The pointer is valid for reads and writes of `len` items, and aliased by nothing, until the arena is
    /// dropped. Moving the arena does not move the chunk.
    pub fn allocate<T: Copy>(&mut self, len: usize, fill: T) -> NonNull<T> {
        let layout = match Layout::array::<T>(len).and_then(|layout| layout.align_to(CHUNK_ALIGN)) {
            Ok(layout) => layout,
            // No such size can be asked for: like Vec, end in the allocator's error and never in less memory.
            Err(_) => std::alloc::handle_alloc_error(Layout::new::<T>()),
        };
        let start = self.bump.alloc_layout(layout).cast::<T>();
        for index in 0..len {
            // SAFETY: `layout` holds `len` items of T and is aligned at least as T is, so `index < len` is in
            // bounds; nobody else knows the memory yet.
            unsafe { start.add(index).write(fill) };
        }
        start
    }
}

/// Memory for the length of a tick, given back all at once by [`Scratch::reset`].
pub struct Scratch {
    bump: Bump,
    /// What the one chunk of a settled arena holds; more than this means that a chunk was added since.
    settled_bytes: usize,
    cap_bytes: usize,
}

impl Default for Scratch {
    /// Keeps at most 16 MiB: the matches of some hundred thousand tickets.
    fn default() -> Scratch {
        Scratch::new(1 << 24)
    }
}

impl Scratch {
    /// An arena that keeps at most `cap_bytes` from one tick to the next; a tick may use more.
    pub fn new(cap_bytes: usize) -> Scratch {
        Scratch { bump: Bump::new(), settled_bytes: 0, cap_bytes }
    }

    /// A copy of `items`, until the next reset.
    #[allow(clippy::mut_from_ref)] // Each call hands out memory that no other call has.
    pub fn slice_copy<T: Copy>(&self, items: &[T]) -> &mut [T] {
        self.bump.alloc_slice_copy(items)
    }

    /// `len` times `fill`, until the next reset.
    #[allow(clippy::mut_from_ref)] // As above.
    pub fn slice_fill<T: Copy>(&self, len: usize, fill: T) -> &mut [T] {
        self.bump.alloc_slice_fill_copy(len, fill)
    }

    /// The items of an iterator of known length, until the next reset.
    #[allow(clippy::mut_from_ref)] // As above.
    pub fn slice_of<T: Copy, I>(&self, items: I) -> &mut [T]
    where
        I: IntoIterator<Item = T>,
        I::IntoIter: ExactSizeIterator,
    {
        self.bump.alloc_slice_fill_iter(items)
    }

    /// Bytes that the arena holds, used or not.
    pub fn held_bytes(&self) -> usize {
        self.bump.allocated_bytes()
    }

    /// Takes all memory back, for the next tick.
    ///
    /// If this tick needed more than one chunk, all of them are given back to the allocator and one chunk as
    /// large as all together is taken (at most the cap), so a load that has been seen once fits from then on.
    /// A tick beyond the cap allocates again; its memory is given back here.
    pub fn reset(&mut self) {
        let held = self.held_bytes();
        if held == self.settled_bytes {
            self.bump.reset();
            return;
        }
        // The power of two leaves room for the padding that another order of the same slices may need.
        let wanted = held.checked_next_power_of_two().unwrap_or(held).min(self.cap_bytes);
        // The old chunks go before the new one comes.
        self.bump = Bump::new();
        if wanted > CHUNK_OVERHEAD {
            self.bump = Bump::with_capacity(wanted - CHUNK_OVERHEAD);
        }
        self.settled_bytes = self.held_bytes();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_aligned_filled_and_stay() {
        let mut arena = Chunks::new();
        let first = arena.allocate(100, 7_u8);
        let second = arena.allocate(100, 8_u64);
        assert_eq!(first.as_ptr() as usize % CHUNK_ALIGN, 0);
        assert_eq!(second.as_ptr() as usize % CHUNK_ALIGN, 0);
        let moved = Box::new(arena);
        // SAFETY: both chunks hold 100 items and their arena still lives.
        unsafe {
            assert!((0..100).all(|i| first.add(i).read() == 7));
            assert!((0..100).all(|i| second.add(i).read() == 8));
        }
        drop(moved);
    }

    #[test]
    fn scratch_settles_on_the_greatest_load() {
        let mut scratch = Scratch::new(1 << 24);
        let mut held = Vec::new();
        for tick in 0..20 {
            let slices = if tick % 2 == 0 { 100 } else { 20_000 };
            for index in 0..slices {
                assert_eq!(scratch.slice_fill(3, index)[2], index);
            }
            scratch.reset();
            held.push(scratch.held_bytes());
        }
        assert!(held[1] > held[0]);
        assert!(held[2..].iter().all(|&bytes| bytes == held[2]));
    }

    #[test]
    fn scratch_gives_back_what_is_beyond_its_cap() {
        let mut scratch = Scratch::new(4096);
        scratch.slice_fill(1 << 20, 1_u8);
        assert!(scratch.held_bytes() >= 1 << 20);
        scratch.reset();
        assert!((1..=4096).contains(&scratch.held_bytes()), "{}", scratch.held_bytes());
        let mut none = Scratch::new(0);
        assert_eq!(none.slice_copy(&[1, 2, 3]), &[1, 2, 3]);
        none.reset();
        assert_eq!(none.held_bytes(), 0);
        assert_eq!(none.slice_of((0..3).map(|i| i * 2)), &[0, 2, 4]);
    }
}
