//! The folders of this crate are layers: each imports only from those below it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The folders, the lowest first. `parser` stands for the files that lie in no folder within it.
const LAYERS: &[&str] = &[
    "base",
    "tape",
    "scan",
    "view",
    "parser::look",
    "parser::state",
    "parser::strings",
    "parser::recovery",
    "parser::search",
    "parser::resume",
    "parser",
    "reply",
    "document",
    "stream",
];

/// Modules that look at everything: the crate's face and its laws.
const ABOVE_ALL: &[&str] = &["lib", "laws"];

/// The only files that import each other: values and what they hold.
const RECURSIONS: &[&str] = &[
    "view",
    "view::children",
    "view::cursor",
    "view::cursor::walk",
];

#[test]
fn imports_point_downwards() {
    let mut wrong = Vec::new();
    for (module, imported) in imports() {
        let above = imported.iter().filter(|one| rank(one) > rank(&module));
        wrong.extend(above.map(|one| format!("{module} imports {one}")));
    }
    assert!(wrong.is_empty(), "upwards:\n{}", wrong.join("\n"));
}

#[test]
fn files_import_each_other_only_where_values_nest() {
    let imports = imports();
    let in_circle = |module: &String| {
        let (mut reached, mut next) = (BTreeSet::new(), vec![module]);
        while let Some(one) = next.pop() {
            next.extend(imports[one].iter().filter(|other| reached.insert(*other)));
        }
        reached.contains(module)
    };
    let circles: Vec<_> = imports.keys().filter(|one| in_circle(one)).collect();
    assert_eq!(circles, RECURSIONS);
}

fn rank(module: &str) -> usize {
    let holds = |layer: &str| module == layer || module.starts_with(&format!("{layer}::"));
    let most_exact = LAYERS
        .iter()
        .filter(|layer| holds(layer))
        .max_by_key(|layer| layer.len());
    let layer = most_exact.unwrap_or_else(|| panic!("{module} is in no layer: add it to LAYERS"));
    LAYERS
        .iter()
        .position(|one| one == layer)
        .expect("it is one of them")
}

/// The modules of the crate, each with those that it names, but for its tests and its comments.
fn imports() -> BTreeMap<String, BTreeSet<String>> {
    let mut texts = BTreeMap::new();
    read(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
        "",
        &mut texts,
    );
    let imports: BTreeMap<_, BTreeSet<_>> = (texts.iter())
        .map(|(module, text)| (module.clone(), named(text, module, &texts)))
        .collect();
    let seen: usize = imports.values().map(BTreeSet::len).sum();
    assert!(seen > 300, "only {seen} imports were found");
    imports
}

fn read(folder: &Path, prefix: &str, texts: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).expect("a folder of the crate") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().expect("a name").to_string_lossy();
        let module = match (prefix, &*name) {
            ("", name) => name.to_owned(),
            (prefix, "mod") => prefix.to_owned(),
            (prefix, name) => format!("{prefix}::{name}"),
        };
        if ABOVE_ALL.contains(&&*module) {
            continue;
        }
        if path.is_dir() {
            read(&path, &module, texts);
        } else {
            let text = fs::read_to_string(&path).expect("a file of the crate");
            let code = text.split("#[cfg(test)]\nmod tests {").next();
            texts.insert(module, code.expect("a first part").to_owned());
        }
    }
}

/// The modules that a text names, from the root or in its own folder.
fn named(text: &str, own: &str, all: &BTreeMap<String, String>) -> BTreeSet<String> {
    let path = |rest: &str| {
        let end = rest.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | ':'));
        rest[..end.unwrap_or(rest.len())]
            .trim_end_matches("::")
            .to_owned()
    };
    let mut modules = BTreeSet::new();
    for line in text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
    {
        // A macro for other crates names items of this one by their public paths.
        let line = &*line.replace("$crate::", "");
        for rest in line.split("crate::").skip(1) {
            let mut path = &*path(rest);
            while !all.contains_key(path) {
                let outer = path.rsplit_once("::");
                path = outer
                    .unwrap_or_else(|| panic!("{own} imports {path} from the root"))
                    .0;
            }
            modules.insert(path.to_owned());
        }
        if let Some((_, rest)) = line.split_once("use ") {
            let name = rest.split([':', ';']).next().unwrap_or(rest);
            let inner = format!("{own}::{name}");
            modules.extend(all.contains_key(&inner).then_some(inner));
        }
    }
    modules.remove(own);
    modules
}
