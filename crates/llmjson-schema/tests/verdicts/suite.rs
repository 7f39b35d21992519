//! The official test suite. It is fetched once (see `fetch_suite.sh`) and kept beside what was built;
//! `LLMJSON_SUITE=demand` makes it an error if it cannot be fetched.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use jsonschema::Draft;
use llmjson_schema::{Schema, laws};
use serde_json::Value;

const DRAFTS: [(&str, &str, Draft); 5] = [
    (
        "draft4",
        "http://json-schema.org/draft-04/schema#",
        Draft::Draft4,
    ),
    (
        "draft6",
        "http://json-schema.org/draft-06/schema#",
        Draft::Draft6,
    ),
    (
        "draft7",
        "http://json-schema.org/draft-07/schema#",
        Draft::Draft7,
    ),
    (
        "draft2019-09",
        "https://json-schema.org/draft/2019-09/schema",
        Draft::Draft201909,
    ),
    (
        "draft2020-12",
        "https://json-schema.org/draft/2020-12/schema",
        Draft::Draft202012,
    ),
];

/// Where the verdicts differ, and how many do.
const DIFFERENT: [(&str, usize); 2] = [
    // 1.0 is an integer in all drafts.
    ("draft4/optional/zeroTerminatedFloats.json", 1),
    // What a text holds is not checked.
    ("draft7/optional/content.json", 4),
];

/// Why schemas are refused.
const REFUSED: [&str; 3] = [
    "remote references are not fetched",
    "is no dialect that is known",
    // More than one anchor of a name for a dynamic reference.
    "several schemas have",
];

/// What came of the tests of one draft.
#[derive(Debug, Default)]
struct Tally {
    tests: usize,
    same: usize,
    different: usize,
    /// Tests of schemas that do not compile here, and of those only there.
    refused: usize,
    refused_there: usize,
    as_expected: usize,
}

#[test]
fn fetched_official_suite_has_the_verdicts_of_jsonschema() {
    let Some(suite) = fetched() else { return };
    let (mut different, mut refused) = (BTreeSet::new(), BTreeMap::new());
    for (name, uri, draft) in DRAFTS {
        let mut tally = Tally::default();
        for file in files(&suite.join("tests").join(name)) {
            let shown = file
                .strip_prefix(suite.join("tests"))
                .expect("it is within");
            let shown = shown.display().to_string();
            let text = fs::read_to_string(&file).expect("a file of the suite");
            let groups: Vec<Value> = serde_json::from_str(&text).expect("a list of groups");
            for group in &groups {
                let place = format!(
                    "{shown}: {}",
                    group["description"].as_str().unwrap_or_default()
                );
                let schema = with_dialect(&group["schema"], uri);
                judge(
                    &schema,
                    group,
                    draft,
                    &place,
                    &mut tally,
                    (&mut different, &mut refused),
                );
            }
        }
        println!("{name}: {tally:?}");
    }
    for (place, why) in &refused {
        println!("refused: {place}: {why}");
    }
    let explained = DIFFERENT.iter().map(|(file, count)| {
        let found = different.iter().filter(|place| place.starts_with(file));
        assert_eq!(found.count(), *count, "{file}");
        count
    });
    assert_eq!(explained.sum::<usize>(), different.len(), "{different:#?}");
    let is_known = |why: &String| REFUSED.iter().any(|known| why.contains(known));
    let unknown: Vec<_> = refused.iter().filter(|(_, why)| !is_known(why)).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
}

fn judge(
    schema: &Value,
    group: &Value,
    draft: Draft,
    place: &str,
    tally: &mut Tally,
    (different, refused): (&mut BTreeSet<String>, &mut BTreeMap<String, String>),
) {
    let tests = group["tests"].as_array().expect("a list of tests");
    tally.tests += tests.len();
    let ours = Schema::from_text(&schema.to_string());
    let ours = match ours {
        Ok(ours) => ours,
        Err(error) => {
            tally.refused += tests.len();
            refused.insert(place.to_owned(), error.message);
            return;
        }
    };
    let Ok(theirs) = laws::judge(schema, draft) else {
        tally.refused_there += tests.len();
        return;
    };
    for test in tests {
        let verdict = super::is_valid(&ours, &test["data"]);
        let is_same = verdict == theirs.is_valid(&test["data"]);
        tally.as_expected += usize::from(test["valid"] == verdict);
        tally.same += usize::from(is_same);
        if !is_same {
            tally.different += 1;
            let name = test["description"].as_str().unwrap_or_default();
            different.insert(format!(
                "{place}: {name}: {verdict} here, in the suite {}",
                test["valid"]
            ));
        }
    }
}

/// A schema that says which dialect it is written in.
fn with_dialect(schema: &Value, uri: &str) -> Value {
    let mut schema = schema.clone();
    if let Value::Object(members) = &mut schema {
        members.entry("$schema").or_insert_with(|| uri.into());
    }
    schema
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).expect("a folder of the suite") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Where the suite is, unless it cannot be fetched.
fn fetched() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let suite = folder.join("suite");
    if !suite.exists() {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verdicts/fetch_suite.sh");
        let status = Command::new("sh").arg(script).arg(folder).status();
        if !status.is_ok_and(|status| status.success()) {
            let demanded = env::var("LLMJSON_SUITE").is_ok_and(|value| value == "demand");
            assert!(!demanded, "the official suite cannot be fetched");
            println!("the official suite cannot be fetched, so nothing was compared with it");
            return None;
        }
    }
    Some(suite)
}
