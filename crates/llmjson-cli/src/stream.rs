//! `llmjson stream`: the value of a reply while the reply is streaming.
//!
//! Each piece is processed immediately, and its changes are printed and flushed before the next piece. The value so
//! far is printed at most once per period, since printing it for every piece would take quadratic time. At the end
//! of a period the latest value is printed even if no input arrives, so another thread reads.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use llmjson::{
    Schema,
    stream::{All, Finished, Stream},
    syntax::{Change, Event, InvalidUtf8, ValueRef},
};

use crate::Verdict;
use crate::args::StreamArgs;
use crate::commands::{say_what_is_wrong, warn_of_truncation};
use crate::findings::Findings;
use crate::input::{CommandError, Source, each};
use crate::terminal::{OutputReader, write_json};
use llmjson::syntax::{JsonOut, JsonText, Raw};

/// The maximum number of bytes that are read at once.
const READ_BYTES: usize = 64 * 1024;

pub(crate) fn run(args: &StreamArgs) -> Result<Verdict, CommandError> {
    let (schema, sources) = args.input.with_schema(args.schema.as_deref())?;
    each(&sources, |source| one(args, schema.as_ref(), source))
}

fn one(
    args: &StreamArgs,
    schema: Option<&Schema>,
    source: &Source,
) -> Result<Verdict, CommandError> {
    let mut coming = Coming::new(schema, args.all);
    let mut printer = Printer {
        events: args.events,
        all: args.all,
        every: Duration::from_millis(args.every),
        ..Printer::default()
    };
    if args.events {
        // From now on every value comes with its changes.
        coming.events();
    }
    let mut verdict = Verdict::Conforms;
    let pieces = pieces(source.open()?).map_err(|error| source.error(error))?;
    loop {
        let pushed = match pieces.recv_timeout(printer.patience()) {
            Ok(piece) => {
                let piece = piece.map_err(|error| source.error(error))?;
                coming.push(&piece)
            }
            Err(RecvTimeoutError::Timeout) => Ok(()),
            Err(RecvTimeoutError::Disconnected) => break,
        };
        while let Some(whole) = coming.pop() {
            verdict = verdict.and(printer.end(whole, schema, source));
        }
        if pushed.is_err() {
            // Nothing comes any more.
            printer.last = None;
        }
        printer.look(&mut coming);
        if printer.print()? == OutputReader::Left {
            break;
        }
        if let Err(InvalidUtf8 { offset, .. }) = pushed {
            let what = format!("the text is not UTF-8 at byte {offset}");
            return Err(source.error(what));
        }
    }
    for whole in coming.finish() {
        verdict = verdict.and(printer.end(whole, schema, source));
    }
    printer.print()?;
    Ok(verdict)
}

/// Reads on a separate thread, which ends with the process at the latest.
fn pieces(mut reader: Box<dyn Read + Send>) -> io::Result<Receiver<io::Result<Vec<u8>>>> {
    let (sender, receiver) = sync_channel(1);
    let read = move || {
        let mut buffer = vec![0; READ_BYTES];
        loop {
            let piece = match reader.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => Ok(buffer[..count].to_vec()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => Err(error),
            };
            let is_last = piece.is_err();
            if sender.send(piece).is_err() || is_last {
                break;
            }
        }
    };
    thread::Builder::new().spawn(read)?;
    Ok(receiver)
}

/// A reply that is coming: one value or all.
enum Coming {
    One(Box<Stream>),
    All(Box<All>),
}

impl Coming {
    fn new(schema: Option<&Schema>, all: bool) -> Self {
        match all {
            false => Self::One(Box::new(Stream::new(schema))),
            true => Self::All(Box::new(All::new(schema))),
        }
    }

    fn push(&mut self, piece: &[u8]) -> Result<(), InvalidUtf8> {
        match self {
            Self::One(stream) => stream.push_bytes(piece),
            Self::All(stream) => stream.push_bytes(piece),
        }
    }

    /// The next value that is whole, where all are delivered.
    fn pop(&mut self) -> Option<Finished> {
        match self {
            Self::One(_) => None,
            Self::All(stream) => stream.pop().map(|(_, finished)| finished),
        }
    }

    /// The value that is coming.
    fn value(&self) -> Option<ValueRef<'_>> {
        match self {
            Self::One(stream) => stream.value(),
            Self::All(stream) => stream.current().value(),
        }
    }

    /// Returns what has changed in it since the last call.
    fn events(&mut self) -> Vec<Event> {
        match self {
            Self::One(stream) => stream.events(),
            Self::All(stream) => stream.current_mut().events(),
        }
    }

    /// The values that are left.
    fn finish(self) -> VecDeque<Finished> {
        match self {
            Self::One(stream) => [stream.finish()].into(),
            Self::All(stream) => {
                let values = stream.finish().into_iter();
                values.map(|(_, finished)| finished).collect()
            }
        }
    }
}

/// Writes the lines.
#[derive(Default)]
struct Printer {
    events: bool,
    all: bool,
    /// The least time between two lines with the value so far.
    every: Duration,
    /// The time at which such a line was printed last, for the value that is coming.
    last: Option<Instant>,
    /// `true` if text came since that was not looked at.
    is_behind: bool,
    /// Number of values that have ended.
    ended: u64,
    /// The value that was printed last.
    shown: String,
    /// Lines that are not printed yet.
    lines: String,
}

impl Printer {
    /// Prints a line with the value so far, or one line for each change.
    fn look(&mut self, coming: &mut Coming) {
        if self.events {
            for event in coming.events() {
                self.event(&event);
            }
            return;
        }
        self.is_behind = self.last.is_some_and(|last| last.elapsed() < self.every);
        if self.is_behind {
            return;
        }
        let Some(json) = coming.value().map(|value| value.to_json()) else {
            return;
        };
        if json != self.shown {
            self.line(|line| line.member("value", Raw(&json)));
            self.shown = json;
            self.last = Some(Instant::now());
        }
    }

    /// Returns how long to wait for the next piece before looking again.
    fn patience(&self) -> Duration {
        match self.last {
            Some(last) if self.is_behind => self.every.saturating_sub(last.elapsed()),
            _ => Duration::MAX,
        }
    }

    fn event(&mut self, event: &Event) {
        self.line(|line| {
            line.member("event", event.change.name());
            line.member("path", event.path.to_string());
            match &event.change {
                Change::Passed(text) | Change::Appended(text) => line.member("text", text),
                Change::Opened(kind) => line.member("kind", kind.name()),
                Change::Value(json) => line.member("value", Raw(json)),
                _ => {}
            }
        });
    }

    /// Prints the last line of a value, and its problems on standard error.
    fn end(&mut self, whole: Finished, schema: Option<&Schema>, source: &Source) -> Verdict {
        let findings = Findings::of(whole.parsed);
        whole.events.iter().for_each(|event| self.event(event));
        let verdict = Verdict::of(findings.conforms());
        self.line(|line| {
            line.member("final", true);
            line.member("ok", findings.conforms());
            line.member("complete", findings.complete);
            line.member("superseded", whole.superseded);
            line.member("value", findings.document.root());
        });
        self.ended += 1;
        self.shown.clear();
        self.last = None;
        match verdict {
            Verdict::Differs => say_what_is_wrong(findings, schema, source, false),
            Verdict::Conforms if !findings.complete => warn_of_truncation(source, ""),
            Verdict::Conforms => {}
        }
        verdict
    }

    fn line(&mut self, write: impl FnOnce(&mut JsonText<'_>)) {
        if !self.lines.is_empty() {
            self.lines.push('\n');
        }
        let index = self.all.then_some(self.ended);
        JsonText::at_end_of(&mut self.lines).object(|line| {
            if let Some(index) = index {
                line.member("index", index);
            }
            write(line);
        });
    }

    /// Prints all lines at once.
    fn print(&mut self) -> Result<OutputReader, CommandError> {
        if self.lines.is_empty() {
            return Ok(OutputReader::Listens);
        }
        let written = write_json(&self.lines);
        self.lines.clear();
        written
    }
}
