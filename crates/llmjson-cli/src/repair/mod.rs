//! `llmjson repair`: texts with their repairs made.

mod diff;

use std::borrow::Cow;
use std::fs;
use std::io;
use std::mem::replace;
use std::path::Path;

use llmjson::syntax::Limits;
use llmjson::syntax::LineIndex;
use llmjson::syntax::{Document, Parser, Truncation};
use llmjson::{Failure, Policy};
use serde::de::IgnoredAny;

use crate::Verdict;
use crate::args::RepairArgs;
use crate::input::{CommandError, InputText, Source, each};
use crate::terminal::{picture_line, tell, write_out, write_text};

pub(crate) fn run(args: &RepairArgs) -> Result<Verdict, CommandError> {
    // Folders give only files with a JSON extension.
    let is_json = |name: &str| {
        let endings = [".json", ".json5", ".jsonc"];
        endings.iter().any(|ending| name.ends_with(ending))
    };
    let sources = args.input.sources(is_json)?;
    // Two texts are on different lines.
    let mut line_end = "";
    each(&sources, |source| repair(args, source, &mut line_end))
}

/// Repairs a text. `line_end` is what belongs between what was printed before and this text.
fn repair(
    args: &RepairArgs,
    source: &Source,
    line_end: &mut &'static str,
) -> Result<Verdict, CommandError> {
    let refuse = || source.error("cannot be rewritten in place");
    let in_place = match args.in_place {
        true if source.is_packed()? => return Err(refuse()),
        true => Some(source.path().ok_or_else(refuse)?),
        false => None,
    };
    let source = &source.limited(args.max_bytes);
    let InputText { text, .. } = source.read()?;
    let policy = args.policy();
    // A policy may also reject strict JSON, such as for a repeated key.
    let document = (policy.is_some() || !is_strict(&text)).then(|| read(args, policy, &text));
    let document = match document.transpose() {
        Ok(document) => document,
        Err(refused) => {
            tell(&format!("{}: {refused}", source.name()));
            return Ok(Verdict::Differs);
        }
    };
    let repaired = document.as_ref();
    let repaired = repaired.map(|document| document.repaired_text_with(args.options()));
    let repaired = match repaired.unwrap_or(Ok(Cow::Borrowed(&text))) {
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
    if let Some(cut) = document.as_ref().and_then(Document::truncation) {
        let what = match cut {
            Truncation::ClosersOnly => "; added the closing brackets",
            _ => " inside a value; ended the value there",
        };
        tell(&format!(
            "{}: warning: the text is truncated{what}",
            source.name()
        ));
    }
    let changed = *repaired != *text;
    if args.diff {
        let edits = document.as_ref();
        let edits = edits.map(|document| document.edits_with(args.options()));
        let edits = edits.unwrap_or_default();
        write_out(&diff::unified(&source.name(), &text, &edits))?;
    }
    if args.check {
        if changed && !args.diff {
            write_out(&format!("{}\n", picture_line(&source.name())))?;
        }
        return Ok(Verdict::of(!changed));
    }
    if let Some(file) = in_place {
        if changed {
            write_anew(file, &repaired).map_err(|error| source.error(error))?;
        }
    } else if !args.diff {
        let end = if repaired.ends_with('\n') { "" } else { "\n" };
        write_text(replace(line_end, end))?;
        write_text(&repaired)?;
    }
    Ok(Verdict::Conforms)
}

/// # Errors
///
/// The repairs that the policy rejects.
fn read<'t>(
    args: &RepairArgs,
    policy: Option<Policy>,
    text: &'t str,
) -> Result<Document<'t>, Failure> {
    let limited = |limits: Limits| limits.with_input_bytes(args.max_bytes);
    let document = match policy {
        None => Parser::new()
            .with_limits(limited(Limits::DEFAULT))
            .parse(text),
        Some(policy) => {
            let limits = limited(policy.limits());
            let parsed = policy.with_limits(limits).parse(text, None);
            if parsed.value().is_some() && !parsed.refused().is_empty() {
                return Err(parsed.into_failure());
            }
            parsed.into_document()
        }
    };
    if args.text && document.root().is_none() && !text.trim().is_empty() {
        return Ok(Document::verbatim(text));
    }
    Ok(document)
}

/// Returns `true` if a text is strict JSON, without holding anything of it. Halves of surrogates, which are passed over
/// here, are left to the parser.
fn is_strict(text: &str) -> bool {
    let has_surrogate = ["\\ud", "\\uD"].iter().any(|half| text.contains(half));
    !has_surrogate && serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// Replaces a file atomically, so that there is never half a file.
fn write_anew(file: &Path, text: &str) -> io::Result<()> {
    // Replace the target of a link, not the link.
    let file = fs::canonicalize(file)?;
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let beside = file.with_file_name(name);
    let written = fs::write(&beside, text)
        .and_then(|()| fs::set_permissions(&beside, fs::metadata(&file)?.permissions()))
        .and_then(|()| fs::rename(&beside, &file));
    if written.is_err() {
        // The temporary file may not exist yet.
        let _ = fs::remove_file(&beside);
    }
    written
}
