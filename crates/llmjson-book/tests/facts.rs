//! Facts in prose: paths, options, names and commands exist, and tables list what their source has.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use llmjson::Policy;
use llmjson::syntax::Limits;
use regex::Regex;

/// Names in comments that stand for keys, files and options of other programs.
const EXAMPLES: &[&str] = &[
    "disable_ssl",
    "field_a",
    "functions_weather_0",
    "header_id",
    "models/Cat.json",
    "node.js",
    "reasoning_details",
    "response_template",
    "source_quote_number",
    "to_account",
    "tokenizer_config.json",
    "user_email",
];

type Names = BTreeSet<String>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a pattern")
}

/// Returns the first group of each match of a pattern.
fn all(text: &str, rule: &str) -> Vec<String> {
    let found = pattern(rule);
    let found = found.captures_iter(text).map(|found| found[1].to_owned());
    found.collect()
}

/// Returns the texts of a repository's files by their paths. Generated files are left out, and those of the corpus.
fn sources() -> BTreeMap<String, String> {
    fn walk(folder: &Path, found: &mut BTreeMap<String, String>) {
        for entry in fs::read_dir(folder).expect("the folder can be read") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let within = path.strip_prefix(root()).expect("within the repository");
            let within = within.to_string_lossy().replace('\\', "/");
            if path.is_dir() {
                if within == "corpus" {
                    found.insert(within + "/", String::new());
                } else if !matches!(&*name, "target" | "node_modules" | ".git" | ".venv") {
                    walk(&path, found);
                }
            } else if let Ok(text) = fs::read_to_string(&path) {
                found.insert(within, text);
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(&root(), &mut found);
    found
}

/// What prose may name: files, and words and options of code.
struct Code {
    /// The ends of paths of files and folders, each with the folders before it.
    paths: BTreeMap<String, Names>,
    words: Names,
    options: Names,
    commands: Names,
    path: Regex,
    option: Regex,
    name: Regex,
}

impl Code {
    fn new(sources: &BTreeMap<String, String>) -> Self {
        let (word, option) = (pattern(r"[A-Za-z_]\w*"), pattern("--[a-z][a-z0-9-]*"));
        let (mut words, mut options) = (Names::new(), Names::new());
        for (_, text) in sources.iter().filter(|(path, _)| !path.ends_with(".md")) {
            let is_comment = |line: &&str| {
                let line = line.trim_start();
                line.starts_with("//") || line.starts_with('*') || line.starts_with("# ")
            };
            for line in text.lines().filter(|line| !is_comment(line)) {
                words.extend(word.find_iter(line).map(|one| one.as_str().to_owned()));
                options.extend(option.find_iter(line).map(|one| one.as_str().to_owned()));
            }
        }
        let mut paths: BTreeMap<String, Names> = BTreeMap::new();
        for path in sources.keys() {
            let slashes = path.match_indices('/').map(|(at, _)| at + 1);
            let cuts: Vec<usize> = [0].into_iter().chain(slashes).chain([path.len()]).collect();
            for (index, start) in cuts.iter().enumerate() {
                for end in &cuts[index + 1..] {
                    let before = path[..*start].to_owned();
                    paths
                        .entry(path[*start..*end].to_owned())
                        .or_default()
                        .insert(before);
                }
            }
        }
        Self {
            paths,
            words,
            options,
            commands: commands(),
            path: pattern(
                r"^\w[\w./-]*\.(rs|md|toml|json|py|pyi|mjs|js|ts|sh)$|^[A-Za-z_][\w./-]*/$",
            ),
            option: pattern("^--[a-z][a-z-]+$"),
            name: pattern(r"^[a-z]\w*_\w+(\(\))?$|^\w+(::\w+)+(\(\))?$"),
        }
    }

    /// Returns what is wrong with a code span of prose about a folder.
    fn wrong(&self, span: &str, within: &str) -> Option<&'static str> {
        if EXAMPLES.contains(&span) {
            return None;
        }
        if self.path.is_match(span) {
            let is_whole = |before: &str| before.is_empty() || before == "crates/";
            let is_there = |before: &String| is_whole(before) || before.starts_with(within);
            let folders = self.paths.get(span);
            let is_known = folders.is_some_and(|folders| folders.iter().any(is_there));
            return (!is_known).then_some("no such path");
        }
        if self.option.is_match(span) {
            let field = span[2..].replace('-', "_");
            let is_known = self.options.contains(span) || self.words.contains(&field);
            return (!is_known).then_some("no such option");
        }
        if let Some(command) = span.strip_prefix("llmjson ") {
            let command = command.split(' ').next().unwrap_or_default();
            let is_word = command
                .chars()
                .all(|one| one.is_ascii_lowercase() || one == '-');
            let is_known = !is_word || command.starts_with('-') || self.commands.contains(command);
            return (!is_known).then_some("no such command");
        }
        let mut parts = span.split([':', '(', ')']).filter(|part| !part.is_empty());
        let is_unknown = self.name.is_match(span) && !parts.all(|part| self.words.contains(part));
        is_unknown.then_some("no such name")
    }
}

/// Returns the commands of `llmjson`, from the arguments of the program.
fn commands() -> Names {
    let arguments = read("crates/llmjson-cli/src/args.rs");
    let (_, rest) = arguments
        .split_once("enum Command {")
        .expect("the commands");
    let (variants, _) = rest.split_once("\n}").expect("their end");
    let names = all(variants, r"(?m)^    (\w+)\(");
    let kebab = pattern("([a-z])([A-Z])");
    let names = names
        .iter()
        .map(|name| kebab.replace_all(name, "$1-$2").to_lowercase());
    names.collect()
}

#[test]
fn what_prose_names_exists() {
    let sources = sources();
    let code = Code::new(&sources);
    let span = pattern("`([^`\n]+)`");
    let heading = pattern(r"^### `([\w-]+)`$");
    let test = pattern(r"-p ([\w-]+)[^`\n]*--test (\w+)");
    let (mut seen, mut wrong) = (0, Vec::new());
    for (path, text) in &sources {
        let is_document = matches!(&**path, "crates/ARCHITECTURE.md" | "CONTRIBUTING.md");
        let is_source = path.ends_with(".rs") && path.contains("/src/");
        if !is_document && !is_source {
            continue;
        }
        // What is said under the name of a crate is about that crate.
        let mut within = String::new();
        for (index, line) in text.lines().enumerate() {
            if let Some(found) = heading.captures(line) {
                within = format!("crates/{}/", &found[1]);
            } else if line.starts_with("##") && !line.starts_with("####") {
                within.clear();
            }
            if !is_document && !line.trim_start().starts_with("//") {
                continue;
            }
            let at = format!("{path}:{}", index + 1);
            for found in span.captures_iter(line) {
                seen += 1;
                let reason = code.wrong(&found[1], &within);
                wrong.extend(reason.map(|reason| format!("{at}: {reason}: {}", &found[1])));
            }
            for found in test.captures_iter(line) {
                let tests = format!("crates/{}/tests/{}", &found[1], &found[2]);
                let files = [format!("{tests}.rs"), format!("{tests}/main.rs")];
                let is_known = files.iter().any(|file| sources.contains_key(file));
                wrong.extend((!is_known).then(|| format!("{at}: no such test: {}", &found[0])));
            }
        }
    }
    assert!(seen > 5_000, "only {seen} code spans");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Returns the code spans in a column of the tables of a page that have a header for it; of nothing else.
fn column(page: &str, header: &str) -> Names {
    let text = read(page);
    let cells = |line: &str| -> Vec<String> {
        let line = line.trim_matches('|').replace("\\|", "\u{1}");
        line.split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let mut found = Names::new();
    let mut place = None;
    for line in text.lines() {
        if !line.starts_with('|') {
            place = None;
        } else if let Some(place) = place {
            let cell = cells(line).into_iter().nth(place).unwrap_or_default();
            found.extend(all(&cell, "`([^`]+)`"));
        } else {
            let headers = cells(line);
            place = headers.iter().position(|cell| cell == header);
            place = place.or(Some(usize::MAX));
        }
    }
    found
}

fn names<'n>(names: impl IntoIterator<Item = &'n str>) -> Names {
    names.into_iter().map(str::to_owned).collect()
}

/// Returns the features of a crate, without those that are not for users to choose.
fn features(name: &str) -> Names {
    let manifest = read(&format!("crates/{name}/Cargo.toml"));
    let (_, rest) = manifest.split_once("\n[features]\n").unwrap_or_default();
    let table = rest.split("\n[").next().unwrap_or_default();
    let mut found: Names = all(table, r"(?m)^([\w-]+) = ").into_iter().collect();
    found.retain(|name| !matches!(&**name, "default" | "laws" | "std"));
    found
}

#[test]
fn tables_list_what_their_source_has() {
    let package: serde_json::Value =
        serde_json::from_str(&read("crates/llmjson-wasm/npm/package.json")).expect("a manifest");
    let drop_ins = package["dropIns"].as_array().expect("the entries");
    let drop_ins = drop_ins.iter().filter_map(|name| name.as_str());
    let mut entries: Names = drop_ins
        .map(|name| format!("llmjson/{}", name.replace("-stream", "/stream")))
        .collect();
    entries.extend(names([
        "llmjson",
        "llmjson/syntax",
        "llmjson/llmjson.wasm",
        "llmjson/syntax/llmjson.wasm",
        "llmjson/inline",
        "llmjson/syntax/inline",
    ]));

    let outcomes = read("crates/llmjson-gateway/src/report.rs");
    let mut outcomes: Names = all(&outcomes, r#"Self::\w+ => "(\w+)""#)
        .into_iter()
        .collect();
    outcomes.retain(|name| !matches!(&**name, "repair" | "coercion" | "violation" | "call"));
    let server = ["metrics", "records"]
        .map(|name| read(&format!("crates/llmjson-gateway/src/server/{name}.rs")));
    outcomes.extend(all(&server[1], r#"const [A-Z]+: &str = "(\w+)""#));

    let counters = all(&server[0], r#"to\.register\("(\w+)""#);
    let metrics = column("docs/src/gateway.md", "metric");
    let metrics = metrics.iter().map(|name| {
        name.trim_start_matches("llmjson_gateway_")
            .trim_end_matches("_total")
    });

    let folders = sources();
    let crates = folders
        .keys()
        .filter_map(|path| path.strip_prefix("crates/")?.strip_suffix("/Cargo.toml"));
    let crates = names(crates.filter(|path| !path.contains('/')));

    let book = |page: &str, header: &str| column(&format!("docs/src/{page}.md"), header);
    for (what, listed, wanted) in [
        (
            "presets",
            book("policies", "preset"),
            names(Policy::PRESETS.iter().copied()),
        ),
        ("commands", book("command-line", "command"), commands()),
        (
            "commands of the README",
            column("crates/llmjson-cli/README.md", "command"),
            commands(),
        ),
        ("entries", book("javascript", "entry"), entries),
        ("outcomes", book("gateway", "outcome"), outcomes),
        ("metrics", names(metrics), counters.into_iter().collect()),
        ("crates", column("crates/ARCHITECTURE.md", "crate"), crates),
    ] {
        let listed: Names = listed
            .into_iter()
            .filter(|name| wanted.contains(name) || !name.contains(' '))
            .collect();
        let missing: Vec<_> = wanted.difference(&listed).collect();
        let stale: Vec<_> = listed.difference(&wanted).collect();
        assert!(
            missing.is_empty() && stale.is_empty(),
            "{what}: not listed {missing:?}, not there {stale:?}"
        );
    }
}

#[test]
fn features_in_tables_are_those_of_the_crates() {
    let mut count = 0;
    for path in sources().keys().filter(|path| path.ends_with(".md")) {
        let listed = column(path, "feature");
        let owner = match path
            .strip_prefix("crates/")
            .and_then(|path| path.strip_suffix("/README.md"))
        {
            Some(owner) if !owner.contains('/') => owner,
            _ if path.starts_with("docs/src/") => "llmjson",
            _ => continue,
        };
        if listed.is_empty() {
            continue;
        }
        count += 1;
        let known = features(owner);
        let unknown: Vec<_> = listed.difference(&known).collect();
        assert!(unknown.is_empty(), "{path}: {unknown:?}");
        // A README lists all of its crate.
        let missing: Vec<_> = known.difference(&listed).collect();
        assert!(
            missing.is_empty() || path.starts_with("docs/"),
            "{path}: not listed {missing:?}"
        );
    }
    assert!(count >= 4, "{count}");
}

#[test]
fn limits_have_the_documented_defaults() {
    let page = read("docs/src/limits.md");
    let Limits {
        input_bytes,
        depth,
        candidates,
        work,
        records,
        digits,
        feedback_bytes,
        ..
    } = Limits::DEFAULT;
    for (name, default, option) in [
        ("input_bytes", input_bytes, "bytes"),
        ("depth", depth, "depth"),
        ("candidates", candidates, "candidates"),
        ("work", work, "work"),
        ("records", records, "records"),
        ("digits", digits, "digits"),
        ("feedback_bytes", feedback_bytes, "feedback-bytes"),
    ] {
        let row = page
            .lines()
            .find(|line| line.starts_with(&format!("| `{name}` |")));
        let row = row.unwrap_or_else(|| panic!("no row for {name}"));
        let number = all(&row.replace(',', ""), r"^\| `\w+` \| (\d+)");
        assert_eq!(number, [default.to_string()], "{row}");
        assert!(row.contains(&format!("| `--max-{option}` |")), "{row}");
    }
}
