//! `llmjson explain`: shows a reply with its repairs, coercions and violations.
//!
//! However large a reply is, what is shown is bounded: marks, changes and violations are counted
//! beyond a number of them, long values are cut. [`excerpt`] draws the text.

mod excerpt;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;

use annotate_snippets::Renderer;
use annotate_snippets::renderer::DecorStyle;
use llmjson::{
    Failure,
    report::{Coercion, Found, LineIndex, Refusal, Violation},
    syntax::{Document, NodeId},
};

use crate::Verdict;
use crate::args::ExplainArgs;
use crate::findings::Findings;
use crate::input::{Problem, Reply};
use crate::terminal::{listening, picture_text};

use excerpt::Mark;

/// So many marks are drawn, and so many changes and violations are listed.
const MARKS_MAX: usize = 60;
const LISTED_MAX: usize = 40;
/// A value that is not longer is shown whole, over several lines.
const VALUE_BYTES_MAX: usize = 4_000;
/// A value or a description within a line is cut at this length.
const CLIP_CHARS: usize = 80;

pub(crate) fn run(args: &ExplainArgs) -> Result<Verdict, Problem> {
    let (schema, file) = (args.schema.as_deref(), args.file.as_deref());
    let reply = Reply::read(schema, file, args.policy.policy())?;
    let (text, schema) = (&reply.text, reply.schema.as_ref());
    let mut findings = Findings::of(llmjson::parse_with(text, schema, &reply.policy));
    findings.complete &= !reply.cut;
    let explanation = explain(text, &findings, &reply.source.name(), schema.is_some());
    // Takes the colours out unless a terminal that wants them is there to show them.
    let mut out = anstream::stdout();
    let written = io::Write::write_all(&mut out, explanation.as_bytes());
    let written = listening(written.and_then(|()| io::Write::flush(&mut out)));
    written.map_err(|error| Problem::new("standard output", error))?;
    Ok(Verdict::of(findings.conforms()))
}

/// The whole explanation, with colours.
fn explain(text: &str, findings: &Findings<'_>, name: &str, schema: bool) -> String {
    let mut out = String::new();
    let document = &findings.document;
    let (repairs, notes) = (document.repairs().len(), document.notes().len());
    heading(&mut out, &picture_text(name));
    line(&mut out, &summary(text, findings, schema));
    if repairs + notes > 0 {
        out.push('\n');
        heading(
            &mut out,
            &format!("the reply, {}", counted(repairs, "repair", notes)),
        );
        let renderer = Renderer::styled().decor_style(DecorStyle::Unicode);
        out.push_str(&excerpt::draw(text, marks(document), &renderer));
        if repairs + notes > MARKS_MAX {
            rest_of_marks(document, &mut out);
        }
    }
    let lines = LineIndex::new(text);
    section(
        &mut out,
        "what the policy does not allow",
        &findings.refused,
        |refusal, out| write_refusal(*refusal, &lines, out),
    );
    section(
        &mut out,
        "changed to fit the schema",
        &findings.coercions,
        |coercion, out| {
            write_coercion(coercion, document, out);
        },
    );
    section(
        &mut out,
        "what does not fit the schema",
        &findings.violations,
        |violation, out| {
            write_violation(violation, document, out);
        },
    );
    write_value(findings, &mut out);
    out
}

fn summary(text: &str, findings: &Findings<'_>, schema: bool) -> String {
    if findings.value().is_none() {
        let failure = Failure::new(findings.document.clone(), None, Vec::new());
        return failure.to_string();
    }
    let mut summary = format!("{} bytes", text.len());
    let untouched = findings.document.repairs().is_empty() && findings.coercions.is_empty();
    if untouched {
        write!(summary, ", read as they stand")
    } else {
        let class = findings.certainty();
        write!(summary, ", read with changes, the value is {class}")
    }
    .expect("writing to a string does not fail");
    if !findings.complete {
        summary.push_str(", cut off");
    }
    if !findings.refused.is_empty() {
        summary.push_str("; the policy does not allow this reading");
    }
    if schema {
        summary.push_str(match findings.violations.is_empty() {
            true => "; the value fits the schema",
            false => "; the value does not fit the schema",
        });
    }
    summary
}

fn counted(repairs: usize, what: &str, notes: usize) -> String {
    let plural = |count: usize, what: &str| match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    };
    match (repairs, notes) {
        (_, 0) => plural(repairs, what),
        (0, _) => plural(notes, "note"),
        _ => format!("{}, {}", plural(repairs, what), plural(notes, "note")),
    }
}

/// As many marks as are drawn, in the order of their places.
fn marks(document: &Document<'_>) -> Vec<Mark> {
    let repairs = document.repairs().iter().map(|repair| {
        let (kind, class) = (repair.kind, repair.class);
        let label = format!("{} ({kind}, {class})", kind.sentence());
        Mark {
            span: repair.span.range(),
            label,
            class: Some(class),
        }
    });
    let notes = document.notes().iter().map(|note| {
        let label = format!("{} ({}, note)", note.kind.sentence(), note.kind.name());
        Mark {
            span: note.span.range(),
            label,
            class: None,
        }
    });
    // What was changed comes before what is only worth knowing.
    let mut marks: Vec<Mark> = repairs.chain(notes).take(MARKS_MAX).collect();
    marks.sort_by_key(|mark| mark.span.start);
    marks
}

fn rest_of_marks(document: &Document<'_>, out: &mut String) {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for repair in document.repairs() {
        *kinds.entry(repair.kind.name()).or_default() += 1;
    }
    for note in document.notes() {
        *kinds.entry(note.kind.name()).or_default() += 1;
    }
    let kinds: Vec<String> = kinds
        .iter()
        .map(|(kind, count)| format!("{kind} {count}"))
        .collect();
    line(
        out,
        &format!(
            "{MARKS_MAX} of them are shown; of all there are {}",
            kinds.join(", ")
        ),
    );
}

fn section<T>(out: &mut String, title: &str, items: &[T], mut write: impl FnMut(&T, &mut String)) {
    if items.is_empty() {
        return;
    }
    out.push('\n');
    heading(out, title);
    items
        .iter()
        .take(LISTED_MAX)
        .for_each(|item| write(item, out));
    if items.len() > LISTED_MAX {
        line(out, &format!("and {} more", items.len() - LISTED_MAX));
    }
}

fn write_refusal(refusal: Refusal, lines: &LineIndex<'_>, out: &mut String) {
    let place = lines.position(refusal.span().start);
    let (line_number, column) = (place.line, place.column);
    let (name, sentence) = (refusal.name(), refusal.sentence());
    line(
        out,
        &format!("line {line_number}, column {column}: {sentence} ({name})"),
    );
}

fn write_coercion(coercion: &Coercion, document: &Document<'_>, out: &mut String) {
    let Coercion {
        kind, class, path, ..
    } = coercion;
    let before = short(document, coercion.before);
    let after = coercion
        .after
        .map_or("nothing".to_owned(), |after| short(document, after));
    line(
        out,
        &format!("{}: {before} → {after}", clip(&path.to_string())),
    );
    line(out, &format!("    {} ({kind}, {class})", kind.sentence()));
}

fn write_violation(violation: &Violation, document: &Document<'_>, out: &mut String) {
    let found = match violation.found {
        Found::Value(found) => short(document, found),
        Found::Missing => "nothing".to_owned(),
    };
    let path = clip(&violation.path.to_string());
    line(
        out,
        &format!("{path}: {found}, expected {}", clip(&violation.expected)),
    );
    let description = violation.description.as_deref().unwrap_or_default();
    for said in description
        .lines()
        .filter(|said| !said.trim().is_empty())
        .take(4)
    {
        line(out, &format!("    {}", clip(said)));
    }
}

/// A value for a line: what holds others is only named.
fn short(document: &Document<'_>, id: NodeId) -> String {
    let value = document.value(id);
    if value.is_empty() {
        return clip(&value.to_json());
    }
    match value.len() {
        1 => format!("{} of 1", value.kind().name()),
        count => format!("{} of {count}", value.kind().name()),
    }
}

fn write_value(findings: &Findings<'_>, out: &mut String) {
    let Some(value) = findings.value() else {
        return;
    };
    out.push('\n');
    heading(
        out,
        if findings.conforms() {
            "the value"
        } else {
            "the best reading"
        },
    );
    let compact = value.to_json();
    if compact.len() > VALUE_BYTES_MAX {
        let start: String = compact.chars().take(VALUE_BYTES_MAX / 4).collect();
        line(
            out,
            &format!("{}… ({} bytes in all)", picture_text(&start), compact.len()),
        );
        return;
    }
    for shown in value.to_json_pretty().lines() {
        line(out, &picture_text(shown));
    }
}

fn heading(out: &mut String, title: &str) {
    // Bold; taken out again where colours are.
    writeln!(out, "\x1b[1m{title}\x1b[0m").expect("writing to a string does not fail");
}

fn line(out: &mut String, text: &str) {
    writeln!(out, "  {text}").expect("writing to a string does not fail");
}

/// The beginning of a text on one line, in which every character shows.
fn clip(text: &str) -> String {
    match text.char_indices().nth(CLIP_CHARS) {
        Some((end, _)) => format!("{}…", picture_text(&text[..end])),
        None => picture_text(text),
    }
}
