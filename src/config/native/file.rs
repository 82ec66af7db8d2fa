//! A queue file as a whole. Called by hosts and by the command line.
//!
//! The readers beside this file take what they can from every part of the text and go on after an error, then
//! `validate` looks at the result, so all errors come at once. Invariant: a fault of `validate` that only
//! follows from an error of reading (a placeholder stands where a value could not be read) is not reported.

use super::{queue, rule};
use crate::config::error::ConfigError;
use crate::config::json;
use crate::config::report::{Fault, Report, report_of};
use crate::rules::spec::QueueSpec;
use crate::rules::validate::{SpecFault, validate, warnings};

/// A queue file that was read without an error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueueFile {
    /// The queue.
    pub spec: QueueSpec,
    /// What is legal in it but hardly meant, in the order of the file.
    pub warnings: Vec<ConfigError>,
}

/// Reads a queue from the text of a native queue file.
///
/// Errors: all that is wrong with it, in the order of the text, at most
/// `ERRORS_MAX` and a count of the rest; if the text is not JSON, the first
/// place where it is not.
pub fn read_queue(text: &str) -> Result<QueueSpec, Vec<ConfigError>> {
    read_queue_file("", text.as_bytes()).map(|file| file.spec)
}

/// Reads a queue from the bytes of a file; `file` is its name in errors and warnings. Errors: as
/// [`read_queue`], and bytes that are not UTF-8.
pub fn read_queue_file(file: &str, bytes: &[u8]) -> Result<QueueFile, Vec<ConfigError>> {
    let name = |errors: Vec<ConfigError>| errors.into_iter().map(|error| error.in_file(file)).collect();
    let single = |text: &str, fault| {
        let mut report = Report::default();
        report.push(fault);
        name(report.into_errors(text, None))
    };
    let text = json::decode(bytes).map_err(|(text, fault)| single(text, fault))?;
    let mut tree = json::parse(text).map_err(|fault| single(text, fault))?;
    let mut report = report_of(&mut tree);
    let root = &tree.root;
    let Some(read) = queue::read(&mut report, root) else {
        return Err(name(report.into_errors(text, Some(root))));
    };
    let at = |fault: SpecFault| Fault {
        path: Some(fault.place.clone()),
        ..Fault::new(root.offset_of(&fault.place), fault.found, fault.remedy)
    };
    let unreadable = report.paths(root);
    for fault in validate(&read.spec) {
        if !follows(&fault.place, &unreadable, &read) {
            report.push(at(fault));
        }
    }
    if !report.is_empty() {
        return Err(name(report.into_errors(text, Some(root))));
    }
    let mut notes = Report::default();
    warnings(&read.spec).into_iter().for_each(|fault| notes.push(at(fault)));
    Ok(QueueFile { spec: read.spec, warnings: name(notes.into_errors(text, Some(root))) })
}

/// A queue with placeholders where the file could not be read.
pub(super) struct Read {
    pub(super) spec: QueueSpec,
    /// Attributes whose type could not be read.
    pub(super) untyped: Vec<usize>,
}

/// Whether a fault at `place` may follow from a placeholder.
fn follows(place: &str, unreadable: &[String], read: &Read) -> bool {
    let sizes = ["teams", "players", "min_tickets"];
    let untyped = || {
        let index = read.spec.rules.iter().enumerate().find_map(|(i, rule)| {
            let inside = [format!("rules[{i}].attribute"), format!("rules[{i}].default")];
            inside.iter().any(|inside| within(place, inside)).then(|| rule::attribute_of(rule)).flatten()
        });
        let own = read.untyped.iter().any(|&i| {
            let name = read.spec.attributes.get(i).map_or("", |attribute| &attribute.name);
            within(place, &crate::rules::validate::join_place("attributes", name))
        });
        own || index.is_some_and(|index| read.untyped.contains(&index))
    };
    unreadable.iter().any(|path| {
        within(place, path)
            || within(path, place)
            || (sizes.contains(&place) && sizes.iter().any(|size| within(path, size)))
    }) || untyped()
}

/// Whether `inner` is `outer` or a place in it.
fn within(inner: &str, outer: &str) -> bool {
    inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}
