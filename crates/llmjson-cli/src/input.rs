//! Reading files and standard input, and one-line errors about them.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use llmjson::syntax::Parser;
use llmjson::{
    Policy, Schema,
    policy::FinishReason,
    syntax::{Document, Limits, LineIndex},
};

/// Inputs that are longer are refused rather than held in memory.
pub(crate) const INPUT_BYTES_MAX: u32 = 64_000_000;

/// JSON that was written by programs, such as a line of a batch: it holds whole replies, so it may
/// be longer than a reply and nest a little deeper.
const JSON_LIMITS: Limits = Limits::DEFAULT
    .with_input_bytes(INPUT_BYTES_MAX)
    .with_depth(520);

/// The reason why a command could not do its work: one line that says what and where.
#[derive(Debug)]
pub(crate) struct CommandError(String);

impl CommandError {
    pub(crate) fn new(place: &str, what: impl fmt::Display) -> Self {
        Self(format!("{place}: {what}"))
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A file, or standard input.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    path: Option<PathBuf>,
}

impl Source {
    /// Standard input stands for no path and for `-`.
    pub(crate) fn new(path: Option<&Path>) -> Self {
        let path = path.filter(|path| *path != Path::new("-"));
        Self {
            path: path.map(Path::to_owned),
        }
    }

    /// The schema and the input of a command, of which only one can be standard input.
    pub(crate) fn pair(
        schema: Option<&Path>,
        file: Option<&Path>,
    ) -> Result<(Option<Self>, Self), CommandError> {
        let (schema, file) = (schema.map(|path| Self::new(Some(path))), Self::new(file));
        file.is_apart_from(schema.as_ref(), "the schema")?;
        Ok((schema, file))
    }

    /// Makes sure that not both this, which is the input, and something else are standard input.
    pub(crate) fn is_apart_from(
        &self,
        other: Option<&Self>,
        name: &str,
    ) -> Result<(), CommandError> {
        if self.path.is_none() && other.is_some_and(|other| other.path.is_none()) {
            let what = format!("it cannot hold {name} and the input at once");
            return Err(CommandError::new(&self.name(), what));
        }
        Ok(())
    }

    /// Returns `true` if this is standard input.
    pub(crate) fn is_stdin(&self) -> bool {
        self.path.is_none()
    }

    /// Returns its name in messages.
    pub(crate) fn name(&self) -> String {
        match &self.path {
            Some(path) => path.display().to_string(),
            None => "standard input".to_owned(),
        }
    }

    /// Opens it; the size is known of ordinary files.
    pub(crate) fn open(&self) -> Result<(Box<dyn Read + Send>, Option<u64>), CommandError> {
        let Some(path) = &self.path else {
            return Ok((Box::new(io::stdin()), None));
        };
        let refuse = |error: io::Error| CommandError::new(&self.name(), error);
        let file = File::open(path).map_err(refuse)?;
        let about = file.metadata().map_err(refuse)?;
        if about.is_dir() {
            return Err(CommandError::new(&self.name(), "this is a directory"));
        }
        let size = about.is_file().then_some(about.len());
        Ok((Box::new(file), size))
    }

    /// Reads it whole.
    pub(crate) fn read(&self) -> Result<InputText, CommandError> {
        let (reader, _) = self.open()?;
        let mut bytes = Vec::new();
        let limit = u64::from(INPUT_BYTES_MAX) + 1;
        let read = reader.take(limit).read_to_end(&mut bytes);
        read.map_err(|error| CommandError::new(&self.name(), error))?;
        if bytes.len() > INPUT_BYTES_MAX as usize {
            let what = format!("the input is longer than {INPUT_BYTES_MAX} bytes");
            return Err(CommandError::new(&self.name(), what));
        }
        InputText::decode(bytes).map_err(|what| CommandError::new(&self.name(), what))
    }

    /// Reads a text that a program wrote; half a character at its end is a mistake.
    pub(crate) fn read_whole(&self) -> Result<String, CommandError> {
        let InputText { text, cut } = self.read()?;
        if cut {
            let what = format!("the text ends inside a character at byte {}", text.len());
            return Err(CommandError::new(&self.name(), what));
        }
        Ok(text)
    }

    /// The schema that was given itself in place of the name of its file.
    fn inline_schema(&self) -> Option<&str> {
        let text = self.path.as_ref()?.to_str()?;
        text.trim_start().starts_with('{').then_some(text)
    }

    /// Reads a schema.
    pub(crate) fn read_schema(&self) -> Result<(String, Schema), CommandError> {
        let (name, InputText { text, cut }) = match self.inline_schema() {
            Some(text) => {
                let (text, cut) = (text.to_owned(), false);
                ("--schema".to_owned(), InputText { text, cut })
            }
            None => (self.name(), self.read()?),
        };
        let refuse = |what: &dyn fmt::Display| Err(CommandError::new(&name, what));
        let text = without_mark(&text);
        if text.trim().is_empty() {
            return refuse(&"the text is empty, expected a JSON Schema");
        }
        if cut {
            return refuse(&"the last character is cut off");
        }
        match Schema::from_text(text) {
            Ok(schema) => Ok((text.to_owned(), schema)),
            Err(error) => refuse(&error),
        }
    }
}

/// A reply, its schema and its policy.
pub(crate) struct Reply {
    pub(crate) source: Source,
    pub(crate) text: String,
    /// `true` if its last character was cut in half.
    pub(crate) cut: bool,
    pub(crate) schema: Option<Schema>,
    /// The policy, which also knows if the text is cut.
    pub(crate) policy: Policy,
}

impl Reply {
    /// Reads the schema and then the reply.
    pub(crate) fn read(
        schema: Option<&Path>,
        file: Option<&Path>,
        mut policy: Policy,
    ) -> Result<Self, CommandError> {
        let (schema, source) = Source::pair(schema, file)?;
        let schema = schema.map(|schema| schema.read_schema()).transpose()?;
        let InputText { text, cut } = source.read()?;
        if cut {
            policy = policy.with_finish_reason(FinishReason::Length);
        }
        Ok(Self {
            source,
            text,
            cut,
            schema: schema.map(|(_, schema)| schema),
            policy,
        })
    }
}

/// A text that was read.
#[derive(Debug)]
pub(crate) struct InputText {
    pub(crate) text: String,
    /// `true` if the last character was cut in half. Its rest is dropped.
    pub(crate) cut: bool,
}

impl InputText {
    /// Bytes that are not UTF-8 are an error with their position; nothing is replaced.
    pub(crate) fn decode(bytes: Vec<u8>) -> Result<Self, String> {
        let error = match String::from_utf8(bytes) {
            Ok(text) => return Ok(Self { text, cut: false }),
            Err(error) => error,
        };
        let (valid, cut) = (
            error.utf8_error().valid_up_to(),
            error.utf8_error().error_len(),
        );
        if cut.is_some() {
            return Err(format!("the text is not UTF-8 at byte {valid}"));
        }
        let mut bytes = error.into_bytes();
        bytes.truncate(valid);
        let text = String::from_utf8(bytes).expect("this much of it is valid");
        Ok(Self { text, cut: true })
    }
}

/// The text without the mark that some editors put before UTF-8.
pub(crate) fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Reads a text that has to be strict JSON.
///
/// # Errors
///
/// What is wrong with it and where, without the name of the text.
pub(crate) fn read_json(text: &str) -> Result<Document<'_>, String> {
    let document = Parser::new().with_limits(JSON_LIMITS).parse(text);
    if let Some(limit) = document.limit() {
        return Err(limit.to_string());
    }
    if let Some(repair) = document.repairs().first() {
        let place = LineIndex::new(text).position(repair.span.start);
        let (kind, byte) = (repair.kind, repair.span.start);
        let (line, column) = (place.line, place.column);
        return Err(format!(
            "not strict JSON at line {line}, column {column} (byte {byte}): {kind}"
        ));
    }
    if document.root().is_some() {
        return Ok(document);
    }
    Err(if text.trim().is_empty() {
        "the text is empty, expected a JSON value".to_owned()
    } else {
        "not strict JSON: there is no value in the text".to_owned()
    })
}
