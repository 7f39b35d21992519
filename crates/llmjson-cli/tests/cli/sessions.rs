//! Output and exit codes of the commands, as sessions in the text files of the folder `sessions`.
//!
//! Each section, after a line `== title`, has a folder with its own files, in which its commands run. The first
//! characters of a line say what it is:
//!
//! - `#` a comment
//! - `@` the name of a file, and `|` a line of the text in it
//! - `$` the arguments of a command, quoted as in a shell; `$ cat FILE` prints a file
//! - `<` a line on standard input
//! - `?` the exit code, if it isn't 0
//! - `>` a line on standard output, `!` one on standard error
//!
//! Control characters are written as in [`llmjson_testutil::table`]; `␃` ends an output without a line break, and `⟦C3⟧`
//! is a byte. `⋯` stands for any text. With `UPDATE_SNAPSHOTS` in the environment, what is printed today is written.

use std::fs;
use std::path::{Path, PathBuf};

use llmjson_testutil::table::{field, written};

use crate::support::{Ran, feed};

macro_rules! sessions {
    ($($(#[$attribute:meta])* $name:ident)*) => {$(
        $(#[$attribute])*
        #[test]
        fn $name() {
            check(stringify!($name));
        }
    )*};
}

sessions! {
    batch
    bind
    calls
    diff
    explain
    #[cfg(feature = "gateway")]
    gateway
    #[cfg(feature = "gateway")]
    mcp_http
    parse
    repair
    rows
    schema
    sse
    stream
}

/// Runs the commands of a file and compares what they print.
fn check(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/cli/sessions/{name}.txt"));
    let text = fs::read_to_string(&path).expect("the file can be read");
    let mut session = Session::new(name);
    for line in text.lines() {
        session.read(line);
    }
    session.run();
    session.clear();
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        fs::write(&path, session.after).expect("the file can be written");
    } else {
        let differ = &session.differ;
        assert!(differ.is_empty(), "{name}.txt\n{}", differ.join("\n"));
    }
}

/// The lines read so far.
struct Session {
    folder: PathBuf,
    title: String,
    file: (PathBuf, Option<Vec<u8>>),
    command: Option<String>,
    input: Option<Vec<u8>>,
    wanted: Vec<String>,
    /// The text of the file with today's output.
    after: String,
    /// The commands that print something else.
    differ: Vec<String>,
}

impl Session {
    fn new(name: &str) -> Self {
        Self {
            folder: Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("session-{name}")),
            title: String::new(),
            file: Default::default(),
            command: None,
            input: None,
            wanted: Vec::new(),
            after: String::new(),
            differ: Vec::new(),
        }
    }

    /// Removes the files of the last section.
    fn clear(&self) {
        // There is none before the first section.
        drop(fs::remove_dir_all(&self.folder));
    }

    fn read(&mut self, line: &str) {
        let (marker, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = field(rest.to_owned().leak());
        if !["<", ">", "!", "?"].contains(&marker) {
            self.run();
        }
        match marker {
            "==" => {
                self.clear();
                fs::create_dir_all(&self.folder).expect("a folder can be made");
                self.title = rest.to_owned();
            }
            "@" => {
                self.file = (self.folder.join(rest), None);
                let folder = self.file.0.parent().expect("it lies in the folder");
                fs::create_dir_all(folder).expect("a folder can be made");
                fs::write(&self.file.0, "").expect("a file can be written");
            }
            "|" => {
                let (path, content) = &mut self.file;
                fs::write(path, add_line(content, rest)).expect("a file can be written");
            }
            "$" => self.command = Some(rest.to_owned()),
            "<" => drop(add_line(&mut self.input, rest)),
            ">" | "!" | "?" => return self.wanted.push(line.to_owned()),
            _ => {}
        }
        self.after.push_str(line);
        self.after.push('\n');
    }

    /// Runs the last command, if it didn't run yet.
    fn run(&mut self) {
        let (input, wanted) = (self.input.take(), std::mem::take(&mut self.wanted));
        let Some(command) = self.command.take() else {
            return;
        };
        let ran = match command.strip_prefix("cat ") {
            Some(name) => Ran {
                code: Some(0),
                out: fs::read_to_string(self.folder.join(name)).expect("the file can be read"),
                err: String::new(),
            },
            None => {
                let words = words(&command);
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                let mut process = crate::support::command(&words);
                process.current_dir(&self.folder);
                feed(&mut process, &input.unwrap_or_default())
            }
        };
        let mut lines = Vec::new();
        if ran.code != Some(0) {
            lines.push(format!("? {}", ran.code.expect("it is not killed")));
        }
        lines.extend(shown('>', &ran.out));
        lines.extend(shown('!', &ran.err));
        let is_same = is_like(&wanted.join("\n"), &lines.join("\n"));
        if !is_same {
            let other = |mark, some: &[String], others: &[String]| {
                let some = some.iter().filter(|line| !others.contains(line));
                some.map(|line| format!("\n{mark} {line}"))
                    .collect::<String>()
            };
            let (before, after) = (other('-', &wanted, &lines), other('+', &lines, &wanted));
            let title = &self.title;
            self.differ
                .push(format!("== {title}\n$ {command}{before}{after}"));
        }
        for line in if is_same { wanted } else { lines } {
            self.after.push_str(&line);
            self.after.push('\n');
        }
    }
}

/// Adds a line to the lines before it, and returns all.
fn add_line<'a>(lines: &'a mut Option<Vec<u8>>, line: &str) -> &'a [u8] {
    if let Some(lines) = lines {
        lines.push(b'\n');
    }
    let lines = lines.get_or_insert_default();
    let mut parts = line.split('⟦');
    lines.extend(parts.next().unwrap_or_default().bytes());
    for part in parts {
        let (byte, rest) = part.split_once('⟧').expect("a byte has an end");
        lines.push(u8::from_str_radix(byte, 16).expect("a byte has two digits"));
        lines.extend(rest.bytes());
    }
    lines
}

/// Returns the words of a line, of which those in quotes may hold spaces.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut rest) = (Vec::new(), line);
    while !rest.is_empty() {
        let quote = rest.chars().next().filter(|first| "'\"".contains(*first));
        let end = quote.unwrap_or(' ');
        let inside = &rest[quote.map_or(0, char::len_utf8)..];
        let (word, behind) = inside.split_once(end).unwrap_or((inside, ""));
        words.push(word.to_owned());
        rest = behind.trim_start_matches(' ');
    }
    words
}

/// Returns the lines of an output as a file has them.
fn shown(marker: char, output: &str) -> Vec<String> {
    let whole = output.strip_suffix('\n');
    let unended = format!("{output}\x03");
    let lines = match (output, whole) {
        ("", _) => return Vec::new(),
        (_, whole) => whole.unwrap_or(&unended).split('\n'),
    };
    let line = |line: &str| match line {
        "" => marker.to_string(),
        line => written(&format!("{marker} {line}")),
    };
    lines.map(line).collect()
}

/// Whether a text has the parts between the `⋯` of another, in their order and nothing else without one.
fn is_like(wanted: &str, found: &str) -> bool {
    let Some((start, rest)) = wanted.split_once('⋯') else {
        return wanted == found;
    };
    let Some(mut left) = found.strip_prefix(start) else {
        return false;
    };
    let (middle, end) = rest.rsplit_once('⋯').map_or(("", rest), |split| split);
    for part in middle.split('⋯') {
        match left.split_once(part) {
            Some((_, behind)) => left = behind,
            None => return false,
        }
    }
    left.ends_with(end)
}
