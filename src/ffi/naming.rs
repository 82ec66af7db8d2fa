//! Naming: how tickets, matches and players are called in texts that the library writes.
//!
//! Given by the host to explanations and to the record. Invariant: a handle that the host did not name is written as the
//! host knows it, so that the text can be read without a table.
#![allow(unsafe_code, reason = "the caller's tables are read")]

use super::guard::Fault;
use super::instance::Instance;
use super::json::{EVENMATCH_NAMES_DECIMAL, EVENMATCH_NAMES_TABLE, evenmatch_player_name};
use super::status::EVENMATCH_UNKNOWN_ENUM;
use super::ticket::evenmatch_ticket_id;
use super::wire::{self, Rows, wire};
use crate::config::write::Names;
use crate::model::ids::{MatchId, PlayerId, QueueId, TicketId};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::c_char;

/// A ticket or a match, and what the host calls it.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct evenmatch_ticket_name {
    /// EVENMATCH_TICKET_NAME_INIT sets it.
    pub struct_size: u32,
    /// To be 0.
    pub reserved: u32,
    /// Which one.
    pub id: evenmatch_ticket_id,
    /// Bytes of `text`.
    pub text_bytes: u64,
    /// The name, UTF-8.
    pub text: *const c_char,
}

/// What things are called in a text that the library writes. A ticket or a match that is in no table is written as the
/// 16 hexadecimal digits of its handle; a player as the 32 of his id, or as a decimal number. NULL in place of this
/// struct stands for one without tables.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct evenmatch_naming {
    /// EVENMATCH_NAMING_INIT sets it.
    pub struct_size: u32,
    /// How players are written that are not in the table: EVENMATCH_NAMES_DECIMAL, else (0 or EVENMATCH_NAMES_HEX) hex.
    pub players_as: i32,
    /// How many `tickets`.
    pub ticket_count: u64,
    /// How many `matches`.
    pub match_count: u64,
    /// How many `players`.
    pub player_count: u64,
    /// Names of tickets; may be NULL with a count of 0, as the other two.
    pub tickets: *const evenmatch_ticket_name,
    /// Names of matches.
    pub matches: *const evenmatch_ticket_name,
    /// Names of players.
    pub players: *const evenmatch_player_name,
}

wire! {
    evenmatch_ticket_name: size_of::<evenmatch_ticket_name>(),
    evenmatch_naming: size_of::<evenmatch_naming>(),
}

/// The caller's tables, copied.
pub(super) struct Naming<'a> {
    instance: &'a Instance,
    tickets: BTreeMap<u64, String>,
    matches: BTreeMap<u64, String>,
    players: BTreeMap<PlayerId, String>,
    is_decimal: bool,
}

impl<'a> Naming<'a> {
    /// # Safety
    ///
    /// `naming` is NULL, or a struct of the size that it says, whose tables and texts are as long as they say.
    pub(super) unsafe fn new(
        instance: &'a Instance,
        naming: *const evenmatch_naming,
    ) -> Result<Naming<'a>, Fault> {
        let mut own = Naming {
            instance,
            tickets: BTreeMap::new(),
            matches: BTreeMap::new(),
            players: BTreeMap::new(),
            is_decimal: false,
        };
        if naming.is_null() {
            return Ok(own);
        }
        // SAFETY: as the caller says.
        let naming = unsafe { wire::read(naming, "naming") }?;
        if !(EVENMATCH_NAMES_TABLE..=EVENMATCH_NAMES_DECIMAL).contains(&naming.players_as) {
            let detail = format!("players_as is {}, take an EVENMATCH_NAMES_ value", naming.players_as);
            return Err(Fault::new(EVENMATCH_UNKNOWN_ENUM, detail));
        }
        own.is_decimal = naming.players_as == EVENMATCH_NAMES_DECIMAL;
        // SAFETY: as the caller says.
        unsafe {
            own.tickets = ticket_names(naming.tickets, naming.ticket_count, "tickets")?;
            own.matches = ticket_names(naming.matches, naming.match_count, "matches")?;
            let rows = Rows::new(naming.players, naming.player_count, "players")?;
            for index in 0..rows.len() {
                let name = rows.get(index)?;
                super::reserved(&[name.reserved])?;
                let text = wire::text(name.text, name.text_bytes, "player name")?;
                own.players.insert(name.id.id(), text.to_owned());
            }
        }
        Ok(own)
    }
}

/// The name of a handle, or its digits.
fn of_handle(names: &BTreeMap<u64, String>, handle: u64) -> Cow<'_, str> {
    names.get(&handle).map_or_else(|| format!("{handle:016x}").into(), |name| name.as_str().into())
}

/// # Safety
///
/// `first` is NULL, or points to `count` structs of the size that the first one says, whose texts are as long as they
/// say.
unsafe fn ticket_names(
    first: *const evenmatch_ticket_name,
    count: u64,
    what: &'static str,
) -> Result<BTreeMap<u64, String>, Fault> {
    let mut names = BTreeMap::new();
    // SAFETY: as the caller says.
    let rows = unsafe { Rows::new(first, count, what) }?;
    for index in 0..rows.len() {
        let name = rows.get(index)?;
        super::reserved(&[name.reserved])?;
        // SAFETY: as the caller says.
        let text = unsafe { wire::text(name.text, name.text_bytes, "ticket name") }?;
        names.insert(name.id, text.to_owned());
    }
    Ok(names)
}

impl Names for Naming<'_> {
    fn ticket(&self, ticket: TicketId) -> Cow<'_, str> {
        of_handle(&self.tickets, self.instance.ticket_handle(ticket))
    }

    fn player(&self, player: PlayerId) -> Cow<'_, str> {
        match self.players.get(&player) {
            Some(name) => Cow::Borrowed(name),
            None if self.is_decimal => Cow::Owned(player.0.to_string()),
            None => Cow::Owned(format!("{:032x}", player.0)),
        }
    }

    fn match_name(&self, id: MatchId) -> Cow<'_, str> {
        of_handle(&self.matches, self.instance.match_handle(id))
    }

    fn queue(&self, queue: QueueId) -> Cow<'_, str> {
        match self.instance.queue(self.instance.queue_handle(queue)) {
            Ok((_, entry)) => Cow::Borrowed(&entry.name),
            Err(_) => Cow::Owned(format!("{:016x}", self.instance.queue_handle(queue))),
        }
    }
}
