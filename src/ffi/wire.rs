//! The one door to foreign pointers: structs, arrays and texts of the caller's are read and written here.
//!
//! Called by every export. Invariant: nothing of the caller's is read before its pointer, its count and its
//! `struct_size` have been looked at, and a struct is copied whole before anything acts on it, so that a caller who
//! changes it meanwhile changes nothing.
#![allow(unsafe_code, reason = "foreign pointers are read and written")]

use super::guard::Fault;
use super::status::{
    EVENMATCH_BUFFER_TOO_SMALL, EVENMATCH_INVALID_ARGUMENT, EVENMATCH_INVALID_RANGE, EVENMATCH_INVALID_UTF8,
    EVENMATCH_NULL_POINTER, EVENMATCH_STRUCT_SIZE, EVENMATCH_STRUCT_TAIL, EVENMATCH_TOO_LARGE,
};
use std::ffi::c_char;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::ptr;

/// Elements of one array, at most: as many as an engine can have tickets.
const ELEMENTS_MAX: u64 = 1 << 26;
/// Bytes of one text, at most.
const TEXT_BYTES_MAX: u64 = 1 << 30;
/// Bytes of a struct of a later version, at most.
const STRUCT_BYTES_MAX: u32 = 4096;

/// A struct of the header that opens with its size.
///
/// # Safety
///
/// The type is `repr(C)`, opens with `struct_size: u32`, has no padding that is not written, and every pattern of
/// bits is a value of it.
pub(super) unsafe trait Wire: Copy {
    /// Its name in the header.
    const NAME: &'static str;
    /// Its size in version 1.
    const SIZE_MIN: u32;
}

/// Says that structs of the header open with their size.
macro_rules! wire {
    ($($name:ident: $size_min:expr,)+) => { $(
        const _: () = assert!(std::mem::offset_of!($name, struct_size) == 0);
        const _: () = assert!($size_min as usize <= size_of::<$name>());
        #[allow(unsafe_code, reason = "the trait vouches for a layout")]
        // SAFETY: the type is `repr(C)`, made of integers, doubles and raw pointers only, of which every pattern of
        // bits is a value; its first field is asserted above.
        unsafe impl crate::ffi::wire::Wire for $name {
            const NAME: &'static str = stringify!($name);
            const SIZE_MIN: u32 = $size_min as u32;
        }
    )+ };
}
pub(super) use wire;

/// Refuses NULL.
pub(super) fn not_null<T>(pointer: *const T, what: &'static str) -> Result<(), Fault> {
    if pointer.is_null() {
        return Err(Fault::new(EVENMATCH_NULL_POINTER, format!("{what} is NULL")));
    }
    if !pointer.is_aligned() {
        return Err(Fault::new(EVENMATCH_INVALID_ARGUMENT, format!("{what} is not aligned")));
    }
    Ok(())
}

/// The caller's array of structs, read one by one.
pub(super) struct Rows<T> {
    first: *const u8,
    stride: usize,
    count: usize,
    what: &'static str,
    of: PhantomData<T>,
}

impl<T: Wire> Rows<T> {
    /// # Safety
    ///
    /// `first` is NULL, or points to `count` structs of the size that the first one says, for as long as the result
    /// is used.
    pub(super) unsafe fn new(first: *const T, count: u64, what: &'static str) -> Result<Rows<T>, Fault> {
        if count == 0 {
            return Ok(Rows { first: ptr::null(), stride: 0, count: 0, what, of: PhantomData });
        }
        let count = elements(count, what)?;
        not_null(first, what)?;
        // SAFETY: not NULL, aligned, and at least one element is there; every struct opens with its size.
        let stride = unsafe { size_of_struct::<T>(first) }?;
        Ok(Rows { first: first.cast(), stride, count, what, of: PhantomData })
    }

    /// How many.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// A copy of one of them; the index is below the count.
    pub(super) fn get(&self, index: usize) -> Result<T, Fault> {
        debug_assert!(index < self.count);
        // SAFETY: the index is below the count, so the element lies within the caller's array (see `new`), aligned
        // because the stride is a multiple of the alignment.
        unsafe { copy_in(self.first.add(index * self.stride).cast(), Some(self.stride), self.what) }
    }

    /// The indices of a range within the array.
    pub(super) fn range(&self, first: u32, count: u32) -> Result<Range<usize>, Fault> {
        range(first, count, self.count, self.what)
    }
}

/// The indices `first .. first + count` of an array of `length`.
pub(super) fn range(
    first: u32,
    count: u32,
    length: usize,
    what: &'static str,
) -> Result<Range<usize>, Fault> {
    if count == 0 {
        return Ok(0..0);
    }
    let end = first as usize + count as usize;
    if end > length {
        let detail = format!("{what}: {count} from {first} on reach beyond the {length} that there are");
        return Err(Fault::new(EVENMATCH_INVALID_RANGE, detail));
    }
    Ok(first as usize..end)
}

/// The caller's array of structs, written one by one.
pub(super) struct RowsOut<T> {
    first: *mut u8,
    stride: usize,
    capacity: usize,
    of: PhantomData<T>,
}

impl<T: Wire> RowsOut<T> {
    /// # Safety
    ///
    /// `first` is NULL, or points to `capacity` structs of the size that the first one says, which nobody else uses
    /// as long as the result is used.
    pub(super) unsafe fn new(first: *mut T, capacity: u64, what: &'static str) -> Result<RowsOut<T>, Fault> {
        if capacity == 0 {
            return Ok(RowsOut { first: ptr::null_mut(), stride: 0, capacity: 0, of: PhantomData });
        }
        let capacity = elements(capacity, what)?;
        not_null(first, what)?;
        // SAFETY: not NULL, aligned, and at least one element is there; every struct opens with its size.
        let stride = unsafe { size_of_struct::<T>(first) }?;
        Ok(RowsOut { first: first.cast(), stride, capacity, of: PhantomData })
    }

    /// How many fit.
    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    /// Writes one of them; the index is below the capacity. Fields that the caller does not know are left out, and
    /// fields that this library does not know stay as they are.
    pub(super) fn set(&mut self, index: usize, value: &T) {
        debug_assert!(index < self.capacity);
        // SAFETY: the index is below the capacity, so the element lies within the caller's array (see `new`).
        unsafe { copy_out(value, self.first.add(index * self.stride), self.stride) }
    }
}

/// Reads one struct.
///
/// # Safety
///
/// `pointer` is NULL, or points to a struct of the size that it says.
pub(super) unsafe fn read<T: Wire>(pointer: *const T, what: &'static str) -> Result<T, Fault> {
    not_null(pointer, what)?;
    // SAFETY: not NULL and aligned; the caller vouches for the rest.
    unsafe { copy_in(pointer, None, what) }
}

/// The size that an out struct says, or why it cannot be written to.
///
/// # Safety
///
/// As for `read`.
pub(super) unsafe fn writable<T: Wire>(pointer: *mut T, what: &'static str) -> Result<usize, Fault> {
    not_null(pointer, what)?;
    // SAFETY: not NULL and aligned; every struct opens with its size.
    unsafe { size_of_struct::<T>(pointer) }
}

/// Writes a struct to a place of which `writable` told the size.
///
/// # Safety
///
/// `size` came from `writable` for this pointer, and the place is the caller's to write.
pub(super) unsafe fn write<T: Wire>(pointer: *mut T, size: usize, value: &T) {
    // SAFETY: as the caller says.
    unsafe { copy_out(value, pointer.cast(), size) }
}

/// The size that a struct says, if it is one of its type.
unsafe fn size_of_struct<T: Wire>(pointer: *const T) -> Result<usize, Fault> {
    // SAFETY: `T: Wire` opens with a u32, and the caller's pointer is valid and aligned for it.
    let size = unsafe { pointer.cast::<u32>().read() };
    if size < T::SIZE_MIN || size > STRUCT_BYTES_MAX || !(size as usize).is_multiple_of(align_of::<T>()) {
        let detail = format!("{}: a struct_size of {size}, this library's is {}", T::NAME, size_of::<T>());
        return Err(Fault::new(EVENMATCH_STRUCT_SIZE, detail));
    }
    Ok(size as usize)
}

unsafe fn copy_in<T: Wire>(pointer: *const T, stride: Option<usize>, what: &'static str) -> Result<T, Fault> {
    // SAFETY: valid and aligned as the caller says.
    let size = unsafe { size_of_struct::<T>(pointer) }?;
    if stride.is_some_and(|stride| stride != size) {
        let detail = format!("{what}: a struct_size of {size} behind one of {}", stride.unwrap_or_default());
        return Err(Fault::new(EVENMATCH_STRUCT_SIZE, detail));
    }
    let known = size.min(size_of::<T>());
    let mut value = MaybeUninit::<T>::zeroed();
    // SAFETY: `known` bytes lie in the caller's struct and in ours; with the zeroes behind them they are a value,
    // because every pattern of bits is one (`Wire`).
    let value = unsafe {
        ptr::copy_nonoverlapping(pointer.cast::<u8>(), value.as_mut_ptr().cast::<u8>(), known);
        value.assume_init()
    };
    // SAFETY: the bytes from `known` to `size` lie in the caller's struct.
    let tail = unsafe { std::slice::from_raw_parts(pointer.cast::<u8>().add(known), size - known) };
    if tail.iter().any(|&byte| byte != 0) {
        let detail = format!("{what}: a field of {} is set that this library does not know", T::NAME);
        return Err(Fault::new(EVENMATCH_STRUCT_TAIL, detail));
    }
    Ok(value)
}

unsafe fn copy_out<T: Wire>(value: &T, pointer: *mut u8, size: usize) {
    let known = size.min(size_of::<T>());
    let from = ptr::from_ref(value).cast::<u8>();
    let head = size_of::<u32>();
    // SAFETY: `known` bytes lie in ours and in the caller's struct, which do not overlap because ours is on our
    // stack; the first field, the caller's own size, stays.
    unsafe { ptr::copy_nonoverlapping(from.add(head), pointer.add(head), known - head) }
}

/// A count that is one of elements.
pub(super) fn elements(count: u64, what: &'static str) -> Result<usize, Fault> {
    if count > ELEMENTS_MAX {
        let detail = format!("{what}: {count} are too many, at most {ELEMENTS_MAX}");
        return Err(Fault::new(EVENMATCH_TOO_LARGE, detail));
    }
    Ok(count as usize)
}

/// The caller's array of plain numbers.
///
/// # Safety
///
/// `pointer` is NULL, or points to `count` values, which stay as they are for `'a`; every pattern of bits is a `T`.
pub(super) unsafe fn slice<'a, T: Copy>(
    pointer: *const T,
    count: u64,
    what: &'static str,
) -> Result<&'a [T], Fault> {
    if count == 0 {
        return Ok(&[]);
    }
    let count = elements(count, what)?;
    not_null(pointer, what)?;
    // SAFETY: not NULL, aligned, and as long as the caller says.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// The caller's array of plain numbers, to be written.
///
/// # Safety
///
/// As `slice`, and nobody else uses the array for `'a`.
pub(super) unsafe fn slice_out<'a, T: Copy>(
    pointer: *mut T,
    capacity: u64,
    what: &'static str,
) -> Result<&'a mut [T], Fault> {
    if capacity == 0 {
        return Ok(&mut []);
    }
    let capacity = elements(capacity, what)?;
    not_null(pointer, what)?;
    // SAFETY: not NULL, aligned, and as long as the caller says.
    Ok(unsafe { std::slice::from_raw_parts_mut(pointer, capacity) })
}

/// The caller's bytes.
///
/// # Safety
///
/// `pointer` is NULL, or points to `bytes` bytes, which stay as they are for `'a`.
pub(super) unsafe fn bytes<'a>(
    pointer: *const c_char,
    bytes: u64,
    what: &'static str,
) -> Result<&'a [u8], Fault> {
    if bytes == 0 {
        return Ok(&[]);
    }
    if bytes > TEXT_BYTES_MAX {
        let detail = format!("{what}: {bytes} bytes are too many, at most {TEXT_BYTES_MAX}");
        return Err(Fault::new(EVENMATCH_TOO_LARGE, detail));
    }
    not_null(pointer, what)?;
    // SAFETY: not NULL, and as long as the caller says.
    Ok(unsafe { std::slice::from_raw_parts(pointer.cast(), bytes as usize) })
}

/// The caller's text.
///
/// # Safety
///
/// As for `bytes`.
pub(super) unsafe fn text<'a>(
    pointer: *const c_char,
    length: u64,
    what: &'static str,
) -> Result<&'a str, Fault> {
    // SAFETY: as the caller says.
    utf8(unsafe { bytes(pointer, length, what) }?, what)
}

/// Bytes that must be UTF-8.
pub(super) fn utf8<'a>(bytes: &'a [u8], what: &'static str) -> Result<&'a str, Fault> {
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        Fault::new(EVENMATCH_INVALID_UTF8, format!("{what}: not UTF-8 from byte {at} on"))
    })
}

/// Writes one plain value; the place has been looked at by `not_null`.
///
/// # Safety
///
/// `out` is not NULL, aligned, and the caller's to write.
pub(super) unsafe fn put<T>(out: *mut T, value: T) {
    // SAFETY: as the caller says.
    unsafe { out.write(value) }
}

/// Writes one plain value if its place is wanted.
///
/// # Safety
///
/// `out` is NULL, or valid for a write.
pub(super) unsafe fn put_if<T>(out: *mut T, value: T) {
    if !out.is_null() {
        // SAFETY: not NULL, and valid as the caller says.
        unsafe { out.write_unaligned(value) }
    }
}

/// Writes a text and its length, with a NUL if there is room.
///
/// # Safety
///
/// `buffer` is NULL or has `capacity` bytes; `bytes_out` is NULL or valid for a write.
pub(super) unsafe fn put_text(
    buffer: *mut c_char,
    capacity: u64,
    bytes_out: *mut u64,
    text: &str,
) -> Result<(), Fault> {
    not_null(bytes_out, "bytes_out")?;
    // SAFETY: not NULL and aligned, and the caller's to write.
    unsafe { put(bytes_out, text.len() as u64) };
    if text.len() as u64 > capacity {
        let detail = format!("{} bytes do not fit into {capacity}", text.len());
        return Err(Fault::new(EVENMATCH_BUFFER_TOO_SMALL, detail));
    }
    if capacity == 0 {
        return Ok(());
    }
    not_null(buffer, "buffer")?;
    // SAFETY: the buffer has `capacity` bytes, and as many as the text has fit; the NUL is written only if one more
    // does.
    unsafe {
        ptr::copy_nonoverlapping(text.as_ptr(), buffer.cast::<u8>(), text.len());
        if (text.len() as u64) < capacity {
            buffer.cast::<u8>().add(text.len()).write(0);
        }
    }
    Ok(())
}
