//! Events become records as they are polled, and their tickets become retained.

use super::door::Door;
use super::events::{EndedHead, Head, MatchHead, Placed};
use super::slot::{Life, Slot};
use crate::claim::commit::Claims;
use crate::config::write::attribute_json;
use crate::model::event::{EndedRecord, Event, MatchRecord, MatchedTicket, TeamRecord};
use crate::model::ids::{PlayerId, QueueId, TicketId};
use crate::rules::compile::CompiledQueue;
use std::sync::Arc;

impl Door {
    /// Takes the first event.
    pub(super) fn poll_one(&mut self, claims: &Claims) -> Option<Event> {
        let (head, placed, regions) = self.events.pop()?;
        match head {
            Head::Ended(ended) => {
                let record = self.ended_record(&ended);
                self.retain(claims, ended.id);
                Some(Event::Ended(record))
            }
            Head::Match(found) => {
                let record = self.match_record(found, &placed, regions);
                for placed in placed {
                    self.retain(claims, placed.id);
                }
                Some(Event::Match(Box::new(record)))
            }
        }
    }

    fn ended_record(&self, ended: &EndedHead) -> EndedRecord {
        let slot = self.slot(ended.id);
        EndedRecord {
            at: ended.at,
            ticket: ended.id,
            queue: slot.map_or(QueueId(0), |slot| slot.queue),
            user_data: slot.map_or(0, |slot| slot.request.user_data),
            reason: ended.reason,
            update_lost: ended.update_lost,
        }
    }

    /// The record of a match; its tickets' slots are kept until it is polled.
    pub(super) fn match_record(
        &self,
        head: MatchHead,
        placed: &[Placed],
        regions: Vec<Arc<str>>,
    ) -> MatchRecord {
        let compiled = self.any_queue(head.queue).map(|queue| Arc::clone(&queue.compiled));
        let mut record = MatchRecord {
            at: head.at,
            id: head.id,
            queue: head.queue,
            region: regions.first().cloned(),
            regions,
            teams: Vec::new(),
            tickets: Vec::new(),
            quality: head.quality,
            attempts: 0,
            echo: compiled.as_ref().and_then(|queue| queue.spec.echo.as_deref().map(Arc::from)),
            kept: Vec::new(),
        };
        let Some(compiled) = compiled else { return record };
        // Positions of a varying group that nobody plays in do not stand.
        let mut team_of_position: Vec<Option<u32>> = Vec::new();
        for (at, position) in compiled.shape.positions.iter().enumerate() {
            let is_played = placed.iter().any(|placed| placed.position as usize == at);
            let stands = is_played || !compiled.shape.groups[position.group].varies;
            team_of_position.push(stands.then_some(record.teams.len() as u32));
            if stands {
                let name = Arc::clone(&position.name);
                record.teams.push(TeamRecord { name, tickets: Vec::new(), players: Vec::new() });
            }
        }
        for placed in placed {
            let Some(slot) = self.slot(placed.id) else { continue };
            let team = team_of_position[placed.position as usize].unwrap_or(0);
            let into = &mut record.teams[team as usize];
            into.tickets.push(placed.id);
            into.players.extend(slot.request.players.iter().map(|player| player.id));
            record.attempts = record.attempts.max(slot.attempts);
            record.tickets.push(MatchedTicket {
                id: placed.id,
                user_data: slot.request.user_data,
                team,
                ping_ms: placed.ping_ms,
                wait: head.at.since(slot.seniority.enqueued),
                attempts: slot.attempts,
                update_lost: placed.update_lost,
            });
            record.kept.extend(kept(&compiled, slot));
        }
        record
    }

    /// The ticket's event has been polled: it is kept while it is among the newest.
    fn retain(&mut self, claims: &Claims, id: TicketId) {
        let Some(slot) = self.slot_mut(id) else { return };
        slot.is_polled = true;
        debug_assert_ne!(slot.life, Life::Queued, "a waiting ticket has no event");
        let queue = slot.queue;
        if let Some(queue) = self.any_queue_mut(queue) {
            queue.unpolled -= 1;
        }
        self.removed_queues.retain(|queue| queue.unpolled > 0 || queue.waiting > 0);
        self.retained.push_back(id);
        while self.retained.len() > self.retained_max as usize {
            if let Some(oldest) = self.retained.pop_front() {
                self.free(claims, oldest);
            }
        }
    }
}

/// The undeclared attributes of a ticket's players, as JSON text.
fn kept(queue: &CompiledQueue, slot: &Slot) -> Vec<(PlayerId, Vec<(String, String)>)> {
    let mut kept = Vec::new();
    for player in &slot.request.players {
        let undeclared = player
            .attributes
            .iter()
            .filter(|(name, _)| !queue.spec.attributes.iter().any(|attribute| attribute.name == *name));
        let texts: Vec<(String, String)> =
            undeclared.map(|(name, value)| (name.clone(), attribute_json(value))).collect();
        if !texts.is_empty() {
            kept.push((player.id, texts));
        }
    }
    kept
}
