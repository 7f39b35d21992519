//! The folders of this crate are layers: each imports only from those below it, and calls only the methods
//! of the reader and of its looks that are defined in its own layer or below.

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
    "parser::words",
    "parser::search",
    "parser::resume",
    "parser",
    "zones",
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
    "view::index",
];

/// The types whose methods are spread over the layers of the parser and of the search for values.
const SPREAD: &[&str] = &["Reader", "Look"];

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
    let circles: Vec<_> = (imports.keys())
        .filter(|one| reached(&imports, one).contains(*one))
        .collect();
    assert_eq!(circles, RECURSIONS);
}

#[test]
fn methods_are_called_from_above() {
    let methods = methods();
    let wrong: Vec<_> = (calls(&methods).iter())
        .filter(|(module, name)| rank(&methods[name]) > rank(module))
        .map(|(module, name)| format!("{module} calls {name} of {}", methods[name]))
        .collect();
    assert!(wrong.is_empty(), "upwards:\n{}", wrong.join("\n"));
}

#[test]
fn no_methods_of_files_call_each_other() {
    let methods = methods();
    let mut called: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (module, name) in calls(&methods) {
        if module != methods[&name] {
            called
                .entry(module)
                .or_default()
                .insert(methods[&name].clone());
        }
    }
    let mut circles = BTreeSet::new();
    for module in called.keys() {
        let circle: Vec<_> = (reached(&called, module).into_iter())
            .filter(|other| reached(&called, other).contains(module))
            .collect();
        circles.extend((circle.len() > 1).then_some(circle));
    }
    assert!(circles.is_empty(), "{circles:?} call each other");
}

#[test]
fn calls_are_found_in_chains() {
    let text = "\
impl<'r> Reader<'r> {
    pub(crate) fn one(&mut self) {
        // self.comment(1)
        let two = self
            .look
            .two(self.three());
        Self::four(two);
        five.look.six::<true>();
        itself.seven();
    }
}
impl Other {
    fn eight(&self) {
        self.nine();
        reader
            .ten();
    }
}
";
    assert_eq!(defined(text), ["one"]);
    let found = BTreeSet::from(["two", "three", "four", "six", "ten"].map(str::to_owned));
    assert_eq!(called(text), found);
}

/// The files that can be reached from one, by the files that each of them leads to.
fn reached(leads: &BTreeMap<String, BTreeSet<String>>, module: &String) -> BTreeSet<String> {
    let (mut reached, mut next) = (BTreeSet::new(), vec![module]);
    while let Some(one) = next.pop() {
        let others = leads.get(one).into_iter().flatten();
        next.extend(others.filter(|other| reached.insert((*other).clone())));
    }
    reached
}

/// The methods of the types that are spread over files, each with its file. Their names are unique, so that
/// a call tells by its name where it leads.
fn methods() -> BTreeMap<String, String> {
    let mut methods = BTreeMap::new();
    for (module, text) in texts() {
        // Each type has its constructor.
        for name in defined(&text).into_iter().filter(|name| name != "new") {
            let other = methods.insert(name.clone(), module.clone());
            assert_eq!(other, None, "{module} defines {name} once more");
        }
    }
    assert!(
        methods.len() > 250,
        "only {} methods were found",
        methods.len()
    );
    methods
}

/// The calls of these methods: the file, and the name.
fn calls(methods: &BTreeMap<String, String>) -> BTreeSet<(String, String)> {
    let calls: BTreeSet<_> = (texts().into_iter())
        .flat_map(|(module, text)| {
            let named = called(&text).into_iter();
            named.map(move |name| (module.clone(), name))
        })
        .filter(|(_, name)| methods.contains_key(name))
        .collect();
    assert!(calls.len() > 400, "only {} calls were found", calls.len());
    calls
}

/// The names of the methods that a text defines for types that are spread over files.
fn defined(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for block in spread_blocks(text) {
        let lines = block.lines().filter_map(|line| line.strip_prefix("    "));
        let heads = lines.filter(|line| !line.starts_with([' ', '/']));
        let named = heads
            .filter_map(|line| line.split_once("fn "))
            .map(|(_, rest)| identifier(rest));
        names.extend(named.map(str::to_owned));
    }
    names
}

/// The names that a text calls of such types: of `self` where they are defined, elsewhere of what is called
/// like them.
fn called(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut find = |text: &str, receivers: &[&str]| {
        // A chain of calls goes on on the next lines.
        let mut joined = String::new();
        for line in text
            .lines()
            .map(str::trim)
            .filter(|line| !line.starts_with("//"))
        {
            joined.push_str(if line.starts_with('.') { "" } else { "\n" });
            joined.push_str(line);
        }
        for receiver in receivers {
            for (at, _) in joined.match_indices(receiver) {
                let name = identifier(&joined[at + receiver.len()..]);
                let rest = &joined[at + receiver.len() + name.len()..];
                let whole = !joined[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
                if whole && (rest.starts_with('(') || rest.starts_with("::<")) {
                    names.insert(name.to_owned());
                }
            }
        }
    };
    find(text, &["reader.", "look.", "Reader::", "Look::"]);
    for block in spread_blocks(text) {
        find(block, &["self.", "Self::"]);
    }
    names
}

/// The blocks of a text that define methods of types that are spread over files.
fn spread_blocks(text: &str) -> impl Iterator<Item = &str> {
    let blocks = text
        .split("\nimpl")
        .skip(1)
        .chain(text.strip_prefix("impl"));
    blocks.filter_map(|block| {
        let (head, body) = block.split_once(" {\n")?;
        let name = head.rsplit_once(' ').map_or(head, |(_, name)| name);
        let (name, _) = name.split_once('<')?;
        let end = body.find("\n}").unwrap_or(body.len());
        SPREAD.contains(&name).then_some(&body[..end])
    })
}

/// The identifier with which a text begins.
fn identifier(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    &text[..end.unwrap_or(text.len())]
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
    let texts = texts();
    let imports: BTreeMap<_, BTreeSet<_>> = (texts.iter())
        .map(|(module, text)| (module.clone(), named(text, module, &texts)))
        .collect();
    let seen: usize = imports.values().map(BTreeSet::len).sum();
    assert!(seen > 300, "only {seen} imports were found");
    imports
}

/// The texts of the modules without their tests.
fn texts() -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    read(&source, "", &mut texts);
    texts
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
