//! Sessions in text files: steps, and below each its results.
//!
//! The first characters of a line, up to a space, are its marker. A line `== title` begins a session; lines with the
//! marker `#` are comments. Control characters are written as in [`table`](crate::table). In a result, `⋯` stands for any
//! text.

use std::fs;
use std::path::Path;

use crate::table::{field, written};

/// A runner for the steps of sessions.
pub trait Session {
    /// The markers of lines that belong to the step above them.
    const CONTINUE: &'static [&'static str];
    /// The markers of results.
    const RESULTS: &'static [&'static str];

    /// Begins a session.
    fn begin(&mut self, title: &'static str);

    /// Reads a line of a step.
    fn read(&mut self, marker: &str, text: &'static str);

    /// Returns the results of the last step, one a line, with their markers. Without a step there are none.
    fn results(&mut self) -> Vec<String>;
}

/// Runs the steps of a file and compares their results. With `UPDATE_SNAPSHOTS` in the environment, writes today's
/// results instead.
///
/// # Panics
///
/// If a result differs, or there is no session.
pub fn check<S: Session>(path: &Path, session: &mut S) {
    let text = fs::read_to_string(path)
        .expect("the file can be read")
        .leak();
    let (mut after, mut differ) = (String::new(), Vec::new());
    let (mut title, mut step, mut wanted) = ("", "", Vec::new());
    for line in text.lines().chain(["#"]) {
        let (marker, rest) = line.split_once(' ').unwrap_or((line, ""));
        if S::RESULTS.contains(&marker) {
            wanted.push(line.to_owned());
            continue;
        }
        if !S::CONTINUE.contains(&marker) {
            let found = session.results();
            let wanted = std::mem::take(&mut wanted);
            let is_same = is_like(&wanted.join("\n"), &found.join("\n"));
            if !is_same {
                let difference = differing('-', &wanted, &found) + &differing('+', &found, &wanted);
                differ.push(format!("== {title}\n{step}{difference}"));
            }
            for line in if is_same { wanted } else { found } {
                after.push_str(&line);
                after.push('\n');
            }
            step = line;
        }
        match marker {
            "==" => {
                title = rest;
                session.begin(title);
            }
            "#" | "" => {}
            // The description of the file.
            _ if title.is_empty() => {}
            _ => session.read(marker, field(rest)),
        }
        after.push_str(line);
        after.push('\n');
    }
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        let after = after.strip_suffix("#\n").unwrap_or(&after);
        return fs::write(path, after).expect("the file can be written");
    }
    assert!(!title.is_empty(), "{} has no session", path.display());
    assert!(
        differ.is_empty(),
        "{}\n{}",
        path.display(),
        differ.join("\n")
    );
}

/// Returns the lines that others lack, each with a mark.
fn differing(mark: char, lines: &[String], others: &[String]) -> String {
    let lines = lines.iter().filter(|line| !others.contains(line));
    lines.map(|line| format!("\n{mark} {line}")).collect()
}

/// Returns the lines of a text with their marker, as a file has them. `␃` ends a text without a line break at its end.
#[must_use]
pub fn shown(marker: &str, text: &str) -> Vec<String> {
    let whole = text.strip_suffix('\n');
    let unended = format!("{text}\x03");
    let line = |line: &str| match line {
        "" => marker.to_owned(),
        line => written(&format!("{marker} {line}")),
    };
    match text {
        "" => Vec::new(),
        _ => whole.unwrap_or(&unended).split('\n').map(line).collect(),
    }
}

/// Returns the bytes of a text, in which `⟦FF⟧` is a byte.
///
/// # Panics
///
/// If there are other characters between these brackets.
#[must_use]
pub fn bytes(text: &str) -> Vec<u8> {
    let mut parts = text.split('⟦');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (byte, rest) = part.split_once('⟧').expect("a byte has an end");
        bytes.push(u8::from_str_radix(byte, 16).expect("a byte has two digits"));
        bytes.extend(rest.bytes());
    }
    bytes
}

/// Returns `true` if a text has the parts between the `⋯` of another, in their order.
fn is_like(wanted: &str, found: &str) -> bool {
    let Some((start, rest)) = wanted.split_once('⋯') else {
        return wanted == found;
    };
    let Some(mut left) = found.strip_prefix(start) else {
        return false;
    };
    let (middle, end) = rest.rsplit_once('⋯').map_or(("", rest), |split| split);
    for part in middle.split('⋯') {
        match left.split_once(part) {
            Some((_, after)) => left = after,
            None => return false,
        }
    }
    left.ends_with(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_is_between_parts() {
        for (wanted, found, is_same) in [
            ("a", "a", true),
            ("a", "ab", false),
            ("a⋯", "ab", true),
            ("a⋯b⋯c", "a1b2c", true),
            ("a⋯b⋯c", "a1c2b", false),
            ("a⋯a", "a", false),
            ("⋯b", "ab", true),
        ] {
            assert_eq!(is_like(wanted, found), is_same, "{wanted} {found}");
        }
    }
}
