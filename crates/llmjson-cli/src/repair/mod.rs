//! `llmjson repair`: texts with their repairs made.

mod diff;

use std::fs;
use std::io;
use std::path::Path;

use llmjson::syntax::Limits;
use llmjson::syntax::LineIndex;
use llmjson::syntax::{Document, Parser};

use crate::Verdict;
use crate::args::RepairArgs;
use crate::input::{CommandError, INPUT_BYTES_MAX, InputText, Source, each};
use crate::terminal::{picture_line, tell, write_out, write_text};

/// Endings of the names of files that hold JSON and nothing else, which are those of a folder that are repaired.
const ENDINGS: &[&str] = &[".json", ".json5", ".jsonc"];

pub(crate) fn run(args: &RepairArgs) -> Result<Verdict, CommandError> {
    each(&args.input.sources(ENDINGS)?, |source| repair(args, source))
}

fn repair(args: &RepairArgs, source: &Source) -> Result<Verdict, CommandError> {
    let refuse = || CommandError::new(&source.name(), "it cannot be written in place");
    let in_place = match args.in_place {
        true => Some(source.path().ok_or_else(refuse)?),
        false => None,
    };
    let InputText { text, .. } = source.read()?;
    let limits = Limits::DEFAULT.with_input_bytes(INPUT_BYTES_MAX);
    let mut document = Parser::new().with_limits(limits).parse(&text);
    if args.text && document.root().is_none() && !text.trim().is_empty() {
        document = Document::verbatim(&text);
    }
    let repaired = match document.repaired_text_with(args.unfinished()) {
        Ok(repaired) => repaired,
        Err(error) => {
            let place = LineIndex::new(&text).position(error.offset);
            let (line, column) = (place.line, place.column);
            let what = match error.limit {
                Some(limit) => limit.to_string(),
                None => "no JSON value".to_owned(),
            };
            tell(&format!(
                "{}: line {line}, column {column}: {what}",
                source.name()
            ));
            return Ok(Verdict::Differs);
        }
    };
    let changed = *repaired != *text;
    if args.diff {
        let edits = document.edits_with(args.unfinished());
        print(&diff::unified(&source.name(), &text, &edits))?;
    }
    if args.check {
        if changed && !args.diff {
            print(&format!("{}\n", picture_line(&source.name())))?;
        }
        return Ok(Verdict::of(!changed));
    }
    if let Some(file) = in_place {
        if changed {
            write_anew(file, &repaired)
                .map_err(|error| CommandError::new(&source.name(), error))?;
        }
    } else if !args.diff {
        let written = write_text(&repaired);
        written.map_err(|error| CommandError::new("standard output", error))?;
    }
    Ok(Verdict::Conforms)
}

/// Puts a file in the place of another one, so that at no time there is half a file.
fn write_anew(file: &Path, text: &str) -> io::Result<()> {
    // Behind links stands the file that is meant.
    let file = fs::canonicalize(file)?;
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let beside = file.with_file_name(name);
    let written = fs::write(&beside, text)
        .and_then(|()| fs::set_permissions(&beside, fs::metadata(&file)?.permissions()))
        .and_then(|()| fs::rename(&beside, &file));
    if written.is_err() {
        // It may not have come so far that there is one.
        let _ = fs::remove_file(&beside);
    }
    written
}

fn print(text: &str) -> Result<(), CommandError> {
    let written = write_out(text);
    written
        .map(|_| ())
        .map_err(|error| CommandError::new("standard output", error))
}
