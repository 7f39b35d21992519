//! `llmjson sse`: assembles a recorded stream.
//!
//! The stream is read in pieces and may be of any length; only the reply is held in memory.

use llmjson_wire::sse::{Applied, Decoder, OnMalformed};
use llmjson_wire::{Accumulator, ApiError};

use crate::Verdict;
use crate::args::SseArgs;
use crate::commands::{pretty, write};
use crate::input::{CommandError, Source, each};
use crate::terminal::tell;
use llmjson::syntax::{JsonOut, JsonText, Raw};

/// Number of bytes that are read at once.
const READ_BYTES: usize = 64 * 1024;

pub(crate) fn run(args: &SseArgs) -> Result<Verdict, CommandError> {
    each(&args.input.sources(|_| true)?, |source| one(args, source))
}

fn one(args: &SseArgs, source: &Source) -> Result<Verdict, CommandError> {
    let on_malformed = match args.lenient {
        true => OnMalformed::Skip,
        false => OnMalformed::Fail,
    };
    let mut found = StreamContent {
        reply: Accumulator::new(),
        decoder: Decoder::new().with_on_malformed(on_malformed),
        errors: Vec::new(),
        source: source.clone(),
    };
    let whole = found.read()?;
    let json = match args.response {
        true => json_of(&found.reply.response()),
        false => found.summary(),
    };
    write(&pretty(json, args.pretty))?;
    for error in &found.errors {
        tell(&format!(
            "{}: the server sent an error: {error}",
            found.source.name()
        ));
    }
    let message = found.reply.message().is_some();
    if !message {
        tell(&format!(
            "{}: the stream contains no message",
            found.source.name()
        ));
    } else if whole && found.errors.is_empty() && !found.is_complete() {
        let what = "the stream ended early; printed the partial message";
        tell(&format!("{}: warning: {what}", found.source.name()));
    }
    Ok(Verdict::of(message && whole && found.errors.is_empty()))
}

/// The content of a stream.
struct StreamContent {
    reply: Accumulator,
    decoder: Decoder,
    errors: Vec<ApiError>,
    source: Source,
}

impl StreamContent {
    /// Reads the whole stream. Returns `false` if a frame is not a chunk, which ends reading.
    fn read(&mut self) -> Result<bool, CommandError> {
        let mut reader = self.source.open()?;
        let mut buffer = vec![0; READ_BYTES];
        while !self.decoder.is_over() {
            match reader.read(&mut buffer) {
                Ok(0) => self.decoder.finish(),
                Ok(count) => self.decoder.push(&buffer[..count]),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.source.error(error)),
            }
            if !self.take_frames() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn take_frames(&mut self) -> bool {
        while let Some(applied) = self.decoder.next_into(&mut self.reply) {
            match applied {
                Ok(Applied::Chunk) => {}
                Ok(Applied::Error(error)) => self.errors.push(error),
                Ok(Applied::Skipped(skipped)) => tell(&format!(
                    "{}: warning: skipped frame {}: {}",
                    self.source.name(),
                    skipped.frame,
                    skipped.reason
                )),
                Err(error) => {
                    tell(&format!("{}: {error}", self.source.name()));
                    return false;
                }
            }
        }
        true
    }

    /// Returns `true` if the stream says that it came to its end.
    fn is_complete(&self) -> bool {
        self.decoder.is_done() || self.reply.finish_reason().is_some()
    }

    fn summary(&self) -> String {
        JsonText::object_of(|out| {
            let message = self.reply.message();
            out.member("message", Raw(&json_of(&message)));
            let finish_reason = self.reply.finish_reason();
            out.member("finish_reason", Raw(&json_of(&finish_reason)));
            out.member("usage", Raw(&json_of(&self.reply.usage())));
            out.member("complete", self.is_complete() && self.errors.is_empty());
            if !self.errors.is_empty() {
                out.list("errors", &self.errors, |error, out| {
                    out.json(&json_of(error));
                });
            }
        })
    }
}

fn json_of(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("what was read from JSON can be written as JSON")
}
