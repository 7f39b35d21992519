//! The files of the corpus, `*.cases`: their format, and the outcomes that tests write into them.
//!
//! A case begins with a line `== name ==` and consists of parts. A part begins with a line `--- part`,
//! and its text is what follows, up to the next such line. Parts before the first case belong to every
//! case of the file that has none of its own.
//!
//! - The line feed before the next marker is not part of the text, and neither is the empty line before
//!   `== name ==`. So an empty line before `--- schema` means that the reply ends in a line feed.
//! - `--- reply (escaped)`: the text has the escapes `\\`, `\n`, `\r`, `\t`, `\0` and `\u{20}`. It has to be
//!   escaped if a line begins with `== ` or `--- ` or ends in a space or tab, or if there are control
//!   characters or byte order marks.
//! - `--- reply: name.txt`: the text is that of a file in the same folder, byte for byte.
//! - `--- outcome` is the last part. With `INSTA_UPDATE=always` in the environment tests write it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Names of parts, in the order in which a case has them.
const PARTS: &[&str] = &[
    "reply", "tool", "tools", "call", "schema", "policy", "rule", "reports", "expected", "accept",
    OUTCOME,
];

const OUTCOME: &str = "outcome";

/// How many lines of an outcome are shown before and after those that changed.
const LINES_AROUND: usize = 2;

/// A file of cases.
pub(crate) struct CaseFile {
    /// The path within the corpus, without its ending.
    path: PathBuf,
    shared: Arc<[Part]>,
    pub(crate) cases: Vec<Case>,
}

/// A named case.
#[derive(Clone)]
pub(crate) struct Case {
    /// The path of the file within the corpus, without its ending, and the name.
    path: PathBuf,
    parts: Vec<Part>,
    shared: Arc<[Part]>,
}

#[derive(Clone)]
struct Part {
    name: String,
    form: Form,
    /// As it stands in the file, with the last line feed.
    source: String,
    text: String,
}

#[derive(Clone)]
enum Form {
    Plain,
    Escaped,
    File(String),
}

/// Returns all files of cases, in the order of their paths.
pub(crate) fn read_all() -> Vec<CaseFile> {
    let files = files().into_iter();
    let files = files.filter(|path| path.extension().is_some_and(|ending| ending == "cases"));
    let files: Vec<_> = files.map(|path| CaseFile::read(&path)).collect();
    assert!(!files.is_empty(), "the corpus lies beside the crates");
    files
}

/// Checks that each file in a folder of the corpus holds cases or is named by one.
pub(crate) fn every_file_is_named() {
    let mut named = BTreeSet::new();
    for file in read_all() {
        named.insert(file.path.with_extension("cases"));
        let own = file.cases.iter().flat_map(|case| &case.parts);
        for part in own.chain(&*file.shared) {
            if let Form::File(name) = &part.form {
                named.insert(file.path.with_file_name(name));
            }
        }
    }
    let others: Vec<_> = files()
        .into_iter()
        .filter(|path| path.components().count() > 1 && !named.contains(path))
        .collect();
    assert!(
        others.is_empty(),
        "files that belong to no case: {others:?}"
    );
}

impl CaseFile {
    /// Whether the file is in a folder of the corpus.
    pub(crate) fn is_in(&self, folder: &str) -> bool {
        self.path.starts_with(folder)
    }

    /// Compares the outcomes in the file with those of today, or writes these. Returns what differs.
    pub(crate) fn check_outcomes(&self, outcome: impl Fn(&Case) -> String) -> Result<(), String> {
        let (before, after) = (
            written(&self.shared, &self.cases),
            self.with_outcomes(outcome),
        );
        if before == after {
            return Ok(());
        }
        if std::env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always") {
            fs::write(root().join(self.path.with_extension("cases")), after).unwrap();
            return Ok(());
        }
        let after = Self::from_text(&self.path, &after);
        let cases = self.cases.iter().zip(&after.cases);
        let changed = cases.filter(|(before, after)| before.get(OUTCOME) != after.get(OUTCOME));
        let shown = changed.map(|(before, after)| {
            let [before, outcome] =
                [before, after].map(|case| case.get(OUTCOME).unwrap_or_default());
            format!("{}\n{}", after.name(), changed_lines(before, outcome))
        });
        Err(shown.collect())
    }

    /// Returns the text of the file with these outcomes.
    pub(crate) fn with_outcomes(&self, outcome: impl Fn(&Case) -> String) -> String {
        let mut cases = self.cases.clone();
        for case in &mut cases {
            let today = outcome(case).trim_end().to_owned();
            // As it is written already, whatever is escaped there.
            if case.get(OUTCOME) != Some(&today) {
                case.parts.retain(|part| part.name != OUTCOME);
                case.parts.push(Part::written(OUTCOME, today));
            }
        }
        written(&self.shared, &cases)
    }

    fn read(path: &Path) -> Self {
        let text = fs::read_to_string(root().join(path)).expect("a file of cases is UTF-8");
        Self::from_text(&path.with_extension(""), &text)
    }

    /// Reads a file of this path within the corpus.
    ///
    /// # Panics
    ///
    /// If the text is not laid out as said above, a name or a part comes twice, or no case uses a shared part.
    pub(crate) fn from_text(path: &Path, text: &str) -> Self {
        let folder = path.parent().expect("a file is in a folder");
        let mut blocks = blocks(text).into_iter();
        let (_, shared) = blocks.next().expect("there is a first block");
        let part = |(header, source): (String, String)| {
            Part::read(folder, &header, &source)
                .unwrap_or_else(|error| panic!("{path:?}: {header}: {error}"))
        };
        let shared: Arc<[Part]> = shared.into_iter().map(part).collect();
        let case = |(name, parts): Block| Case {
            path: path.join(name),
            parts: parts.into_iter().map(part).collect(),
            shared: shared.clone(),
        };
        let cases: Vec<_> = blocks.map(case).collect();
        let file = Self {
            shared: shared.clone(),
            cases,
            path: path.to_owned(),
        };
        file.check(text);
        file
    }

    fn check(&self, text: &str) {
        let path = &self.path;
        assert_eq!(
            written(&self.shared, &self.cases),
            text,
            "{path:?} is not laid out as others"
        );
        let names: BTreeSet<_> = self.cases.iter().map(Case::name).collect();
        assert_eq!(
            names.len(),
            self.cases.len(),
            "{path:?}: a name comes twice"
        );
        for parts in self
            .cases
            .iter()
            .map(|case| &*case.parts)
            .chain([&*self.shared])
        {
            let places = parts
                .iter()
                .map(|part| PARTS.iter().position(|name| *name == part.name));
            let places: Vec<_> = places
                .map(|place| place.expect("parts are known"))
                .collect();
            let in_order = places.windows(2).all(|two| two[0] < two[1]);
            assert!(
                in_order,
                "{path:?}: parts come in the order of {PARTS:?}, each once"
            );
        }
        for part in &*self.shared {
            let used = |case: &Case| case.parts.iter().all(|own| own.name != part.name);
            assert!(
                self.cases.iter().any(used),
                "{path:?}: no case uses the shared {}",
                part.name
            );
        }
    }
}

impl Case {
    /// Returns the text of a part, that of the file if the case has none.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let mut parts = self.parts.iter().chain(&*self.shared);
        parts.find(|part| part.name == name).map(|part| &*part.text)
    }

    /// Returns the names of its parts.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &str> {
        self.parts
            .iter()
            .chain(&*self.shared)
            .map(|part| &*part.name)
    }

    /// Returns the path of the file within the corpus and the name, parted by slashes.
    pub(crate) fn name(&self) -> String {
        self.path
            .to_str()
            .expect("names of cases are plain")
            .to_owned()
    }

    /// Returns the folders and the file that the case is in, from the outermost on.
    pub(crate) fn verdict(&self) -> Vec<&str> {
        let folders = self.path.parent().expect("a case is in a file").iter();
        folders
            .map(|name| name.to_str().expect("names of cases are plain"))
            .collect()
    }
}

impl Part {
    fn read(folder: &Path, header: &str, source: &str) -> Result<Self, String> {
        let text = source.strip_suffix('\n').unwrap_or(source);
        let (name, form, text) = if let Some((name, file)) = header.split_once(": ") {
            let text = fs::read_to_string(root().join(folder).join(file));
            let text = text.map_err(|error| error.to_string())?;
            (name, Form::File(file.to_owned()), text)
        } else if let Some(name) = header.strip_suffix(" (escaped)") {
            (name, Form::Escaped, unescaped(text)?)
        } else {
            (header, Form::Plain, text.to_owned())
        };
        if has_hidden(source) {
            return Err("the text has to be escaped".to_owned());
        }
        if matches!(form, Form::File(_)) && !source.is_empty() {
            return Err("there is a text, and a file with another".to_owned());
        }
        let (name, source) = (name.to_owned(), source.to_owned());
        Ok(Self {
            name,
            form,
            source,
            text,
        })
    }

    fn written(name: &str, text: String) -> Self {
        let (form, source) = match has_hidden(&text) {
            true => (Form::Escaped, escaped(&text)),
            false => (Form::Plain, text.clone()),
        };
        Self {
            name: name.to_owned(),
            form,
            source: source + "\n",
            text,
        }
    }

    fn header(&self) -> String {
        match &self.form {
            Form::Plain => format!("--- {}\n", self.name),
            Form::Escaped => format!("--- {} (escaped)\n", self.name),
            Form::File(file) => format!("--- {}: {file}\n", self.name),
        }
    }
}

/// A name, and the headers and sources of its parts.
type Block = (String, Vec<(String, String)>);

/// Cuts a file at its markers. The first block, without a name, is what stands before the first case.
fn blocks(text: &str) -> Vec<Block> {
    let mut name = String::new();
    let mut parts: Vec<(String, String)> = Vec::new();
    let mut blocks = Vec::new();
    for line in text.split_inclusive('\n') {
        let next = line
            .strip_prefix("== ")
            .and_then(|line| line.strip_suffix(" ==\n"));
        if let Some(next) = next {
            // Without the empty line before it.
            if let Some((_, source)) = parts.last_mut()
                && (source.ends_with("\n\n") || source == "\n")
            {
                source.pop();
            }
            blocks.push((
                std::mem::replace(&mut name, next.to_owned()),
                std::mem::take(&mut parts),
            ));
        } else if let Some(header) = line.strip_prefix("--- ") {
            parts.push((header.trim_end().to_owned(), String::new()));
        } else if let Some((_, source)) = parts.last_mut() {
            source.push_str(line);
        }
    }
    blocks.push((name, parts));
    blocks
}

/// Writes a file as [`blocks`] reads it.
fn written(shared: &[Part], cases: &[Case]) -> String {
    let mut text = String::new();
    let write = |text: &mut String, parts: &[Part]| {
        for part in parts {
            text.push_str(&part.header());
            text.push_str(&part.source);
            if !text.ends_with('\n') {
                text.push('\n');
            }
        }
    };
    write(&mut text, shared);
    for case in cases {
        let between = if text.is_empty() { "" } else { "\n" };
        let name = case.path.file_name().expect("a case has a name").display();
        text.push_str(&format!("{between}== {name} ==\n"));
        write(&mut text, &case.parts);
    }
    text
}

/// Whether a text would be misread, or changed by an editor, if it were not escaped.
fn has_hidden(text: &str) -> bool {
    let in_line = |line: &str| {
        let marker = line.starts_with("== ") || line.starts_with("--- ");
        marker || line.ends_with([' ', '\t'])
    };
    let hidden = |c: char| c == '\u{feff}' || c.is_control() && !matches!(c, '\n' | '\t');
    text.split('\n').any(in_line) || text.contains(hidden)
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    for line in text.split('\n') {
        let marker = line.starts_with("== ") || line.starts_with("--- ");
        let last = line.chars().count().saturating_sub(1);
        for (at, c) in line.chars().enumerate() {
            let ends = at == last && matches!(c, ' ' | '\t');
            match c {
                '\\' => out.push_str("\\\\"),
                '\0' => out.push_str("\\0"),
                '\r' => out.push_str("\\r"),
                _ if ends || at == 0 && marker || has_hidden(&format!("{c}.")) => {
                    out.push_str(&c.escape_unicode().to_string());
                }
                _ => out.push(c),
            }
        }
        out.push('\n');
    }
    out.pop();
    out
}

fn unescaped(text: &str) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let kind = after.chars().next();
        rest = after.get(1..).unwrap_or_default();
        out.push(match kind {
            Some('\\') => '\\',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('0') => '\0',
            Some('u') => {
                let code = rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
                let (code, after) = code.ok_or("an escape has no braces")?;
                rest = after;
                let code = u32::from_str_radix(code, 16).ok().and_then(char::from_u32);
                code.ok_or("an escape is no character")?
            }
            _ => return Err(format!("there is no escape {kind:?}")),
        });
    }
    Ok(out + rest)
}

/// Returns the lines that differ between two texts, with a few around them.
fn changed_lines(before: &str, after: &str) -> String {
    let (before, after): (Vec<_>, Vec<_>) = (before.lines().collect(), after.lines().collect());
    let same = |(a, b): &(&&str, &&str)| a == b;
    let head = before.iter().zip(&after).take_while(same).count();
    let (old, new) = (&before[head..], &after[head..]);
    let tail = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take_while(same)
        .count();
    let (old, new) = (&old[..old.len() - tail], &new[..new.len() - tail]);
    let above = before[head.saturating_sub(LINES_AROUND)..head]
        .iter()
        .map(|line| (' ', line));
    let below = after[after.len() - tail..]
        .iter()
        .take(LINES_AROUND)
        .map(|line| (' ', line));
    let changed = old
        .iter()
        .map(|line| ('-', line))
        .chain(new.iter().map(|line| ('+', line)));
    above
        .chain(changed)
        .chain(below)
        .map(|(sign, line)| format!("    {sign} {line}\n"))
        .collect()
}

/// Returns the paths of all files within the corpus, in order.
fn files() -> Vec<PathBuf> {
    let root = root();
    let (mut found, mut folders) = (Vec::new(), vec![root.clone()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(
                    path.strip_prefix(&root)
                        .expect("it is within its folder")
                        .to_owned(),
                );
            }
        }
    }
    found.sort();
    found
}

/// Returns the folder `corpus` at the top of the repository.
fn root() -> PathBuf {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let mut folders = above.map(|path| path.join("corpus"));
    let found = folders.find(|path| path.join("repaired").is_dir());
    found.expect("the corpus lies beside the crates")
}
