//! Explanations as JSON, one line each. Called by the command line, and by hosts that hand the text on.
//!
//! Invariant: keys stand in a fixed order, and keys that do not apply are left out. Times are seconds: `.._s` a span,
//! `.._at` an instant of engine time. What a rule allows is `{"limit":N}`, `{"between":[N,N]}`, `{"enforced":true}`,
//! `{"optional":N}` (`null` if it is off then) or `{"off":true}`.

use super::JsonWriter;
use super::events::Names;
use crate::model::explanation::{
    Between, Exclusion, Explanation, Missing, PairAnswer, PairExplanation, PairTest, PoolExplanation,
    RegionCauses, SearchExplanation, Shown, SizesFit, When,
};
use crate::model::status::{TicketState, TicketStatus, WindowNow};
use std::fmt::Display;

/// The line of an explanation: `{"at":..,"explanation":{..}}`.
pub fn write_explanation(explanation: &Explanation, names: &impl Names) -> String {
    let mut out = JsonWriter::event(explanation.at, "explanation");
    out.string_at("ticket", &names.ticket(explanation.ticket.id));
    out.string_at("queue", &explanation.queue);
    suspended(&mut out, explanation.queue_suspended);
    status(&mut out, &explanation.ticket, names);
    out.number_at("players", explanation.players);
    out.number_if("deadline_at", explanation.deadline);
    if let Some(of) = &explanation.pool {
        pool(&mut out, of, names);
    }
    out.finish_event()
}

/// The line of an answer about two tickets: `{"at":..,"pair":{..}}`; `between` says `pair`, or why there is nothing
/// between them to tell.
pub fn write_pair_answer(answer: &PairAnswer, names: &impl Names) -> String {
    let mut out = JsonWriter::event(answer.at, "pair");
    suspended(&mut out, answer.queue_suspended);
    for (key, ticket) in [("ticket", &answer.ticket), ("other", &answer.other)] {
        out.key(key);
        out.begin_object();
        out.string_at("ticket", &names.ticket(ticket.id));
        status(&mut out, ticket, names);
        out.end_object();
    }
    out.string_at("between", answer.between.word());
    if let Between::Pair(of) = &answer.between {
        out.key("barriers");
        pair(&mut out, of, names);
    }
    out.finish_event()
}

fn flag(out: &mut JsonWriter, key: &str, value: bool) {
    out.key(key);
    out.bool(value);
}

fn suspended(out: &mut JsonWriter, is_suspended: bool) {
    if is_suspended {
        flag(out, "queue_suspended", true);
    }
}

fn numbers(out: &mut JsonWriter, key: &str, numbers: impl IntoIterator<Item = impl Display>) {
    out.key(key);
    out.begin_array();
    numbers.into_iter().for_each(|number| out.number(number));
    out.end_array();
}

fn status(out: &mut JsonWriter, status: &TicketStatus, names: &impl Names) {
    out.string_at("state", status.state.word());
    match status.state {
        TicketState::Matched(id) => out.string_at("match", &names.match_name(id)),
        TicketState::Ended(reason) => out.string_at("reason", reason.word()),
        TicketState::Forming | TicketState::Queued => {}
    }
    out.number_at("age_s", status.age);
    out.number_at("attempts", status.attempts);
    if let Some(waiting_for) = status.waiting_for {
        out.string_at("waiting_for", waiting_for.word());
        out.number_at("prefer_full_left_s", status.prefer_full_left);
    }
}

fn pool(out: &mut JsonWriter, pool: &PoolExplanation, names: &impl Names) {
    out.number_at("others", pool.others);
    out.number_at("legal", pool.legal);
    out.number_at("legal_older", pool.legal_older);
    out.key("barriers");
    out.begin_array();
    pool.exclusions.iter().for_each(|of| exclusion(out, of));
    out.end_array();
    out.key("nearest");
    out.begin_array();
    pool.nearest.iter().for_each(|near| pair(out, near, names));
    out.end_array();
    missing(out, &pool.missing);
    search(out, &pool.search, names);
}

fn exclusion(out: &mut JsonWriter, exclusion: &Exclusion) {
    out.begin_object();
    out.string_at("barrier", exclusion.barrier.word());
    if let Some(of) = &exclusion.window {
        out.string_at("type", exclusion.kind);
        window(out, "allows", of);
        out.string_at("windows", exclusion.windows);
        out.number_if("next_change_at", exclusion.next_change);
        shown(out, "value", exclusion.value.as_ref());
    }
    if exclusion.of_pairs {
        out.number_at("excludes_alone", exclusion.alone);
        out.number_at("excludes_after", exclusion.after);
    } else {
        flag(out, "whole_matches_only", true);
    }
    if exclusion.without_value > 0 {
        out.number_at("without_value", exclusion.without_value);
    }
    if let Some(of) = &exclusion.regions {
        causes(out, of);
    }
    out.end_object();
}

fn causes(out: &mut JsonWriter, causes: &RegionCauses) {
    out.key("causes");
    out.begin_object();
    out.number_at("none_in_common", causes.none_in_common);
    out.number_at("not_allowed", causes.not_allowed);
    out.number_at("own_ping_limit", causes.own_ping_limit);
    out.number_at("down", causes.down);
    out.number_at("beyond_window", causes.beyond_window);
    out.end_object();
}

fn window(out: &mut JsonWriter, key: &str, window: &WindowNow) {
    let optional = |out: &mut JsonWriter, number: Option<_>| match number {
        Some(number) => out.number(number),
        None => out.null(),
    };
    out.key(key);
    out.begin_object();
    match window {
        WindowNow::Off => flag(out, "off", true),
        WindowNow::Enforced => flag(out, "enforced", true),
        WindowNow::Limit(limit) => out.number_at("limit", limit),
        WindowNow::Optional(limit) => {
            out.key("optional");
            optional(out, *limit);
        }
        WindowNow::Between(least, greatest) => {
            out.key("between");
            out.begin_array();
            optional(out, *least);
            optional(out, *greatest);
            out.end_array();
        }
    }
    out.end_object();
}

fn shown(out: &mut JsonWriter, key: &str, value: Option<&Shown>) {
    match value {
        Some(Shown::Number(number)) => out.number_at(key, number),
        Some(Shown::Text(text)) => out.string_at(key, text),
        Some(Shown::List(list)) => out.strings_at(key, list),
        None => {}
    }
}

fn when(out: &mut JsonWriter, when: When) {
    let word = match when {
        When::Now => "now",
        When::At(_) => "at",
        When::TooLate(_) => "too_late",
        When::Never => "never",
    };
    out.string_at("when", word);
    if let When::At(at) | When::TooLate(at) = when {
        out.number_at("when_at", at);
    }
}

fn pair(out: &mut JsonWriter, pair: &PairExplanation, names: &impl Names) {
    out.begin_object();
    out.string_at("ticket", &names.ticket(pair.ticket));
    out.number_at("players", pair.players);
    out.number_at("age_s", pair.age);
    out.number_if("deadline_at", pair.deadline);
    when(out, pair.when);
    if let Some(barrier) = &pair.decided_by {
        out.string_at("decided_by", barrier.word());
    }
    out.key("barriers");
    out.begin_array();
    pair.tests.iter().for_each(|of| test(out, of));
    out.end_array();
    out.end_object();
}

fn test(out: &mut JsonWriter, test: &PairTest) {
    out.begin_object();
    out.string_at("barrier", test.barrier.word());
    if !test.kind.is_empty() {
        out.string_at("type", test.kind);
    }
    when(out, test.when);
    if let Some(attribute) = &test.attribute {
        out.string_at("attribute", attribute);
    }
    if let Some(region) = &test.region {
        out.string_at("region", region);
    }
    if let Some(cause) = test.region_cause {
        out.string_at("cause", cause.word());
    }
    shown(out, "own", test.own.as_ref());
    shown(out, "theirs", test.theirs.as_ref());
    out.number_if("measured", test.measured);
    for (key, limit) in [("own_limit", &test.own_limit), ("their_limit", &test.their_limit)] {
        if let Some(limit) = limit {
            window(out, key, limit);
        }
    }
    out.end_object();
}

fn missing(out: &mut JsonWriter, missing: &Missing) {
    out.key("missing");
    out.begin_object();
    out.number_at("players_least", missing.players_least);
    out.number_at("players_here", missing.players_here);
    out.number_at("players_short", missing.players_short);
    out.number_at("tickets_short", missing.tickets_short);
    match &missing.sizes {
        SizesFit::Fit => flag(out, "sizes_fit", true),
        SizesFit::Unknown => {}
        SizesFit::OneMore(sizes) => {
            flag(out, "sizes_fit", false);
            numbers(out, "one_more_of", sizes);
        }
    }
    out.key("totals");
    out.begin_array();
    for short in &missing.totals {
        out.begin_object();
        out.string_at("rule", &short.rule);
        out.string_at("per", if short.per_team { "team" } else { "match" });
        out.number_at("least", short.least);
        out.number_at("here", short.here);
        out.end_object();
    }
    out.end_array();
    out.key("blockers");
    out.begin_array();
    for blocker in &missing.blockers {
        out.begin_object();
        out.string_at("barrier", blocker.barrier.word());
        out.number_at("players", blocker.players);
        out.number_if("team_difference", blocker.team_difference);
        out.end_object();
    }
    out.end_array();
    out.end_object();
}

fn search(out: &mut JsonWriter, search: &SearchExplanation, names: &impl Names) {
    out.key("search");
    out.begin_object();
    flag(out, "due", search.due);
    out.number_if("next_look_at", search.next_look);
    flag(out, "exhaustive", search.exhaustive);
    out.number_at("steps", search.steps);
    out.strings_at("found", search.found.iter().map(|&ticket| names.ticket(ticket)));
    if let Some(urgent) = search.urgent {
        flag(out, "urgent", urgent);
    }
    out.end_object();
}
