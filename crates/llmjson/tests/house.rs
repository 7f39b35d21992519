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

#[test]
fn packages_bring_along_what_they_need() {
    let packages = published();
    assert!(packages.len() > 10, "only {} packages", packages.len());
    for (folder, manifest) in packages {
        let name = folder.file_name().expect("a name").to_string_lossy();
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let (own, first) = (read(&folder.join(licence)), read(&root().join(licence)));
            assert!(own == first, "{name}: another {licence} than at the root");
        }
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
