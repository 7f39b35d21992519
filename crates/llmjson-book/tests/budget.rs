//! The size of each crate stays within `crates/budget.toml`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// The numbers of lines of code and of tests, without blank lines and comments.
#[derive(Clone, Copy, Default)]
struct Size {
    code: usize,
    tests: usize,
}

impl Size {
    /// Adds the lines of all sources in a folder.
    fn add_folder(&mut self, folder: &Path, is_test: bool) {
        let Ok(entries) = fs::read_dir(folder) else {
            return;
        };
        for entry in entries {
            let path = entry.expect("an entry").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let is_test = is_test || matches!(&*name, "tests" | "tests.rs" | "benches");
            if path.is_dir() {
                if name != "target" && name != "node_modules" {
                    self.add_folder(&path, is_test);
                }
            } else if name.ends_with(".rs") {
                let text = fs::read_to_string(&path).expect("a source can be read");
                self.add_source(&text, is_test);
            }
        }
    }

    /// Adds the lines of a source. Its tests are the module at its end.
    fn add_source(&mut self, text: &str, is_test: bool) {
        let mut is_test = is_test;
        let mut lines = text.lines().map(str::trim).peekable();
        while let Some(line) = lines.next() {
            let next = lines.peek().copied().unwrap_or_default();
            is_test |= line == "#[cfg(test)]" && next.starts_with("mod ") && next.ends_with('{');
            if !line.is_empty() && !line.starts_with("//") {
                *if is_test {
                    &mut self.tests
                } else {
                    &mut self.code
                } += 1;
            }
        }
    }
}

/// Returns the rows of the budget: `llmjson-wire = { code = 4300, tests = 2600 }`.
fn budget(text: &str) -> BTreeMap<&str, Size> {
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    let rows = rows.filter_map(|line| {
        let (name, sizes) = line.split_once(" = {")?;
        let mut numbers = sizes.split(|c: char| !c.is_ascii_digit());
        let mut next = || numbers.find_map(|number| number.parse().ok());
        let (code, tests) = (next()?, next()?);
        Some((name, Size { code, tests }))
    });
    rows.collect()
}

#[test]
fn crates_stay_within_their_budgets() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = fs::read_to_string(crates.join("budget.toml")).expect("the budget can be read");
    let budget = budget(&text);
    let mut rows = String::new();
    let mut is_over = false;
    let mut entries: Vec<_> = fs::read_dir(&crates)
        .expect("the folder can be read")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.join("Cargo.toml").exists())
        .collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut size = Size::default();
        size.add_folder(&path, false);
        let least = budget.get(&*name).copied().unwrap_or_default();
        is_over |= size.code > least.code || size.tests > least.tests;
        let Size { code, tests } = size;
        let more = (
            code.saturating_sub(least.code),
            tests.saturating_sub(least.tests),
        );
        let more = match more {
            (0, 0) => String::new(),
            (code, tests) => format!(" # {code} lines of code and {tests} of tests more"),
        };
        writeln!(rows, "{name} = {{ code = {code}, tests = {tests} }}{more}").expect("a row");
    }
    assert!(
        !is_over,
        "a crate has more lines than crates/budget.toml allows; with a reason, raise its number there:\n{rows}"
    );
}
