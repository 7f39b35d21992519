//! Reads every case of the corpus, checks its verdict, compares what came of it with the snapshot
//! beside it, and checks the laws on the case and on every prefix of it.
//!
//! A case is a reply, `<name>.txt`, perhaps with a schema, `<name>.schema.json`, and a policy,
//! `<name>.policy.json` (see `policy.rs`; lenient without one). The folder is the verdict. To accept new snapshots: `INSTA_UPDATE=always cargo test -p llmjson --test corpus`.

mod case;
mod policy;
mod prefixes;
mod show;
mod streams;
mod verdict;

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use llmjson::report::{CoercionKind, NoteKind, RepairKind};

use case::Case;

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
    for_each_case(|case| {
        let mut settings = insta::Settings::new();
        settings.set_snapshot_path(case.folder());
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(case.stem(), show::outcome(case)));
    });
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
        found.extend(parsed.coercions().iter().map(|one| one.kind.name()));
    }
    let kinds = (RepairKind::ALL.iter().map(|kind| kind.name()))
        .chain(NoteKind::ALL.iter().map(|kind| kind.name()))
        .chain(CoercionKind::ALL.iter().map(|kind| kind.name()));
    let missing: Vec<_> = kinds.filter(|kind| !found.contains(kind)).collect();
    assert!(missing.is_empty(), "kinds without a case: {missing:?}");
}

#[test]
fn every_snapshot_has_a_case() {
    let cases: BTreeSet<_> = case::all().iter().map(Case::name).collect();
    for other in case::files() {
        let name = other.to_str().expect("names of cases are plain");
        let stem = name
            .strip_suffix(".snap")
            .or_else(|| name.strip_suffix(".schema.json"))
            .or_else(|| name.strip_suffix(".policy.json"));
        let Some(stem) = stem else {
            assert!(name.ends_with(".txt"), "{name} is no part of a case");
            continue;
        };
        assert!(cases.contains(stem), "{name} belongs to no case");
    }
}
