//! Docstrings of the Python package: those of modules, and behind `class` and `def`.

use std::path::Path;

use super::{Opening, check, crates, files, text};

/// An example with a tool, whose docstring is what a model reads: "Books a room."
const TOOL: &str = "mcp_server.py";

#[test]
fn docstrings_say_what_items_are() {
    let package = crates().join("llmjson-python");
    let mut sources = files(&package.join("python"), &["py", "pyi"]);
    sources.extend(files(&package.join("examples"), &["py"]));
    sources.extend(files(&crates().join("llmjson-python-arrow"), &["pyi"]));
    sources.retain(|file| !file.ends_with(TOOL));
    let found: Vec<Opening> = sources.iter().flat_map(|file| openings(file)).collect();
    check(&found, if package.is_dir() { 250 } else { 0 });
}

/// Returns the docstrings of a file. Overloads have one at most, that of the first.
fn openings(file: &Path) -> Vec<Opening> {
    let text = text(file);
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let mut found = Vec::new();
    if let Some(first) = lines.first().and_then(|line| docstring(line)) {
        found.push(Opening::new(file, 1, first));
    }
    for (index, line) in lines.iter().enumerate() {
        let Some(item) = Item::of(line) else { continue };
        let Some(body) = body(&lines, index) else {
            continue;
        };
        if let Some(first) = lines.get(body).and_then(|line| docstring(line)) {
            let mut opening = Opening::new(file, body + 1, first);
            opening.is_public_function = item == Item::PublicFunction
                && !decorators(&lines, index).any(|line| line.contains("property"));
            found.push(opening);
        }
    }
    found
}

#[derive(PartialEq)]
enum Item {
    PublicFunction,
    Other,
}

impl Item {
    /// Returns the item that begins on a line of code.
    fn of(line: &str) -> Option<Self> {
        let line = line.strip_prefix("async ").unwrap_or(line);
        if line.starts_with("class ") {
            return Some(Self::Other);
        }
        let name = line.strip_prefix("def ")?;
        Some(match name.starts_with('_') {
            true => Self::Other,
            false => Self::PublicFunction,
        })
    }
}

/// Returns the index of the line behind a signature, which may take several lines: `def f(\n    x: int,\n) -> int:`.
fn body(lines: &[&str], start: usize) -> Option<usize> {
    let mut open = 0;
    for (index, line) in lines.iter().enumerate().skip(start) {
        let code = line.split("  #").next().unwrap_or_default().trim_end();
        open += code.matches(['(', '[', '{']).count() as i32;
        open -= code.matches([')', ']', '}']).count() as i32;
        if open == 0 {
            return code.ends_with(':').then_some(index + 1);
        }
    }
    None
}

fn decorators<'l>(lines: &'l [&str], item: usize) -> impl Iterator<Item = &'l str> {
    let before = lines[..item].iter().rev();
    before.take_while(|line| line.starts_with('@')).copied()
}

fn docstring<'l>(line: &&'l str) -> Option<&'l str> {
    let line = line.strip_prefix('r').unwrap_or(line);
    Some(line.strip_prefix("\"\"\"")?.trim_end_matches('"'))
}
