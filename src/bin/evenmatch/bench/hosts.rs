//! The host's threads: they submit, cancel and poll beside one another, each its own share.
//!
//! Used by `pass`. The first share is the calling thread's; further threads wait for theirs between rounds. Invariant: a
//! call of this type returns when all shares are done; with one thread nothing is handed to anybody, and calls come in
//! one known order.

use super::door::{Door, Fetched, Made};
use evenmatch::model::codes::Refusal;
use evenmatch::{Millis, TicketId};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

/// Events fetched at once.
pub(super) const POLL_BATCH: usize = 4096;

/// The answers to a batch.
pub(super) type Answers = Vec<Result<TicketId, Refusal>>;

/// What a share is.
enum Share {
    /// Submits a batch; the answers go into this memory.
    Submit(Millis, Made, Answers),
    Cancel(Millis, Vec<TicketId>),
    /// Fetches all that there is, into this memory.
    Poll(Fetched),
    /// Drops the events, and keeps their memory.
    Clear(Fetched),
}

/// What came of it.
enum Answer {
    Submitted(Answers),
    Cancelled(Result<(), Refusal>),
    Events(Fetched),
}

/// A thread and the two ends that it is spoken to by.
struct Lane {
    shares: Option<Sender<Share>>,
    answers: Receiver<Answer>,
    thread: Option<JoinHandle<()>>,
}

/// The threads of a host.
pub(super) struct Hosts {
    door: Arc<Door>,
    lanes: Vec<Lane>,
}

impl Hosts {
    /// So many threads, the calling one included.
    pub(super) fn new(door: Arc<Door>, threads: usize) -> Hosts {
        let lane = |_| {
            let (shares, taken) = channel::<Share>();
            let (told, answers) = channel();
            let door = Arc::clone(&door);
            let work = move || {
                for share in taken {
                    if told.send(share.work(&door)).is_err() {
                        return;
                    }
                }
            };
            Lane { shares: Some(shares), answers, thread: Some(std::thread::spawn(work)) }
        };
        Hosts { lanes: (1..threads).map(lane).collect(), door }
    }

    /// How many threads there are.
    pub(super) fn threads(&self) -> usize {
        self.lanes.len() + 1
    }

    /// Submits each part in a thread of its own, as one batch; the answers part by part, in the memory given.
    pub(super) fn submit(&self, now: Millis, parts: Vec<Made>, memory: Vec<Answers>) -> Vec<Answers> {
        let shares = parts.into_iter().zip(memory).map(|(part, memory)| Share::Submit(now, part, memory));
        let answers = self.all(shares).into_iter();
        answers
            .filter_map(|answer| if let Answer::Submitted(ids) = answer { Some(ids) } else { None })
            .collect()
    }

    /// Cancels each part in a thread of its own; the first refusal.
    pub(super) fn cancel(&self, now: Millis, parts: Vec<Vec<TicketId>>) -> Result<(), Refusal> {
        for answer in self.all(parts.into_iter().map(|part| Share::Cancel(now, part))) {
            if let Answer::Cancelled(outcome) = answer {
                outcome?;
            }
        }
        Ok(())
    }

    /// Fetches all events, each thread into its own memory.
    pub(super) fn poll(&self, memory: Vec<Fetched>) -> Vec<Fetched> {
        self.events(memory.into_iter().map(Share::Poll))
    }

    /// Drops the events; the memory comes back.
    pub(super) fn clear(&self, events: Vec<Fetched>) -> Vec<Fetched> {
        self.events(events.into_iter().map(Share::Clear))
    }

    fn events(&self, shares: impl Iterator<Item = Share>) -> Vec<Fetched> {
        let answers = self.all(shares).into_iter();
        answers
            .filter_map(|answer| if let Answer::Events(events) = answer { Some(events) } else { None })
            .collect()
    }

    /// Hands out the shares, the first to the calling thread, and waits for all.
    fn all(&self, mut shares: impl Iterator<Item = Share>) -> Vec<Answer> {
        let Some(own) = shares.next() else { return Vec::new() };
        let mut handed = 0;
        for (lane, share) in self.lanes.iter().zip(shares) {
            // A thread that has stopped has panicked; its part is then missing, and the round says so.
            handed += usize::from(lane.shares.as_ref().is_some_and(|shares| shares.send(share).is_ok()));
        }
        let mut answers = Vec::with_capacity(handed + 1);
        answers.push(own.work(&self.door));
        answers.extend(self.lanes.iter().take(handed).filter_map(|lane| lane.answers.recv().ok()));
        answers
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        for lane in &mut self.lanes {
            lane.shares = None;
            if let Some(thread) = lane.thread.take() {
                let _ = thread.join();
            }
        }
    }
}

impl Share {
    fn work(self, door: &Door) -> Answer {
        match self {
            Share::Submit(now, made, mut answers) => {
                door.submit(now, made, &mut answers);
                Answer::Submitted(answers)
            }
            Share::Cancel(now, tickets) => Answer::Cancelled(
                tickets.into_iter().try_for_each(|ticket| door.engine().cancel(now, ticket)),
            ),
            Share::Poll(mut events) => {
                while door.poll(&mut events, POLL_BATCH) == POLL_BATCH {}
                Answer::Events(events)
            }
            Share::Clear(mut events) => {
                events.clear();
                Answer::Events(events)
            }
        }
    }
}

/// `items` in so many parts of nearly equal length, in their order.
pub(super) fn parts<T>(mut items: Vec<T>, count: usize) -> Vec<Vec<T>> {
    let mut parts = Vec::with_capacity(count);
    for left in (1..count).rev() {
        parts.push(items.split_off(items.len() * left / (left + 1)));
    }
    parts.push(items);
    parts.reverse();
    parts
}

#[cfg(test)]
mod tests {
    use super::super::crowd::{Crowd, Kind, QUEUE};
    use super::super::door::DoorKind;
    use super::super::queue_text::QueueKind;
    use super::*;
    use evenmatch::Engine;
    use evenmatch::config::read_queue;

    #[test]
    fn shares_are_done_by_all_through_both_doors() {
        assert_eq!(parts((0..7).collect(), 3), [vec![0, 1], vec![2, 3], vec![4, 5, 6]]);
        for kind in [DoorKind::Plain, DoorKind::Request] {
            let engine = Arc::new(Engine::builder().capacity(100).build().unwrap());
            engine.add_queue(read_queue(&QueueKind::Duel.text("oldest_first", "")).unwrap()).unwrap();
            assert!(engine.queue(QUEUE).is_some());
            let door = Arc::new(Door::new(Arc::clone(&engine), kind, false, false, 4).unwrap());
            let hosts = Hosts::new(Arc::clone(&door), 3);
            let mut crowd = Crowd::new(Kind::Equals, 4, 1, 1);
            let made = (0..3).map(|_| door.make(crowd.by_ref().take(20), 7)).collect();
            let answers = hosts.submit(Millis(0), made, vec![Vec::new(); 3]);
            let ids: Vec<TicketId> = answers.into_iter().flatten().map(Result::unwrap).collect();
            assert_eq!(ids.len(), 60);
            hosts.cancel(Millis(0), parts(ids[..20].to_vec(), 3)).unwrap();
            assert!(hosts.cancel(Millis(0), parts(ids[..20].to_vec(), 3)).is_err());
            engine.tick(Millis(0), 0).unwrap();
            let events = hosts.poll((0..3).map(|_| door.memory(10)).collect());
            assert_eq!(events.iter().map(Fetched::len).sum::<usize>(), 40);
            assert!(hosts.clear(events).iter().all(|events| events.len() == 0));
        }
    }
}
