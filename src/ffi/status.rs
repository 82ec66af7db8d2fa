//! Status: what every call answers, and the sentence that goes with it.
//!
//! Written by every export. Invariant: the numbers and words never change; a new code gets a new number within the
//! band of its noun.
#![allow(unsafe_code, reason = "exports write through the caller's pointers")]

use super::guard::{self, Fault, call};
use super::wire;
use crate::model::codes::{Code, EndReason, Refusal, UnmatchableReason};
use std::ffi::{CStr, c_char};

/// What a call answers: EVENMATCH_OK, or a negative number that says why it was refused. A refused call has changed
/// nothing and written none of its outputs, unless the function says otherwise.
pub type evenmatch_status = i32;

/// Done.
pub const EVENMATCH_OK: evenmatch_status = 0;

/// An argument makes no sense: a reserved field or an unknown flag is set, a pointer is not aligned for its type.
pub const EVENMATCH_INVALID_ARGUMENT: evenmatch_status = -1;
/// A pointer is NULL that must not be, or is NULL beside a count above 0.
pub const EVENMATCH_NULL_POINTER: evenmatch_status = -2;
/// A `struct_size` is not that of this type in any version: initialise with EVENMATCH_..._INIT. In an array all
/// elements have the same.
pub const EVENMATCH_STRUCT_SIZE: evenmatch_status = -3;
/// A field is set that this library is too old to know.
pub const EVENMATCH_STRUCT_TAIL: evenmatch_status = -4;
/// An enumerated value is none of its list.
pub const EVENMATCH_UNKNOWN_ENUM: evenmatch_status = -5;
/// A text is not UTF-8.
pub const EVENMATCH_INVALID_UTF8: evenmatch_status = -6;
/// A count or a length is beyond any that this library takes.
pub const EVENMATCH_TOO_LARGE: evenmatch_status = -7;
/// The result does not fit; the counts that are needed have been written, and nothing was consumed.
pub const EVENMATCH_BUFFER_TOO_SMALL: evenmatch_status = -8;
/// A range (`_first`, `_count`) reaches beyond its array.
pub const EVENMATCH_INVALID_RANGE: evenmatch_status = -9;
/// No such engine, queue, ticket, player or match now: a handle that is 0, stale, forged or of another engine.
pub const EVENMATCH_NOT_FOUND: evenmatch_status = -10;
/// No such symbol in this engine, or the text is not one that the call knows.
pub const EVENMATCH_UNKNOWN_SYMBOL: evenmatch_status = -11;
/// The engine has as many symbols as its config allows.
pub const EVENMATCH_TOO_MANY_SYMBOLS: evenmatch_status = -12;
/// Another thread is in a call of which there is one at a time; nobody waits.
pub const EVENMATCH_BUSY: evenmatch_status = -13;
/// The time is beyond 2^52 ms.
pub const EVENMATCH_INVALID_TIME: evenmatch_status = -14;
/// The header and the library do not belong together.
pub const EVENMATCH_ABI_MISMATCH: evenmatch_status = -15;
/// A fault of the library: the call panicked, and its engine is poisoned. Free it and make a new one.
pub const EVENMATCH_PANIC: evenmatch_status = -16;
/// An earlier call panicked; evenmatch_last_error has its message. Only evenmatch_engine_free is of use.
pub const EVENMATCH_POISONED: evenmatch_status = -17;

/// The engine has been closed, or is being freed.
pub const EVENMATCH_ENGINE_CLOSED: evenmatch_status = -100;
/// As many engines as one process may have exist.
pub const EVENMATCH_TOO_MANY_ENGINES: evenmatch_status = -101;

/// The queue definition is not legal.
pub const EVENMATCH_INVALID_QUEUE: evenmatch_status = -200;
/// The text is not of the format.
pub const EVENMATCH_INVALID_FORMAT: evenmatch_status = -201;
/// A queue of that name exists already.
pub const EVENMATCH_QUEUE_EXISTS: evenmatch_status = -202;
/// No queue of that name.
pub const EVENMATCH_UNKNOWN_QUEUE: evenmatch_status = -203;
/// The queue takes no tickets now; try again later.
pub const EVENMATCH_QUEUE_SUSPENDED: evenmatch_status = -204;
/// As many tickets as may live, or wait to be polled, do; poll, or try again later.
pub const EVENMATCH_QUEUE_FULL: evenmatch_status = -205;
/// More queues than an engine may have.
pub const EVENMATCH_TOO_MANY_QUEUES: evenmatch_status = -206;

/// The ticket is in a match already.
pub const EVENMATCH_ALREADY_MATCHED: evenmatch_status = -300;
/// The player has another live ticket by now, which stays.
pub const EVENMATCH_SUPERSEDED: evenmatch_status = -301;
/// The ticket could never be matched; the reason says why.
pub const EVENMATCH_UNMATCHABLE: evenmatch_status = -302;
/// The ticket has no player.
pub const EVENMATCH_NO_PLAYERS: evenmatch_status = -303;
/// More players than a ticket may have.
pub const EVENMATCH_TOO_MANY_PLAYERS: evenmatch_status = -304;
/// A player stands twice in the ticket.
pub const EVENMATCH_DUPLICATE_PLAYER: evenmatch_status = -305;
/// A player of the ticket is in a live ticket already.
pub const EVENMATCH_PLAYER_ALREADY_QUEUED: evenmatch_status = -306;
/// More players than the queue's `party` allows.
pub const EVENMATCH_PARTY_TOO_LARGE: evenmatch_status = -307;

/// The queue declares no such attribute.
pub const EVENMATCH_UNKNOWN_ATTRIBUTE: evenmatch_status = -400;
/// The value is not of the attribute's type.
pub const EVENMATCH_WRONG_TYPE: evenmatch_status = -401;
/// The number is not finite, or outside its range.
pub const EVENMATCH_OUT_OF_RANGE: evenmatch_status = -402;
/// A rule needs a value that no member has and nothing fills in.
pub const EVENMATCH_MISSING_ATTRIBUTE: evenmatch_status = -403;
/// More attributes than a player may carry.
pub const EVENMATCH_TOO_MANY_ATTRIBUTES: evenmatch_status = -404;
/// More values than a list may have.
pub const EVENMATCH_TOO_MANY_VALUES: evenmatch_status = -405;
/// More bytes than a string may have.
pub const EVENMATCH_TOO_MANY_BYTES: evenmatch_status = -406;
/// The same attribute or region stands twice.
pub const EVENMATCH_DUPLICATE_NAME: evenmatch_status = -407;

/// The queue has a region rule and a player has no latency.
pub const EVENMATCH_MISSING_LATENCY: evenmatch_status = -500;
/// The queue lists its regions and this is none of them.
pub const EVENMATCH_UNKNOWN_REGION: evenmatch_status = -501;
/// More regions than a queue may know at once.
pub const EVENMATCH_TOO_MANY_REGIONS: evenmatch_status = -502;

/// The statuses that are no code of the engine, with their words.
const OWN: &[(evenmatch_status, &CStr)] = &[
    (EVENMATCH_OK, c"OK"),
    (EVENMATCH_INVALID_ARGUMENT, c"INVALID_ARGUMENT"),
    (EVENMATCH_NULL_POINTER, c"NULL_POINTER"),
    (EVENMATCH_STRUCT_SIZE, c"STRUCT_SIZE"),
    (EVENMATCH_STRUCT_TAIL, c"STRUCT_TAIL"),
    (EVENMATCH_UNKNOWN_ENUM, c"UNKNOWN_ENUM"),
    (EVENMATCH_INVALID_UTF8, c"INVALID_UTF8"),
    (EVENMATCH_TOO_LARGE, c"TOO_LARGE"),
    (EVENMATCH_BUFFER_TOO_SMALL, c"BUFFER_TOO_SMALL"),
    (EVENMATCH_INVALID_RANGE, c"INVALID_RANGE"),
    (EVENMATCH_UNKNOWN_SYMBOL, c"UNKNOWN_SYMBOL"),
    (EVENMATCH_TOO_MANY_SYMBOLS, c"TOO_MANY_SYMBOLS"),
    (EVENMATCH_ABI_MISMATCH, c"ABI_MISMATCH"),
    (EVENMATCH_PANIC, c"PANIC"),
    (EVENMATCH_POISONED, c"POISONED"),
    (EVENMATCH_TOO_MANY_ENGINES, c"TOO_MANY_ENGINES"),
];

/// The number and the word of a code. A new code does not compile until it has both.
pub(super) const fn of_code(code: Code) -> (evenmatch_status, &'static CStr) {
    match code {
        Code::PlayerAlreadyQueued => (EVENMATCH_PLAYER_ALREADY_QUEUED, c"PLAYER_ALREADY_QUEUED"),
        Code::DuplicatePlayer => (EVENMATCH_DUPLICATE_PLAYER, c"DUPLICATE_PLAYER"),
        Code::NoPlayers => (EVENMATCH_NO_PLAYERS, c"NO_PLAYERS"),
        Code::UnknownQueue => (EVENMATCH_UNKNOWN_QUEUE, c"UNKNOWN_QUEUE"),
        Code::QueueExists => (EVENMATCH_QUEUE_EXISTS, c"QUEUE_EXISTS"),
        Code::QueueSuspended => (EVENMATCH_QUEUE_SUSPENDED, c"QUEUE_SUSPENDED"),
        Code::QueueFull => (EVENMATCH_QUEUE_FULL, c"QUEUE_FULL"),
        Code::PartyTooLarge => (EVENMATCH_PARTY_TOO_LARGE, c"PARTY_TOO_LARGE"),
        Code::UnknownAttribute => (EVENMATCH_UNKNOWN_ATTRIBUTE, c"UNKNOWN_ATTRIBUTE"),
        Code::WrongType => (EVENMATCH_WRONG_TYPE, c"WRONG_TYPE"),
        Code::OutOfRange => (EVENMATCH_OUT_OF_RANGE, c"OUT_OF_RANGE"),
        Code::MissingAttribute => (EVENMATCH_MISSING_ATTRIBUTE, c"MISSING_ATTRIBUTE"),
        Code::MissingLatency => (EVENMATCH_MISSING_LATENCY, c"MISSING_LATENCY"),
        Code::UnknownRegion => (EVENMATCH_UNKNOWN_REGION, c"UNKNOWN_REGION"),
        Code::TooManyRegions => (EVENMATCH_TOO_MANY_REGIONS, c"TOO_MANY_REGIONS"),
        Code::TooManyPlayers => (EVENMATCH_TOO_MANY_PLAYERS, c"TOO_MANY_PLAYERS"),
        Code::TooManyValues => (EVENMATCH_TOO_MANY_VALUES, c"TOO_MANY_VALUES"),
        Code::TooManyBytes => (EVENMATCH_TOO_MANY_BYTES, c"TOO_MANY_BYTES"),
        Code::TooManyAttributes => (EVENMATCH_TOO_MANY_ATTRIBUTES, c"TOO_MANY_ATTRIBUTES"),
        Code::TooManyQueues => (EVENMATCH_TOO_MANY_QUEUES, c"TOO_MANY_QUEUES"),
        Code::DuplicateName => (EVENMATCH_DUPLICATE_NAME, c"DUPLICATE_NAME"),
        Code::Unmatchable => (EVENMATCH_UNMATCHABLE, c"UNMATCHABLE"),
        Code::NotFound => (EVENMATCH_NOT_FOUND, c"NOT_FOUND"),
        Code::AlreadyMatched => (EVENMATCH_ALREADY_MATCHED, c"ALREADY_MATCHED"),
        Code::Superseded => (EVENMATCH_SUPERSEDED, c"SUPERSEDED"),
        Code::InvalidTime => (EVENMATCH_INVALID_TIME, c"INVALID_TIME"),
        Code::Busy => (EVENMATCH_BUSY, c"BUSY"),
        Code::EngineClosed => (EVENMATCH_ENGINE_CLOSED, c"ENGINE_CLOSED"),
        Code::InvalidQueue => (EVENMATCH_INVALID_QUEUE, c"INVALID_QUEUE"),
        Code::InvalidFormat => (EVENMATCH_INVALID_FORMAT, c"INVALID_FORMAT"),
    }
}

/// The ticket named no reason.
pub const EVENMATCH_REASON_NONE: i32 = 0;
/// No region lies within its list, its own limit and the region rule's greatest window.
pub const EVENMATCH_UNMATCHABLE_NO_REGION: i32 = 1;
/// It is larger than every team, or than the match.
pub const EVENMATCH_UNMATCHABLE_TOO_LARGE: i32 = 2;
/// Its own total is above the greatest maximum of a total that never loosens away.
pub const EVENMATCH_UNMATCHABLE_TOTAL_TOO_HIGH: i32 = 3;
/// Its members disagree in an equality.
pub const EVENMATCH_UNMATCHABLE_MEMBERS_DISAGREE: i32 = 4;
/// It is a full match alone where the queue asks for more tickets.
pub const EVENMATCH_UNMATCHABLE_FULL_ALONE: i32 = 5;

pub(super) const fn of_unmatchable(reason: UnmatchableReason) -> i32 {
    match reason {
        UnmatchableReason::NoRegion => EVENMATCH_UNMATCHABLE_NO_REGION,
        UnmatchableReason::TooLarge => EVENMATCH_UNMATCHABLE_TOO_LARGE,
        UnmatchableReason::TotalTooHigh => EVENMATCH_UNMATCHABLE_TOTAL_TOO_HIGH,
        UnmatchableReason::MembersDisagree => EVENMATCH_UNMATCHABLE_MEMBERS_DISAGREE,
        UnmatchableReason::FullAlone => EVENMATCH_UNMATCHABLE_FULL_ALONE,
    }
}

/// The host cancelled the ticket.
pub const EVENMATCH_ENDED_CANCELLED: i32 = 1;
/// A member of the party left.
pub const EVENMATCH_ENDED_PARTY_MEMBER_LEFT: i32 = 2;
/// It reached its timeout.
pub const EVENMATCH_ENDED_TIMED_OUT: i32 = 3;
/// Its queue was removed.
pub const EVENMATCH_ENDED_QUEUE_REMOVED: i32 = 4;
/// The engine was closed.
pub const EVENMATCH_ENDED_ENGINE_CLOSED: i32 = 5;
/// A player of it was matched through another queue.
pub const EVENMATCH_ENDED_MATCHED_ELSEWHERE: i32 = 6;

pub(super) const fn of_end(reason: EndReason) -> i32 {
    match reason {
        EndReason::Cancelled => EVENMATCH_ENDED_CANCELLED,
        EndReason::PartyMemberLeft => EVENMATCH_ENDED_PARTY_MEMBER_LEFT,
        EndReason::TimedOut => EVENMATCH_ENDED_TIMED_OUT,
        EndReason::QueueRemoved => EVENMATCH_ENDED_QUEUE_REMOVED,
        EndReason::EngineClosed => EVENMATCH_ENDED_ENGINE_CLOSED,
        EndReason::MatchedElsewhere => EVENMATCH_ENDED_MATCHED_ELSEWHERE,
    }
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Fault {
        let status = of_code(refusal.code).0;
        match refusal.reason {
            Some(reason) => Fault::new(status, format!("{reason}: {}", refusal.detail)),
            None => Fault::new(status, refusal.detail),
        }
    }
}

/// The stable word of a status ("QUEUE_FULL"), terminated by a NUL; "UNKNOWN" for a number that is none. Static, not
/// to be freed, gone with the library.
///
/// Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn evenmatch_status_text(status: evenmatch_status) -> *const c_char {
    let own = OWN.iter().find(|(own, _)| *own == status).map(|(_, word)| *word);
    let code = || Code::ALL.iter().map(|&code| of_code(code)).find(|(own, _)| *own == status);
    own.or_else(|| code().map(|(_, word)| word)).unwrap_or(c"UNKNOWN").as_ptr()
}

/// The stable word of a reason for which a ticket ended ("TIMED_OUT"), terminated by a NUL; "UNKNOWN" for a number
/// that is none. Static, not to be freed, gone with the library.
///
/// Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn evenmatch_end_reason_text(reason: i32) -> *const c_char {
    let word = match reason {
        EVENMATCH_ENDED_CANCELLED => c"CANCELLED",
        EVENMATCH_ENDED_PARTY_MEMBER_LEFT => c"PARTY_MEMBER_LEFT",
        EVENMATCH_ENDED_TIMED_OUT => c"TIMED_OUT",
        EVENMATCH_ENDED_QUEUE_REMOVED => c"QUEUE_REMOVED",
        EVENMATCH_ENDED_ENGINE_CLOSED => c"ENGINE_CLOSED",
        EVENMATCH_ENDED_MATCHED_ELSEWHERE => c"MATCHED_ELSEWHERE",
        _ => c"UNKNOWN",
    };
    word.as_ptr()
}

/// The stable word of a reason for which a ticket can never be matched ("NO_REGION"), terminated by a NUL; "UNKNOWN"
/// for a number that is none. Static, not to be freed, gone with the library.
///
/// Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn evenmatch_unmatchable_text(reason: i32) -> *const c_char {
    let word = match reason {
        EVENMATCH_UNMATCHABLE_NO_REGION => c"NO_REGION",
        EVENMATCH_UNMATCHABLE_TOO_LARGE => c"TOO_LARGE",
        EVENMATCH_UNMATCHABLE_TOTAL_TOO_HIGH => c"TOTAL_TOO_HIGH",
        EVENMATCH_UNMATCHABLE_MEMBERS_DISAGREE => c"MEMBERS_DISAGREE",
        EVENMATCH_UNMATCHABLE_FULL_ALONE => c"FULL_ALONE",
        _ => c"UNKNOWN",
    };
    word.as_ptr()
}

/// The sentence that goes with the last refusal that a call on this thread answered, at most 1,023 bytes of UTF-8 for
/// people and logs; empty if there was none. A call that succeeds leaves it as it is, and so does this one.
///
/// `buffer` takes `capacity` bytes and a NUL if there is room for it; `bytes_out` gets the length without the NUL.
/// Any thread; each has its own. Errors: BUFFER_TOO_SMALL (with `bytes_out`), NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evenmatch_last_error(
    buffer: *mut c_char,
    capacity: u64,
    bytes_out: *mut u64,
) -> evenmatch_status {
    let mut text = guard::Sentence::EMPTY;
    guard::copy_last(&mut text);
    // SAFETY: by the contract of the header the buffer has `capacity` bytes and `bytes_out` is NULL or valid.
    let done = call(|| unsafe { wire::put_text(buffer, capacity, bytes_out, text.as_str()) });
    guard::remember(&text);
    done
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn word(text: *const c_char) -> &'static str {
        // SAFETY: the words are static and terminated.
        unsafe { CStr::from_ptr(text) }.to_str().unwrap()
    }

    #[test]
    fn every_code_has_its_word_and_a_number_of_its_own() {
        let mut numbers = BTreeSet::new();
        for &code in Code::ALL {
            let (status, text) = of_code(code);
            assert_eq!(text.to_str().unwrap(), code.word());
            assert_eq!(word(evenmatch_status_text(status)), code.word());
            assert!(status < 0 && numbers.insert(status), "{code}");
        }
        for &(status, text) in OWN {
            assert_eq!(word(evenmatch_status_text(status)), text.to_str().unwrap());
            assert!(numbers.insert(status), "{text:?}");
        }
        assert_eq!(word(evenmatch_status_text(7)), "UNKNOWN");
    }

    #[test]
    fn reasons_have_their_words() {
        for &reason in EndReason::ALL {
            assert_eq!(word(evenmatch_end_reason_text(of_end(reason))), reason.word());
        }
        for &reason in UnmatchableReason::ALL {
            assert_eq!(word(evenmatch_unmatchable_text(of_unmatchable(reason))), reason.word());
        }
        assert_eq!(word(evenmatch_end_reason_text(99)), "UNKNOWN");
        assert_eq!(word(evenmatch_unmatchable_text(0)), "UNKNOWN");
    }
}
