//! What a run was measured on: without it figures mean nothing.
//!
//! Used by `view` and `json`. Invariant: what is not known is said to be unknown, never guessed.

use std::fs;

/// The machine, and how the binary was built.
pub(super) struct Machine {
    /// The processor as it calls itself.
    pub(super) cpu: String,
    /// Processors that this process may use.
    pub(super) cpus: usize,
    /// Operating system and architecture.
    pub(super) system: String,
    /// The version of the package.
    pub(super) version: &'static str,
    /// The commit, if the build was told.
    pub(super) commit: Option<&'static str>,
    /// `release`, or `debug` with assertions and without optimisation.
    pub(super) build: &'static str,
}

impl Machine {
    /// This one.
    pub(super) fn here() -> Machine {
        Machine {
            cpu: fs::read_to_string("/proc/cpuinfo")
                .ok()
                .as_deref()
                .and_then(cpu_of)
                .unwrap_or_else(|| "unknown".into()),
            cpus: std::thread::available_parallelism().map_or(1, usize::from),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            version: env!("CARGO_PKG_VERSION"),
            commit: option_env!("EVENMATCH_COMMIT").filter(|commit| !commit.is_empty()),
            build: if cfg!(debug_assertions) { "debug" } else { "release" },
        }
    }

    /// In one line.
    pub(super) fn line(&self) -> String {
        let commit =
            self.commit.map_or_else(|| "commit unknown".to_owned(), |commit| format!("commit {commit}"));
        format!(
            "{}, {} processors, {}; evenmatch {}, {commit}, {} build",
            self.cpu, self.cpus, self.system, self.version, self.build
        )
    }
}

/// The model's name, with family and model, since some call themselves by no more than their maker's name.
fn cpu_of(cpuinfo: &str) -> Option<String> {
    let field = |name: &str| {
        let line =
            cpuinfo.lines().find(|line| line.split(':').next().is_some_and(|key| key.trim() == name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let name = field("model name")?;
    match (field("cpu family"), field("model")) {
        (Some(family), Some(model)) => Some(format!("{name} (family {family}, model {model})")),
        _ => Some(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_are_named() {
        let text =
            "processor\t: 0\nvendor_id\t: V\ncpu family\t: 6\nmodel\t\t: 207\nmodel name\t: Some CPU\n";
        assert_eq!(cpu_of(text).as_deref(), Some("Some CPU (family 6, model 207)"));
        assert_eq!(cpu_of("Hardware : board\n"), None);
        assert!(Machine::here().line().contains("evenmatch"));
    }
}
