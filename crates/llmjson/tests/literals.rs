//! Words that belong in one table are in no other file: `literals.txt` has them, and the files that are allowed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use llmjson_testutil::Table;

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Adds the sources below a folder, without tests and laws, and their paths within `crates`.
fn add_sources(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() && name != "tests" && name != "laws" {
            add_sources(&path, found);
        } else if name.ends_with(".rs") && name != "tests.rs" && name != "laws.rs" {
            let text = fs::read_to_string(&path).expect("a source");
            let code = text.split("#[cfg(test)]\nmod tests {").next();
            let place = path.strip_prefix(crates()).expect("within the crates");
            let place = place.to_string_lossy().replace('\\', "/");
            found.push((place, code.unwrap_or_default().to_owned()));
        }
    }
}

/// Returns the words of the strings and characters in a source.
fn words(code: &str) -> BTreeSet<&str> {
    let mut words = BTreeSet::new();
    let mut rest = code;
    while let Some(at) = rest.find(['"', '\'', '/']) {
        let (before, after) = (&rest[..at], &rest[at + 1..]);
        let hashes = before.len() - before.trim_end_matches('#').len();
        let is_raw = before[..at - hashes].ends_with('r');
        let literal = match rest.as_bytes()[at] {
            b'/' if after.starts_with('/') => {
                rest = after.split_once('\n').map_or("", |(_, after)| after);
                continue;
            }
            b'"' if is_raw => after.find(&format!("\"{}", "#".repeat(hashes))),
            b'"' => end_of_string(after),
            // A lifetime has no quote after its first letter.
            b'\'' => character(after),
            _ => None,
        };
        let inside = &after[..literal.unwrap_or(0)];
        words.extend(inside.split(|c: char| c.is_whitespace() || c == '|'));
        rest = &after[literal.map_or(0, |end| end + 1)..];
    }
    words
}

/// Returns the offset of the quote that closes a string.
fn end_of_string(inside: &str) -> Option<usize> {
    let mut is_escaped = false;
    inside.find(|c| {
        let ends = c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        ends
    })
}

/// Returns the length of a character literal.
fn character(inside: &str) -> Option<usize> {
    let escape = usize::from(inside.starts_with('\\'));
    let length = escape + inside[escape..].chars().next()?.len_utf8();
    inside[length..].starts_with('\'').then_some(length)
}

#[test]
fn tables_stand_in_one_place() {
    let mut sources = Vec::new();
    for entry in fs::read_dir(crates()).expect("the crates") {
        let folder = entry.expect("an entry").path().join("src");
        if folder.is_dir() {
            add_sources(&folder, &mut sources);
        }
    }
    let sources: Vec<_> = (sources.iter())
        .map(|(place, code)| (place, words(code)))
        .collect();
    assert!(sources.len() > 500, "only {} sources", sources.len());
    let mut wrong = Vec::new();
    for table in Table::all(include_str!("literals.txt")) {
        let least = table.setting("least").and_then(|text| text.parse().ok());
        let listed: Vec<&str> = (table.setting("words").into_iter())
            .flat_map(str::split_whitespace)
            .collect();
        let has_table = |words: &BTreeSet<&str>| {
            let found = listed.iter().filter(|word| words.contains(*word));
            least.is_some_and(|least: usize| found.count() >= least)
        };
        let found = sources.iter().filter(|(_, words)| has_table(words));
        let found: BTreeSet<&str> = found.map(|(place, _)| place.as_str()).collect();
        let allowed: BTreeSet<&str> = table.rows::<2>().map(|[place, _]| place).collect();
        let title = table.title;
        wrong.extend(
            found
                .difference(&allowed)
                .map(|place| format!("{place}: {title}")),
        );
        let stale = allowed.difference(&found);
        wrong.extend(stale.map(|place| format!("{place} has no {title} and is listed")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
