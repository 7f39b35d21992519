//! Values that were laid out or named otherwise, row by row, and beside each kind what only looks like it.
//!
//! `laid.json` and `unseen.json` have the rows: a schema, texts with what is meant, texts that are refused or stay as
//! they are, and such as are open: nothing is read of them that is called sure. The second was written before anything
//! of it was tried.

use std::fmt::Write as _;

use llmjson_schema::{CoerceOptions, Schema, Undeclared, coerce, laws};
use llmjson_syntax::{Class, parse};
use serde_json::Value;

/// The rows, one kind after the other.
const ROWS: [&str; 2] = [include_str!("laid.json"), include_str!("unseen.json")];

/// Maximum number of wrong values among a thousand of each class.
const PROMISES: [usize; 3] = [1, 10, 150];

/// The value that comes of a text, and how sure that is said to be; nothing if it does not conform.
fn came(text: &str, schema: &Schema) -> Option<(Value, Class)> {
    let mut document = parse(text);
    let coercions = coerce(&mut document, schema, &CoerceOptions::default());
    let root = document.root()?;
    if !schema.violations(root, Undeclared::Keep).is_empty() {
        return None;
    }
    let class = coercions.iter().map(|made| made.class).max();
    let value = serde_json::from_str(&root.to_json()).expect("JSON");
    Some((value, class.unwrap_or(Class::Certain)))
}

fn of<'r>(row: &'r Value, name: &str) -> &'r [Value] {
    row[name].as_array().expect("a list")
}

#[test]
fn rows_are_read_and_what_looks_like_them_is_not() {
    let rows = ROWS.map(|rows| serde_json::from_str::<Vec<Value>>(rows).expect("JSON"));
    let rows = rows.concat();
    let (mut table, mut good) = (String::new(), true);
    let mut classes = [(0, 0); 3];
    for row in &rows {
        let (mut right, mut refused, mut first) = (0, 0, String::new());
        let schema = super::compile(&row["schema"].to_string());
        let mut count = |class: Class, is_right: bool| {
            classes[class as usize].0 += 1;
            classes[class as usize].1 += usize::from(!is_right);
        };
        for pair in of(row, "read") {
            let text = pair[0].to_string();
            let found = came(&text, &schema);
            let is_right = found.as_ref().is_some_and(|(value, _)| *value == pair[1]);
            if let Some((_, class)) = &found {
                count(*class, is_right);
            }
            right += usize::from(is_right);
            if !is_right {
                let _ = writeln!(first, "  {text} gave {found:?}");
            }
            laws::coercion_is_idempotent(&text, &schema);
            laws::coercion_is_deterministic(&text, &schema);
        }
        for text in of(row, "refused") {
            let found = came(&text.to_string(), &schema);
            // A value that conforms as it stands was not read as anything else.
            let found = found.filter(|(value, _)| value != text);
            refused += usize::from(found.is_none());
            if let Some((value, class)) = found {
                count(class, false);
                let _ = writeln!(first, "  {text} was read as {value}, {class}");
            }
            laws::coercion_is_idempotent(&text.to_string(), &schema);
        }
        for pair in row["open"].as_array().into_iter().flatten() {
            let found = came(&pair[0].to_string(), &schema);
            let is_sure = |class: Class| class != Class::Guess;
            good &= !found.is_some_and(|(value, class)| is_sure(class) && value != pair[1]);
        }
        let (all, others) = (of(row, "read").len(), of(row, "refused").len());
        good &= right == all && refused == others;
        let name = row["kind"].as_str().expect("a name");
        let _ = writeln!(
            table,
            "{name:<36} {right:>3} of {all:>3}, refused {refused:>2} of {others:>2}"
        );
        table.push_str(&first);
    }
    for ((values, wrong), promise) in classes.into_iter().zip(PROMISES) {
        let _ = writeln!(
            table,
            "{values} values, {wrong} wrong, {promise} of a thousand allowed"
        );
        good &= wrong * 1000 <= values * promise;
    }
    assert!(good, "\n{table}");
}
