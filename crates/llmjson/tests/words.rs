//! The first sentence of each doc comment says what the item is or does.
//!
//! A function begins with a verb in the third person ("Returns", "Reads"), anything else with a noun
//! phrase or such a verb. Nothing begins with a word that leaves the sentence without a subject, such
//! as "What stands at a place": the reader has to guess whether that is a type, an offset or a test.

use std::fs;
use std::path::{Path, PathBuf};

/// The crates whose comments are checked.
const CRATES: &[&str] = &[
    "llmjson",
    "llmjson-arrow",
    "llmjson-cli",
    "llmjson-datafusion",
    "llmjson-mcp",
    "llmjson-mcp-example",
    "llmjson-page",
    "llmjson-reply",
    "llmjson-schema",
    "llmjson-syntax",
    "llmjson-targets",
    "llmjson-tools",
    "llmjson-wire",
];

/// Files whose comments are the help of a program, or descriptions for a model: "Print the value".
const HELP: &[&str] = &[
    "llmjson-cli/src/args.rs",
    "llmjson-cli/src/args/",
    "llmjson-mcp-example/src/tools.rs",
];

/// Words that no comment begins with: questions, relative clauses, pronouns, adverbs and amounts.
const RIDDLES: &str = "
    Also And Any Anything Apart As At Because Before Behind Below Beyond Both But By Directly
    Either Even Everybody Everything Far Few For From Half He How However If In Inside It Just
    Least Less Like Longer Many More Most Much Neither Nobody Nor Not Nothing Nowhere Of On Once
    Only Or Other Outside Past Shorter Since So Some Somebody Someone Something Such Than That
    Then There These They This Those Through To Under Up What Whatever When Where Wherever
    Whether Which While Who Whoever Whom Whose Why With Within Without Yet
";

/// Verbs that the comment of a public function or macro may begin with.
const VERBS: &str = "
    Adds Allows Appends Applies Asks Assembles Begins Binds Builds Calls Changes Checks Chooses
    Closes Coerces Compares Compiles Connects Consumes Continues Converts Copies Counts Creates
    Cuts Declares Decodes Denies Describes Deserializes Drops Encodes Ends Fills Finds Fits
    Formats Gives Implements Joins Lays Leaves Lets Limits Lists Loads Makes Marks Measures
    Merges Moves Names Opens Parses Passes Prints Processes Puts Reads Records Redacts Refuses
    Rejects Removes Renames Renders Repairs Replaces Reports Requests Requires Resolves Returns
    Rewrites Runs Says Searches Sends Serializes Sets Shows Skips Sorts Splits Starts Stops
    Takes Tells Tests Tries Turns Visits Waits Wraps Writes
";

/// A doc comment and the line of code that it stands before.
struct Opening {
    place: String,
    first: String,
    item: String,
}

#[test]
fn comments_say_what_items_are() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for name in CRATES {
        sources(&root.join(name).join("src"), &mut files);
    }
    let mut wrong: Vec<String> = files
        .iter()
        .filter(|file| !is_within(file, HELP))
        .flat_map(|file| openings(file))
        .filter_map(|opening| complaint(&opening))
        .collect();
    wrong.sort();
    assert!(
        wrong.is_empty(),
        "{} comments:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
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

/// Collects the Rust files of a folder. A package that was taken out of the workspace has but its own.
fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, files);
        } else if path.extension().is_some_and(|end| end == "rs") {
            files.push(path);
        }
    }
}

fn is_within(file: &Path, places: &[&str]) -> bool {
    let file = file.to_string_lossy().replace('\\', "/");
    places.iter().any(|place| file.contains(place))
}

/// Returns the doc comments of a file: one at its head, and those before its items.
fn openings(file: &Path) -> Vec<Opening> {
    let text = fs::read_to_string(file).unwrap();
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let is_doc = |line: &str| line.starts_with("///") && !line.starts_with("////");
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let is_first = index == 0 || !is_doc(lines[index - 1]);
        let head = index == 0 && line.starts_with("//!");
        if head || is_doc(line) && is_first {
            found.push(Opening {
                place: format!("{}:{}", file.display(), index + 1),
                first: line[3..].trim().to_owned(),
                item: if head {
                    String::new()
                } else {
                    item(lines[index..].iter().copied())
                },
            });
        }
    }
    found
}

/// Returns the line of code behind a comment and the attributes of its item.
fn item<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let mut open = 0;
    for line in lines {
        if open > 0 || line.starts_with("#[") {
            open += line.matches('[').count() as i32 - line.matches(']').count() as i32;
        } else if !line.starts_with("//") {
            return line.to_owned();
        }
    }
    String::new()
}

/// Returns a line that says why a comment is to be written anew, if it is.
fn complaint(opening: &Opening) -> Option<String> {
    let word = opening.first.split_whitespace().next().unwrap_or_default();
    let word = word.trim_end_matches([',', ':', ';', '.', '?', '!']);
    let (public, kind) = kind_of(&opening.item);
    let is_function = public && matches!(kind, "fn" | "macro_rules!");
    let reason = if is_in(RIDDLES, word) {
        "no sentence about an item begins so"
    } else if is_function && !is_in(VERBS, word) {
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

/// Returns `true` if an item is public, and its keyword.
fn kind_of(item: &str) -> (bool, &str) {
    let public = item.starts_with("pub ") || item.starts_with("macro_rules!");
    let words = item.strip_prefix("pub ").unwrap_or(item).split(' ');
    let mut words = words.skip_while(|word| matches!(*word, "async" | "unsafe" | "default"));
    match (words.next().unwrap_or_default(), words.next()) {
        ("const", Some("fn")) => (public, "fn"),
        (kind, _) => (public, kind),
    }
}
