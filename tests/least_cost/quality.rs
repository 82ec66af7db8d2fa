//! What matches made together are worth against the exact optimum: pairs against a maximum matching by blossoms, team
//! games against the definition and against simulated annealing. Fixed seeds and counts, no clock.

use super::crowd::{Player, cost, crowd, matches, queue};
use super::setting;
use mwmatching::{Matching, SENTINEL};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const DUEL: &str = r#"{ "name": "side", "count": 2, "players": 1 }"#;
const FIVES: &str = r#"{ "name": "side", "count": 2, "players": 5 }"#;

/// Players matched in a hundred, the mean difference of skill, the mean cost.
#[derive(Clone, Copy, Debug, Default)]
struct Pairs {
    matched: f64,
    gap: f64,
    cost: f64,
}

fn pairs(crowd: &[Player], pairs: &[(usize, usize)], ping_weight: i32) -> Pairs {
    let gap = |&(a, b): &(usize, usize)| f64::from((crowd[a].skill - crowd[b].skill).abs());
    let cost = |&(a, b): &(usize, usize)| cost(crowd, &[a, b], 100, ping_weight).unwrap() as f64 / 1000.0;
    let mean = |of: &dyn Fn(&(usize, usize)) -> f64| pairs.iter().map(of).sum::<f64>() / pairs.len() as f64;
    Pairs { matched: 200.0 * pairs.len() as f64 / crowd.len() as f64, gap: mean(&gap), cost: mean(&cost) }
}

/// The best pairs: as many as possible, then the least cost, by blossoms (J. Edmonds, 1965). Each player is joined to
/// the nearest 60 above him that he may meet; no optimum of these crowds reaches farther.
fn optimum(crowd: &[Player], ping_weight: i32) -> Vec<(usize, usize)> {
    let mut edges = Vec::new();
    for a in 0..crowd.len() {
        let joined = (a + 1..crowd.len()).filter_map(|b| Some((b, cost(crowd, &[a, b], 100, ping_weight)?)));
        edges.extend(joined.take(60).map(|(b, cost)| (a, b, 1_000_000 - cost as i32)));
    }
    let mates = Matching::new(edges).max_cardinality().solve();
    let joined = mates.iter().enumerate().filter(|&(a, &b)| b != SENTINEL && a < b);
    joined.map(|(a, &b)| (a, b)).collect()
}

fn made(crowd: &[Player], selection: &str, ping_weight: i32, seed: u64) -> Vec<(usize, usize)> {
    let found = matches(queue(selection, DUEL, 100, ping_weight), crowd, seed);
    found.iter().map(|(_, players)| (players[0], players[1])).collect()
}

/// Bars: at most half a point fewer players matched than by the optimum, and at most a tenth more mean difference of
/// skill (without a weight of the ping) or mean cost (with one).
#[test]
fn pairs_are_near_the_exact_optimum() {
    let most = setting("LEAST_COST_PAIRS", 1000);
    for (count, seeds) in [(500, 3), (1000, 2), (2000, 1)] {
        if count > most {
            continue;
        }
        for ping_weight in [0, 1] {
            let mut sums = [Pairs::default(); 3];
            for seed in 0..seeds {
                let crowd = crowd(count as usize, seed);
                let ways = [
                    optimum(&crowd, ping_weight),
                    made(&crowd, "least_cost", ping_weight, seed),
                    made(&crowd, "oldest_first", ping_weight, seed),
                ];
                for (sum, way) in sums.iter_mut().zip(&ways) {
                    let worth = pairs(&crowd, way, ping_weight);
                    sum.matched += worth.matched / seeds as f64;
                    sum.gap += worth.gap / seeds as f64;
                    sum.cost += worth.cost / seeds as f64;
                }
            }
            let [best, found, oldest] = sums;
            println!("{count} players, weight of ping {ping_weight}:");
            for (name, of) in [("optimum", best), ("least_cost", found), ("oldest_first", oldest)] {
                println!(
                    "  {name:>12}: matched {:.2} %, mean gap {:.2} ({:.3}x), mean cost {:.2} ({:.3}x)",
                    of.matched,
                    of.gap,
                    of.gap / best.gap,
                    of.cost,
                    of.cost / best.cost
                );
            }
            assert!(found.matched >= best.matched - 0.5, "too few are matched");
            let (of, than) = if ping_weight == 0 { (found.gap, best.gap) } else { (found.cost, best.cost) };
            assert!(of <= 1.1 * than, "{:.3} times the optimum", of / than);
        }
    }
}

/// Where one difference decides, pairs are exact: against the optimum over all pairs.
#[test]
fn pairs_by_one_difference_are_exact() {
    for seed in 0..20 {
        let mut crowd = crowd(300, seed);
        crowd.iter_mut().for_each(|player| player.pings = [30; 4]);
        let window = [3, 10, 40][seed as usize % 3];
        let gap = |&(a, b): &(usize, usize)| i64::from((crowd[a].skill - crowd[b].skill).abs());
        let found = matches(queue("least_cost", DUEL, window, 0), &crowd, seed);
        let found: Vec<(usize, usize)> = found.iter().map(|(_, players)| (players[0], players[1])).collect();
        let mut edges = Vec::new();
        for a in 0..crowd.len() {
            let near = (a + 1..crowd.len()).filter(|&b| crowd[b].skill - crowd[a].skill <= window);
            edges.extend(near.map(|b| (a, b, 1_000_000 - (crowd[b].skill - crowd[a].skill))));
        }
        let mates = Matching::new(edges).max_cardinality().solve();
        let joined = mates.iter().enumerate().filter(|&(a, &b)| b != SENTINEL && a < b);
        let best: Vec<(usize, usize)> = joined.map(|(a, &b)| (a, b)).collect();
        let worth = |pairs: &[(usize, usize)]| (pairs.len(), pairs.iter().map(gap).sum::<i64>());
        assert_eq!(worth(&found), worth(&best), "seed {seed}, window {window}");
    }
}

/// Players in matches of ten, by simulated annealing (S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, "Optimization by
/// simulated annealing", 1983): two players exchange places, one of whom may be left over.
struct Annealer<'a> {
    crowd: &'a [Player],
    window: i32,
    /// The places of players, ten a match, then those who are left over.
    seats: Vec<usize>,
    costs: Vec<i64>,
    random: ChaCha8Rng,
}

/// What a match that is not legal counts at least, in thousandths; what is beyond the limits comes on top, so that the
/// search knows which way to go.
const ILLEGAL: i64 = 1_000_000;

impl Annealer<'_> {
    fn cost_of(&self, of: usize) -> i64 {
        let set = &self.seats[10 * of..10 * of + 10];
        cost(self.crowd, set, self.window, 1).unwrap_or_else(|| {
            let skills = || set.iter().map(|&at| self.crowd[at].skill);
            let gap = skills().max().unwrap() - skills().min().unwrap() - self.window;
            let beyond = |region: usize| -> i32 {
                set.iter().map(|&at| (self.crowd[at].pings[region] - 120).max(0)).sum()
            };
            ILLEGAL + 1000 * i64::from(gap.max(0) + (0..4).map(beyond).min().unwrap())
        })
    }

    /// Anneals for so many exchanges; returns the least total cost that was met.
    fn run(&mut self, exchanges: u64, fixed: usize) -> i64 {
        let matches = self.costs.len();
        (0..matches).for_each(|of| self.costs[of] = self.cost_of(of));
        let mut total: i64 = self.costs.iter().sum();
        let mut least = total;
        let (hot, cold): (f64, f64) = (30_000.0, 300.0);
        for step in 0..exchanges {
            let heat = hot * (cold / hot).powf(step as f64 / exchanges as f64);
            let a = self.random.random_range(fixed..10 * matches);
            let b = self.random.random_range(fixed..self.seats.len());
            if a / 10 == b / 10 {
                continue;
            }
            self.seats.swap(a, b);
            let (of_a, of_b) = (a / 10, b / 10);
            let old = self.costs[of_a] + if of_b < matches { self.costs[of_b] } else { 0 };
            let cost_a = self.cost_of(of_a);
            let cost_b = if of_b < matches { self.cost_of(of_b) } else { 0 };
            let rise = cost_a + cost_b - old;
            if rise <= 0 || self.random.random::<f64>() < (-(rise as f64) / heat).exp() {
                self.costs[of_a] = cost_a;
                if of_b < matches {
                    self.costs[of_b] = cost_b;
                }
                total += rise;
                least = least.min(total);
            } else {
                self.seats.swap(a, b);
            }
        }
        least
    }
}

/// Bars: at most a tenth more total cost than annealing over the same number of matches; `LEAST_COST_ANNEALING` says
/// how many millions of exchanges, of which sixty are about a minute.
#[test]
fn fives_are_near_what_annealing_finds() {
    let exchanges = 1_000_000 * setting("LEAST_COST_ANNEALING", 3);
    let (mut ours, mut annealed) = (0, 0);
    for seed in 0..3 {
        let crowd = crowd(200, 100 + seed);
        let window = 600;
        let found = matches(queue("least_cost", FIVES, window, 1), &crowd, seed);
        let mut seats: Vec<usize> = found.iter().flat_map(|(_, players)| players.iter().copied()).collect();
        let is_left = |at: &usize| !seats.contains(at);
        let left: Vec<usize> = (0..crowd.len()).filter(is_left).collect();
        let total: i64 = found.iter().map(|(_, players)| cost(&crowd, players, window, 1).unwrap()).sum();
        seats.extend(left);
        let random = ChaCha8Rng::seed_from_u64(seed);
        // The same start for all: players by region of least ping, then by skill.
        let mut apart = seats.clone();
        let home = |at: usize| crowd[at].pings.iter().enumerate().min_by_key(|&(_, ping)| ping).unwrap().0;
        apart.sort_by_key(|&at| (home(at), at));
        let best = [seats.clone(), apart].map(|seats| {
            let costs = vec![0; found.len()];
            Annealer { crowd: &crowd, window, seats, costs, random: random.clone() }.run(exchanges, 0)
        });
        // One match more, of those who are left over: is there a way?
        let mut more = Annealer { crowd: &crowd, window, seats, costs: vec![0; found.len() + 1], random };
        let has_more = crowd.len() >= 10 * (found.len() + 1) && more.run(exchanges, 0) < ILLEGAL;
        println!(
            "seed {seed}: {} matches of 20 ({} by annealing), from ours {:.1}, from elsewhere {:.1}",
            found.len(),
            if has_more { "more" } else { "no more" },
            best[0] as f64 / 1000.0,
            best[1] as f64 / 1000.0,
        );
        let best = best[0].min(best[1]);
        println!(
            "  total cost {:.1}, by annealing {:.1} ({:.3}x)",
            total as f64 / 1000.0,
            best as f64 / 1000.0,
            total as f64 / best as f64
        );
        assert!(found.len() >= 18, "only {} matches", found.len());
        (ours, annealed) = (ours + total, annealed + best);
    }
    assert!(ours as f64 <= 1.1 * annealed as f64, "{:.3} times", ours as f64 / annealed as f64);
}

/// `oldest_first` has another aim: the cheapest match around the oldest ticket, then around the oldest that is left.
/// Each of its matches against annealing around the same ticket over the same pool.
#[test]
fn oldest_first_is_near_what_annealing_finds_for_each_anchor() {
    let exchanges = 100_000 * setting("LEAST_COST_ANNEALING", 3);
    let crowd = crowd(200, 200);
    let window = 600;
    let found = matches(queue("oldest_first", FIVES, window, 1), &crowd, 1);
    let mut taken: Vec<usize> = Vec::new();
    let (mut ours, mut annealed) = (0, 0);
    // The later ones have few left to choose from.
    for (record, players) in found.iter().take(12) {
        let total = cost(&crowd, players, window, 1).unwrap();
        let first = record.tickets.iter().position(|ticket| ticket.id == record.id.0).unwrap();
        let anchor = record.teams.iter().flat_map(|team| team.tickets.iter().zip(&team.players));
        let oldest = record.tickets[first].id;
        let anchor =
            anchor.filter(|&(id, _)| *id == oldest).map(|(_, player)| player.0 as usize).next().unwrap();
        // The anchor keeps its seat; players who are in a match are gone.
        let mut seats = vec![anchor];
        seats.extend(players.iter().copied().filter(|&at| at != anchor));
        seats.extend((0..crowd.len()).filter(|at| !taken.contains(at) && !players.contains(at)));
        let random = ChaCha8Rng::seed_from_u64(7);
        let mut annealer = Annealer { crowd: &crowd, window, seats, costs: vec![0], random };
        let best = annealer.run(exchanges, 1);
        (ours, annealed) = (ours + total, annealed + best);
        taken.extend(players);
    }
    println!(
        "oldest_first: {:.3} times what annealing finds around the same tickets",
        ours as f64 / annealed as f64
    );
    assert!(ours as f64 <= 1.1 * annealed as f64, "{:.3} times", ours as f64 / annealed as f64);
}
