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
