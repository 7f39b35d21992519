//! `llmjson explain`: shows a reply with its repairs, coercions and violations.
//!
//! However large a reply is, what is shown is bounded: marks, changes and violations are counted
//! beyond a number of them, long values are cut. [`excerpt`] draws the text.

mod excerpt;
mod json;
mod lines;
mod readings;
mod why;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;

use llmjson::{
    Schema,
    report::{Coercion, Refusal, Violation},
    syntax::{Class, Document, LineIndex, RepairKind, Span},
};
use llmjson_page::ReplyNote;
use llmjson_page::words::{before_and_after, clip, found_of, summary};

use crate::Verdict;
use crate::args::ExplainArgs;
use crate::commands::write;
use crate::findings::Findings;
use crate::input::{CommandError, Reply, Source, each};
use crate::terminal::{listening, picture_text, write_out};

use excerpt::{ExcerptMark, Tone};
use readings::Readings;

/// The forms in which values are read, as the READMEs have them.
const FORMS: &str = include_str!("forms.md");
/// The kinds of change, as a test of the table in `llmjson-schema` writes them.
const RULES: &str = include_str!("rules.md");

/// Maximum numbers of marks that are drawn, and of changes and violations that are listed.
const MARKS_MAX: usize = 60;
const LISTED_MAX: usize = 40;
const WRITES: &str = "writing to a string does not fail";
/// A value that is not longer is shown whole, over several lines.
const VALUE_BYTES_MAX: usize = 4_000;

pub(crate) fn run(args: &ExplainArgs) -> Result<Verdict, CommandError> {
    if args.forms || args.rules {
        write_out(if args.rules { RULES } else { FORMS })?;
        return Ok(Verdict::Conforms);
    }
    if args.sources {
        write_out(&why::sources())?;
        return Ok(Verdict::Conforms);
    }
    let (schema, sources) = args.input.with_schema(args.schema.as_deref())?;
    each(&sources, |source| one(args, schema.as_ref(), source))
}

fn one(
    args: &ExplainArgs,
    schema: Option<&Schema>,
    source: &Source,
) -> Result<Verdict, CommandError> {
    let reply = Reply::read(source, args.policy.policy())?;
    let text = &reply.text;
    if args.why {
        write_out(&why::values(text))?;
        return Ok(Verdict::Conforms);
    }
    if let Some(span) = args.readings {
        return show_readings(args, text, schema, span);
    }
    let mut findings = Findings::of(reply.policy.parse(text, schema));
    findings.complete &= !reply.cut;
    let failed = (args.policy.fail_on()).reason(findings.complete, findings.certainty());
    let verdict = Verdict::of(findings.conforms() && failed.is_none());
    if args.json {
        write(&json::object(&findings, args.offsets))?;
        return Ok(verdict);
    }
    if args.html {
        let name = reply.source.name();
        let feedback = findings.feedback(schema);
        let mut reply = findings.shown(feedback);
        reply.has_schema = schema.is_some();
        write_out(&llmjson_page::page(&name, &reply))?;
        return Ok(verdict);
    }
    let view = View {
        columns: lines::columns(args.width),
        all: args.verbose,
        out: String::new(),
    };
    let mut explanation = view.explain(text, &findings, &reply.source.name(), schema.is_some());
    if let Some(limit) = findings.document.limit() {
        // Below the message, as the words about a value are.
        let hint = reply.source.hint(Some(limit));
        let hint = hint.trim_start_matches("; ");
        explanation.extend(["  ", hint, "\n"].into_iter().filter(|_| !hint.is_empty()));
    }
    // Takes the colours out unless they are wanted, by a terminal if not said.
    let mut out = anstream::AutoStream::new(io::stdout(), args.color);
    let written = io::Write::write_all(&mut out, explanation.as_bytes());
    listening(written.and_then(|()| io::Write::flush(&mut out)))?;
    Ok(verdict)
}

/// Shows the readings of a span, or of all that was repaired.
fn show_readings(
    args: &ExplainArgs,
    text: &str,
    schema: Option<&Schema>,
    span: Option<Span>,
) -> Result<Verdict, CommandError> {
    let damaged = || readings::damaged(llmjson::parse(text, schema).document());
    let Some(span) = span.or_else(damaged) else {
        write_out(match args.json {
            true => "null\n",
            false => "nothing was repaired\n",
        })?;
        return Ok(Verdict::Conforms);
    };
    let readings = Readings::of(text, schema, span);
    let shown = match args.json {
        true => readings.object(args.offsets) + "\n",
        false => readings.table(lines::columns(args.width)),
    };
    write_out(&shown)?;
    Ok(Verdict::Conforms)
}

/// The output, and its extent.
struct View {
    columns: usize,
    /// `true` if certain repairs around the value are shown too.
    all: bool,
    out: String,
}

impl View {
    /// The whole explanation, with colours.
    fn explain(
        mut self,
        text: &str,
        findings: &Findings<'_>,
        name: &str,
        has_schema: bool,
    ) -> String {
        let document = &findings.document;
        self.heading(&lines::clip(&picture_text(name), self.columns));
        let mut reply = findings.shown(None);
        reply.has_schema = has_schema;
        self.wrapped(&summary(&reply), "");
        let all_notes = reply.notes();
        let (repairs, notes) = (document.repairs().len(), all_notes.len());
        self.legend(findings, notes);
        if repairs + notes > 0 {
            let counts = counted(repairs, "repair", notes);
            self.out.push('\n');
            self.heading(&format!("the reply, {counts}"));
            let (marks, folded) = self.marks(document, &all_notes);
            let shown = marks.len();
            self.out.push_str(&excerpt::draw(text, marks, self.columns));
            if !folded.is_empty() {
                let kinds = folded.keys().copied().collect::<Vec<_>>().join(", ");
                self.wrapped(&format!("hidden (show with -v): {kinds}"), "\x1b[2m");
            }
            if repairs + notes > shown + folded.values().sum::<usize>() {
                self.rest_of_marks(document, &all_notes, shown);
            }
        }
        let places = LineIndex::new(text);
        let refused = &findings.refused;
        self.section("rejected by the policy", refused, |view, refusal| {
            view.refusal(*refusal, &places);
        });
        let coercions = &findings.coercions;
        self.section("coerced to the schema", coercions, |view, coercion| {
            view.coercion(coercion, document);
        });
        let violations = &findings.violations;
        self.section("violations of the schema", violations, |view, violation| {
            view.violation(violation, document);
        });
        self.value(findings);
        self.out
    }

    /// Returns the marks to draw, in the order of the text, and the hidden ones by kind: certain repairs of the text
    /// around the value.
    fn marks(
        &self,
        document: &Document<'_>,
        notes: &[ReplyNote],
    ) -> (Vec<ExcerptMark>, BTreeMap<&'static str, usize>) {
        let mut folded: BTreeMap<&'static str, usize> = BTreeMap::new();
        let repairs = document.repairs().iter().filter_map(|repair| {
            let (kind, class) = (repair.kind, repair.class);
            if !self.all && class == Class::Certain && is_around(kind) {
                *folded.entry(kind.sentence()).or_default() += 1;
                return None;
            }
            let tone = Tone::of(class);
            let label = match tone {
                Tone::Certain => format!("{} ({kind})", kind.sentence()),
                _ => format!("{} ({kind}, {class})", kind.sentence()),
            };
            let span = repair.span.range();
            Some(ExcerptMark { span, label, tone })
        });
        let notes = notes.iter().map(|note| {
            let label = format!("{} ({}, note)", note.sentence, note.name);
            let (span, tone) = (note.span.range(), Tone::Note);
            ExcerptMark { span, label, tone }
        });
        // Repairs take precedence over notes.
        let mut marks: Vec<ExcerptMark> = repairs.chain(notes).collect();
        marks.truncate(MARKS_MAX);
        marks.sort_by_key(|mark| mark.span.start);
        (marks, folded)
    }

    fn rest_of_marks(&mut self, document: &Document<'_>, notes: &[ReplyNote], shown: usize) {
        let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
        for repair in document.repairs() {
            *kinds.entry(repair.kind.name()).or_default() += 1;
        }
        for note in notes {
            *kinds.entry(note.name).or_default() += 1;
        }
        let all: usize = kinds.values().sum();
        let kinds = kinds.iter().map(|(kind, count)| format!("{kind} {count}"));
        let kinds = kinds.collect::<Vec<_>>().join(", ");
        self.wrapped(&format!("showing {shown} of {all}; by kind: {kinds}"), "");
    }

    fn section<T>(&mut self, title: &str, items: &[T], write: impl Fn(&mut Self, &T)) {
        if items.is_empty() {
            return;
        }
        self.out.push('\n');
        self.heading(title);
        let listed = items.iter().take(LISTED_MAX);
        listed.for_each(|item| write(self, item));
        if items.len() > LISTED_MAX {
            self.line(&format!("and {} more", items.len() - LISTED_MAX), "");
        }
    }

    fn heading(&mut self, title: &str) {
        // Bold; taken out again where colours are.
        writeln!(self.out, "\x1b[1m{title}\x1b[0m").expect(WRITES);
    }

    /// Writes a line in a colour, if one is given. It is cut at the last column.
    fn line(&mut self, text: &str, colour: &str) {
        self.put(&lines::clip(text, self.columns - 2), colour);
    }

    /// Writes a text over as many lines as it needs.
    fn wrapped(&mut self, text: &str, colour: &str) {
        for one in lines::wrapped(text, self.columns - 2) {
            self.put(&one, colour);
        }
    }

    fn put(&mut self, line: &str, colour: &str) {
        let end = if colour.is_empty() { "" } else { "\x1b[0m" };
        writeln!(self.out, "  {colour}{line}{end}").expect(WRITES);
    }

    fn refusal(&mut self, refusal: Refusal, places: &LineIndex<'_>) {
        let place = places.position(refusal.span().start);
        let (number, column) = (place.line, place.column);
        let (name, sentence) = (refusal.name(), refusal.sentence());
        let text = format!("line {number}, column {column}: {sentence} ({name})");
        self.line(&text, "");
    }

    fn coercion(&mut self, coercion: &Coercion, document: &Document<'_>) {
        let (kind, class) = (coercion.kind, coercion.class);
        let path = clip(&coercion.path.to_string());
        let (before, after) = before_and_after(coercion, document);
        self.line(&format!("{path}: {before} → {after}"), "");
        let (_, _, colour) = Tone::of(class).look();
        let text = format!("    {} ({kind}, {class})", kind.sentence());
        self.line(&text, colour);
    }

    fn violation(&mut self, violation: &Violation, document: &Document<'_>) {
        let found = found_of(violation, document);
        let path = clip(&violation.path.to_string());
        let expected = clip(&violation.expected);
        self.line(&format!("{path}: {found}, expected {expected}"), "");
        let description = violation.description.as_deref().unwrap_or_default();
        let said = description.lines().filter(|said| !said.trim().is_empty());
        for said in said.take(4) {
            self.line(&format!("    {}", clip(said)), "");
        }
    }

    fn value(&mut self, findings: &Findings<'_>) {
        let Some(value) = findings.value() else {
            return;
        };
        self.out.push('\n');
        let title = match findings.conforms() {
            true => "the value",
            false => "the best value found",
        };
        self.heading(title);
        let (compact, pretty) = (value.to_json(), value.to_json_pretty());
        // A deeply nested value is short, but its indented form is not.
        if compact.len() > VALUE_BYTES_MAX || pretty.len() > 8 * VALUE_BYTES_MAX {
            let start: String = compact.chars().take(self.columns - 20).collect();
            let bytes = format!("… ({} bytes in all)", compact.len());
            let room = self.columns - 2 - lines::width_of(&bytes);
            let start = lines::clip(&picture_text(&start), room);
            self.put(&format!("{}{bytes}", start.trim_end_matches('…')), "");
            return;
        }
        for shown in pretty.lines() {
            self.line(&picture_text(shown), "");
        }
    }

    /// Writes the legend of the marks, with the number of repairs and coercions of each class.
    fn legend(&mut self, findings: &Findings<'_>, notes: usize) {
        let repairs = findings.document.repairs().iter().map(|one| one.class);
        let coercions = findings.coercions.iter().map(|one| one.class);
        let tones: Vec<Tone> = repairs.chain(coercions).map(Tone::of).collect();
        let count = |tone| match tone {
            Tone::Note => notes,
            _ => tones.iter().filter(|one| **one == tone).count(),
        };
        let counts = Tone::ALL.map(|tone| (tone, count(tone)));
        let shown = counts.iter().filter(|(_, count)| *count > 0);
        let shown = shown.map(|(tone, count)| {
            let (name, sign, colour) = tone.look();
            format!("{colour}{sign}{sign} {name} {count}\x1b[0m")
        });
        let shown: Vec<String> = shown.collect();
        if !shown.is_empty() {
            self.put(&shown.join("   "), "");
        }
    }
}

/// Returns `true` if records of a kind are about text around the value.
fn is_around(kind: RepairKind) -> bool {
    matches!(
        kind,
        RepairKind::CodeFence
            | RepairKind::SurroundingText
            | RepairKind::ReasoningBlock
            | RepairKind::TemplateToken
            | RepairKind::OddSpace
    )
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
