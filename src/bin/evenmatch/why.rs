//! An explanation in words: why a ticket waits, and what is between two tickets.
//!
//! Used by `explain`. What excludes nobody and asks for nothing is left out, unless it is a rule.

use crate::names::Names;
use crate::tables;
use comfy_table::Cell;
use evenmatch::base::fixed::Fixed;
use evenmatch::config::write::Names as _;
use evenmatch::model::explanation::{
    Barrier, Between, Exclusion, Explanation, Missing, PairAnswer, PairExplanation, PairTest,
    PoolExplanation, RegionCause, SearchExplanation, Shown, SizesFit, When,
};
use evenmatch::model::ids::Millis;
use evenmatch::model::status::{TicketState, TicketStatus, WaitingFor, WindowNow};

/// Why a ticket waits.
pub(crate) fn ticket(explanation: &Explanation, names: &Names) -> String {
    let status = &explanation.ticket;
    let name = names.ticket_name(status.id);
    let mut text = format!(
        "Ticket {name} ({}) in queue {} at {} s: {}.\n",
        players(explanation.players),
        explanation.queue,
        explanation.at,
        state(status, names)
    );
    if let Some(deadline) = explanation.deadline.filter(|_| status.state == TicketState::Queued) {
        text.push_str(&format!("It times out at {deadline} s.\n"));
    }
    text.push_str(&waits_for(status));
    if explanation.queue_suspended {
        text.push_str("The queue is suspended: nobody in it is matched until it is open again.\n");
    }
    if let Some(pool) = &explanation.pool {
        text.push_str(&of_pool(name, explanation.at, pool, names));
    }
    text
}

/// What is between two tickets.
pub(crate) fn pair(answer: &PairAnswer, names: &Names) -> String {
    let (own, other) = (names.ticket_name(answer.ticket.id), names.ticket_name(answer.other.id));
    let mut text = format!("Tickets {own} and {other} at {} s.\n", answer.at);
    for status in [&answer.ticket, &answer.other] {
        text.push_str(&format!("{}: {}.\n", names.ticket_name(status.id), state(status, names)));
    }
    if answer.queue_suspended {
        text.push_str("The queue is suspended: nobody in it is matched until it is open again.\n");
    }
    match &answer.between {
        Between::SameTicket => text.push_str("They are one and the same ticket.\n"),
        Between::OtherQueue => text.push_str("They are in different queues, and never meet.\n"),
        Between::NotWaiting => text.push_str("They do not both wait, so nothing can bring them together.\n"),
        Between::NotTakenIn => text.push_str("No tick has taken both of them in yet.\n"),
        Between::Pair(pair) => {
            text.push_str(&format!("Could they stand in one match? {}.\n", legal(pair, answer.at)));
            for test in &pair.tests {
                text.push_str(&of_test(own, other, answer.at, test));
            }
        }
    }
    text
}

fn players(count: u32) -> String {
    if count == 1 { "1 player".to_owned() } else { format!("{count} players") }
}

fn tickets(count: u64) -> String {
    if count == 1 { "1 ticket".to_owned() } else { format!("{count} tickets") }
}

fn state(status: &TicketStatus, names: &Names) -> String {
    match status.state {
        TicketState::Forming => "it is forming".to_owned(),
        TicketState::Queued => format!("it has waited {} s", status.age),
        TicketState::Matched(id) => {
            format!("it is in match {}, after a wait of {} s", names.match_name(id), status.age)
        }
        TicketState::Ended(reason) => format!("it ended ({reason}) after {} s", status.age),
    }
}

fn waits_for(status: &TicketStatus) -> String {
    let what = match status.waiting_for {
        None | Some(WaitingFor::QueueResumed) => return String::new(),
        Some(WaitingFor::Members) => "members who are still to join",
        Some(WaitingFor::Tick) => "the next tick, which takes it in",
        Some(WaitingFor::FullMatch) => {
            return format!(
                "For another {} s it waits for a full match; smaller ones are legal after that.\n",
                status.prefer_full_left
            );
        }
        Some(WaitingFor::RegionUp) => "a region: every one within its window is down",
        Some(WaitingFor::PingWindow) => "its ping window: no region is within it yet",
        Some(WaitingFor::Partners) => "tickets that fit",
    };
    format!("It waits for {what}.\n")
}

fn of_pool(name: &str, at: Millis, pool: &PoolExplanation, names: &Names) -> String {
    let older = match (pool.legal_older, pool.search.urgent) {
        (0, _) => String::new(),
        (older, urgent) => {
            let are = if older == 1 { "1 is".to_owned() } else { format!("{older} are") };
            let so = if urgent.is_none() { ": their search comes first" } else { "" };
            format!(" ({are} older{so})")
        }
    };
    let verb = if pool.others == 1 { "waits" } else { "wait" };
    let mut text = format!(
        "\n{} {verb} beside it; {} could stand with it now{older}.\n",
        others(pool.others),
        pool.legal
    );
    text.push_str(&barriers(name, at, pool));
    if !pool.nearest.is_empty() {
        text.push_str(&format!("\nThe nearest, at most {}:\n", pool.nearest_max));
    }
    for near in &pool.nearest {
        let other = names.ticket_name(near.ticket);
        text.push_str(&format!(
            "  {other} ({}, waiting {} s): {}.\n",
            players(near.players),
            near.age,
            legal(near, at)
        ));
        for test in near.tests.iter().filter(|test| !is_open(test.when, at)) {
            text.push_str(&of_test(name, other, at, test));
        }
    }
    text.push_str(&of_missing(pool));
    text.push_str(&of_search(&pool.search, names));
    text
}

fn others(count: u64) -> String {
    if count == 1 { "1 other ticket".to_owned() } else { format!("{count} other tickets") }
}

/// The table of what keeps others out.
fn barriers(name: &str, at: Millis, pool: &PoolExplanation) -> String {
    let mut table = tables::table();
    table.set_header([
        "barrier".to_owned(),
        format!("{name} brings"),
        "allowed to it".to_owned(),
        "until".to_owned(),
        "excludes alone".to_owned(),
        "after those above".to_owned(),
    ]);
    for exclusion in &pool.exclusions {
        if exclusion.window.is_none() && exclusion.alone == 0 {
            continue;
        }
        let unit = unit(exclusion.kind);
        let brings = exclusion.value.as_ref().map_or(String::new(), |value| shown(value, unit));
        let is_left_out = exclusion.value.is_none() && exclusion.kind != "region";
        let brings = if exclusion.window.is_some() && is_left_out { "nothing".to_owned() } else { brings };
        let counts = match exclusion.of_pairs {
            true => [exclusion.alone.to_string(), exclusion.after.to_string()],
            false => ["whole matches".to_owned(), String::new()],
        };
        let [alone, after] = counts;
        table.add_row([
            exclusion.barrier.word().to_owned(),
            brings,
            exclusion.window.as_ref().map_or(String::new(), |window| allowed(window, exclusion.kind)),
            exclusion.next_change.map_or(String::new(), |next| match next.since(at) {
                Millis(1) => "it grows".to_owned(),
                _ => format!("{next} s"),
            }),
            alone,
            after,
        ]);
        for (line, count) in details(exclusion) {
            let row = [format!("  {line}"), String::new(), String::new(), String::new(), count.to_string()];
            table.add_row(row.map(Cell::new));
        }
    }
    tables::align_right(&mut table, 3..=5);
    tables::text(&table)
}

/// The lines under a barrier.
fn details(exclusion: &Exclusion) -> Vec<(&'static str, u64)> {
    let mut lines = Vec::new();
    if let Some(causes) = exclusion.regions {
        lines.extend([
            ("no region in common", causes.none_in_common),
            ("an allow list", causes.not_allowed),
            ("an own max_ping_ms", causes.own_ping_limit),
            ("down", causes.down),
            ("beyond a window", causes.beyond_window),
        ]);
    }
    let without = match exclusion.barrier {
        Barrier::OwnLimits | Barrier::TheirLimits => "of them without a value",
        _ => "without a value, left out",
    };
    lines.push((without, exclusion.without_value));
    lines.retain(|&(_, count)| count > 0);
    lines
}

fn unit(kind: &str) -> &'static str {
    if kind == "region" { " ms" } else { "" }
}

fn shown(value: &Shown, unit: &str) -> String {
    match value {
        Shown::Number(number) => format!("{number}{unit}"),
        Shown::Text(text) => text.clone(),
        Shown::List(list) => list.join(", "),
    }
}

/// What a rule allows, in a few words.
fn allowed(window: &WindowNow, kind: &str) -> String {
    let unit = unit(kind);
    match window {
        WindowNow::Off => "anything (off)".to_owned(),
        WindowNow::Enforced => match kind {
            "equality" => "the same".to_owned(),
            _ => "enforced".to_owned(),
        },
        WindowNow::Limit(limit) if kind == "intersection" => format!("at least {limit} shared"),
        WindowNow::Limit(limit) if kind.ends_with("difference") => format!("{limit} apart"),
        WindowNow::Limit(limit) => format!("up to {limit}{unit}"),
        WindowNow::Optional(_) => "anything (optional)".to_owned(),
        WindowNow::Between(least, greatest) => between(*least, *greatest),
    }
}

fn between(least: Option<Fixed>, greatest: Option<Fixed>) -> String {
    match (least, greatest) {
        (Some(least), Some(greatest)) if least == greatest => format!("exactly {least}"),
        (Some(least), Some(greatest)) => format!("{least} to {greatest}"),
        (Some(least), None) => format!("at least {least}"),
        (None, Some(greatest)) => format!("at most {greatest}"),
        (None, None) => "anything".to_owned(),
    }
}

/// When a pair is legal, and what decides it.
fn legal(pair: &PairExplanation, at: Millis) -> String {
    let by = pair.decided_by.as_ref().map_or(String::new(), |by| format!(", because of {}", by.word()));
    match pair.when {
        When::Now => "yes, now".to_owned(),
        _ => format!("{}{by}", opens(pair.when, at)),
    }
}

fn opens(when: When, at: Millis) -> String {
    match when {
        When::Now => "open".to_owned(),
        When::At(opens) => format!("from {opens} s on (in {} s)", opens.since(at)),
        When::TooLate(opens) if opens <= at => "open, but one of them has timed out".to_owned(),
        When::TooLate(opens) => format!("never: {opens} s is after one of them times out"),
        When::Never => "never".to_owned(),
    }
}

/// Whether a barrier is open, timeouts aside.
fn is_open(when: When, at: Millis) -> bool {
    match when {
        When::Now => true,
        When::TooLate(opens) => opens <= at,
        When::At(_) | When::Never => false,
    }
}

/// One barrier between two tickets, in a line.
fn of_test(own: &str, other: &str, at: Millis, test: &PairTest) -> String {
    let unit = unit(test.kind);
    let mut parts = Vec::new();
    if let Some(cause) = test.region_cause {
        parts.push(cause_words(cause).to_owned());
    }
    let of = test.region.as_ref().map_or(String::new(), |region| format!(" in {region}"));
    let of = match &test.attribute {
        // Most rules bear the name of what they are about.
        Some(attribute) if attribute != test.barrier.word() => format!(" {attribute}"),
        _ => of,
    };
    match (&test.own, &test.theirs) {
        (Some(a), Some(b)) => {
            parts.push(format!("{own} {}, {other} {}{of}", shown(a, unit), shown(b, unit)));
        }
        (Some(a), None) => parts.push(format!("{own} {}{of}, {other} nothing", shown(a, unit))),
        (None, Some(b)) => parts.push(format!("{other} {}{of}, {own} nothing", shown(b, unit))),
        (None, None) => {}
    }
    if let (Some(measured), true) = (test.measured, test.kind.ends_with("difference")) {
        parts.push(format!("{measured} apart"));
    } else if let (Some(measured), "intersection") = (test.measured, test.kind) {
        parts.push(format!("{measured} shared"));
    } else if let Some(measured) = test.measured {
        parts.push(format!("{measured} together"));
    }
    let limit = |window: &WindowNow| allowed(window, test.kind);
    match (&test.own_limit, &test.their_limit) {
        (Some(a), Some(b)) if a == b => parts.push(format!("{} allowed to both", limit(a))),
        (Some(a), Some(b)) => parts.push(format!("{} allowed to {own}, {} to {other}", limit(a), limit(b))),
        (Some(a), None) => parts.push(format!("{} asked for", limit(a))),
        (None, Some(b)) => parts.push(format!("{} asked for", limit(b))),
        (None, None) => {}
    }
    format!("    {}: {}; {}\n", test.barrier.word(), parts.join("; "), opens(test.when, at))
        .replace(": ; ", ": ")
}

const fn cause_words(cause: RegionCause) -> &'static str {
    match cause {
        RegionCause::NoneInCommon => "no region in common",
        RegionCause::NotAllowed => "an allow list rules the common regions out",
        RegionCause::OwnPingLimit => "an own max_ping_ms rules the common regions out",
        RegionCause::Down => "the common regions are down",
        RegionCause::BeyondWindow => "beyond a window",
    }
}

/// What a whole match lacks.
fn of_missing(pool: &PoolExplanation) -> String {
    let missing: &Missing = &pool.missing;
    let mut lines = Vec::new();
    // Of a match of two that no other ticket fits, everything has been said.
    let is_said = pool.legal == 0 && missing.players_least <= 2;
    if missing.players_short > 0 && !is_said {
        lines.push(format!(
            "A match takes at least {} players; the ticket and those that could stand with it have {}: {} short.",
            missing.players_least, missing.players_here, missing.players_short
        ));
    }
    if missing.tickets_short > 0 {
        lines.push(format!("It takes {} more.", tickets(u64::from(missing.tickets_short))));
    }
    match &missing.sizes {
        SizesFit::Fit => {}
        SizesFit::OneMore(_) if is_said => {}
        // Whoever comes next is one of many who are lacking.
        SizesFit::OneMore(sizes) if sizes.is_empty() && missing.players_short > 0 => {}
        SizesFit::Unknown => {
            lines.push("Whether the parties go into teams takes too long to tell.".to_owned())
        }
        SizesFit::OneMore(sizes) if sizes.is_empty() => {
            lines.push(
                "Their parties make no teams of the right sizes; it takes more than one other.".to_owned(),
            );
        }
        SizesFit::OneMore(sizes) => {
            let sizes: Vec<String> = sizes.iter().map(|&size| players(size)).collect();
            lines.push(format!(
                "Their parties make no teams of the right sizes; one more ticket of {} would complete a match.",
                sizes.join(" or ")
            ));
        }
    }
    for short in &missing.totals {
        let per = if short.per_team { " over all teams" } else { "" };
        lines.push(format!(
            "{}: a match needs at least {}{per}, they bring {} at most.",
            short.rule, short.least, short.here
        ));
    }
    for blocker in &missing.blockers {
        let apart =
            blocker.team_difference.map_or(String::new(), |apart| format!(", its teams {apart} apart"));
        lines.push(format!(
            "Without {} it would be in a match of {}{apart}.",
            blocker.barrier.word(),
            players(blocker.players)
        ));
    }
    if lines.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = lines.into_iter().map(|line| format!("  {line}\n")).collect();
    format!("\nWhat a match lacks:\n{}", lines.concat())
}

fn of_search(search: &SearchExplanation, names: &Names) -> String {
    let mut text = String::from("\n");
    if search.found.is_empty() {
        text.push_str("A search around it finds no match");
    } else {
        let found: Vec<&str> = search.found.iter().map(|&id| names.ticket_name(id)).collect();
        text.push_str(&format!("A search around it finds a match of {}", found.join(", ")));
    }
    text.push_str(match search.exhaustive {
        true => ".\n",
        false => ", but it was cut off at its limit: there may be one that it has not seen.\n",
    });
    text.push_str(match search.urgent {
        None => "",
        Some(true) => "It has waited long enough to be urgent: it goes before the tickets that are not.\n",
        Some(false) => {
            "It is not urgent: it is matched together with all others, as many players as possible at the least \
             total cost.\n"
        }
    });
    text.push_str(&match (search.due, search.next_look) {
        (true, _) => "The next tick looks at it.\n".to_owned(),
        (false, Some(at)) => {
            format!("It is looked at again at {at} s, or when somebody comes or changes.\n")
        }
        (false, None) => "It is looked at again when somebody comes or changes.\n".to_owned(),
    });
    text
}
