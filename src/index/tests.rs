//! All kinds of index against one another: the same members give the same sequence.

use proptest::prelude::*;

use super::*;
use crate::model::ids::Millis;
use crate::simd::Simd;

/// The greatest coordinate.
const FAR: i64 = 1_000_000_000_000_000;

const KINDS: &[IndexKind] = &[
    IndexKind::Sorted,
    #[cfg(feature = "kdtree")]
    IndexKind::KdTree,
];

#[derive(Clone, Debug)]
enum Act {
    Insert(Seniority, Vec<i64>, u64),
    /// Takes out one of the live members, by its place in the list.
    Remove(usize),
    /// Takes out something that is no member: one of the live members with another seniority.
    Miss(usize),
    Search(Vec<i64>, Vec<i64>, Option<Seniority>, Option<u64>),
    /// Searches with a reach that one of the live members lies exactly on.
    Edge(Vec<i64>, usize),
}

fn coordinate(flood: bool) -> BoxedStrategy<i64> {
    if flood {
        return prop_oneof![6 => Just(1500), 2 => 1495..1505_i64, 1 => -2..2_i64].boxed();
    }
    prop_oneof![
        4 => -50..50_i64,
        4 => -3_000_000_000..3_000_000_000_i64,
        1 => prop_oneof![Just(FAR), Just(-FAR), Just(FAR - 1), Just(1 - FAR), Just(0)],
        1 => -FAR..=FAR,
    ]
    .boxed()
}

fn seniority() -> BoxedStrategy<Seniority> {
    (prop_oneof![Just(0), 0..4_u64, 0..(1_u64 << 52)], prop_oneof![0..40_u64, any::<u64>()])
        .prop_map(|(enqueued, submit_number)| Seniority { enqueued: Millis(enqueued), submit_number })
        .boxed()
}

fn reach() -> BoxedStrategy<i64> {
    prop_oneof![4 => Just(i64::MAX), 3 => 0..60_i64, 2 => 0..3_000_000_000_i64, 1 => 0..=2 * FAR, 1 => Just(-1)].boxed()
}

fn act(dimensions: usize, flood: bool) -> impl Strategy<Value = Act> {
    let point = || prop::collection::vec(coordinate(flood), dimensions);
    prop_oneof![
        12 => (seniority(), point(), mask())
            .prop_map(|(seniority, coords, mask)| Act::Insert(seniority, coords, mask)),
        5 => any::<usize>().prop_map(Act::Remove),
        1 => any::<usize>().prop_map(Act::Miss),
        3 => (
            point(),
            prop::collection::vec(reach(), dimensions),
            prop::option::of(seniority()),
            prop::option::of(mask()),
        )
            .prop_map(|(centre, reach, younger, sharing)| Act::Search(centre, reach, younger, sharing)),
        2 => (point(), any::<usize>()).prop_map(|(centre, at)| Act::Edge(centre, at)),
    ]
}

/// Regions: few, one, none, all.
fn mask() -> BoxedStrategy<u64> {
    prop_oneof![6 => 0..16_u64, 2 => (0..64_u32).prop_map(|bit| 1 << bit), 1 => Just(0), 1 => Just(u64::MAX)]
        .boxed()
}

fn weights(dimensions: usize) -> impl Strategy<Value = Vec<i64>> {
    let weight = prop_oneof![2 => Just(1), 2 => Just(0), 3 => 1..5_000_000_i64, 1 => Just(FAR), 1 => 0..=FAR];
    prop::collection::vec(weight, dimensions)
}

fn story(acts: usize) -> impl Strategy<Value = (Vec<i64>, Vec<Act>)> {
    (prop_oneof![4 => Just(1_usize), 1 => Just(0), 5 => 2..=4_usize, 1 => 5..8_usize], any::<bool>())
        .prop_flat_map(move |(dimensions, flood)| {
            (weights(dimensions), prop::collection::vec(act(dimensions, flood), 1..acts))
        })
}

fn drain(mut cursor: impl Candidates) -> Vec<Found> {
    std::iter::from_fn(|| cursor.next()).collect()
}

/// The nearest one, and those that then come under ceilings that fall, each of which holds for two.
fn drain_under(mut cursor: impl Candidates, falling: &[Ceiling]) -> Vec<Found> {
    let mut found: Vec<_> = cursor.next().into_iter().collect();
    let mut holds =
        falling.iter().flat_map(|ceiling| [ceiling, ceiling]).chain(falling.last().into_iter().cycle());
    let under = |ceiling| cursor.next_under(ceiling, |item| i64::from(item % 7) + 1);
    found.extend(holds.by_ref().map_while(under));
    found
}

/// Asks all of them the same and compares the answers.
fn compare(
    oracle: &PointIndex,
    indexes: &[PointIndex],
    query: Query<'_>,
    [oracle_scratch, scratch]: [&mut SearchScratch; 2],
) -> Result<Vec<Found>, TestCaseError> {
    let right = drain(oracle.search(query, oracle_scratch));
    for index in indexes {
        let found = drain(index.search(query, scratch));
        prop_assert_eq!(&found, &right, "{:?}, {:?}", index.kind(), query);
    }
    let quarters = [3, 2, 1].map(|quarter| right.get(right.len() * quarter / 4));
    let most = |found: &Found| Ceiling { most: found.distance as i128 + 3_000, floor: 1_000, weight: 1_000 };
    let falling: Vec<_> = quarters.into_iter().flatten().map(most).collect();
    let given = drain_under(oracle.search(query, oracle_scratch), &falling);
    for index in indexes {
        let found = drain_under(index.search(query, scratch), &falling);
        prop_assert_eq!(&found, &given, "{:?}, {:?} under {:?}", index.kind(), query, falling);
    }
    Ok(right)
}

/// Plays the acts on the oracle and every other kind, and compares every answer.
fn play(weights: &[i64], acts: &[Act]) -> Result<(), TestCaseError> {
    let mut oracle = PointIndex::new(IndexKind::Linear, weights);
    // Every kind under every instruction set.
    let traits =
        Simd::available().map(|simd| Traits { has_masks: true, kernels: Kernels::new(simd).unwrap() });
    let mut indexes: Vec<_> = traits
        .flat_map(|traits| KINDS.iter().map(move |&kind| PointIndex::with(kind, weights, traits)))
        .collect();
    let (mut oracle_scratch, mut scratch) = (SearchScratch::default(), SearchScratch::default());
    let mut live: Vec<(u32, Seniority, &[i64])> = Vec::new();
    for (step, act) in acts.iter().enumerate() {
        match act {
            Act::Insert(seniority, coords, mask) => {
                live.push((step as u32, *seniority, coords));
                for index in indexes.iter_mut().chain([&mut oracle]) {
                    index.insert_masked(step as u32, *seniority, coords, *mask);
                }
            }
            Act::Remove(_) | Act::Miss(_) if live.is_empty() => {}
            Act::Remove(at) => {
                let (item, seniority, coords) = live.swap_remove(at % live.len());
                for index in indexes.iter_mut().chain([&mut oracle]) {
                    prop_assert!(index.remove(item, seniority, coords), "{:?} lost {item}", index.kind());
                }
            }
            Act::Miss(at) => {
                let (item, mut seniority, coords) = live[at % live.len()];
                seniority.submit_number ^= 1;
                for index in indexes.iter_mut().chain([&mut oracle]) {
                    prop_assert!(!index.remove(item, seniority, coords), "{:?} took {item}", index.kind());
                }
            }
            Act::Search(centre, reach, younger_than, sharing) => {
                let query = Query { centre, reach, younger_than: *younger_than, sharing: *sharing };
                compare(&oracle, &indexes, query, [&mut oracle_scratch, &mut scratch])?;
            }
            Act::Edge(_, _) if live.is_empty() => {}
            Act::Edge(centre, at) => {
                let (item, _, coords) = live[at % live.len()];
                let reach: Vec<_> = centre.iter().zip(coords).map(|(a, b)| a.abs_diff(*b) as i64).collect();
                let query = Query { centre, reach: &reach, younger_than: None, sharing: None };
                let found = compare(&oracle, &indexes, query, [&mut oracle_scratch, &mut scratch])?;
                prop_assert!(found.iter().any(|found| found.item == item), "the edge is within");
            }
        }
        for index in &indexes {
            prop_assert_eq!(index.len(), live.len());
            prop_assert_eq!(index.is_empty(), live.is_empty());
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn all_kinds_give_equal_sequences((weights, acts) in story(120)) {
        play(&weights, &acts)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn all_kinds_give_equal_sequences_over_long_stories((weights, acts) in story(3_000)) {
        play(&weights, &acts)?;
    }
}

/// A member of a crowd: its point and its mask.
type Member = (Vec<i64>, u64);

/// Hundreds of thousands of points in some order, one of them a rating from 0 to 3000 with six digits behind it.
fn crowd(size: usize, at: impl Fn(usize, u64) -> i64, regions: u32) -> Vec<Member> {
    let mut state = 1_u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    let ping = |random: u64| 20_000_000 + random as i64 % 160_000_000;
    (0..size)
        .map(|n| {
            let place = at(n, random());
            // Where all ratings are equal, so are the pings.
            let ping = if at(0, 1) == at(1, 2) { 40_000_000 } else { ping(random()) };
            (vec![place, ping], 1 << (random() % u64::from(regions)))
        })
        .collect()
}

fn filled(kind: IndexKind, dimensions: usize, crowd: &[Member]) -> PointIndex {
    let traits = Traits { has_masks: true, ..Traits::default() };
    let mut index = PointIndex::with(kind, &vec![1_000_000; dimensions], traits);
    for (n, (coords, mask)) in crowd.iter().enumerate() {
        index.insert_masked(n as u32, nth(n), &coords[..dimensions], *mask);
    }
    index
}

fn nth(n: usize) -> Seniority {
    Seniority { enqueued: Millis(n as u64 / 100), submit_number: n as u64 }
}

/// What a search for the ten nearest of a member's younger ones costs on average, as a count.
fn mean_looked(index: &PointIndex, dimensions: usize, crowd: &[Member], sharing: Option<u64>) -> u64 {
    let mut scratch = SearchScratch::default();
    // A hundred rating points of three thousand, as in the bench; any ping.
    let reach = [100_000_000, i64::MAX];
    let reach = &reach[..dimensions];
    let mut looked = 0;
    let asked = crowd.iter().enumerate().take(crowd.len() / 2).step_by(crowd.len() / 100);
    let count = asked.len() as u64;
    for (n, (coords, _)) in asked {
        let query = Query { centre: &coords[..dimensions], reach, younger_than: Some(nth(n)), sharing };
        let mut cursor = index.search(query, &mut scratch);
        let found = (0..10).map_while(|_| cursor.next()).count();
        assert!(found == 10 || coords[0] > 3_000_000_000, "{found} of ten around {coords:?}");
        looked += cursor.looked();
    }
    looked / count
}

const CROWD: usize = 100_000;

/// Each kind with the dimensions that it is chosen for.
fn kinds() -> impl Iterator<Item = (IndexKind, usize)> {
    KINDS.iter().map(|&kind| (kind, if kind == IndexKind::Sorted { 1 } else { 2 }))
}

#[test]
fn floods_order_and_tails_cost_no_more_than_chance() {
    let chance = |_: usize, random: u64| (random % 3_000_000_000) as i64;
    let random = crowd(CROWD, chance, 1);
    let mut ascending = random.clone();
    ascending.sort();
    let mut descending = ascending.clone();
    descending.reverse();
    let crowds = [
        ("equal", crowd(CROWD, |_, _| 1_500_000_000, 1)),
        ("ascending", ascending),
        ("descending", descending),
        // One in a thousand lies ten times as far out as the one before.
        ("tail", crowd(CROWD, |n, random| (random % 1_000) as i64 * 10_i64.pow(3 + n as u32 % 8), 1)),
        ("whole", crowd(CROWD, |_, random| (random % 3_000) as i64 * 1_000_000, 1)),
    ];
    for (kind, dimensions) in kinds() {
        let by_chance = filled(kind, dimensions, &random);
        let usual = mean_looked(&by_chance, dimensions, &random, None);
        for (name, crowd) in &crowds {
            let index = filled(kind, dimensions, crowd);
            let looked = mean_looked(&index, dimensions, crowd, None);
            // Where order and age go together the column passes old chunks by their ends, which are looks too.
            // A tree's fresh points are looked at one by one, all of them where all are near.
            let most = 5 * usual + 10 + index.overlay_len() as u64;
            assert!(looked <= most, "{kind:?}, {name}: {looked} looks, by chance {usual}");
            assert_eq!(index.rebuilds(), by_chance.rebuilds(), "{kind:?}, {name}: trees built");
        }
    }
}

#[test]
fn churn_costs_no_more_than_fresh_data() {
    let members = crowd(20_000, |_, random| (random % 3_000_000_000) as i64, 1);
    for (kind, dimensions) in kinds() {
        let mut index = filled(kind, dimensions, &members);
        let fresh = mean_looked(&index, dimensions, &members, None);
        let size = members.len();
        for next in size..4 * size {
            let point = &members[next % size].0[..dimensions];
            assert!(index.remove((next - size) as u32, nth(next - size), point));
            index.insert_masked(next as u32, nth(next), point, 1);
        }
        // Members are as many places younger as were replaced.
        let mut scratch = SearchScratch::default();
        let mut looked = 0;
        for n in (0..size / 2).step_by(size / 100) {
            let (centre, oldest) = (&members[n].0[..dimensions], nth(3 * size + n));
            let reach = vec![i64::MAX; dimensions];
            let query = Query { centre, reach: &reach, younger_than: Some(oldest), sharing: None };
            let mut cursor = index.search(query, &mut scratch);
            assert_eq!((0..10).map_while(|_| cursor.next()).count(), 10);
            looked += cursor.looked();
        }
        let looked = looked / 50;
        // A tree's fresh points are looked at one by one until it takes them in.
        let most = 3 * fresh + 10 + index.overlay_len() as u64;
        assert!(looked <= most, "{kind:?}: {looked} looks after churn, {fresh} before");
        let trees = index.rebuilds();
        assert!(trees <= 4 * 20_000 / 100, "{kind:?}: {trees} trees for 80,000 changes");
    }
}

#[test]
fn a_region_in_sixteen_is_found_by_blocks() {
    let members = crowd(CROWD, |_, random| (random % 3_000_000_000) as i64, 16);
    let flood = crowd(CROWD, |_, _| 1_500_000_000, 16);
    let index = filled(IndexKind::Sorted, 1, &members);
    let looked = mean_looked(&index, 1, &members, Some(1));
    // Ten of sixteen times ten points, half of them too old at worst: four to six chunks, and each found one once.
    assert!(looked <= 60, "{looked} looks for ten points of one region in sixteen");
    let index = filled(IndexKind::Sorted, 1, &flood);
    let looked = mean_looked(&index, 1, &flood, Some(1));
    assert!(looked <= 60, "{looked} looks for ten equal points of one region in sixteen");
}
