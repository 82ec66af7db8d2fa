//! L0: kernels over plain slices, one meaning and one form for each instruction set.
//!
//! Indexes and splits call [`Kernels`], a token that is made once and says which form runs. Invariant: every form
//! gives the same bits as `scalar`, for any input, so the choice changes the time that a search takes and nothing
//! else.
//!
//! | file | what |
//! | --- | --- |
//! | `choice` | the instruction sets: which there are, which one is taken |
//! | `dispatch` | the token and the safe functions |
//! | `scalar` | what each kernel means |
//! | `loops` | the same as loops that compilers turn into vectors |
//! | `neighbours` | what points of a line cost with the next ones, all of it in one file |
//! | `x86_64`, `aarch64` | those loops under AVX2, AVX-512 and NEON |
//! | `prefetch` | a word to the processor of what is read soon |

//!
//! The loops are plain Rust under `#[target_feature]`; the assembly of a release build shows one vector form each:
//! `within` under AVX-512 is 16 `vpcmpleq` into mask registers and 8 merges of bits, under AVX2 32 `vpcmpgtq`, under
//! NEON compares of pairs (`cmhi`, `orr`). Only the compression is written with the instruction (`vpcompressd`), as
//! compilers find no loop for it.
//!
//! Nanoseconds for a block of 64 (one busy machine of 2023 with AVX-512; loops of a release build without tuning):
//!
//! | kernel | scalar | AVX2 | AVX-512 |
//! | --- | --- | --- | --- |
//! | `younger` | 48 | 21 | 11 |
//! | `sharing` | 49 | 10 | 6 |
//! | `within` | 59 | 14 | 8 |
//! | `reaching` | 107 | 23 | 14 |
//! | `compress`, 16 / 64 of 64 pass | 7 / 23 | 7 / 26 | 7 / 10 |
//! | `best_split`, five against five | 382 | 260 | 163 |
//!
//! Tried: the nearest value of a run (64 values: 81, 30 and 18 ns), for which no index has a use: it wants the next ones too,
//! in their order. Two tables of sums and sizes over all 512 choices of a split took 486 ns under AVX2 and 328 under AVX-512,
//! as the place of the best one was sought by a loop that ends early. Sizes as digits above the sums need one table.

#[cfg(target_arch = "aarch64")]
mod aarch64;
mod choice;
mod dispatch;
mod loops;
mod neighbours;
mod prefetch;
mod scalar;
#[cfg(target_arch = "x86_64")]
mod x86_64;

pub use choice::{Simd, Unavailable};
pub use dispatch::{Age, BLOCK, Kernels, NoSplit, SPLIT_MAX};
pub use neighbours::{COST_MAX, Held, Line};
pub(crate) use prefetch::prefetch;

#[cfg(test)]
mod tests;
