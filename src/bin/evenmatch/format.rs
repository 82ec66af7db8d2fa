//! In which format queue files are, and what PlayFab's leave open.
//!
//! Flattened into the arguments of the commands that take queue files of others' making.

use clap::{Args, ValueEnum};
use evenmatch::config::{IntersectionDelta, PlayfabOptions, QueueFormat};
use evenmatch::rules::spec::WindowAge;

/// How queue files are read.
#[derive(Args, Default)]
pub(crate) struct FormatArguments {
    /// The format of the queue files.
    #[arg(long, value_enum, default_value_t)]
    format: FormatName,
    /// Of PlayFab files: whose waiting time drives the expansions.
    #[arg(long, value_enum, value_name = "WHOSE", default_value_t)]
    windows: AgeName,
    /// Of PlayFab files: whose waiting time drives a MatchTotalRule with an expansion.
    #[arg(long, value_enum, value_name = "WHOSE", default_value_t = AgeName::Oldest)]
    total_windows: AgeName,
    /// Of PlayFab files: add the Delta of a linear SetIntersectionRule to its size, as the API's text says
    /// literally, instead of subtracting it.
    #[arg(long)]
    literal_intersection: bool,
}

/// The formats that can be asked for.
#[derive(Clone, Copy, Default, ValueEnum)]
enum FormatName {
    /// Told by the content of each file.
    #[default]
    Auto,
    /// The native format.
    Native,
    /// PlayFab's queue configuration.
    Playfab,
}

/// Whose waiting time.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum AgeName {
    /// Every ticket's own.
    #[default]
    Mutual,
    /// That of the oldest ticket of the match, for all.
    Oldest,
    /// That of the newest ticket of the match, for all.
    Newest,
}

impl AgeName {
    const fn age(self) -> WindowAge {
        match self {
            AgeName::Mutual => WindowAge::Mutual,
            AgeName::Oldest => WindowAge::Oldest,
            AgeName::Newest => WindowAge::Newest,
        }
    }
}

impl FormatArguments {
    /// The format that was asked for.
    pub(crate) const fn format(&self) -> QueueFormat {
        match self.format {
            FormatName::Auto => QueueFormat::Auto,
            FormatName::Native => QueueFormat::Native,
            FormatName::Playfab => QueueFormat::Playfab,
        }
    }

    /// What PlayFab's files leave open.
    pub(crate) const fn options(&self) -> PlayfabOptions {
        PlayfabOptions {
            windows: self.windows.age(),
            total_windows: self.total_windows.age(),
            intersection_delta: if self.literal_intersection {
                IntersectionDelta::Added
            } else {
                IntersectionDelta::Subtracted
            },
        }
    }
}
