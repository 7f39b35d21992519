//! Output and exit codes of the commands, as sessions in the text files of the folder `sessions`.
//!
//! Each session has a folder with its own files, in which its commands run. The markers of its lines:
//!
//! - `@` the name of a file, and `|` a line of the text in it
//! - `$` the arguments of a command, quoted as in a shell; `$ cat FILE` prints a file
//! - `<` a line on standard input, in which `⟦C3⟧` is a byte
//! - `start` the arguments of a command that runs until `close`; `write` how many lines it prints after a text, and that
//!   text
//! - `?` the exit code, if it isn't 0
//! - `>` a line on standard output, `!` one on standard error

use std::fs;
use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout};

use llmjson_testutil::session::{self, bytes, shown};
use llmjson_testutil::table::number;

use crate::support::{Ran, command, feed};

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
    #[cfg(feature = "ask")]
    ask
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
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("session-{name}"));
    let mut session = Session {
        folder,
        ..Session::default()
    };
    session::check(&path, &mut session);
    session.clear();
}

/// A folder, and the lines read so far.
#[derive(Default)]
struct Session {
    folder: PathBuf,
    file: PathBuf,
    content: Option<Vec<u8>>,
    command: Option<&'static str>,
    input: Option<Vec<u8>>,
    running: Option<(Child, Lines<BufReader<ChildStdout>>)>,
    printed: Vec<String>,
}

impl Session {
    /// Removes the files of the last session.
    fn clear(&self) {
        // There is none before the first one.
        drop(fs::remove_dir_all(&self.folder));
    }

    /// Writes a text to the running command, and reads as many lines as it prints after that.
    fn write(&mut self, text: &str) {
        let (count, piece) = text.split_once(' ').unwrap_or((text, ""));
        let (child, lines) = self.running.as_mut().expect("a command runs");
        let stdin = child.stdin.as_mut().expect("standard input is a pipe");
        stdin.write_all(&bytes(piece)).expect("the command reads");
        let printed = lines.take(number(count));
        let printed = printed.map(|line| format!("{}\n", line.expect("UTF-8")));
        self.printed = shown(">", &printed.collect::<String>());
    }

    /// Ends the input of the running command.
    fn close(&mut self) {
        let (mut child, lines) = self.running.take().expect("a command runs");
        drop(child.stdin.take());
        let rest = lines.map(|line| format!("{}\n", line.expect("UTF-8")));
        let out = rest.collect();
        let ended = Ran::from(child.wait_with_output().expect("the command ends"));
        self.printed = results_of(&Ran { out, ..ended });
    }
}

impl session::Session for Session {
    const CONTINUE: &'static [&'static str] = &["<"];
    const RESULTS: &'static [&'static str] = &["?", ">", "!"];

    fn begin(&mut self, _title: &'static str) {
        self.clear();
        fs::create_dir_all(&self.folder).expect("a folder can be made");
    }

    fn read(&mut self, marker: &str, text: &'static str) {
        match marker {
            "@" => {
                self.file = self.folder.join(text);
                self.content = None;
                let folder = self.file.parent().expect("it lies in the folder");
                fs::create_dir_all(folder).expect("a folder can be made");
                fs::write(&self.file, "").expect("a file can be written");
            }
            "|" => {
                let content = add_line(&mut self.content, text);
                fs::write(&self.file, content).expect("a file can be written");
            }
            "$" => self.command = Some(text),
            "<" => drop(add_line(&mut self.input, text)),
            "start" => {
                let mut command = command(&words(text));
                let child = command.current_dir(&self.folder).spawn();
                let mut child = child.expect("the command starts");
                let stdout = child.stdout.take().expect("standard output is a pipe");
                self.running = Some((child, BufReader::new(stdout).lines()));
            }
            "write" => self.write(text),
            "close" => self.close(),
            _ => panic!("{marker} is no marker"),
        }
    }

    fn results(&mut self) -> Vec<String> {
        let input = self.input.take().unwrap_or_default();
        let Some(line) = self.command.take() else {
            return std::mem::take(&mut self.printed);
        };
        if let Some(name) = line.strip_prefix("cat ") {
            let text = fs::read_to_string(self.folder.join(name));
            return shown(">", &text.expect("the file can be read"));
        }
        let process = &mut command(&words(line));
        results_of(&feed(process.current_dir(&self.folder), &input))
    }
}

/// Returns the lines of a command that has ended.
fn results_of(ran: &Ran) -> Vec<String> {
    let code = ran.code.expect("it is not killed");
    let code = (code != 0).then(|| format!("? {code}"));
    let printed = [shown(">", &ran.out), shown("!", &ran.err)].concat();
    code.into_iter().chain(printed).collect()
}

/// Adds a line to the lines before it, and returns all.
fn add_line<'a>(lines: &'a mut Option<Vec<u8>>, line: &str) -> &'a [u8] {
    if let Some(lines) = lines {
        lines.push(b'\n');
    }
    let lines = lines.get_or_insert_default();
    lines.extend(bytes(line));
    lines
}

/// Returns the words of a line, of which those in quotes may hold spaces.
fn words(line: &str) -> Vec<&str> {
    let (mut words, mut rest) = (Vec::new(), line);
    while !rest.is_empty() {
        let quote = rest.chars().next().filter(|first| "'\"".contains(*first));
        let inside = &rest[quote.map_or(0, char::len_utf8)..];
        let split = inside.split_once(quote.unwrap_or(' '));
        let (word, after) = split.unwrap_or((inside, ""));
        words.push(word);
        rest = after.trim_start_matches(' ');
    }
    words
}
