//! Events become records in the caller's arrays.
//!
//! Called by `event`. Invariant: an event is written only if all of it fits.
#![allow(unsafe_code, reason = "the caller's arrays are written")]

use super::event::*;
use super::guard::Fault;
use super::instance::Instance;
use super::status;
use super::ticket::evenmatch_player_id;
use super::wire::{self, RowsOut};
use crate::base::fixed::Fixed;
use crate::model::buffer::{EventBuffer, FlatEvent, FlatKept, FlatMatch, FlatTicket};
use crate::model::event::EndedRecord;

/// Numbers of elements, of each array.
#[derive(Clone, Copy, Default)]
pub(super) struct Counts {
    events: usize,
    teams: usize,
    tickets: usize,
    players: usize,
    regions: usize,
    kept: usize,
    text: usize,
}

impl Counts {
    /// What the event of a buffer takes.
    fn of(buffer: &EventBuffer) -> Counts {
        let Some(FlatEvent::Match(found)) = buffer.events.first() else {
            return Counts { events: 1, ..Counts::default() };
        };
        let echo = found.echo.as_ref().map_or(0, |echo| echo.len());
        let kept = buffer.kept.iter().map(|kept| kept.name.len() + kept.json.len());
        Counts {
            events: 1,
            teams: buffer.teams.len(),
            tickets: buffer.tickets.len(),
            players: buffer.players.len(),
            regions: buffer.regions.len(),
            kept: buffer.kept.len(),
            text: echo + kept.sum::<usize>(),
        }
    }

    fn plus(&self, other: &Counts) -> Counts {
        Counts {
            events: self.events + other.events,
            teams: self.teams + other.teams,
            tickets: self.tickets + other.tickets,
            players: self.players + other.players,
            regions: self.regions + other.regions,
            kept: self.kept + other.kept,
            text: self.text + other.text,
        }
    }

    fn is_within(&self, room: &Counts) -> bool {
        self.events <= room.events
            && self.teams <= room.teams
            && self.tickets <= room.tickets
            && self.players <= room.players
            && self.regions <= room.regions
            && self.kept <= room.kept
            && self.text <= room.text
    }
}

/// The caller's arrays, and how much of them is used.
pub(super) struct Buffers<'a> {
    instance: &'a Instance,
    events: RowsOut<evenmatch_event>,
    teams: RowsOut<evenmatch_team>,
    tickets: RowsOut<evenmatch_matched>,
    players: &'a mut [evenmatch_player_id],
    regions: &'a mut [u32],
    kept: RowsOut<evenmatch_kept>,
    text: &'a mut [u8],
    room: Counts,
    used: Counts,
}

impl<'a> Buffers<'a> {
    /// # Safety
    ///
    /// The arrays are as long as is said, and nobody else uses them for `'a`.
    pub(super) unsafe fn new(
        instance: &'a Instance,
        buffers: &evenmatch_event_buffers,
    ) -> Result<Buffers<'a>, Fault> {
        // SAFETY: as the caller says.
        unsafe {
            let mut into = Buffers {
                instance,
                events: RowsOut::new(buffers.events, buffers.event_capacity, "events")?,
                teams: RowsOut::new(buffers.teams, buffers.team_capacity, "teams")?,
                tickets: RowsOut::new(buffers.tickets, buffers.ticket_capacity, "tickets")?,
                players: wire::slice_out(buffers.players, buffers.player_capacity, "players")?,
                regions: wire::slice_out(buffers.regions, buffers.region_capacity, "regions")?,
                kept: RowsOut::new(buffers.kept, buffers.kept_capacity, "kept")?,
                text: wire::slice_out(buffers.text.cast::<u8>(), buffers.text_capacity, "text")?,
                room: Counts::default(),
                used: Counts::default(),
            };
            into.room = Counts {
                events: into.events.capacity(),
                teams: into.teams.capacity(),
                tickets: into.tickets.capacity(),
                players: into.players.len(),
                regions: into.regions.len(),
                kept: into.kept.capacity(),
                text: into.text.len(),
            };
            Ok(into)
        }
    }

    /// Whether one more event might fit.
    pub(super) fn has_room(&self) -> bool {
        self.used.events < self.room.events
    }

    pub(super) fn is_empty(&self) -> bool {
        self.used.events == 0
    }

    pub(super) fn used(&self) -> &Counts {
        &self.used
    }

    /// Tells the caller counts.
    pub(super) fn fill(&self, told: &mut evenmatch_event_buffers, counts: &Counts) {
        told.event_count = counts.events as u64;
        told.team_count = counts.teams as u64;
        told.ticket_count = counts.tickets as u64;
        told.player_count = counts.players as u64;
        told.region_count = counts.regions as u64;
        told.kept_count = counts.kept as u64;
        told.text_bytes = counts.text as u64;
    }

    /// Writes the one event of a buffer, or answers what it needs if it does not fit.
    pub(super) fn push(&mut self, buffer: &EventBuffer) -> Result<(), Counts> {
        let Some(event) = buffer.events.first() else { return Ok(()) };
        let needed = Counts::of(buffer);
        if !self.used.plus(&needed).is_within(&self.room) {
            return Err(needed);
        }
        let record = match event {
            FlatEvent::Ended(ended) => self.ended(ended),
            FlatEvent::Match(found) => self.found(found, buffer),
        };
        self.events.set(self.used.events, &record);
        self.used.events += 1;
        Ok(())
    }

    fn ended(&self, ended: &EndedRecord) -> evenmatch_event {
        evenmatch_event {
            kind: EVENMATCH_EVENT_ENDED,
            at_ms: ended.at.0,
            queue: self.instance.queue_handle(ended.queue),
            id: self.instance.ticket_handle(ended.ticket),
            user_data: ended.user_data,
            reason: status::of_end(ended.reason),
            flags: if ended.update_lost { EVENMATCH_EVENT_UPDATE_LOST } else { 0 },
            ..NO_EVENT
        }
    }

    fn found(&mut self, found: &FlatMatch, buffer: &EventBuffer) -> evenmatch_event {
        let names = &self.instance.names;
        let quality = &found.quality;
        let first = self.used;
        self.teams(buffer);
        for region in &buffer.regions {
            self.regions[self.used.regions] = names.symbol_or_none(region);
            self.used.regions += 1;
        }
        for FlatKept { player, name, json } in &buffer.kept {
            let (name_first, name_bytes) = self.put(name);
            let (json_first, json_bytes) = self.put(json);
            let player = evenmatch_player_id::of(*player);
            let record = evenmatch_kept {
                struct_size: 0,
                reserved: 0,
                player,
                name_first,
                name_bytes,
                json_first,
                json_bytes,
            };
            self.kept.set(self.used.kept, &record);
            self.used.kept += 1;
        }
        let (echo_first, echo_bytes) = self.put(found.echo.as_deref().unwrap_or_default());
        let number = |value: Option<Fixed>| value.map_or(0.0, Fixed::to_f64);
        let update_lost = buffer.tickets.iter().any(|ticket| ticket.update_lost);
        let flags = [
            (update_lost, EVENMATCH_EVENT_UPDATE_LOST),
            (quality.exhaustive, EVENMATCH_EVENT_EXHAUSTIVE),
            (quality.skill_spread.is_some(), EVENMATCH_EVENT_HAS_SKILL_SPREAD),
            (quality.team_difference.is_some(), EVENMATCH_EVENT_HAS_TEAM_DIFFERENCE),
            (quality.ping_worst_ms.is_some(), EVENMATCH_EVENT_HAS_PING),
        ];
        evenmatch_event {
            kind: EVENMATCH_EVENT_MATCH,
            at_ms: found.at.0,
            queue: self.instance.queue_handle(found.queue),
            id: self.instance.match_handle(found.id),
            flags: flags.iter().filter(|(is_set, _)| *is_set).fold(0, |all, (_, flag)| all | flag),
            attempts: found.attempts,
            region: buffer.regions.first().map_or(0, |region| names.symbol_or_none(region)),
            cost: quality.cost.to_f64(),
            skill_spread: number(quality.skill_spread),
            team_difference: number(quality.team_difference),
            ping_worst_ms: number(quality.ping_worst_ms),
            ping_mean_ms: number(quality.ping_mean_ms),
            oldest_wait_ms: quality.oldest_wait.0,
            team_first: first.teams as u32,
            team_count: (self.used.teams - first.teams) as u32,
            ticket_first: first.tickets as u32,
            ticket_count: (self.used.tickets - first.tickets) as u32,
            player_first: first.players as u32,
            player_count: (self.used.players - first.players) as u32,
            region_first: first.regions as u32,
            region_count: (self.used.regions - first.regions) as u32,
            kept_first: first.kept as u32,
            kept_count: (self.used.kept - first.kept) as u32,
            echo_first,
            echo_bytes,
            ..NO_EVENT
        }
    }

    /// Teams with their tickets and players, one after the other.
    fn teams(&mut self, buffer: &EventBuffer) {
        for (index, team) in buffer.teams.iter().enumerate() {
            let (ticket_first, player_first) = (self.used.tickets, self.used.players);
            // A match's tickets stand in the order of submit numbers, and so do those of a team.
            for ticket in buffer.tickets.iter().filter(|ticket| ticket.team as usize == index) {
                self.tickets.set(self.used.tickets, &self.matched(ticket));
                self.used.tickets += 1;
                for &player in &buffer.players[ticket.players.clone()] {
                    self.players[self.used.players] = evenmatch_player_id::of(player);
                    self.used.players += 1;
                }
            }
            let record = evenmatch_team {
                struct_size: 0,
                name: self.instance.names.symbol_or_none(&team.name),
                ticket_first: ticket_first as u32,
                ticket_count: (self.used.tickets - ticket_first) as u32,
                player_first: player_first as u32,
                player_count: (self.used.players - player_first) as u32,
            };
            self.teams.set(self.used.teams, &record);
            self.used.teams += 1;
        }
    }

    fn matched(&self, ticket: &FlatTicket) -> evenmatch_matched {
        let lost = if ticket.update_lost { EVENMATCH_MATCHED_UPDATE_LOST } else { 0 };
        let ping = if ticket.ping_ms.is_some() { EVENMATCH_MATCHED_HAS_PING } else { 0 };
        evenmatch_matched {
            struct_size: 0,
            team: ticket.team,
            flags: lost | ping,
            attempts: ticket.attempts,
            id: self.instance.ticket_handle(ticket.id),
            user_data: ticket.user_data,
            ping_ms: ticket.ping_ms.map_or(0.0, Fixed::to_f64),
            wait_ms: ticket.wait.0,
        }
    }

    /// Puts a text into the caller's; it fits.
    fn put(&mut self, text: &str) -> (u32, u32) {
        let first = self.used.text;
        self.text[first..first + text.len()].copy_from_slice(text.as_bytes());
        self.used.text += text.len();
        (first as u32, text.len() as u32)
    }
}

const NO_EVENT: evenmatch_event = evenmatch_event {
    struct_size: 0,
    kind: 0,
    at_ms: 0,
    queue: 0,
    id: 0,
    user_data: 0,
    reason: 0,
    flags: 0,
    attempts: 0,
    region: 0,
    cost: 0.0,
    skill_spread: 0.0,
    team_difference: 0.0,
    ping_worst_ms: 0.0,
    ping_mean_ms: 0.0,
    oldest_wait_ms: 0,
    team_first: 0,
    team_count: 0,
    ticket_first: 0,
    ticket_count: 0,
    player_first: 0,
    player_count: 0,
    region_first: 0,
    region_count: 0,
    kept_first: 0,
    kept_count: 0,
    echo_first: 0,
    echo_bytes: 0,
};
