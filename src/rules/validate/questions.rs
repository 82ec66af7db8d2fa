//! The two questions that are asked of a queue. Called by readers of queue files and by the engine.

use super::{Faults, SpecFault, attribute, contradiction, effect, queue, rule, shares, size};
use crate::rules::shape::Shape;
use crate::rules::spec::QueueSpec;

/// Everything that is wrong with the queue; empty if it is legal. Stops looking into a list at its maximum.
pub fn validate(spec: &QueueSpec) -> Vec<SpecFault> {
    let mut faults = Faults::default();
    queue::check(&mut faults, spec);
    size::check(&mut faults, spec);
    attribute::check(&mut faults, spec);
    rule::check(&mut faults, spec);
    faults.into_list()
}

/// What is legal in the queue but has no effect, or hardly the one that was meant.
pub fn warnings(spec: &QueueSpec) -> Vec<SpecFault> {
    let mut faults = Faults::default();
    queue::warn(&mut faults, spec);
    rule::warn(&mut faults, spec);
    // What follows from sizes and ranges follows from those of a legal queue only.
    if validate(spec).is_empty() {
        let shape = Shape::new(spec);
        effect::warn(&mut faults, spec, &shape);
        contradiction::warn(&mut faults, spec, &shape);
        shares::warn(&mut faults, spec, &shape);
    }
    faults.into_list()
}
