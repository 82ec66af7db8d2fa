//! A PlayFab file as a whole: one queue or several, in the forms in which they are handed about. Called by the
//! reader of queue files of any format.
//!
//! A value of the text is a queue; or an object with a `MatchmakingQueue` (the documentation, the requests and
//! answers of the API), with `MatchMakingQueues` (a list of them), or with the `data` of an answer; or a list of
//! such values. Invariant: errors and warnings stand in the order of the text.

use super::options::PlayfabOptions;
use super::queue;
use super::segments::{Segment, segments};
use crate::config::error::ConfigError;
use crate::config::json::{self, Node, Value};
use crate::config::report::{Fault, Report, report_of};
use crate::model::limits::QUEUES_MAX;
use crate::rules::spec::QueueSpec;

/// The keys of objects around queues.
const WRAPPERS: [&str; 3] = ["MatchmakingQueue", "MatchMakingQueues", "MatchmakingQueues"];
/// The keys that may stand beside them: of requests, and of answers.
const BESIDE: [&str; 5] = ["CustomTags", "code", "status", "data", "AuthenticationContext"];

/// Queues, and what is legal in them but hardly meant.
pub(in crate::config) type Queues = (Vec<QueueSpec>, Vec<ConfigError>);

/// Whether the text looks like PlayFab's: a list, a member without braces, or an object whose keys are PlayFab's
/// rather than those of the native format. `native` has the latter.
pub(in crate::config) fn looks_like_playfab(text: &str, native: &[&str]) -> bool {
    let found = segments(text);
    let Some(first) = found.first() else { return false };
    if first.is_member {
        return true;
    }
    let json = first.json();
    let Ok(tree) = json::parse(&json) else { return false };
    let members = match &tree.root.value {
        Value::Array(_) => return true,
        _ => tree.root.members(),
    };
    let keys = queue::keys();
    let is_playfab = |key: &str| {
        let wraps = WRAPPERS.contains(&key) || key == "data";
        wraps || keys.contains(&key)
    };
    let count = |of: &dyn Fn(&str) -> bool| members.iter().filter(|member| of(&member.key)).count();
    count(&is_playfab) > count(&|key| native.contains(&key))
}

/// Reads all queues of a text.
pub(in crate::config) fn read_file(text: &str, options: &PlayfabOptions) -> Result<Queues, Vec<ConfigError>> {
    let mut file = File { options, queues: Vec::new(), errors: Vec::new(), warnings: Vec::new() };
    let found = segments(text);
    for segment in found.iter().take(QUEUES_MAX + 1) {
        file.segment(segment);
    }
    if found.is_empty() {
        let mut report = Report::default();
        report.push(Fault::new(text.len(), "no value", "needs a queue: {\"MatchmakingQueue\": {..}}"));
        file.errors = report.into_errors(text, None);
    }
    if file.errors.is_empty() { Ok((file.queues, file.warnings)) } else { Err(file.errors) }
}

struct File<'o> {
    options: &'o PlayfabOptions,
    queues: Vec<QueueSpec>,
    errors: Vec<ConfigError>,
    warnings: Vec<ConfigError>,
}

impl File<'_> {
    fn segment(&mut self, segment: &Segment<'_>) {
        let text = segment.json();
        let mut tree = match json::parse(&text) {
            Ok(tree) => tree,
            Err(fault) => {
                let mut report = Report::default();
                report.push(fault);
                self.errors.extend(shifted(segment, report.into_errors(&text, None)));
                return;
            }
        };
        let mut report = report_of(&mut tree);
        let mut notes = Report::default();
        self.value(&mut report, &mut notes, &tree.root);
        self.errors.extend(shifted(segment, report.into_errors(&text, Some(&tree.root))));
        self.warnings.extend(shifted(segment, notes.into_errors(&text, Some(&tree.root))));
    }

    /// Reads a queue, whatever stands around it.
    fn value(&mut self, report: &mut Report, notes: &mut Report, node: &Node<'_>) {
        if let Value::Array(elements) = &node.value {
            elements.iter().for_each(|element| self.value(report, notes, element));
            return;
        }
        let members = node.members();
        let wraps = |key: &str| WRAPPERS.contains(&key) || key == "data";
        if !members.iter().any(|member| wraps(&member.key)) {
            self.queue(report, notes, node);
            return;
        }
        let known: Vec<&str> = WRAPPERS.into_iter().chain(BESIDE).collect();
        report.fields(node, &known);
        for member in members.iter().filter(|member| wraps(&member.key)) {
            self.value(report, notes, &member.node);
        }
    }

    fn queue(&mut self, report: &mut Report, notes: &mut Report, node: &Node<'_>) {
        let Some(spec) = queue::read(report, notes, self.options, node) else { return };
        let same = |other: &QueueSpec| other.name == spec.name;
        if self.queues.iter().any(same) {
            let found = format!("queue {:?} a second time", spec.name);
            report.push(Fault::new(node.start, found, "each queue has its own name"));
        } else if self.queues.len() == QUEUES_MAX {
            report.push(Fault::new(node.start, "one more queue", format!("at most {QUEUES_MAX} queues")));
        } else {
            self.queues.push(spec);
        }
    }
}

/// The places of a segment as those of its file.
fn shifted(segment: &Segment<'_>, errors: Vec<ConfigError>) -> impl Iterator<Item = ConfigError> {
    let (line, column) = (segment.line - 1, segment.column - 1);
    // The brace that a member was given stands before its first character.
    let brace = u32::from(segment.is_member);
    errors.into_iter().map(move |mut error| {
        if error.line == 1 {
            error.column = (error.column + column).saturating_sub(brace).max(1);
        }
        error.line += line;
        error
    })
}
