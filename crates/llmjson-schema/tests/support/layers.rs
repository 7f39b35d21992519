//! Reads which folders and files at the root of a crate import which others.

use std::fs;
use std::path::{Path, PathBuf};

/// Asserts that each module at the root of a crate imports only from those before it in `layers`. The
/// modules `above_all` and tests may import everything. At least `expected` imports must be found, so that the
/// test cannot pass by looking at nothing.
pub(crate) fn assert_imports_point_downwards(
    root: &Path,
    layers: &[&str],
    above_all: &[&str],
    expected: usize,
) {
    let rank = |layer: &str| {
        let place = layers.iter().position(|one| *one == layer);
        place.unwrap_or_else(|| panic!("{layer} is no layer: add it to LAYERS in its place"))
    };
    let mut wrong = Vec::new();
    let mut seen = 0;
    for file in files(root) {
        let inner = file.strip_prefix(root).expect("it lies there");
        let own = layer_of(inner);
        if above_all.contains(&&*own) || is_test(inner) {
            continue;
        }
        let text = fs::read_to_string(&file).expect("a file of the crate");
        for name in imports(&text) {
            seen += 1;
            if rank(&name) > rank(&own) {
                wrong.push(format!("{} imports crate::{name}", inner.display()));
            }
        }
    }
    assert!(seen >= expected, "only {seen} imports were found");
    assert!(
        wrong.is_empty(),
        "imports that point upwards:\n{}",
        wrong.join("\n")
    );
}

/// The first part of a path, without its ending.
fn layer_of(inner: &Path) -> String {
    let first = inner.iter().next().expect("a path").to_string_lossy();
    first.trim_end_matches(".rs").to_owned()
}

fn is_test(inner: &Path) -> bool {
    let parts: Vec<_> = inner.iter().map(|part| part.to_string_lossy()).collect();
    parts
        .iter()
        .any(|part| matches!(&**part, "tests" | "tests.rs" | "laws.rs"))
}

/// The modules at the root of the crate that a file names, but for its tests and its comments.
fn imports(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or(text);
    let lines = code
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let named = lines.flat_map(|line| {
        line.match_indices("crate::")
            .map(move |(at, _)| &line[at + 7..])
    });
    let name = |rest: &str| {
        let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
        rest[..end.unwrap_or(rest.len())].to_owned()
    };
    // Macros and items of the root have no path behind them.
    let named = named.filter(|rest| rest.contains("::"));
    named.map(name).filter(|name| !name.is_empty()).collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of the crate");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut found: Vec<PathBuf> = paths
        .flat_map(|path| {
            if path.is_dir() {
                files(&path)
            } else {
                vec![path]
            }
        })
        .filter(|path| path.extension().is_some_and(|ending| ending == "rs"))
        .collect();
    found.sort();
    found
}
