//! Files that a batch writes: the answers, and the rows that are to be asked again.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::Path;

use llmjson::Schema;

use crate::args::BatchArgs;
use crate::input::{CommandError, Source, read_json};
use crate::terminal::{OutputReader, write_text};

use super::rows::RowFormat;

#[cfg(not(feature = "parquet"))]
pub(super) const WITHOUT_PARQUET: &str =
    "Parquet files need a build of llmjson with the feature `parquet`";

/// The place for the answers.
pub(super) enum Output {
    Standard,
    Lines(File),
    #[cfg(feature = "parquet")]
    Table(Box<llmjson_arrow::parquet::Writer>),
}

/// The ids, as JSON, of the rows that a file has answers to.
pub(super) type Answered = HashSet<String>;

impl Output {
    /// Opens the file for the answers; with `append`, after its existing answers.
    pub(super) fn open(
        path: &Path,
        args: &BatchArgs,
        schema: Option<&Schema>,
    ) -> Result<(Self, Answered), CommandError> {
        let name = path.display().to_string();
        if RowFormat::of(&name) == Some(RowFormat::Parquet) {
            if args.append || args.only.is_some() {
                let what = "cannot append to a Parquet file";
                return Err(CommandError::new(&name, what));
            }
            let table = create(path).and_then(|file| table(file, schema));
            let table = table.map_err(|error| CommandError::new(&name, error))?;
            return Ok((table, Answered::new()));
        }
        if RowFormat::of(&name) == Some(RowFormat::Csv) {
            let what = "rows are written as JSON lines or Parquet, not as CSV: use a name that ends with .jsonl or \
                        .parquet";
            return Err(CommandError::new(&name, what));
        }
        let opened = match args.append {
            true => reopen(path),
            false => create(path).map(|file| (file, Answered::new())),
        };
        let (file, answered) = opened.map_err(|error| CommandError::new(&name, error))?;
        Ok((Self::Lines(file), answered))
    }

    /// Writes the answers to a chunk.
    pub(super) fn write(&mut self, text: &str) -> Result<OutputReader, CommandError> {
        let written = match self {
            Self::Standard => return write_text(text),
            Self::Lines(file) => file.write_all(text.as_bytes()),
            #[cfg(feature = "parquet")]
            Self::Table(table) => table.write(text).map_err(io::Error::other),
        };
        let written = written.map_err(|error| CommandError::new("the output", error));
        written.map(|()| OutputReader::Listens)
    }

    /// Writes the end of the output.
    pub(super) fn finish(self) -> Result<(), CommandError> {
        match self {
            #[cfg(feature = "parquet")]
            Self::Table(table) => {
                let finished = table.finish();
                finished.map_err(|error| CommandError::new("the output", error))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(feature = "parquet")]
fn table(file: File, schema: Option<&Schema>) -> io::Result<Output> {
    let writer = llmjson_arrow::parquet::Writer::new(file, schema);
    let writer = writer.map_err(io::Error::other)?;
    Ok(Output::Table(Box::new(writer)))
}

#[cfg(not(feature = "parquet"))]
fn table(_: File, _: Option<&Schema>) -> io::Result<Output> {
    Err(io::Error::other(WITHOUT_PARQUET))
}

/// Opens a file for rows that are to be asked again.
pub(super) fn rejects(path: &Path, append: bool) -> Result<Output, CommandError> {
    let file = match append {
        true => OpenOptions::new().create(true).append(true).open(path),
        false => create(path),
    };
    let file = file.map_err(|error| CommandError::new(&path.display().to_string(), error));
    file.map(Output::Lines)
}

/// Makes sure that no file is read and written at once.
pub(super) fn is_no_input(path: &Path, inputs: &[Source]) -> Result<(), CommandError> {
    let Ok(file) = path.canonicalize() else {
        return Ok(());
    };
    let same = |source: &Source| source.path().and_then(|path| path.canonicalize().ok());
    if inputs
        .iter()
        .any(|source| same(source).as_ref() == Some(&file))
    {
        let what = "cannot be both input and output";
        return Err(CommandError::new(&path.display().to_string(), what));
    }
    Ok(())
}

fn create(path: &Path) -> io::Result<File> {
    File::create(path)
}

/// Opens a file after its last complete line, and reads its ids. An interrupted run may have left half a line.
fn reopen(path: &Path) -> io::Result<(File, Answered)> {
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)?;
    let mut answered = Answered::new();
    let mut lines = BufReader::new(file);
    let (mut whole, mut line) = (0, Vec::new());
    while lines.read_until(b'\n', &mut line)? > 0 && line.ends_with(b"\n") {
        whole += line.len() as u64;
        let text = str::from_utf8(&line).ok();
        let document = text.and_then(|text| read_json(text.trim_end()).ok());
        let id = document
            .as_ref()
            .and_then(|document| document.root()?.get("id"));
        answered.extend(id.filter(|id| !id.is_null()).map(|id| id.to_json()));
        line.clear();
    }
    let mut file = lines.into_inner();
    file.set_len(whole)?;
    file.seek(SeekFrom::Start(whole))?;
    Ok((file, answered))
}
