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
use crate::input::{CommandError, INPUT_BYTES_MAX, InputText, Source};
use crate::terminal::{picture_line, tell, write_out, write_text};

pub(crate) fn run(args: &RepairArgs) -> Result<Verdict, CommandError> {
    let stdin = [Path::new("-").to_owned()];
    let files = match &args.files[..] {
        [] => &stdin[..],
        files => files,
    };
    let mut verdict = Verdict::Conforms;
    let mut failed = None;
    for file in files {
        // The other files are repaired all the same.
        match repair(args, file) {
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

fn repair(args: &RepairArgs, file: &Path) -> Result<Verdict, CommandError> {
    let source = Source::new(Some(file));
    if args.in_place && source.is_stdin() {
        return Err(CommandError::new(
            &source.name(),
            "it cannot be written in place",
        ));
    }
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
    if args.in_place {
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
