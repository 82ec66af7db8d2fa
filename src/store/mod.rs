//! L3: where the values of waiting tickets lie. Used by one thread at a time; changes need `&mut`.
//!
//! | file | what |
//! | --- | --- |
//! | `tickets` | the tickets of one queue, a row each |
//! | `columns`, `sparse`, `rows` | one value of every row; of few rows; which rows are in use |
//! | `lists`, `strings` | lists of differing lengths; texts as numbers |
//!
//! Who owns how many bytes of a waiting ticket, counted by the allocator (`evenmatch bench memory --full`: 1,000,000 single
//! players that one tick took in, one number, four regions, `oldest_first`, the engine built for just so many), before and
//! after memory was cut; the parts are sums of their items' sizes, the whole is measured:
//!
//! | what | before | after |
//! | --- | --- | --- |
//! | door: ticket 96, plain request 64, slot 24 | 184 | 184 |
//! | players: node 32, bucket 8 | 40 | 40 |
//! | what ticks know by slot: 8 in `engine`, 12 in `queue` | 20 | 20 |
//! | `tickets`: a line of 64, pings 32 | 96 | 96 |
//! | order of waiting 24, standing 16 | 40 | 40 |
//! | index 38, sketch of pings 12 | 50 | 50 |
//! | calls of the load: pooled nodes 52, list 34 | 86 | 7 |
//! | tickets that came, for the accounts | 50 | 3 |
//! | states of windows | 42 | 5 |
//! | meetings of tickets that have none | 16 | 0 |
//! | due, fresh and sleepy tickets of one great pass | 42 | 3 |
//! | the rest, not told apart: room in chunks and lists that grow, among others | 49 | 53 |
//! | all in | 715 | 501 |
//! | all in, built for twice as many, half as many retained | 741 | 526 |
//!
//! A queue parted by free text, each ticket with a text of its own (`standing/odd-modes`, as whole requests): 5,543 bytes
//! before, 2,332 after, as a shard of one ticket takes about 90 instead of 3,200; most of the rest is the request.

pub mod columns;
pub mod lists;
pub mod rows;
pub mod sparse;
pub mod strings;
pub mod tickets;
