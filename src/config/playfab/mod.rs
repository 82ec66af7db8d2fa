//! PlayFab's queue configuration and ticket requests, onto the rules of this engine. Called by the readers of
//! queue files and traces, by hosts, and by the command line.
//!
//! Sources: the public documentation of PlayFab Matchmaking ("Configuring matchmaking queues", "Matchmaking
//! scenario and configuration examples") and the public API specification of its Multiplayer service
//! (`MatchmakingQueueConfig`, `CreateMatchmakingTicket`, `CreateServerMatchmakingTicket`,
//! `JoinMatchmakingTicket`).
//!
//! Invariant: every property of a queue ends up in its `QueueSpec`, in its `echo`, in an error or in a warning.
//! Nothing here matches anything: the meanings are those of the native rules, so `write_queue` of what was read
//! is an equivalent native file.
//!
//! | PlayFab | becomes |
//! | --- | --- |
//! | `Name`; names of teams and rules | the names; 1-64 (rules 1-255) of letters, digits, `_`, `-`; a letter or digit first |
//! | `MinMatchSize`, `MaxMatchSize` | `players`; from 2 to 100, with teams to 32; `min_tickets` is 2 |
//! | `MaxTicketSize` | `party.max` |
//! | `Teams`: `Name`, `MinTeamSize`, `MaxTeamSize` | `teams`; none, or 2 and more |
//! | `ServerAllocationEnabled`, `BuildId`, `BuildAliasParams` | `echo`, with a warning if servers are to be allocated |
//! | `StatisticsVisibilityToPlayers` | `echo`, with a warning |
//! | `Rules` with `Type`, and the arrays and objects of the API | `rules`, in the order of the file; at most 20 |
//! | `Attribute.Path` | `attributes.X.path`: a name, a dotted path or a `$.` path; the type follows from the rule |
//! | `Attribute.Source` | `attributes.X.source`: `User` (default), or `PlayerEntity` |
//! | attributes of tickets that no rule reads | kept and returned with the match (`undeclared: keep`) |
//! | `Weight` | `weight`; absent: 1; team rules have none |
//! | `SecondsUntilOptional` | `optional_after_s` |
//! | `AttributeNotSpecifiedBehavior`: `MatchAny` | `missing: any`; a `DefaultAttributeValue` beside it is warned of |
//! | `UseDefault` (default), `DefaultAttributeValue` | `missing: default`, `default` |
//! | `DifferenceRule`: `Difference`, `MergeFunction` | `difference`: `max`, `merge` |
//! | `StringEqualityRule` | `equality` |
//! | `SetIntersectionRule`: `MinIntersectionSize` | `intersection`: `min` |
//! | `MatchTotalRule`: `Min`, `Max` | `total` per match; with an expansion by the oldest ticket's age |
//! | `RegionSelectionRule`: `MaxLatency`, `Path` | `region`: `max_ms`, `path`; names compare without case |
//! | `TeamDifferenceRule`: `Difference` | `team_difference` of averages: `max` |
//! | `TeamSizeBalanceRule`: `Difference` | `team_size`: `max` |
//! | `TeamTicketSizeSimilarityRule` | `premade_balance` |
//! | `LinearExpansion`, `Expansion` of type `Linear` | `linear`: base + `Delta` x index, up to `Limit` |
//! | without a `Limit` | up to the greatest number that has a meaning: 10^9, for team sizes 256 |
//! | the same for sets | base - `Delta` x index, down to 0 (an option adds it, as the API says literally) |
//! | `CustomExpansion`, `Expansion` of type `Custom` | `steps`: entry 0 replaces the base, the last holds, `null` is off |
//! | `MinOverrides` or `MaxOverrides` absent | the plain `Min` or `Max` |
//! | `SecondsBetweenExpansions` | `every_s`; entry i holds from i times it |
//! | an override that is stricter than the one before | `may_tighten`, with a warning |
//! | whose age | every ticket's own (`windows: mutual`); see [`PlayfabOptions`] |
//! | `Creator`, `Members` | the ticket's players, by `Entity.Id` |
//! | `MembersToMatchWith` | players that a forming ticket awaits |
//! | `GiveUpAfterSeconds` | the ticket's timeout, from its creation |
//! | `Attributes.DataObject`, `EscapedDataObject` | the values at the attributes' paths; the rest is kept |
//! | `[{"region", "latency"}]` at the region rule's `Path` | the player's latency |
//! | `CustomTags` | accepted, and read by nobody |
//!
//! | file | what |
//! | --- | --- |
//! | `file`, `segments` | a file as a whole, and the values that stand in its text |
//! | `queue` | one queue: names, sizes, teams |
//! | `rule`, `rule_kinds` | what all rules have in common; what each type asks for |
//! | `attributes`, `path` | what the rules read, and where it stands |
//! | `expansion` | how the rules loosen |
//! | `options` | what the public texts leave open |
//! | `ticket`, `request` | ticket requests, and what they bring to a queue |

mod attributes;
mod expansion;
mod file;
mod options;
mod path;
mod queue;
mod request;
mod rule;
mod rule_kinds;
mod segments;
mod ticket;

pub(super) use file::{looks_like_playfab, read_file};
pub use options::{IntersectionDelta, PlayfabOptions};
pub use ticket::{PlayfabJoin, PlayfabMember, PlayfabTicket};
pub(super) use ticket::{read_join, read_join_request, read_request, read_ticket};
