//! The search, row by row: a damaged text, the value that it is read to, and what was done, how surely; and replies,
//! with the terms of each of several values.
//!
//! `UPDATE_SNAPSHOTS=1` writes the rows of `readings.txt` and `replies.txt` anew. A line break of a text is written as
//! `⏎`.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use llmjson_syntax::internal::why;
use llmjson_syntax::{Span, Term, parse};

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn read(name: &str) -> String {
    fs::read_to_string(path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Returns the texts of the rows: lines that are not indented.
fn texts(rows: &str) -> Vec<String> {
    let lines = rows.lines().filter(|line| !line.is_empty());
    let texts = lines.filter(|line| !line.starts_with([' ', '#']));
    texts.map(|text| text.replace('⏎', "\n")).collect()
}

/// Returns the row of a text as it should stand in the file.
fn row(text: &str) -> String {
    let document = parse(text);
    let mut row = format!("{}\n", text.replace('\n', "⏎"));
    let value = document.to_json().unwrap_or("no value".into());
    let cut = if document.is_complete() { "" } else { ", cut" };
    writeln!(row, "  {}{cut}", value.replace('\n', "⏎")).expect("a string grows");
    for repair in document.repairs() {
        let (kind, class) = (repair.kind.name(), repair.class.name());
        let Span { start, end } = repair.span;
        writeln!(row, "  {kind} at {start}..{end}, {class}").expect("a string grows");
    }
    for value in document.weighed_values() {
        let terms: Vec<_> = value.terms.iter().map(|term| term.name).collect();
        let (Span { start, end }, price) = (value.span, value.price);
        let (sign, terms) = (if terms.is_empty() { "" } else { ": " }, terms.join(", "));
        writeln!(row, "  {start}..{end} at {price}{sign}{terms}").expect("a string grows");
    }
    row
}

#[test]
fn texts_are_read_as_their_rows_say() {
    rows_hold("tests/readings.txt");
    rows_hold("tests/replies.txt");
}

/// Each term stands in a row, and its own example has a value that it speaks against.
#[test]
fn every_term_has_a_row() {
    let mut seen = BTreeSet::new();
    for text in texts(&read("tests/replies.txt")) {
        let values = parse(&text).weighed_values();
        for term in values.into_iter().flat_map(|value| value.terms) {
            seen.insert(term.name);
            let values = parse(term.example).weighed_values();
            let has = |other: &Term| other.name == term.name;
            assert!(
                values.iter().any(|one| one.terms.iter().any(has)),
                "{}",
                term.example
            );
        }
    }
    assert!(seen.len() >= 12, "rows for {seen:?} alone");
}

fn rows_hold(file: &str) {
    let rows = read(file);
    let comments = rows.lines().take_while(|line| line.starts_with('#'));
    let head: String = comments.map(|line| format!("{line}\n")).collect();
    let all: Vec<String> = texts(&rows).iter().map(|text| row(text)).collect();
    let written = format!("{head}\n{}", all.join("\n"));
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        fs::write(path(file), written).expect("the file can be written");
        return;
    }
    let expected: Vec<&str> = rows.split("\n\n").collect();
    for (expected, found) in expected.iter().zip(written.split("\n\n")) {
        assert_eq!(expected.trim_end(), found.trim_end());
    }
    assert_eq!(expected.len(), written.split("\n\n").count());
}

/// Returns the moves of the search, by the names that readings are shown with.
fn moves() -> BTreeSet<String> {
    let source = read("src/parser/search/reading.rs");
    let from = source
        .split("pub(crate) enum Move {")
        .nth(1)
        .expect("the moves");
    let names = from.lines().take_while(|line| !line.starts_with('}'));
    let names = names.map(str::trim).filter(|line| line.ends_with(','));
    let snake = |name: &str| {
        let mut snake = String::new();
        for (at, c) in name.trim_end_matches(',').char_indices() {
            if c.is_uppercase() && at > 0 {
                snake.push('_');
            }
            snake.extend(c.to_lowercase());
        }
        snake
    };
    names.map(snake).collect()
}

#[test]
fn every_move_has_a_row() {
    let mut missing = moves();
    assert!(missing.len() > 30, "only {} moves", missing.len());
    for text in texts(&read("tests/readings.txt")) {
        let whole = Span::new(0, text.len() as u32 + 1);
        let best = why::readings(&text, None, whole).into_iter().next();
        for (made, _) in best.into_iter().flat_map(|one| one.moves) {
            missing.remove(&made);
        }
    }
    assert!(missing.is_empty(), "no row for {missing:?}");
}
