//! Reads every case of the corpus, checks its verdict, compares what came of it with the outcome
//! that stands in the case, and checks the laws on the case and on every prefix of it.
//!
//! A case is a reply, perhaps with a schema and a policy (see `policy.rs`; lenient without one). Its folder is
//! the verdict, and how a file is written is in `support/cases.rs`. To write outcomes:
//! `INSTA_UPDATE=always cargo test -p llmjson --all-features --test corpus -- snapshots_stay`.

mod case;
#[path = "../support/cases.rs"]
mod cases;
mod format;
mod mutated;
mod policy;
mod prefixes;
mod show;
mod streams;
mod suite;
mod tools;
mod verdict;

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use llmjson::{
    report::{CoercionKind, FormatNote},
    syntax::{NoteKind, RepairKind},
};

use case::Case;
use cases::CaseFile;

/// Does something with every case, on all processors, and fails with the names of all cases for
/// which it failed.
fn for_each_case(check: impl Fn(&Case) + Sync) {
    let cases = case::all();
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(BTreeSet::new()));
    let work = || {
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            if catch_unwind(AssertUnwindSafe(|| check(case))).is_err() {
                failed.lock().unwrap().insert(case.name());
            }
        }
    };
    thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    let failed = failed.into_inner().unwrap();
    assert!(
        failed.is_empty(),
        "{} cases failed: {failed:#?}",
        failed.len()
    );
}

#[test]
fn folders_are_verdicts() {
    for_each_case(verdict::check);
}

#[test]
fn snapshots_stay() {
    outcomes_stay(&case::files(), |source| show::outcome(&Case::of(source)));
}

/// Compares the outcomes in files with those of today, or writes these.
fn outcomes_stay(files: &[CaseFile], outcome: impl Fn(&cases::Case) -> String) {
    let checked = files.iter().map(|file| file.check_outcomes(&outcome));
    let changed: Vec<_> = checked.filter_map(Result::err).collect();
    assert!(changed.is_empty(), "other outcomes:\n{}", changed.concat());
}

#[test]
fn laws_hold_for_every_prefix() {
    for_each_case(prefixes::check);
}

#[test]
fn streams_grow_into_the_whole() {
    for_each_case(streams::check);
}

#[test]
fn every_kind_has_a_case() {
    let mut found = BTreeSet::new();
    for case in case::all() {
        let parsed = case.parse();
        found.extend(parsed.repairs().iter().map(|one| one.kind.name()));
        found.extend(parsed.notes().iter().map(|one| one.kind.name()));
        found.extend(parsed.format_notes().iter().map(|_| FormatNote::NAME));
        found.extend(parsed.coercions().iter().map(|one| one.kind.name()));
    }
    let kinds = (RepairKind::ALL.iter().map(|kind| kind.name()))
        .chain(NoteKind::ALL.iter().map(|kind| kind.name()))
        .chain([FormatNote::NAME])
        .chain(CoercionKind::ALL.iter().map(|kind| kind.name()))
        // Types in other languages record it: `tests/doors.json` has its cases.
        .filter(|kind| *kind != CoercionKind::ReadByType.name());
    let missing: Vec<_> = kinds.filter(|kind| !found.contains(kind)).collect();
    assert!(missing.is_empty(), "kinds without a case: {missing:?}");
}

#[test]
fn every_file_belongs_to_a_case() {
    cases::every_file_is_named();
}
