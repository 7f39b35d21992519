//! Documents with known truth, damaged in known ways: how many come back, and whether the records
//! are honest about the rest.
//!
//! `LLMJSON_DAMAGE_DOCS` sets how many documents each kind of damage gets, `LLMJSON_DAMAGE_SHOW`
//! how many failures of each are shown.

mod around;
mod between;
mod code;
mod containers;
mod draft;
mod edits;
mod embedded;
mod ending;
mod languages;
mod measure;
mod oddments;
mod operators;
mod parts;
mod programs;
mod prose;
mod recorded;
mod samples;
mod scalars;
mod slips;
mod sources;
mod strings;
mod texts;
mod unnamed;
mod value;

use llmjson_testutil::table::lines;
use std::panic::catch_unwind;

use llmjson::syntax::Class;
use llmjson_testutil::{setting, tell};
use measure::{Classes, Tally};
use operators::ALL;
use samples::{combined, single};

/// The rows of the tests.
const FILE: &str = include_str!("operators.txt");

/// How many of a thousand values of each class may be wrong: certain, likely, guess.
const PROMISES: [usize; 3] = [1, 10, 150];

/// The same for texts of other projects, which now and then decide otherwise what is meant.
const RECORDED: [usize; 3] = [50, 130, 330];

/// What holds for any damage: nothing is wrong without a word, and little that is called likely.
fn honest(classes: &Classes) -> bool {
    let likely = classes.of(Class::Likely);
    classes.of(Class::Certain).wrong == 0 && likely.wrong * 100 <= likely.values.max(100)
}

/// Prints how often each class was wrong, also where a test passes.
fn report(what: &str, classes: &Classes) {
    tell(&format!("{what}\n{}", classes.table()));
}

#[test]
fn one_kind_of_damage_at_a_time_is_undone() {
    let documents = setting("LLMJSON_DAMAGE_DOCS", 200);
    let show = setting("LLMJSON_DAMAGE_SHOW", 1);
    let (mut table, mut examples) = (Tally::HEADER.to_owned(), String::new());
    let mut all = Tally::default();
    let mut fails = false;
    for operator in ALL {
        let mut tally = Tally::default();
        for seed in 0..documents {
            tally.add(&single(operator, seed as u64));
        }
        table.push_str(&tally.row(operator.name));
        examples.push_str(&tally.shortest(show));
        // One damage hardly ever opens a string that was closed well away from it.
        fails |= tally.recovered_per_thousand() < 950 || tally.reopened * 200 > tally.documents;
        fails |= !honest(&tally.classes);
        all.merge(&tally);
    }
    fails |= all.recovered_per_thousand() < 995 || all.reopened * 10_000 > all.documents;
    table.push_str(&all.row("all"));
    report(&format!("one kind of damage\n{table}"), &all.classes);
    fails |= !honest(&all.classes) || !all.classes.keep(PROMISES);
    assert!(!fails, "\n{table}\n{examples}");
}

/// What a stream shows of a damaged document is its beginning. Only drafts before the answer, values
/// that turn out to be one of several, and what only text far behind can show are set aside: which
/// bracket is missing or too many, that a quote of another kind closes a long text, that a list holds
/// names, that the text was cut. A few more are where what shows the damage stands behind a long text by
/// chance.
#[test]
fn a_stream_shows_the_beginning_of_what_comes() {
    let documents = setting("LLMJSON_DAMAGE_DOCS", 200) / 8;
    let drafts = lines(FILE, "streams set drafts aside");
    let by_chance = lines(FILE, "streams set aside by chance");
    let mut set_aside = Vec::new();
    for operator in ALL {
        let mut allowed = if by_chance.contains(&operator.name) {
            documents.div_ceil(10)
        } else {
            0
        };
        for seed in 0..documents {
            let text = single(operator, seed as u64).text.text;
            llmjson::laws::every_stream(&text, || || 4 + text.len() / 200);
            let mut stream = llmjson::syntax::Stream::new();
            for piece in text.as_bytes().chunks(4) {
                assert_eq!(stream.push_bytes(piece), Ok(()));
            }
            if !stream.finish().superseded || drafts.contains(&operator.name) {
                continue;
            }
            match allowed.checked_sub(1) {
                Some(left) => allowed = left,
                None => set_aside.push(format!("{}: {text}", operator.name)),
            }
        }
    }
    assert!(set_aside.is_empty(), "{}", set_aside.join("\n"));
}

/// What is on record is all that was done to a damaged text, one kind of damage at a time and several.
#[test]
fn records_lead_to_the_value() {
    let documents = setting("LLMJSON_DAMAGE_DOCS", 200) / 4;
    let held = |text: &str| {
        catch_unwind(|| llmjson::laws::records_lead_to_the_value(text)).map_err(|_| text.to_owned())
    };
    let mut broken = Vec::new();
    for operator in ALL {
        for seed in 0..documents {
            let text = single(operator, seed as u64).text.text;
            broken.extend(
                held(&text)
                    .map_err(|text| format!("{}: {text}", operator.name))
                    .err(),
            );
        }
    }
    for seed in 0..documents * 10 {
        broken.extend(held(&combined(seed as u64).text.text).err());
    }
    assert!(
        broken.is_empty(),
        "{} texts, of which the shortest:\n{}",
        broken.len(),
        {
            broken.sort_by_key(String::len);
            broken.truncate(10);
            broken.join("\n")
        }
    );
}

#[test]
fn several_kinds_of_damage_are_undone() {
    let documents = setting("LLMJSON_DAMAGE_DOCS", 200) * 10;
    let show = setting("LLMJSON_DAMAGE_SHOW", 1) * 10;
    let mut tally = Tally::default();
    for seed in 0..documents {
        tally.add(&combined(seed as u64));
    }
    // A string between two damaged places may look like a part of either, but rarely does.
    let reopened = tally.reopened * 300 > tally.documents;
    let fails = tally.recovered_per_thousand() < 970 || reopened || !honest(&tally.classes);
    let fails = fails || !tally.classes.keep(PROMISES);
    report("several kinds of damage", &tally.classes);
    let table = Tally::HEADER.to_owned() + &tally.row("combinations");
    assert!(!fails, "\n{table}\n{}", tally.shortest(show));
}

#[test]
fn classes_hold_for_recorded_texts() {
    let Some((classes, wrong)) = recorded::measure() else {
        return tell("skipped: there are no recorded texts; LLMJSON_VECTORS may name their folder");
    };
    report("recorded texts", &classes);
    assert!(classes.keep(RECORDED), "\n{wrong}");
}

/// Percent of right values, at least, and of silently wrong ones, at most.
const EDITS: [usize; 2] = [62, 27];

/// The same where code in strings was not escaped.
const CODE: [usize; 2] = [84, 12];

/// Signs and words put in, taken out and exchanged where no operator would.
#[test]
fn edits_at_random_places_are_undone_as_often_as_before() {
    let documents = setting("LLMJSON_DAMAGE_DOCS", 200) as u64;
    let (table, right, wrong) = unnamed::edits(documents);
    tell(&format!("edits at random places\n{table}"));
    assert!(right >= EDITS[0] && wrong <= EDITS[1], "\n{table}");
}

#[test]
fn code_in_strings_is_read_as_often_as_before() {
    let documents = setting("LLMJSON_DAMAGE_DOCS", 200) as u64;
    let (table, right, wrong) = unnamed::code(documents);
    tell(&format!("code in strings\n{table}"));
    assert!(right >= CODE[0] && wrong <= CODE[1], "\n{table}");
}

/// How many of a thousand replies in transport encodings are read, at least, and are silently wrong, at most: in one
/// encoding, in two, and in two parts.
const ENCODED: [[usize; 2]; 3] = [[970, 5], [960, 15], [970, 10]];

/// Transport encodings of a reply are undone.
#[test]
fn encodings_are_undone() {
    let documents = setting("LLMJSON_DAMAGE_DOCS", 200) / 2;
    let show = setting("LLMJSON_DAMAGE_SHOW", 0);
    let only = std::env::var("LLMJSON_DAMAGE_ONLY").unwrap_or_default();
    let one = sources::report(documents, &only, show);
    let two = sources::report_pairs(documents / 5, show);
    let parts = sources::report_parts(documents, show);
    for (mark, [right, silent]) in [one, two, parts].iter().zip(ENCODED) {
        assert!(mark.is_right_in(right) && mark.is_silent_in(silent));
    }
}

/// The same of replies that go on behind their value: with turns that the model made up, with the value begun anew, with
/// corrections of it.
const GOES_ON: [[usize; 2]; 3] = [[970, 5], [970, 5], [970, 5]];

/// What stands behind a value is no part of it, replaces it, or corrects it.
#[test]
fn replies_end_where_their_values_do() {
    let documents = setting("LLMJSON_DAMAGE_DOCS", 200) / 2;
    let show = setting("LLMJSON_DAMAGE_SHOW", 0);
    let turns = parts::report_turns(documents, show);
    let anew = parts::report_restarts(documents, show);
    let corrected = parts::report_corrections(documents, show);
    for (mark, [right, silent]) in [turns, anew, corrected].iter().zip(GOES_ON) {
        assert!(mark.is_right_in(right) && mark.is_silent_in(silent));
    }
}
