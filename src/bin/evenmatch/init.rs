//! `evenmatch init`: writes one of the presets, a commented queue file to start from.
//!
//! The presets are the files of `tests/data/queues`, built into the binary, so that what the tests read is
//! what people get.

use crate::failure::Failure;
use crate::sink::Sink;
use clap::Args;
use std::path::Path;

/// Write a commented queue file to start from.
#[derive(Args)]
#[command(after_help = "Without PRESET: lists the presets.\n\n\
    Example: evenmatch init hybrid_duel --out duel.json")]
pub(crate) struct InitArguments {
    /// Which preset; leave it out to see what there is.
    preset: Option<String>,
    /// Where to write it; `-` is the terminal. A file that exists is not overwritten.
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: String,
    /// Overwrite the file if it exists.
    #[arg(long)]
    force: bool,
}

/// A queue file that is built in.
pub(crate) struct Preset {
    /// What people type.
    pub(crate) name: &'static str,
    /// What it is for, in one line.
    pub(crate) about: &'static str,
    /// The file.
    pub(crate) text: &'static str,
}

/// All presets, from the simplest on.
pub(crate) const PRESETS: [Preset; 6] = [
    Preset {
        name: "hybrid_duel",
        about: "one against one; strict in skill and ping at first, both loosen with the wait",
        text: include_str!("../../../tests/data/queues/hybrid_duel.json"),
    },
    Preset {
        name: "hybrid_5v5",
        about: "five against five with parties; skill, ping, equal teams, balanced premades",
        text: include_str!("../../../tests/data/queues/hybrid_5v5.json"),
    },
    Preset {
        name: "connection_first",
        about: "casual six against six; the round trip decides, skill hardly matters",
        text: include_str!("../../../tests/data/queues/connection_first.json"),
    },
    Preset {
        name: "skill_based",
        about: "ranked three against three; a fair match is worth a long wait",
        text: include_str!("../../../tests/data/queues/skill_based.json"),
    },
    Preset {
        name: "battle_royale",
        about: "10 to 20 squads of one to three; starts full, or after a minute with whoever is there",
        text: include_str!("../../../tests/data/queues/battle_royale.json"),
    },
    Preset {
        name: "coop_roles",
        about: "a dungeon group of five: one tank, one healer, three for the damage",
        text: include_str!("../../../tests/data/queues/coop_roles.json"),
    },
];

/// Writes the preset, or the list of presets.
pub(crate) fn init(arguments: &InitArguments) -> Result<(), Failure> {
    let Some(wanted) = &arguments.preset else {
        let mut sink = Sink::open("-")?;
        sink.line("Presets (evenmatch init PRESET --out FILE writes one):")?;
        for preset in &PRESETS {
            sink.line(&format!("  {:<17} {}", preset.name, preset.about))?;
        }
        return sink.finish();
    };
    // Dashes are what people type after they have seen a queue's name.
    let folded = wanted.to_lowercase().replace('-', "_");
    let Some(preset) = PRESETS.iter().find(|preset| preset.name == folded) else {
        return Err(Failure::input(unknown_preset(wanted, &folded)));
    };
    if arguments.out != "-" && !arguments.force && Path::new(&arguments.out).exists() {
        return Err(Failure::input(format!(
            "{} exists already; name another file, or say --force to overwrite it",
            arguments.out
        )));
    }
    let mut sink = Sink::open(&arguments.out)?;
    sink.text(preset.text)?;
    sink.finish()
}

fn unknown_preset(wanted: &str, folded: &str) -> String {
    let nearest = PRESETS
        .iter()
        .map(|preset| (strsim::damerau_levenshtein(preset.name, folded), preset.name))
        .min()
        .filter(|&(distance, _)| distance <= 4)
        .map_or(String::new(), |(_, name)| format!(" (did you mean {name}?)"));
    let all: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
    format!("there is no preset {wanted:?}{nearest}; the presets are {}", all.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typo_is_answered_with_the_nearest_name() {
        assert!(unknown_preset("hybrid_deul", "hybrid_deul").contains("did you mean hybrid_duel?"));
        assert!(!unknown_preset("x", "x").contains("did you mean"));
    }
}
