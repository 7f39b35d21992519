//! Reads the replies of the corpus without a schema: what their folders promise of reading, and the laws
//! for each reply and some of its prefixes. The front door's tests hold them for every prefix.

#[allow(dead_code, reason = "outcomes are checked by the front door")]
#[path = "../../llmjson/tests/support/cases.rs"]
mod cases;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::catch_unwind;

use llmjson_syntax::{Document, NoteKind, RepairKind, laws, parse};

/// Number of prefixes of each reply that are read.
const CUTS: usize = 8;

/// Lengths of the pieces in which replies come.
const LENGTHS: [usize; 2] = [1, 7];

/// Cases whose replies are read at each of these many: pieces of streams are many more than texts.
const STREAMED: usize = 4;

/// Does something with the reply of every case, and fails with the names of all for which it failed.
fn for_each_reply(check: fn(usize, &cases::Case, &str)) {
    let files = cases::read_all();
    let all = files.iter().flat_map(|file| &file.cases);
    let replies = all.filter_map(|case| Some((case, case.get("reply")?)));
    let failed: Vec<_> = (replies.enumerate())
        .filter(|(at, (case, reply))| {
            let check = std::panic::AssertUnwindSafe(|| check(*at, case, reply));
            catch_unwind(check).is_err()
        })
        .map(|(_, (case, _))| case.name())
        .collect();
    assert!(failed.is_empty(), "{} failed: {failed:#?}", failed.len());
}

fn kinds(document: &Document<'_>) -> Vec<&'static str> {
    let repairs = document.repairs().iter().map(|one| one.kind.name());
    repairs
        .chain(document.notes().iter().map(|one| one.kind.name()))
        .collect()
}

#[test]
fn folders_are_verdicts() {
    for_each_reply(|_, case, reply| {
        let document = parse(reply);
        let kinds = kinds(&document);
        let schemaless = case.get("schema").is_none();
        match case.verdict()[..] {
            ["unchanged", _] => {
                let value: serde_json::Value = serde_json::from_str(reply).expect("strict JSON");
                let read = document.to_json().expect("a value");
                assert_eq!(serde_json::from_str(&read).ok(), Some(value));
                assert!(document.repairs().is_empty() && document.is_complete());
            }
            ["no_value", _] if schemaless => assert!(document.root().is_none()),
            ["repaired" | "noted", kind] if schemaless => assert!(kinds.contains(&kind)),
            ["truncated", _] if schemaless => assert!(!document.is_complete()),
            _ => {}
        }
    });
}

#[test]
fn laws_hold_for_prefixes() {
    for_each_reply(|_, _, reply| {
        laws::closed_strings_stay_closed(reply);
        laws::beginnings_are_truncated(reply);
        let step = (reply.len() / CUTS).max(1);
        let cuts = (0..reply.len())
            .step_by(step)
            .filter(|cut| reply.is_char_boundary(*cut));
        for cut in cuts.chain([reply.len()]) {
            let text = &reply[..cut];
            laws::printed_value_reads_back(text);
            laws::spans_lie_in_the_text(text);
            laws::values_lie_within_each_other(text);
            laws::reading_is_deterministic(text);
            laws::everything_is_accounted_for(text);
            laws::the_fast_path_changes_nothing(text);
            laws::the_order_of_sources_changes_nothing(text);
            laws::candidates_are_in_order(text);
            laws::nothing_of_a_larger_text_stands_outside(text);
            laws::records_lead_to_the_value(text);
            laws::kept_comments_read_back(text);
            laws::work_is_bounded(text);
        }
    });
}

#[test]
fn streams_grow_into_the_whole() {
    for_each_reply(|at, _, reply| {
        if at % STREAMED != 0 {
            return;
        }
        for length in LENGTHS {
            laws::a_stream_grows_into_the_whole(reply, || length);
            laws::a_stream_may_end_anywhere(reply, || length);
            laws::values_come_alike_in_any_pieces(reply, || length);
            laws::work_of_streams_is_bounded(reply, || || length);
        }
    });
}

/// Maximum length of a value that is written in each encoding.
const ENCODED_BYTES: usize = 300;

/// `read(encode(value)) == value` for the values of the corpus. A few values contain what an encoding leaves.
#[test]
fn encoded_values_read_back() {
    let files = cases::read_all();
    let replies = files
        .iter()
        .flat_map(|file| &file.cases)
        .filter_map(|case| case.get("reply"));
    let (mut all, mut lost) = (0, BTreeMap::<&str, usize>::new());
    let mut seen = BTreeSet::new();
    for document in replies.map(parse) {
        let json = document
            .to_json_pretty()
            .filter(|json| json.starts_with(['{', '[']) && json.len() > 20);
        let Some(json) =
            json.filter(|json| json.len() < ENCODED_BYTES && seen.insert(json.clone()))
        else {
            continue;
        };
        let (count, misread) = laws::sources::misread_encodings(&json);
        all += count;
        for name in misread {
            *lost.entry(name).or_default() += 1;
        }
    }
    assert!(
        lost.values().sum::<usize>() * 200 <= all,
        "of {all}: {lost:#?}"
    );
}

#[test]
fn every_kind_has_a_case() {
    let mut found = BTreeSet::new();
    for file in cases::read_all() {
        let replies = file.cases.iter().filter_map(|case| case.get("reply"));
        found.extend(replies.flat_map(|reply| kinds(&parse(reply))));
    }
    // Other notations are read under a schema alone.
    let all = RepairKind::ALL
        .iter()
        .filter(|kind| **kind != RepairKind::Notation);
    let all = all.map(|kind| kind.name());
    let all = all.chain(NoteKind::ALL.iter().map(|kind| kind.name()));
    let missing: Vec<_> = all.filter(|kind| !found.contains(kind)).collect();
    assert!(missing.is_empty(), "kinds without a case: {missing:?}");
}
