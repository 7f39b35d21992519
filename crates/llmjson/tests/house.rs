//! What holds for every package of the workspace: what a published package has to bring along.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the folders of the published packages, with their manifests.
fn published() -> Vec<(PathBuf, String)> {
    let entries = fs::read_dir(root().join("crates")).expect("the folder of the crates");
    let folders = entries.map(|entry| entry.expect("an entry").path());
    let mut found: Vec<_> = folders
        .filter(|folder| folder.join("Cargo.toml").is_file())
        .map(|folder| {
            let manifest = read(&folder.join("Cargo.toml"));
            (folder, manifest)
        })
        .filter(|(_, manifest)| !manifest.contains("publish = false"))
        .collect();
    found.sort();
    found
}

/// Checks that a folder has the licences of the repository.
fn has_licences(folder: &Path) {
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        let (own, first) = (read(&folder.join(licence)), read(&root().join(licence)));
        assert!(
            own == first,
            "{}: another {licence} than at the root",
            folder.display()
        );
    }
}

#[test]
fn distributions_for_python_have_licences() {
    for name in ["llmjson-python", "llmjson-python-arrow"] {
        has_licences(&root().join("crates").join(name));
    }
}

#[test]
fn packages_bring_along_what_they_need() {
    let packages = published();
    assert!(packages.len() > 10, "only {} packages", packages.len());
    for (folder, manifest) in packages {
        let name = folder.file_name().expect("a name").to_string_lossy();
        has_licences(&folder);
        let readme = read(&folder.join("README.md"));
        assert!(readme.starts_with(&format!("# {name}\n")), "{name}");
        assert!(
            readme.contains("```") && !readme.contains("](../"),
            "{name}"
        );
        for wanted in [
            "description = ",
            "rust-version.workspace = true",
            "license.workspace = true",
            "repository.workspace = true",
            "\"/LICENSE-*\", \"/README.md\"]",
            "[package.metadata.docs.rs]\nall-features = true\nrustdoc-args = [\"--cfg\", \"docsrs\"]",
        ] {
            assert!(manifest.contains(wanted), "{name}: no `{wanted}`");
        }
        if folder.join("src/lib.rs").is_file() {
            let library = read(&folder.join("src/lib.rs"));
            let wanted = [
                "#![forbid(unsafe_code)]",
                "#![cfg_attr(docsrs, feature(doc_cfg))]",
                "#[doc = include_str!(\"../README.md\")]",
            ];
            for wanted in wanted {
                assert!(library.contains(wanted), "{name}: no `{wanted}`");
            }
        }
    }
}

#[test]
fn packages_include_nothing_from_outside() {
    for (folder, _) in published() {
        let mut left = vec![folder.join("src")];
        while let Some(path) = left.pop() {
            if path.is_dir() {
                let entries = fs::read_dir(&path).expect("a folder");
                left.extend(entries.map(|entry| entry.expect("an entry").path()));
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let deep = path.strip_prefix(&folder).expect("within").iter().count();
                let outside = "../".repeat(deep);
                for line in read(&path).lines() {
                    let reads = line.contains("include_str!(") || line.contains("#[path");
                    let place = path.display();
                    assert!(!(reads && line.contains(&outside)), "{place}: {line}");
                }
            }
        }
    }
}

#[test]
fn tests_and_examples_need_only_what_is_published() {
    for (folder, manifest) in published() {
        let name = folder.file_name().expect("a name").to_string_lossy();
        let Some((_, behind)) = manifest.split_once("[dev-dependencies]") else {
            continue;
        };
        let section = behind.split("\n[").next().unwrap_or_default();
        for line in section.lines().filter(|line| line.contains("path = ")) {
            // A package may turn on features of its own; any other package would be left out when it is published.
            let own = line.starts_with(&format!("{name} = {{ path = \".\","));
            assert!(own || line.contains("version = "), "{name}: {line}");
        }
    }
}

/// Maximum number of names in the documentation of the crate `llmjson`, modules included.
const NAMES_MAX: usize = 120;

#[test]
fn users_see_few_names() {
    let source = root().join("crates/llmjson/src");
    let files = ["lib", "retry", "stream", "tools", "typed"];
    let texts = files.map(|file| read(&source.join(file).with_extension("rs")));
    let shown = texts
        .iter()
        .filter_map(|text| text.split("pub mod internal").next());
    let names: Vec<String> = shown.flat_map(public_names).collect();
    assert!(names.len() > 80 && names.iter().any(|name| name == "Parsed"));
    assert!(
        names.len() <= NAMES_MAX,
        "{} names: {}",
        names.len(),
        names.join(" ")
    );
}

/// Returns the names that a formatted file makes public and doesn't hide from the documentation.
fn public_names(text: &str) -> Vec<String> {
    let (mut names, mut is_hidden) = (Vec::new(), false);
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let mut item = line.trim().to_owned();
        if item.starts_with("#[") || item.starts_with("///") {
            is_hidden |= item == "#[doc(hidden)]";
            continue;
        }
        while item.starts_with("pub use") && !item.ends_with(';') {
            item.push_str(lines.next().expect("the end of an import"));
        }
        let is_shown = !std::mem::take(&mut is_hidden);
        let Some(item) = item.strip_prefix("pub ").filter(|_| is_shown) else {
            continue;
        };
        let parts = match item.split_once('{').filter(|_| item.starts_with("use ")) {
            Some((_, list)) => list.split(',').collect(),
            None => vec![item],
        };
        let is_import = item.starts_with("use ");
        // An item of a module, and not of an `impl`.
        let is_item = ["mod ", "fn ", "struct ", "enum ", "trait "]
            .iter()
            .any(|word| item.starts_with(word) && !line.starts_with(' '));
        for part in parts.into_iter().filter(|_| is_import || is_item) {
            let part = part.trim_end_matches(['}', ';', '{', ' ']);
            let name = part.split(['<', '(']).next().unwrap_or_default();
            let name = name.rsplit([':', ' ']).next().unwrap_or_default();
            names.extend((!name.is_empty()).then(|| name.to_owned()));
        }
    }
    names
}

/// Maximum number of lines of a function, without comments and blank lines.
const LINES_MAX: usize = 80;

#[test]
fn functions_fit_on_a_screen() {
    let (mut wrong, mut seen) = (Vec::new(), 0);
    let crates = root().join("crates");
    for (folder, _) in published() {
        for file in sources(&folder.join("src")) {
            let text = read(&file);
            // Tests are tables, and as long as these.
            let code = text.split("#[cfg(test)]\nmod tests {").next();
            for (name, lines) in functions(code.unwrap_or(&text)) {
                seen += 1;
                let place = file.strip_prefix(&crates).expect("within").display();
                let place = format!("{place} {name}").replace('\\', "/");
                if lines > LINES_MAX {
                    wrong.push(format!("{place}: {lines} lines"));
                }
            }
        }
    }
    assert!(seen > 3_000, "only {seen} functions were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the Rust files of a folder that are not tests.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let is_code = |path: &PathBuf| {
        let name = path.file_name().expect("a name");
        name != "tests" && name != "tests.rs"
    };
    paths
        .filter(is_code)
        .flat_map(|path| match path.is_dir() {
            true => sources(&path),
            false => vec![path],
        })
        .filter(|path| path.extension().is_some_and(|ending| ending == "rs"))
        .collect()
}

/// Returns the functions of a formatted file with a body of several lines, and the lines of each. A function
/// ends where a line is nothing but the bracket below its first letter.
fn functions(text: &str) -> Vec<(&str, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let code = line.trim_start();
        let Some((before, rest)) = code.split_once("fn ") else {
            continue;
        };
        let is_head = before.split_whitespace().all(|word| {
            word.starts_with("pub") || matches!(word, "const" | "async" | "in" | "super)")
        });
        if !is_head || line.ends_with('}') || line.ends_with(';') {
            continue;
        }
        let end = format!("{}}}", &line[..line.len() - code.len()]);
        let within = lines[start..].iter().take_while(|line| **line != end);
        let counted = within.filter(|line| {
            let line = line.trim();
            !line.is_empty() && !line.starts_with("//")
        });
        let name_end = rest.find(['(', '<']).unwrap_or(rest.len());
        // A declaration without a body has no bracket of its own.
        let head = lines[start..]
            .iter()
            .find(|line| line.ends_with(['{', ';']));
        if head.is_some_and(|line| line.ends_with('{')) {
            found.push((&rest[..name_end], counted.count() + 1));
        }
    }
    found
}
