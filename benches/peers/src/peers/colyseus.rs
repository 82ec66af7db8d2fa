//! The real regroup step of Colyseus' QueueRoom, in node: `colyseus/regroup.mjs` beside this package.
//!
//! The step knows ranks and no regions, so players queue by home region, one room each, as its users do; two are in one
//! group if their skills lie within both windows. Rooms are not made and nothing is sent: only the step is timed, in
//! node itself, as the least of several turns after a warm-up.

use super::{Answer, COLYSEUS, Peer};
use crate::trace::{Pair, Trace};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// The matcher.
pub struct Colyseus;

impl Peer for Colyseus {
    fn name(&self) -> &'static str {
        COLYSEUS
    }

    fn how(&self) -> &'static str {
        "@colyseus/core 0.17.51 in node: reassignMatchGroups alone, one room a home region, groups of two within both \
         windows; no rooms, no messages; timed in node after a warm-up"
    }

    fn run(&mut self, trace: &Trace) -> Result<Answer, String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("colyseus");
        if !folder.join("node_modules").is_dir() {
            return Err("not installed: `npm ci --ignore-scripts` in benches/peers/colyseus".to_owned());
        }
        let home = |pings: &[u16]| (0..pings.len()).min_by_key(|&region| pings[region]).unwrap_or_default();
        let tickets: Vec<Value> = trace
            .tickets
            .iter()
            .map(|ticket| json!([ticket.skill, ticket.window, home(&ticket.pings)]))
            .collect();
        let mut node = Command::new("node")
            .arg(folder.join("regroup.mjs"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .map_err(|error| format!("no node: {error}"))?;
        let mut input = node.stdin.take().ok_or("node takes no input")?;
        let text = Value::Array(tickets).to_string();
        // In a thread of its own, so that neither side waits for the other's pipe.
        let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
        let output = node.wait_with_output().map_err(|error| error.to_string())?;
        let is_written = writer.join().map_err(|_| "the writer stopped")?;
        if !output.status.success() {
            return Err(format!("node ended with {}", output.status));
        }
        is_written.map_err(|error| error.to_string())?;
        let answer: Value = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
        let number = |value: &Value| value.as_u64().map(|value| value as usize).ok_or("no number");
        let mut pairs = Vec::new();
        for pair in answer["pairs"].as_array().ok_or("no pairs")? {
            let [a, b] = [number(&pair[0])?, number(&pair[1])?];
            // Where the two play is not the step's affair: the best region, as for everybody.
            let region = trace.tickets[a].meets_in(&trace.tickets[b]).map_or(0, |(region, _)| region);
            pairs.push(Pair { a, b, region });
        }
        let seconds = answer["seconds"].as_f64().ok_or("no time")?;
        Ok(Answer::of(Duration::from_secs_f64(seconds), pairs))
    }
}
