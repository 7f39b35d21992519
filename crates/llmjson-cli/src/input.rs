//! Reading files and standard input, and one-line errors about them.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use encoding_rs::Encoding;
use llmjson::syntax::Parser;
use llmjson::{
    Policy, Schema,
    policy::FinishReason,
    syntax::{Document, LimitReached, Limits, LineIndex},
};

use crate::Verdict;
use crate::args::InputArgs;
use crate::terminal::tell;
use crate::{decode, notation};

/// Inputs that are longer are refused rather than held in memory.
pub(crate) const INPUT_BYTES_MAX: u32 = 64_000_000;

/// JSON that was written by programs, such as a line of a batch: it holds whole replies, so it may
/// be longer than a reply and nest a little deeper.
pub(crate) const JSON_LIMITS: Limits = Limits::DEFAULT
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
    encoding: Option<&'static Encoding>,
    /// The limit on its bytes, of a command that has options for limits.
    bytes_max: Option<u32>,
}

/// Runs a command on each input, even after an input that cannot be used.
pub(crate) fn each(
    sources: &[Source],
    mut work: impl FnMut(&Source) -> Result<Verdict, CommandError>,
) -> Result<Verdict, CommandError> {
    let mut verdict = Verdict::Conforms;
    let mut failed = None;
    for source in sources {
        match work(source) {
            Ok(one) => verdict = verdict.and(one),
            Err(error) => {
                if let Some(before) = failed.replace(error) {
                    tell(&before.to_string());
                }
            }
        }
    }
    failed.map_or(Ok(verdict), Err)
}

impl InputArgs {
    /// Returns all inputs. A folder gives its files with the wanted names, including nested folders, sorted by name.
    ///
    /// # Errors
    ///
    /// If a folder cannot be read or holds no such file.
    pub(crate) fn sources(&self, wanted: fn(&str) -> bool) -> Result<Vec<Source>, CommandError> {
        let mut paths = Vec::new();
        for path in &self.files {
            let before = paths.len();
            if path.is_dir() {
                let found = files_in(path, wanted, &mut paths);
                found.map_err(|error| CommandError::new(&path.display().to_string(), error))?;
                if paths.len() == before {
                    let what = "the folder contains no file to read";
                    return Err(CommandError::new(&path.display().to_string(), what));
                }
            } else {
                paths.push(path.clone());
            }
        }
        if paths.is_empty() {
            paths.push(PathBuf::from("-"));
        }
        let source = |path: &PathBuf| Source {
            encoding: self.encoding,
            ..Source::new(Some(path))
        };
        Ok(paths.iter().map(source).collect())
    }

    /// Returns the schema and all inputs of a command, of which only one can be standard input.
    pub(crate) fn with_schema(
        &self,
        schema: Option<&Path>,
    ) -> Result<(Option<Schema>, Vec<Source>), CommandError> {
        let sources = self.sources(|_| true)?;
        let schema = schema.map(|path| Source::new(Some(path)));
        apart(&sources, schema.as_ref(), "the schema")?;
        let schema = schema.map(|schema| schema.read_schema()).transpose()?;
        Ok((schema.map(|(_, schema)| schema), sources))
    }
}

/// Adds the files in a folder. Hidden ones are left out, and links to folders, which may lead in a circle.
fn files_in(folder: &Path, wanted: fn(&str) -> bool, found: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        if name.starts_with('.') {
            continue;
        }
        if entry.file_type()?.is_dir() {
            files_in(&path, wanted, found)?;
        } else if path.is_file() && wanted(&name) {
            found.push(path);
        }
    }
    Ok(())
}

/// Makes sure that not both an input and something else are standard input.
pub(crate) fn apart(
    sources: &[Source],
    other: Option<&Source>,
    name: &str,
) -> Result<(), CommandError> {
    let mut sources = sources.iter().filter(|source| source.path.is_none());
    match (sources.next(), other) {
        (Some(source), Some(Source { path: None, .. })) => {
            let what = format!("cannot provide both {name} and the input");
            Err(source.error(what))
        }
        _ => Ok(()),
    }
}

impl Source {
    /// Standard input stands for no path and for `-`.
    pub(crate) fn new(path: Option<&Path>) -> Self {
        let path = path.filter(|path| *path != Path::new("-"));
        Self {
            path: path.map(Path::to_owned),
            encoding: None,
            bytes_max: None,
        }
    }

    /// Returns this source with the limit of a command that has an option for it.
    pub(crate) fn limited(&self, bytes_max: u32) -> Self {
        Self {
            bytes_max: Some(bytes_max),
            ..self.clone()
        }
    }

    /// Returns the end of the message about a limit: the option that raises it.
    pub(crate) fn hint(&self, limit: Option<LimitReached>) -> String {
        let hint = limit.filter(|_| self.bytes_max.is_some());
        hint.map_or_else(String::new, hint_of)
    }

    /// Returns its size, if it is an ordinary file.
    pub(crate) fn size(&self) -> Result<Option<u64>, CommandError> {
        let Some(path) = &self.path else {
            return Ok(None);
        };
        let about = fs::metadata(path).map_err(|error| self.error(error))?;
        Ok(about.is_file().then_some(about.len()))
    }

    /// Returns `true` if it is a file that is packed.
    pub(crate) fn is_packed(&self) -> Result<bool, CommandError> {
        let Some(path) = &self.path else {
            return Ok(false);
        };
        let packed = File::open(path).and_then(|file| decode::is_packed(Box::new(file)));
        packed.map_err(|error| self.error(error))
    }

    /// Returns the path of its file.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Returns its name in messages.
    pub(crate) fn name(&self) -> String {
        match &self.path {
            Some(path) => path.display().to_string(),
            None => "standard input".to_owned(),
        }
    }

    /// Returns the error that something about it is wrong.
    pub(crate) fn error(&self, what: impl fmt::Display) -> CommandError {
        CommandError::new(&self.name(), what)
    }

    /// Opens it as a text in UTF-8.
    pub(crate) fn open(&self) -> Result<Box<dyn Read + Send>, CommandError> {
        self.open_counted(&Arc::default())
    }

    /// Opens it as a text in UTF-8, and counts the bytes before decoding.
    pub(crate) fn open_counted(
        &self,
        count: &Arc<AtomicU64>,
    ) -> Result<Box<dyn Read + Send>, CommandError> {
        let input: Box<dyn Read + Send> = match &self.path {
            None => Box::new(io::stdin()),
            Some(path) if path.is_dir() => return Err(self.error("is a directory")),
            Some(path) => Box::new(File::open(path).map_err(|error| self.error(error))?),
        };
        let input = Box::new(Counted(input, Arc::clone(count)));
        decode::text(input, self.encoding).map_err(|error| self.error(error))
    }

    /// Reads it whole.
    pub(crate) fn read(&self) -> Result<InputText, CommandError> {
        let reader = self.open()?;
        let mut bytes = Vec::new();
        let limit = self.bytes_max.unwrap_or(INPUT_BYTES_MAX);
        let read = reader.take(u64::from(limit) + 1).read_to_end(&mut bytes);
        read.map_err(|error| self.error(error))?;
        if bytes.len() > limit as usize {
            let size = bytes.len();
            let hint = self.hint(Some(LimitReached::InputBytes { size, limit }));
            let what = format!("the input is longer than {limit} bytes{hint}");
            return Err(self.error(what));
        }
        InputText::decode(bytes).map_err(|what| self.error(what))
    }

    /// Reads a text that a program wrote; half a character at its end is a mistake.
    pub(crate) fn read_whole(&self) -> Result<String, CommandError> {
        let InputText { text, cut } = self.read()?;
        if cut {
            let what = format!("the text ends inside a character at byte {}", text.len());
            return Err(self.error(what));
        }
        Ok(text)
    }

    /// Returns the schema that was given in place of the path of its file: text that begins with
    /// `{`, or YAML such as `type: object`, unless a file has this name.
    fn inline_schema(&self) -> Option<&str> {
        let path = self.path.as_ref()?;
        let text = path.to_str()?;
        let is_yaml = || text.contains(": ") || text.contains(":\n");
        let is_inline = text.trim_start().starts_with('{') || is_yaml() && !path.exists();
        is_inline.then_some(text)
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
            return refuse(&"the last character is truncated");
        }
        let is_yaml = [".yaml", ".yml"].iter().any(|end| name.ends_with(end));
        let text = match notation::json_of(text, is_yaml) {
            Ok(text) => text.into_owned(),
            Err(error) => return refuse(&error),
        };
        match Schema::from_text(&text) {
            Ok(schema) => Ok((text, schema)),
            Err(error) => refuse(&error),
        }
    }
}

/// An input whose bytes are counted.
struct Counted<R>(R, Arc<AtomicU64>);

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let length = self.0.read(out)?;
        self.1.fetch_add(length as u64, Ordering::Relaxed);
        Ok(length)
    }
}

/// Returns the end of a message about a limit: the option that raises it. The default depth is the maximum.
pub(crate) fn hint_of(limit: LimitReached) -> String {
    match limit {
        LimitReached::Depth { limit, .. } if limit >= Limits::DEFAULT.depth => String::new(),
        LimitReached::InputBytes { .. } => "; --max-bytes raises this limit".to_owned(),
        limit => format!("; --max-{} raises this limit", limit.name()),
    }
}

/// A reply and its policy.
pub(crate) struct Reply {
    pub(crate) source: Source,
    pub(crate) text: String,
    /// `true` if its last character was cut in half.
    pub(crate) cut: bool,
    /// The policy, which also knows if the text is cut.
    pub(crate) policy: Policy,
}

impl Reply {
    /// Reads a reply.
    pub(crate) fn read(source: &Source, mut policy: Policy) -> Result<Self, CommandError> {
        let bytes_max = policy.limits().input_bytes.max(INPUT_BYTES_MAX);
        let source = source.limited(bytes_max);
        let InputText { text, cut } = source.read()?;
        if cut {
            policy = policy.with_finish_reason(FinishReason::Length);
        }
        Ok(Self {
            source,
            text,
            cut,
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
        let valid = error.utf8_error().valid_up_to();
        if error.utf8_error().error_len().is_some() {
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

/// Reads JSON that a program wrote, whatever became of it since.
pub(crate) fn read_leniently(text: &str) -> Document<'_> {
    Parser::new().with_limits(JSON_LIMITS).parse(text)
}

/// Reads a text that has to be strict JSON.
///
/// # Errors
///
/// The problem and its place, without the name of the text.
pub(crate) fn read_json(text: &str) -> Result<Document<'_>, String> {
    let document = read_leniently(text);
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
        "not strict JSON: the text contains no value".to_owned()
    })
}
