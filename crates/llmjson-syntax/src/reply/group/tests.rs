//! Tests of runs of values that are too long to be kept in full.

use alloc::vec;
use alloc::vec::Vec;

use super::{GROUP_READINGS_MAX, RUN_READINGS_MAX};
use crate::base::span::Span;
use crate::reply::found::ReplySearch;
use crate::tape::readings::{Reading, Records};

/// Returns the groups of the candidates that are kept from these groups.
fn kept(groups: &[u32]) -> Vec<u32> {
    let none = Records::of(0..0);
    let candidates = groups.iter().map(|&group| Reading {
        group,
        ..Reading::new(0, Span::of(0, 0), none, none)
    });
    let mut found = ReplySearch {
        candidates: candidates.collect(),
        ..ReplySearch::default()
    };
    found.drop_crowds();
    found.candidates.iter().map(|one| one.group).collect()
}

#[test]
fn long_runs_keep_their_first_values() {
    let most = GROUP_READINGS_MAX as usize;
    assert_eq!(kept(&vec![1; most]), vec![1; most]);
    assert_eq!(kept(&vec![1; most + 1]), vec![1; most]);
    assert_eq!(kept(&vec![0; most + 1]), vec![0; most + 1]);
    // Four runs share the limit of one.
    let most = RUN_READINGS_MAX as usize / 4;
    let runs = |length: usize| -> Vec<u32> {
        let runs = (1..=4).flat_map(|group| vec![group; length]);
        runs.chain([0, 0]).collect()
    };
    assert_eq!(kept(&runs(most)), runs(most));
    assert_eq!(kept(&runs(most + 1)), runs(most));
    // One of each is kept, regardless of the number of runs.
    let many: Vec<u32> = (1..=RUN_READINGS_MAX + 1).collect();
    assert_eq!(kept(&many), many);
    // A run counts from its beginning, regardless of the values in between.
    assert_eq!(kept(&[1, 1, 0, 2, 2]), [1, 1, 0, 2, 2]);
}
