//! Layout: the size of every struct and the place of every field, as this library sees them.
//!
//! Called by the tests of bindings. Invariant: a struct or a field that is missing here does not compile.
#![allow(unsafe_code, reason = "exports write through the caller's pointers")]

use super::activity::{evenmatch_activity, evenmatch_rule_activity};
use super::engine::{evenmatch_engine_config, evenmatch_tick_report};
use super::estimate::{evenmatch_estimate, evenmatch_question};
use super::event::{
    evenmatch_event, evenmatch_event_buffers, evenmatch_kept, evenmatch_matched, evenmatch_team,
};
use super::guard::call;
use super::json::{evenmatch_json, evenmatch_player_name};
use super::meeting::evenmatch_departure;
use super::naming::{evenmatch_naming, evenmatch_ticket_name};
use super::queue::evenmatch_queue_source;
use super::state::{evenmatch_ticket_state, evenmatch_window};
use super::stats::{evenmatch_queue_stats, evenmatch_region_stats, evenmatch_stats};
use super::status::evenmatch_status;
use super::ticket::{
    evenmatch_attribute, evenmatch_batch, evenmatch_limit, evenmatch_ping, evenmatch_player,
    evenmatch_player_id, evenmatch_submitted, evenmatch_ticket,
};
use super::wire;
use std::ffi::c_char;
use std::fmt::Write;
use std::mem::offset_of;

/// Writes the lines of structs, each with all its fields.
macro_rules! layouts {
    ($out:ident; $($name:ident { $($field:ident)+ })+) => { $(
        // Fails to compile if a field is missing in the list.
        let _ = |it: $name| { let $name { $($field: _,)+ } = it; };
        let _ = writeln!($out, "{} {}", stringify!($name), size_of::<$name>());
        $(
            let size = size_of_field(|it: &$name| &raw const it.$field);
            let offset = offset_of!($name, $field);
            let _ = writeln!($out, "{}.{} {offset} {size}", stringify!($name), stringify!($field));
        )+
    )+ };
}

const fn size_of_field<T, F>(_: fn(&T) -> *const F) -> usize {
    size_of::<F>()
}

/// All lines.
fn lines() -> String {
    let mut out = String::new();
    layouts! { out;
        evenmatch_engine_config {
            struct_size flags capacity retained search_nodes symbols threads stats_slices stats_window_ms simd
        }
        evenmatch_tick_report { struct_size is_complete at_ms steps matches ended }
        evenmatch_queue_source {
            struct_size format windows total_windows intersection_delta line column error_count warning_count reserved
            json_bytes text_capacity text_bytes json text
        }
        evenmatch_player_id { hi lo }
        evenmatch_ticket {
            struct_size flags queue user_data timeout_ms enqueued_ms max_ping_ms player_first player_count
            awaited_first awaited_count ping_first ping_count limit_first limit_count region_first region_count
        }
        evenmatch_player {
            struct_size reserved id attribute_first attribute_count ping_first ping_count
        }
        evenmatch_attribute { struct_size name kind symbol number first count }
        evenmatch_ping { struct_size region round_trip_ms }
        evenmatch_limit { struct_size attribute flags reserved least greatest }
        evenmatch_batch {
            struct_size reserved ticket_count player_count attribute_count ping_count limit_count symbol_count
            awaited_count text_bytes tickets players attributes pings limits symbols awaited text
        }
        evenmatch_submitted { struct_size status ticket other reason detail_bytes detail_first }
        evenmatch_player_name { struct_size reserved id text_bytes text }
        evenmatch_json { struct_size names_as json_bytes name_count json names }
        evenmatch_event {
            struct_size kind at_ms queue id user_data reason flags attempts region cost skill_spread team_difference
            ping_worst_ms ping_mean_ms oldest_wait_ms team_first team_count ticket_first ticket_count player_first
            player_count region_first region_count kept_first kept_count echo_first echo_bytes
        }
        evenmatch_team { struct_size name ticket_first ticket_count player_first player_count }
        evenmatch_matched { struct_size team flags attempts id user_data ping_ms wait_ms }
        evenmatch_kept { struct_size reserved player name_first name_bytes json_first json_bytes }
        evenmatch_event_buffers {
            struct_size reserved event_capacity team_capacity ticket_capacity player_capacity region_capacity
            kept_capacity text_capacity event_count team_count ticket_count player_count region_count kept_count
            text_bytes events teams tickets players regions kept text
        }
        evenmatch_window { struct_size rule kind flags least greatest }
        evenmatch_ticket_state {
            struct_size state reason waiting_for attempts reserved queue user_data in_match age_ms prefer_full_left_ms
            timeout_left_ms window_capacity window_count region_capacity region_count windows regions
        }
        evenmatch_stats {
            struct_size reserved capacity retained_max submitted refused matched ended waiting forming unpolled
            matches starved searches_cut_off steps ticks queue_count symbol_count ended_cancelled ended_member_left
            ended_timed_out ended_queue_removed ended_engine_closed ended_matched_elsewhere now_ms search_nodes
            retired_slots window_ms window_slices window_ticks last_tick_steps tick_steps_mean tick_steps_p99
        }
        evenmatch_region_stats { struct_size region tickets players }
        evenmatch_queue_stats {
            struct_size is_suspended name index_name index_why reserved tickets players oldest_age_ms matches
            region_capacity region_count regions
        }
        evenmatch_activity {
            struct_size region tickets players oldest_age_ms matches matched matched_players cancelled member_left
            timed_out queue_removed engine_closed matched_elsewhere starved window_matches window_matched
            window_matched_players window_cancelled window_member_left window_timed_out window_queue_removed
            window_engine_closed window_matched_elsewhere window_starved wait_samples wait_mean_ms wait_p50_ms
            wait_p90_ms wait_p99_ms
        }
        evenmatch_rule_activity {
            struct_size rule excluded pairs
        }
        evenmatch_ticket_name {
            struct_size reserved id text_bytes text
        }
        evenmatch_naming {
            struct_size players_as ticket_count match_count player_count tickets matches players
        }
        evenmatch_departure { struct_size flags at_ms claims ticket player status reserved }
        evenmatch_question {
            struct_size flags skill region_count regions
        }
        evenmatch_estimate {
            struct_size flags p50_ms p90_ms samples matched seen_up_to_ms band
        }
    }
    out
}

/// The layout of every struct, for the tests of bindings: a line "evenmatch_ticket 88" for each struct with its size,
/// followed by a line "evenmatch_ticket.queue 8 8" for each field with its offset and its size, in bytes. `buffer`
/// takes `capacity` bytes and a NUL if there is room for it; `bytes_out` gets the length without the NUL.
///
/// Any thread. Errors: BUFFER_TOO_SMALL (with `bytes_out`), NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evenmatch_layout_read(
    buffer: *mut c_char,
    capacity: u64,
    bytes_out: *mut u64,
) -> evenmatch_status {
    // SAFETY: by the contract of the header the buffer has `capacity` bytes.
    call(|| unsafe { wire::put_text(buffer, capacity, bytes_out, &lines()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The structs have no holes: every byte between two fields would be one that a caller need not set.
    #[test]
    fn fields_follow_one_another() {
        let mut end = 0;
        let mut size = 0;
        let text = lines();
        for line in text.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            let number = |at: usize| words[at].parse::<usize>().unwrap();
            if words.len() == 2 {
                assert_eq!(end, size, "before {line}");
                (end, size) = (0, number(1));
            } else {
                assert_eq!(number(1), end, "{line}");
                end += number(2);
            }
        }
        assert_eq!(end, size, "at the end");
    }
}
