//! Tickets as JSON text, native or PlayFab's, for hosts that hand requests on as they come.
//!
//! Called by the host. Invariant: every player's name of the text gets an id by the host's table or by the host's
//! choice of reading it as a number; a name that gets none refuses the text.
#![allow(unsafe_code, reason = "exports read and write through the caller's pointers")]

use super::engine::evenmatch_engine;
use super::guard::{Fault, call};
use super::instance::Instance;
use super::status::{
    EVENMATCH_INVALID_FORMAT, EVENMATCH_UNKNOWN_ENUM, EVENMATCH_UNKNOWN_SYMBOL, evenmatch_status,
};
use super::submit::{Results, echo};
use super::table;
use super::ticket::{evenmatch_player_id, evenmatch_submitted, evenmatch_ticket_id};
use super::wire::{self, Rows, wire};
use crate::config::ConfigError;
use crate::config::trace::{Joining, Submission, read_joining, read_submission};
use crate::model::ids::{Millis, PlayerId};
use crate::model::request::{PlayerRequest, TicketRequest};
use std::collections::BTreeMap;
use std::ffi::c_char;

/// Only the table gives names an id.
pub const EVENMATCH_NAMES_TABLE: i32 = 0;
/// A name that is not in the table is read as 1 to 32 hexadecimal digits; dashes are left out, so UUIDs are read too.
pub const EVENMATCH_NAMES_HEX: i32 = 1;
/// A name that is not in the table is read as a decimal number below 2^128.
pub const EVENMATCH_NAMES_DECIMAL: i32 = 2;

/// A player's name in JSON texts, and who is meant.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct evenmatch_player_name {
    /// EVENMATCH_PLAYER_NAME_INIT sets it.
    pub struct_size: u32,
    /// To be 0.
    pub reserved: u32,
    /// Who is meant.
    pub id: evenmatch_player_id,
    /// Bytes of `text`.
    pub text_bytes: u64,
    /// The name, UTF-8.
    pub text: *const c_char,
}

/// A ticket, or a player who joins, as JSON text.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct evenmatch_json {
    /// EVENMATCH_JSON_INIT sets it.
    pub struct_size: u32,
    /// EVENMATCH_NAMES_...: how a name becomes an id that is not in the table.
    pub names_as: i32,
    /// Bytes of `json`.
    pub json_bytes: u64,
    /// How many `names`.
    pub name_count: u64,
    /// The text, UTF-8.
    pub json: *const c_char,
    /// The table; may be NULL with a count of 0.
    pub names: *const evenmatch_player_name,
}

wire! {
    evenmatch_player_name: size_of::<evenmatch_player_name>(),
    evenmatch_json: size_of::<evenmatch_json>(),
}

/// Who the names of a text mean.
struct Ids {
    table: BTreeMap<String, PlayerId>,
    names_as: i32,
    /// The first name that means nobody.
    unknown: Option<String>,
}

impl Ids {
    /// # Safety
    ///
    /// The table of `json` is as long as it says, and so are its texts.
    unsafe fn new(json: &evenmatch_json) -> Result<Ids, Fault> {
        if !(EVENMATCH_NAMES_TABLE..=EVENMATCH_NAMES_DECIMAL).contains(&json.names_as) {
            let detail = format!("names_as is {}, take an EVENMATCH_NAMES_ value", json.names_as);
            return Err(Fault::new(EVENMATCH_UNKNOWN_ENUM, detail));
        }
        let mut table = BTreeMap::new();
        // SAFETY: as the caller says.
        let names = unsafe { Rows::new(json.names, json.name_count, "names") }?;
        for index in 0..names.len() {
            let name = names.get(index)?;
            super::reserved(&[name.reserved])?;
            // SAFETY: by the contract of the header what is pointed to is as long as is said, and stays for the call.
            let text = unsafe { wire::text(name.text, name.text_bytes, "name") }?;
            table.insert(text.to_owned(), name.id.id());
        }
        Ok(Ids { table, names_as: json.names_as, unknown: None })
    }

    fn of(&mut self, name: &str) -> PlayerId {
        let number = || match self.names_as {
            EVENMATCH_NAMES_HEX => {
                let digits: String = name.chars().filter(|&digit| digit != '-').collect();
                let is_plain = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
                is_plain.then(|| u128::from_str_radix(&digits, 16).ok()).flatten()
            }
            EVENMATCH_NAMES_DECIMAL => {
                let is_plain = name.bytes().all(|digit| digit.is_ascii_digit());
                is_plain.then(|| name.parse().ok()).flatten()
            }
            _ => None,
        };
        let id = self.table.get(name).copied().or_else(|| number().map(PlayerId));
        id.unwrap_or_else(|| {
            self.unknown.get_or_insert_with(|| name.to_owned());
            PlayerId(0)
        })
    }

    fn end(self) -> Result<(), Fault> {
        match self.unknown {
            None => Ok(()),
            Some(name) => {
                Err(Fault::new(EVENMATCH_UNKNOWN_SYMBOL, format!("no id is known for player {name:?}")))
            }
        }
    }
}

pub(super) fn invalid(errors: &[ConfigError]) -> Fault {
    let texts: Vec<String> = errors.iter().map(ConfigError::to_string).collect();
    Fault::new(EVENMATCH_INVALID_FORMAT, texts.join("; "))
}

/// Submits one ticket that is JSON text: the `submit` of a trace line ({"queue", "players", ..}; its name may be
/// missing), or a PlayFab request ({"QueueName", "Creator" or "Members", ..}, or {"playfab": {..}, "entities": {..}}).
/// `details_out` (may be NULL with 0) takes the sentence of a refusal.
///
/// Answers OK if the ticket got a result, as in evenmatch_ticket_submit. Any thread. Errors: INVALID_FORMAT (with every
/// error in evenmatch_last_error), UNKNOWN_SYMBOL (a player without an id), UNKNOWN_QUEUE, UNKNOWN_ENUM, WRONG_TYPE,
/// NOT_FOUND (the engine), NULL_POINTER, STRUCT_SIZE, STRUCT_TAIL, TOO_LARGE, INVALID_UTF8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evenmatch_json_submit(
    engine: evenmatch_engine,
    now_ms: u64,
    json: *const evenmatch_json,
    result_out: *mut evenmatch_submitted,
    details_out: *mut c_char,
    details_capacity: u64,
) -> evenmatch_status {
    call(|| {
        table::with(engine, |instance| {
            // SAFETY: by the contract of the header.
            let json = unsafe { wire::read(json, "json") }?;
            // SAFETY: by the contract of the header what is pointed to is as long as is said, and stays for the call.
            let mut results = unsafe { Results::new(result_out, 1, details_out, details_capacity) }?;
            // SAFETY: by the contract of the header what is pointed to is as long as is said, and stays for the call.
            let text = unsafe { wire::bytes(json.json, json.json_bytes, "text") }?;
            // SAFETY: by the contract of the header what is pointed to is as long as is said, and stays for the call.
            let ids = unsafe { Ids::new(&json) }?;
            let request = request(instance, text, ids)?;
            results.set(instance, 0, instance.engine.submit(Millis(now_ms), request));
            if instance.is_echo {
                echo(instance, Millis(now_ms))?;
            }
            results.end();
            Ok(())
        })
    })
}

fn request(instance: &Instance, text: &[u8], mut ids: Ids) -> Result<TicketRequest, Fault> {
    let request = match read_submission(text).map_err(|errors| invalid(&errors))? {
        Submission::Native(submit) => submit.request(|name| ids.of(name)),
        Submission::Playfab(ticket) => instance.engine.playfab_request(&ticket, |name| ids.of(name))?,
    };
    ids.end()?;
    Ok(request)
}

/// Lets a player join who is JSON text: the `player` of a trace line ({"id", "attributes", "latency"}), or a PlayFab
/// request to join, whose TicketId is not looked at. Otherwise as evenmatch_ticket_join.
///
/// Any thread. Errors: INVALID_FORMAT, UNKNOWN_SYMBOL (a player without an id), and as evenmatch_ticket_join.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evenmatch_json_join(
    engine: evenmatch_engine,
    now_ms: u64,
    ticket: evenmatch_ticket_id,
    json: *const evenmatch_json,
    missing_out: *mut u64,
) -> evenmatch_status {
    call(|| {
        table::with(engine, |instance| {
            let ticket = instance.ticket(ticket)?;
            // SAFETY: by the contract of the header.
            let json = unsafe { wire::read(json, "json") }?;
            // SAFETY: by the contract of the header what is pointed to is as long as is said, and stays for the call.
            let text = unsafe { wire::bytes(json.json, json.json_bytes, "text") }?;
            // SAFETY: by the contract of the header what is pointed to is as long as is said, and stays for the call.
            let mut ids = unsafe { Ids::new(&json) }?;
            let player: PlayerRequest = match read_joining(text).map_err(|errors| invalid(&errors))? {
                Joining::Native(player) => player.request(ids.of(&player.id)),
                Joining::Playfab(join) => {
                    let id = ids.of(&join.member.id);
                    instance.engine.playfab_player(ticket, &join.member, id)?
                }
            };
            ids.end()?;
            let missing = instance.engine.join(Millis(now_ms), ticket, player)?;
            if instance.is_echo {
                echo(instance, Millis(now_ms))?;
            }
            // SAFETY: NULL or valid for a write, by the contract of the header.
            unsafe { wire::put_if(missing_out, missing as u64) };
            Ok(())
        })
    })
}
