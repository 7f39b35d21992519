//! Running the binary on files and texts.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// What a run left behind.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    /// Checks the exit code, the output, and the parts of what was said.
    #[track_caller]
    pub(crate) fn ended(&self, code: i32, out: &str, said: &[&str]) {
        assert_eq!((self.code, &*self.out), (Some(code), out), "{}", self.err);
        for part in said {
            assert!(self.err.contains(part), "{part}: {}", self.err);
        }
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
        Self {
            code: output.status.code(),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }
}

pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_llmjson"));
    command
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Runs the binary with a text on standard input.
pub(crate) fn run(args: &[&str], input: impl AsRef<[u8]>) -> Ran {
    feed(&mut command(args), input.as_ref())
}

/// Runs a command with a text on standard input.
pub(crate) fn feed(command: &mut Command, input: &[u8]) -> Ran {
    let mut child = command.spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    let input = input.to_vec();
    // On a thread, because a long input is read only while the output is taken. A command that does not read
    // all of it closes the pipe, which is fine.
    let feeder = thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("the binary ends");
    feeder.join().expect("feeding does not panic");
    output.into()
}

/// A file that goes when the test ends.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new(content: impl AsRef<[u8]>) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("llmjson-test-{}-{number}", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::write(&path, content).expect("a file can be written");
        Self(path)
    }

    pub(crate) fn path(&self) -> &str {
        self.0.to_str().expect("the path is UTF-8")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A file that stays behind is overwritten by the next run.
        drop(std::fs::remove_file(&self.0));
    }
}
