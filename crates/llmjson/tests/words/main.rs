//! The first sentence of each doc comment says what the item is or does, in Rust, Python and JavaScript.
//!
//! A function begins with a verb in the third person ("Returns", "Reads"), anything else with a noun
//! phrase or such a verb. Nothing begins with a word that leaves the sentence without a subject, such
//! as "What stands at a place": the reader has to guess whether that is a type, an offset or a test.
//! No comment at all holds the words of [`plain`].

mod javascript;
mod plain;
mod python;
mod rust;

use std::fs;
use std::path::{Path, PathBuf};

/// Words that no comment begins with: questions, relative clauses, pronouns, adverbs and amounts.
const RIDDLES: &str = "
    Also And Any Anything Apart As At Because Before Behind Below Beyond Both But By Directly
    Either Even Everybody Everything Far Few For From Half He How However If In Inside It Just
    Least Less Like Longer Many More Most Much Neither Nobody Nor Not Nothing Nowhere Of On Once
    Only Or Other Outside Past Shorter Since So Some Somebody Someone Something Such Than That
    Then There These They This Those Through To Under Up What Whatever When Where Wherever
    Whether Which While Who Whoever Whom Whose Why With Within Without Yet
";

/// Verbs that the comment of a public function, method or macro may begin with.
const VERBS: &str = "
    Adds Allows Answers Appends Applies Asks Assembles Begins Binds Builds Calls Changes Checks Chooses
    Closes Coerces Compares Compiles Connects Consumes Continues Converts Copies Counts Creates
    Cuts Declares Decodes Denies Describes Deserializes Drops Encodes Ends Fills Finds Fits
    Formats Frees Gives Implements Joins Lays Leaves Lets Limits Lists Loads Makes Marks Measures
    Merges Moves Names Opens Parses Passes Prints Processes Pushes Puts Reads Records Redacts
    Refuses Rejects Removes Renames Renders Repairs Replaces Reports Requests Requires Resolves
    Returns Rewrites Runs Says Searches Sends Serializes Sets Shows Skips Sorts Splits Starts
    Stops Takes Tells Tests Tries Turns Visits Waits Wraps Writes Yields
";

/// The first line of a comment on an item.
struct Opening {
    place: String,
    first: String,
    is_public_function: bool,
}

impl Opening {
    fn new(file: &Path, line: usize, first: &str) -> Self {
        Self {
            place: format!("{}:{line}", file.display()),
            first: first.trim().to_owned(),
            is_public_function: false,
        }
    }
}

#[test]
fn the_tables_are_in_order() {
    for table in [RIDDLES, VERBS] {
        let words: Vec<&str> = table.split_whitespace().collect();
        for pair in words.windows(2) {
            assert!(pair[0] < pair[1], "{} before {}", pair[0], pair[1]);
        }
    }
}

/// Checks the openings, of which at least `expected` have to be there.
fn check(openings: &[Opening], expected: usize) {
    assert!(
        openings.len() >= expected,
        "only {} comments",
        openings.len()
    );
    let mut wrong: Vec<String> = openings.iter().filter_map(complaint).collect();
    wrong.sort();
    assert!(
        wrong.is_empty(),
        "{} comments:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// Returns a line that says why a comment is to be written anew, if it is.
fn complaint(opening: &Opening) -> Option<String> {
    let word = opening.first.split_whitespace().next().unwrap_or_default();
    let word = word.trim_end_matches([',', ':', ';', '.', '?', '!']);
    let reason = if is_in(RIDDLES, word) {
        "no sentence about an item begins so"
    } else if opening.is_public_function && !is_in(VERBS, word) {
        "a function begins with a verb of the table"
    } else {
        return None;
    };
    Some(format!(
        "{}: {word:?}: {reason}: {}",
        opening.place, opening.first
    ))
}

fn is_in(table: &str, word: &str) -> bool {
    table.split_whitespace().any(|known| known == word)
}

/// Returns the folder of all crates.
fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns the files of a folder whose names have one of these ends, but for what is built or installed in it.
/// A package that was taken out of the workspace has only its own.
fn files(folder: &Path, ends: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if path.is_dir() {
            // The npm package is put together in a folder of its own, out of generated files too.
            let made = matches!(&*name, "target" | "node_modules" | "package" | "dist");
            if !made && !name.starts_with('.') {
                found.extend(files(&path, ends));
            }
        } else if path
            .extension()
            .is_some_and(|end| ends.iter().any(|one| end == *one))
        {
            found.push(path);
        }
    }
    found
}

fn text(file: &Path) -> String {
    fs::read_to_string(file).unwrap()
}
