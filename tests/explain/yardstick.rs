//! Every count and every time of an explanation against the independent judge, on random queues of every kind.
//!
//! The judge knows whole matches only, so each barrier is put to it as a queue of its own: the raw queue with that
//! one rule, without limits, and in free teams unless the two of them are a whole match.

use super::played::{Accepted, Played, for_all};
use crate::oracle::queues::{any_queue, pair_queue};
use crate::oracle::tickets::{Case, small_case};
use evenmatch::model::explanation::{
    Barrier, Between, Exclusion, Explanation, PairExplanation, PoolExplanation, When,
};
use evenmatch::model::ids::{Millis, TicketId};
use evenmatch::model::request::TicketRequest;
use evenmatch::rules::check::{Facts, Judge, JudgedTicket};
use evenmatch::rules::spec::{Bounds, MatchSizeSpec, QueueSpec, RuleKind, TeamCount, TeamSpec, TotalScope};

/// How far ahead times that never come are looked for: beyond every step, cap and timeout that is drawn.
const AHEAD_S: u64 = 70;

/// What a queue of one barrier looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Look {
    /// Only whether the two are a legal set.
    Set,
    /// Whether some teams for them are legal.
    Teams,
}

/// A barrier as a queue of its own.
struct Alone {
    judge: Judge,
    look: Look,
    keeps_own_limits: bool,
    keeps_their_limits: bool,
    /// It says nothing about pairs whose sizes do not fit, as those have no seats.
    needs_seats: bool,
}

/// The barriers of a queue, each as a queue of its own.
struct Yardstick {
    whole: Judge,
    spec: QueueSpec,
    is_duel: bool,
    alone: Vec<(Barrier, Option<Alone>)>,
}

/// A queue without teams or sizes.
fn free(spec: &QueueSpec) -> QueueSpec {
    QueueSpec {
        teams: Vec::new(),
        players: MatchSizeSpec { min: Some(1), max: Some(256), multiple: None },
        min_tickets: Some(1),
        prefer_full_for: Millis(0),
        rules: Vec::new(),
        ..spec.clone()
    }
}

impl Yardstick {
    fn new(spec: &QueueSpec) -> Yardstick {
        let whole = Judge::new(spec);
        let is_duel = whole.full_size().is_some_and(|full| full <= 2);
        let limits = |own: bool| Alone {
            judge: Judge::new(&free(spec)),
            look: Look::Set,
            keeps_own_limits: own,
            keeps_their_limits: !own,
            needs_seats: false,
        };
        let mut alone = vec![
            (Barrier::Sizes, None),
            (Barrier::OwnLimits, Some(limits(true))),
            (Barrier::TheirLimits, Some(limits(false))),
        ];
        for index in 0..spec.rules.len() {
            let name = spec.rules[index].name.as_str().into();
            alone.push((Barrier::Rule(name), of_rule(spec, &whole, index, is_duel)));
        }
        if is_duel {
            let is_of_teams = |kind: &RuleKind| {
                matches!(
                    kind,
                    RuleKind::Total { .. }
                        | RuleKind::TeamDifference { .. }
                        | RuleKind::TeamSize { .. }
                        | RuleKind::PremadeBalance
                )
            };
            let rules = spec.rules.iter().filter(|rule| is_of_teams(&rule.kind)).cloned().collect();
            alone.push((Barrier::Seating, Some(in_teams(spec, rules))));
        }
        Yardstick { whole, spec: spec.clone(), is_duel, alone }
    }

    /// Whether a barrier lets two tickets through.
    fn passes(&self, barrier: usize, a: &Accepted, b: &Accepted, at: Millis, down: &[&str]) -> bool {
        match &self.alone[barrier] {
            (Barrier::Sizes, _) => self.sizes_fit(a, b, at),
            (_, None) => true,
            (_, Some(alone)) => {
                if alone.needs_seats && !self.sizes_fit(a, b, at) {
                    return true;
                }
                let requests = [
                    stripped(&a.request, alone.keeps_own_limits),
                    stripped(&b.request, alone.keeps_their_limits),
                ];
                is_legal(&alone.judge, alone.look, [a, b], &requests, at, down)
            }
        }
    }

    fn sizes_fit(&self, a: &Accepted, b: &Accepted, at: Millis) -> bool {
        let (x, y) = (a.request.players.len() as u32, b.request.players.len() as u32);
        if self.is_duel {
            let seats = in_teams(&self.spec, Vec::new());
            let requests = [stripped(&a.request, false), stripped(&b.request, false)];
            return is_legal(&seats.judge, Look::Teams, [a, b], &requests, at, &[]);
        }
        let most: Vec<u32> =
            (0..self.whole.team_count()).map(|team| self.whole.team_players_max(team)).collect();
        let seats = |p: usize, q: usize| if p == q { most[p] >= x + y } else { most[p] >= x && most[q] >= y };
        self.whole.full_size().is_some_and(|full| x + y <= full)
            && (0..most.len()).any(|p| (0..most.len()).any(|q| seats(p, q)))
    }

    /// Whether the pair is legal as a whole match by the raw queue, in a queue of two players.
    fn is_match(&self, a: &Accepted, b: &Accepted, at: Millis, down: &[&str]) -> bool {
        let requests = [a.request.clone(), b.request.clone()];
        is_legal(&self.whole, Look::Teams, [a, b], &requests, at, down)
    }
}

/// The queue of one rule; `None`: it keeps no pair apart.
fn of_rule(spec: &QueueSpec, whole: &Judge, index: usize, is_duel: bool) -> Option<Alone> {
    let mut rule = spec.rules[index].clone();
    let is_of_pairs = matches!(
        rule.kind,
        RuleKind::Difference { .. }
            | RuleKind::Equality { .. }
            | RuleKind::Intersection { .. }
            | RuleKind::Region { .. }
    );
    if is_duel && !is_of_pairs {
        return Some(in_teams(spec, vec![rule]));
    }
    let mut alone = free(spec);
    let mut look = Look::Set;
    if let RuleKind::Total { attribute, bounds, per, steps } = &mut rule.kind {
        let never_negative = attribute
            .is_none_or(|attribute| spec.attributes[attribute].min.is_some_and(|min| min.micros() >= 0));
        if !never_negative {
            return None;
        }
        bounds.min = None;
        steps
            .iter_mut()
            .for_each(|step| step.value = step.value.map(|bounds| Bounds { min: None, ..bounds }));
        if *per == TotalScope::Team {
            let count = whole.team_count().min(2) as u32;
            alone.teams = vec![TeamSpec {
                name: "team".to_owned(),
                count: Some(TeamCount { min: count, max: count, is_range: false }),
                players_min: 0,
                players_max: 128,
            }];
            alone.players = MatchSizeSpec::default();
            look = Look::Teams;
        }
    } else if !is_of_pairs {
        return None;
    }
    alone.rules = vec![rule];
    Some(Alone {
        judge: Judge::new(&alone),
        look,
        keeps_own_limits: false,
        keeps_their_limits: false,
        needs_seats: false,
    })
}

/// The queue with its teams and no rules but these.
fn in_teams(spec: &QueueSpec, rules: Vec<evenmatch::rules::spec::RuleSpec>) -> Alone {
    let spec = QueueSpec { prefer_full_for: Millis(0), rules, ..spec.clone() };
    Alone {
        judge: Judge::new(&spec),
        look: Look::Teams,
        keeps_own_limits: false,
        keeps_their_limits: false,
        needs_seats: true,
    }
}

fn stripped(request: &TicketRequest, keeps_limits: bool) -> TicketRequest {
    let mut request = request.clone();
    if !keeps_limits {
        request.limits.attributes.clear();
    }
    request
}

fn is_legal(
    judge: &Judge,
    look: Look,
    tickets: [&Accepted; 2],
    requests: &[TicketRequest; 2],
    at: Millis,
    down: &[&str],
) -> bool {
    let facts: Vec<Facts> = tickets
        .iter()
        .zip(requests)
        .map(|(ticket, request)| {
            judge.read(&JudgedTicket { seniority: ticket.seniority, request }, at).unwrap()
        })
        .collect();
    let facts: Vec<&Facts> = facts.iter().collect();
    let is_set = judge.check_set(&facts, down).is_ok();
    let teams = 0..judge.team_count();
    is_set
        && (look == Look::Set
            || teams.clone().any(|p| teams.clone().any(|q| judge.check_split(&facts, &[p, q]).is_ok())))
}

/// One question: the tickets that wait, and what the explanation says.
struct Asked<'a> {
    yardstick: &'a Yardstick,
    played: &'a Played,
    waiting: &'a [&'a Accepted],
    down: &'a [&'a str],
}

impl Asked<'_> {
    fn ticket(&self, id: TicketId) -> &Accepted {
        self.waiting.iter().find(|ticket| ticket.id == id).unwrap()
    }

    fn check(&self, own: &Accepted) -> Result<(), String> {
        let explained = self.played.engine.explain(own.id).map_err(|refusal| refusal.to_string())?;
        let Explanation { pool: Some(pool), .. } = &explained else {
            return Err(format!("no pool of a ticket that waits: {explained:?}"));
        };
        let others: Vec<&Accepted> =
            self.waiting.iter().copied().filter(|other| other.id != own.id).collect();
        self.counts(own, &others, pool)?;
        self.nearest(own, &others, pool)
    }

    fn counts(&self, own: &Accepted, others: &[&Accepted], pool: &PoolExplanation) -> Result<(), String> {
        let barriers = self.yardstick.alone.len();
        let named: Vec<&Barrier> = pool.exclusions.iter().map(|exclusion| &exclusion.barrier).collect();
        if !named.iter().copied().eq(self.yardstick.alone.iter().map(|(barrier, _)| barrier)) {
            return Err(format!("the barriers are {named:?}"));
        }
        let (mut alone, mut after, mut legal) = (vec![0; barriers], vec![0; barriers], 0);
        for other in others {
            let fails =
                |&barrier: &usize| !self.yardstick.passes(barrier, own, other, self.played.now, self.down);
            let failing: Vec<usize> = (0..barriers).filter(fails).collect();
            failing.iter().for_each(|&barrier| alone[barrier] += 1);
            match failing.first() {
                Some(&first) => after[first] += 1,
                None => legal += 1,
            }
        }
        let found = |count: fn(&Exclusion) -> u64| pool.exclusions.iter().map(count).collect::<Vec<u64>>();
        let said = (found(|e| e.alone), found(|e| e.after), pool.legal, pool.others);
        let right = (alone, after, legal, others.len() as u64);
        if said != right {
            return Err(format!("of {named:?}\n  said {said:?}\n  right {right:?}"));
        }
        for exclusion in &pool.exclusions {
            let causes = exclusion.regions.map_or(exclusion.alone, |r| {
                r.none_in_common + r.not_allowed + r.own_ping_limit + r.down + r.beyond_window
            });
            if causes != exclusion.alone {
                return Err(format!("the causes do not add up: {exclusion:?}"));
            }
        }
        Ok(())
    }

    /// The nearest are legal no later than any other, each time is exact, and a pair says the same by itself.
    fn nearest(&self, own: &Accepted, others: &[&Accepted], pool: &PoolExplanation) -> Result<(), String> {
        let mut all = Vec::new();
        for other in others {
            let answer = self.played.engine.explain_pair(own.id, other.id).map_err(|r| r.to_string())?;
            let Between::Pair(pair) = answer.between else { return Err(format!("no pair: {answer:?}")) };
            all.push(legal_ms(pair.when));
            if let Some(near) = pool.nearest.iter().find(|near| near.ticket == other.id)
                && *near != *pair
            {
                return Err(format!("asked alone {pair:?}, among the nearest {near:?}"));
            }
        }
        all.sort_unstable();
        all.truncate(pool.nearest_max);
        let named: Vec<u64> = pool.nearest.iter().map(|near| legal_ms(near.when)).collect();
        if named != all {
            return Err(format!("the nearest are legal at {named:?}, right is {all:?}"));
        }
        pool.nearest.iter().try_for_each(|near| self.pair(own, near))
    }

    fn pair(&self, own: &Accepted, near: &PairExplanation) -> Result<(), String> {
        let other = self.ticket(near.ticket);
        let barriers = 0..self.yardstick.alone.len();
        let index =
            |barrier: &Barrier| self.yardstick.alone.iter().position(|(known, _)| known == barrier).unwrap();
        let passes = |barrier: usize, at| self.yardstick.passes(barrier, own, other, at, self.down);
        let all_pass = |at| barriers.clone().all(|barrier| passes(barrier, at));
        let say = |what: String| Err(format!("{what}\n  {near:?}"));
        for test in &near.tests {
            let barrier = index(&test.barrier);
            if let Some(wrong) = self.wrong_time(test.when, own, other, |at| passes(barrier, at)) {
                return say(format!("{:?}: {wrong}", test.barrier));
            }
        }
        if let Some(wrong) = self.wrong_time(near.when, own, other, all_pass) {
            return say(format!("the pair: {wrong}"));
        }
        match (near.when, &near.decided_by) {
            (When::Now, None) => {}
            (When::At(at), Some(by)) if !passes(index(by), Millis(at.0 - 1)) => {}
            (When::TooLate(at), None) if at == self.played.now => {}
            (When::TooLate(at), Some(by)) if !passes(index(by), Millis(at.0 - 1)) => {}
            (When::Never, Some(by)) if !passes(index(by), self.played.now.after(Millis(AHEAD_S * 1000))) => {}
            (_, by) => return say(format!("decided by {by:?}")),
        }
        // In a queue of two players the pair is a whole match, which the raw queue itself can judge.
        if self.yardstick.is_duel {
            let at = if let When::At(at) | When::TooLate(at) = near.when { at } else { self.played.now };
            let right = self.yardstick.is_match(own, other, at, self.down);
            if right == (near.when == When::Never) {
                return say(format!("at {at} the judge says {right}"));
            }
        }
        Ok(())
    }

    /// What is wrong with a time that is said of a barrier.
    fn wrong_time(
        &self,
        when: When,
        own: &Accepted,
        other: &Accepted,
        passes: impl Fn(Millis) -> bool,
    ) -> Option<String> {
        let now = self.played.now;
        let end = [own.deadline, other.deadline].into_iter().flatten().min();
        let opens = match when {
            When::Now => return (!passes(now)).then(|| "now is not open".to_owned()),
            When::At(at) if end.is_some_and(|end| at >= end) => return Some(format!("{at} is too late")),
            When::TooLate(at) if end.is_none_or(|end| at < end) => return Some(format!("{at} is in time")),
            When::At(at) | When::TooLate(at) => at,
            When::Never => now.after(Millis(AHEAD_S * 1000)),
        };
        if when != When::Never && !passes(opens) {
            return Some(format!("{opens} is not open"));
        }
        let grid = (now.0..opens.0).step_by(500).chain([opens.0 - 1]);
        let early = grid.map(Millis).find(|&at| passes(at));
        early.map(|at| format!("{at} is open already"))
    }
}

fn legal_ms(when: When) -> u64 {
    match when {
        When::Now => 0,
        When::At(at) => at.0,
        When::TooLate(_) | When::Never => u64::MAX,
    }
}

fn explained_as_the_judge_says(case: &Case) -> Result<(), String> {
    let played = Played::new(case)?;
    let yardstick = Yardstick::new(&case.spec);
    let waiting = played.waiting();
    let down: Vec<&str> = played.down.iter().copied().collect();
    let asked = Asked { yardstick: &yardstick, played: &played, waiting: &waiting, down: &down };
    waiting.iter().try_for_each(|own| asked.check(own))
}

#[test]
fn counts_and_times_are_those_of_the_judge() {
    let name = "counts_and_times_are_those_of_the_judge";
    for_all(name, 300, small_case(any_queue(), false), explained_as_the_judge_says);
}

#[test]
fn in_queues_of_two_players_a_pair_is_a_whole_match() {
    let name = "in_queues_of_two_players_a_pair_is_a_whole_match";
    for_all(name, 300, small_case(pair_queue(), false), explained_as_the_judge_says);
}
