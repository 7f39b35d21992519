//! The files of a case. Knows where they lie and how they are read, not what they mean.

use std::fs;
use std::path::{Path, PathBuf};

use crate::policy;
use llmjson::{Parsed, Policy, Schema};

/// A reply, and perhaps a schema and a policy.
pub(crate) struct Case {
    /// The path within the corpus, without its ending.
    path: PathBuf,
    pub(crate) text: String,
    pub(crate) schema: Option<Schema>,
    /// Lenient where the case says nothing.
    pub(crate) policy: Policy,
}

impl Case {
    fn read(path: PathBuf) -> Self {
        let whole = root().join(&path);
        let text = fs::read_to_string(whole.with_extension("txt")).expect("a reply is UTF-8");
        let schema = fs::read_to_string(whole.with_extension("schema.json")).ok();
        let schema = schema.map(|schema| {
            Schema::from_text(&schema).unwrap_or_else(|error| panic!("{path:?}: {error}"))
        });
        let policy = fs::read_to_string(whole.with_extension("policy.json"));
        let policy = policy.map_or_else(|_| Policy::default(), |text| policy::read(&text));
        Self {
            path,
            text,
            schema,
            policy,
        }
    }

    /// What the library makes of the reply.
    pub(crate) fn parse(&self) -> Parsed<'_> {
        llmjson::parse_with(&self.text, self.schema.as_ref(), &self.policy)
    }

    /// The path within the corpus, without its ending.
    pub(crate) fn name(&self) -> String {
        self.path
            .to_str()
            .expect("names of cases are plain")
            .to_owned()
    }

    /// The name within its folder.
    pub(crate) fn stem(&self) -> String {
        let stem = self.path.file_name().expect("a case has a name");
        stem.to_str().expect("names of cases are plain").to_owned()
    }

    /// The folder with the case.
    pub(crate) fn folder(&self) -> PathBuf {
        root()
            .join(&self.path)
            .parent()
            .expect("a case lies in a folder")
            .to_owned()
    }

    /// The names of the folders that the case lies in, from the outermost on.
    pub(crate) fn verdict(&self) -> Vec<&str> {
        let folders = self.path.parent().expect("a case lies in a folder").iter();
        folders
            .map(|name| name.to_str().expect("names of cases are plain"))
            .collect()
    }
}

/// All cases, in the order of their names.
pub(crate) fn all() -> Vec<Case> {
    let replies = files()
        .into_iter()
        .filter(|path| path.extension().is_some_and(|e| e == "txt"));
    let cases: Vec<_> = replies
        .map(|path| Case::read(path.with_extension("")))
        .collect();
    assert!(!cases.is_empty(), "the corpus lies beside the crates");
    cases
}

/// Cases of tools, which have a test of their own.
const TOOLS: &str = "tools";

/// All files within the corpus's folders, in the order of their names.
pub(crate) fn files() -> Vec<PathBuf> {
    let root = root();
    let mut found = Vec::new();
    let mut folders = folders_in(&root);
    folders.retain(|folder| !folder.ends_with(TOOLS));
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let path = path
                    .strip_prefix(&root)
                    .expect("a file lies within its folder");
                found.push(path.to_owned());
            }
        }
    }
    found.sort();
    found
}

fn folders_in(path: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(path)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    entries.filter(|path| path.is_dir()).collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus")
}
