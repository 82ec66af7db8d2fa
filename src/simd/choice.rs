//! The instruction sets: their names, which of them this processor has, and which one is taken.
//!
//! The engine's builder asks here, and so do tests and benches that force each of them in turn. Invariant: what is
//! listed as available runs on this processor.

use std::fmt;

/// An instruction set that the kernels of a search may use. All give the same matches; they differ in speed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Simd {
    /// The widest that the processor has.
    #[default]
    Auto,
    /// None beyond what the library was compiled for.
    Scalar,
    /// AVX2 with BMI1, BMI2 and LZCNT: x86-64 of 2013 and later.
    Avx2,
    /// AVX-512 F, BW, DQ and VL: servers since 2017, desktops since 2022.
    Avx512,
    /// NEON: every 64-bit ARM.
    Neon,
}

impl Simd {
    /// All sets but `Auto`, the widest last.
    pub const ALL: [Simd; 4] = [Simd::Scalar, Simd::Neon, Simd::Avx2, Simd::Avx512];

    /// The sets that this processor has, the widest last: `Scalar`, and what there is beyond it. Any thread.
    pub fn available() -> impl Iterator<Item = Simd> {
        Simd::ALL.into_iter().filter(|simd| simd.is_available())
    }

    /// Whether this processor has it; `Auto` and `Scalar` always. Any thread.
    pub fn is_available(self) -> bool {
        match self {
            Simd::Auto | Simd::Scalar => true,
            Simd::Avx2 => has_avx2(),
            Simd::Avx512 => has_avx512(),
            Simd::Neon => cfg!(all(target_arch = "aarch64", target_feature = "neon")),
        }
    }

    /// The set that is taken when this one is asked for: itself, and for `Auto` the widest that is available. Any
    /// thread. Errors: the processor does not have it.
    pub fn resolve(self) -> Result<Simd, Unavailable> {
        match self {
            Simd::Auto => Ok(Simd::available().last().unwrap_or(Simd::Scalar)),
            simd if simd.is_available() => Ok(simd),
            simd => Err(Unavailable(simd)),
        }
    }

    /// Its name in small letters, as the command line and reports write it.
    pub const fn word(self) -> &'static str {
        match self {
            Simd::Auto => "auto",
            Simd::Scalar => "scalar",
            Simd::Avx2 => "avx2",
            Simd::Avx512 => "avx512",
            Simd::Neon => "neon",
        }
    }

    /// The set of that name.
    pub fn from_word(word: &str) -> Option<Simd> {
        [Simd::Auto].into_iter().chain(Simd::ALL).find(|simd| simd.word() == word)
    }
}

impl fmt::Display for Simd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The processor does not have the instruction set that was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unavailable(pub Simd);

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "this processor does not have {}; it has", self.0)?;
        for (at, simd) in Simd::available().enumerate() {
            write!(f, "{}{simd}", if at == 0 { " " } else { ", " })?;
        }
        Ok(())
    }
}

impl std::error::Error for Unavailable {}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    use std::arch::is_x86_feature_detected as has;
    has!("avx2") && has!("bmi1") && has!("bmi2") && has!("lzcnt")
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    use std::arch::is_x86_feature_detected as has;
    has_avx2() && has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl")
}

#[cfg(not(target_arch = "x86_64"))]
const fn has_avx2() -> bool {
    false
}

#[cfg(not(target_arch = "x86_64"))]
const fn has_avx512() -> bool {
    false
}
