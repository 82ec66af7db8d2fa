//! Windows by age: computed once for all tickets of that age in a cut.
//!
//! Asked by `spots` and `lanes` for every ticket. Invariant: the numbers are those of the compiled windows at the age.

use crate::assemble::states::state_at;
use crate::model::ids::Millis;
use crate::rules::compile::CompiledQueue;

/// Ages whose windows are kept.
const AGES: usize = 256;

/// Windows by age.
#[derive(Default)]
pub(super) struct Ages {
    kept: Vec<Option<(Millis, u32, u32)>>,
    numbers: Vec<i64>,
}

impl Ages {
    /// Forgets all ages.
    pub(super) fn begin(&mut self, queue: &CompiledQueue) {
        self.kept.clear();
        self.kept.resize(AGES, None);
        self.numbers.resize(AGES * queue.state_len, 0);
    }

    /// Which rules bind at an age and which are preferences, and the windows.
    pub(super) fn at(&mut self, queue: &CompiledQueue, age: Millis) -> (u32, u32, &[i64]) {
        let at = age.0 as usize % AGES;
        let numbers = &mut self.numbers[at * queue.state_len..][..queue.state_len];
        let (bound, soft) = match self.kept[at] {
            Some((kept, bound, soft)) if kept == age => (bound, soft),
            _ => {
                let (bound, soft) = state_at(queue, age, numbers);
                self.kept[at] = Some((age, bound, soft));
                (bound, soft)
            }
        };
        (bound, soft, numbers)
    }
}
