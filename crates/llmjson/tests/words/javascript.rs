//! Comments of the npm package that editors show: `/** … */` before what it exports, in sources and declarations.

use std::path::Path;

use super::{Opening, check, crates, files, text};

#[test]
fn comments_say_what_items_are() {
    let package = crates().join("llmjson-wasm").join("npm");
    let sources = files(&package, &["js", "mjs", "ts"]);
    let found: Vec<Opening> = sources.iter().flat_map(|file| openings(file)).collect();
    check(&found, if package.is_dir() { 110 } else { 0 });
}

fn openings(file: &Path) -> Vec<Opening> {
    let text = text(file);
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some(first) = line.strip_prefix("/**") else {
            continue;
        };
        let behind = |line: &&str| line.ends_with("*/");
        let end = index + lines[index..].iter().position(behind).unwrap_or_default();
        let first = match first.trim() {
            "" => lines.get(index + 1).unwrap_or(&"").trim_start_matches('*'),
            first => first,
        };
        let mut opening = Opening::new(file, index + 1, first);
        opening.is_public_function = lines.get(end + 1).is_some_and(|item| is_function(item));
        found.push(opening);
    }
    found
}

/// Returns `true` for the line of an exported function or of a method: `export declare function parse<T>(`,
/// `push(piece: string): this`. Accessors are no functions here, and neither are fields.
fn is_function(item: &str) -> bool {
    if let Some(item) = item.strip_prefix("export ") {
        let words = item.split([' ', '(']).take(3);
        return words.into_iter().any(|word| word == "function");
    }
    let item = item.strip_prefix("async ").unwrap_or(item);
    let name = item.trim_start_matches(|letter: char| letter.is_alphanumeric());
    name.len() < item.len() && name.starts_with(['(', '<'])
}
