//! Doc comments of Rust: `//!` at the head of a file, and `///` before items.

use std::path::Path;

use super::{Opening, check, crates, files, text};

/// The crates whose comments are checked.
const CRATES: &[&str] = &[
    "llmjson",
    "llmjson-arrow",
    "llmjson-book",
    "llmjson-cli",
    "llmjson-datafusion",
    "llmjson-derive",
    "llmjson-gateway",
    "llmjson-mcp",
    "llmjson-mcp-example",
    "llmjson-page",
    "llmjson-playground",
    "llmjson-python",
    "llmjson-python-arrow",
    "llmjson-python-settings",
    "llmjson-reply",
    "llmjson-schema",
    "llmjson-syntax",
    "llmjson-targets",
    "llmjson-tools",
    "llmjson-wasm",
    "llmjson-wire",
];

/// Files whose comments are the help of a program, or descriptions for a model: "Print the value".
const HELP: &[&str] = &[
    "llmjson-cli/src/args.rs",
    "llmjson-cli/src/args/",
    "llmjson-mcp-example/src/tools.rs",
];

#[test]
fn comments_say_what_items_are() {
    let mut found = Vec::new();
    for name in CRATES {
        let sources = files(&crates().join(name).join("src"), &["rs"]);
        let sources = sources.iter().filter(|file| !is_within(file, HELP));
        found.extend(sources.flat_map(|file| openings(file)));
    }
    let is_workspace = crates().join("llmjson-syntax").is_dir();
    check(&found, if is_workspace { 5_000 } else { 0 });
}

fn is_within(file: &Path, places: &[&str]) -> bool {
    let file = file.to_string_lossy().replace('\\', "/");
    places.iter().any(|place| file.contains(place))
}

/// Returns the doc comments of a file: one at its head, and those before its items.
fn openings(file: &Path) -> Vec<Opening> {
    let text = text(file);
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let is_doc = |line: &str| line.starts_with("///") && !line.starts_with("////");
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let is_first = index == 0 || !is_doc(lines[index - 1]);
        let head = index == 0 && line.starts_with("//!");
        if head || is_doc(line) && is_first {
            let mut opening = Opening::new(file, index + 1, &line[3..]);
            if !head {
                opening.is_public_function = is_public_function(&item(&lines[index..]));
            }
            found.push(opening);
        }
    }
    found
}

/// Returns the line of code behind a comment and the attributes of its item.
fn item(lines: &[&str]) -> String {
    let mut open = 0;
    for line in lines {
        if open > 0 || line.starts_with("#[") {
            open += line.matches('[').count() as i32 - line.matches(']').count() as i32;
        } else if !line.starts_with("//") {
            return (*line).to_owned();
        }
    }
    String::new()
}

fn is_public_function(item: &str) -> bool {
    if item.starts_with("macro_rules!") {
        return true;
    }
    let Some(item) = item.strip_prefix("pub ") else {
        return false;
    };
    item.split(' ')
        .find(|word| !matches!(*word, "async" | "const" | "default" | "unsafe"))
        .is_some_and(|word| word == "fn")
}
