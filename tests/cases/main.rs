//! The fault cases of other matchmakers, as named tests: `pt_02_...` keeps case PT-02.
//!
//! One module a family. Every case goes through the engine's public door and asserts what a host would see.
//!
//! Names of tests here and elsewhere begin with the case that they keep:
//!
//! | case | what must hold |
//! | --- | --- |
//! | PT-02 | the members of a party play in one team |
//! | PT-03 | sizes are counted in players, and a ticket is taken whole or not at all |
//! | PT-04 | two parties do not make a match that is too large |
//! | PT-06 | a party that is a full match needs nobody else |
//! | PT-09 | roles with a quota |
//! | PT-10 | a limit of team averages includes the limit itself |
//! | EX-01 | whose age loosens a rule |
//! | EX-02 | a window never gets narrower |
//! | EX-04 | who has waited for a full match long enough takes a smaller one |
//! | EX-07 | a difference fits the windows of both |
//! | EX-09 | an update keeps a ticket's age and id |
//! | EX-11 | who can start at once does so in the very tick |
//! | RG-01 | the region is the best for the worst placed |
//! | RG-03 | without pings a queue that needs them refuses |
//! | RG-05 | who accepts several regions meets everybody in any of them, once |
//! | RG-07 | a limit of ping holds for each player, not on average |
//! | FA-01 | of several legal matches the one with the longest waiter is made |
//! | FA-03 | how often a ticket can be passed over is bounded |
//! | FA-06 | who has no near neighbour is matched when his own window reaches, or counted as starved |
//! | FA-09 | a limit that the player states is never loosened |
//! | PF-01 | a tick looks at what is new, and stops at its budget |
//! | PF-02 | whether a player waits already costs the same however many wait |
//! | PF-06 | mixed parties do not stall a search |
//! | PF-08 | a steady state asks the allocator for nothing |
//! | PF-10 | a player in several queues is matched in one |
//! | CC-01 | nobody is in two tickets of a queue, or twice in a match |
//! | CC-03 | two matches never share a ticket |
//! | CC-05 | every match's id is new |
//! | CC-06 | two who come at the same moment find one another |
//! | CC-08 | every task is dealt to one thread, once |
//! | CC-12 | an old id never names a newer ticket |
//! | CR-01 | a cancel's answer holds, whatever a tick does meanwhile |
//! | CR-03 | a cancel of what is not there is a plain refusal |
//! | CR-05 | a match that failed does not touch its players' newer tickets |
//! | CR-06 | no event is seen before its ticket's id is known |
//! | CR-09 | a match whose ticket leaves is not made smaller |
//! | CR-11 | who leaves a party takes its ticket along |
//! | CV-01 | minimum and maximum cannot be swapped unseen |
//! | CV-03 | a team of nobody is refused |
//! | CV-05 | a value of the wrong type is refused at submit |
//! | CV-07 | a large match obeys every rule that a small one does |
//! | CV-09 | the rule that keeps a ticket waiting is named |
//! | NM-01 | any number of tickets may share one value |
//! | NM-02 | what is not a number is refused |
//! | NM-05 | an empty queue answers nothing |
//! | NM-07 | every index finds the same tickets |
//! | NM-09 | of two tickets at one spot the right one goes |
//! | NM-11 | the KD-tree's searches miss nothing |
//! | NM-13 | clocks that step back, and times at the end of the range |
//! | NM-15 | a KD-tree of any size can be built |
//! | LB-01 | who comes back from a failed match is searched for with the old age |
//! | LB-09 | a ticket's states, and how long it can be asked for after its end |
//! | LB-12 | nothing stays of what has ended |
//! | OB-01 | counts of tickets, and of players |
//! | OB-03 | a wait counts from the first submit |
//! | OB-05 | time that is left never falls below zero |
//! | OB-06 | every ticket ends once, with its reason |
//! | OB-09 | the order of submits and the number of threads do not show in the output |
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a case whose own calls are refused has failed")]
#![allow(unreachable_pub, reason = "modules of a test")]

mod allocations;
#[path = "../allocator/counting.rs"]
#[allow(dead_code, reason = "shared with tests that count bytes too")]
mod allocator;
mod cancels;
mod config;
mod duplicates;
mod estimates;
mod events;
mod expansion;
mod fairness;
mod host;
mod hostile;
mod lifecycle;
mod many;
mod numbers;
mod party;
mod queues;
mod regions;
mod scale;
mod statistics;
mod telling;
