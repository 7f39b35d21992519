//! The explanation of a reply as a page: no script, nothing from elsewhere, and nothing of the reply
//! but text.

use std::fmt::Write as _;

use llmjson::report::{Class, Repair};
use llmjson::stringify;
use llmjson::{Failure, Schema};

use crate::findings::Findings;
use crate::terminal::push_picture;

use super::{clip, found_of, renamed, short, summary};

/// So many repairs are marked and listed.
const REPAIRS_MAX: usize = 2_000;

const STYLE: &str = include_str!("page.css");

/// The whole page.
pub(super) fn page(
    name: &str,
    text: &str,
    findings: &Findings<'_>,
    schema: Option<&Schema>,
) -> String {
    let title = escaped(name);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n<header><h1>{title}</h1>\n<p>{}</p></header>\n<main>\n",
        escaped(&summary(text, findings, schema.is_some()))
    );
    let repairs = findings.document.repairs();
    let repairs = &repairs[..repairs.len().min(REPAIRS_MAX)];
    out.push_str("<section><h2>The reply</h2>\n");
    legend(findings, &mut out);
    out.push_str("<pre id=\"reply\">\n");
    marked(text, repairs, &mut out);
    out.push_str("</pre>\n</section>\n<section>\n");
    if let Some(value) = findings.value() {
        let json = escaped(&value.to_json_pretty());
        write!(
            out,
            "<h2>The value</h2>\n<pre id=\"value\">\n{json}</pre>\n"
        )
        .expect("a string takes it");
    }
    changes(findings, &mut out);
    if !findings.conforms() {
        let (violations, refused) = (findings.violations.clone(), findings.refused.clone());
        let failure = Failure::new(findings.document.clone(), schema, violations);
        let feedback = escaped(&stringify(&failure.with_refusals(refused)));
        write!(
            out,
            "<h2>What the model is told</h2>\n<pre id=\"feedback\">\n{feedback}</pre>\n"
        )
        .expect("a string takes it");
    }
    listed(text, repairs, &mut out);
    out.push_str("</section>\n</main>\n</html>\n");
    out
}

fn legend(findings: &Findings<'_>, out: &mut String) {
    let repairs = findings.document.repairs();
    out.push_str("<p id=\"legend\">");
    for class in Class::ALL {
        let count = repairs.iter().filter(|one| one.class == *class).count();
        write!(out, "<mark class=\"{class}\">{class} {count}</mark> ").expect("a string takes it");
    }
    out.push_str("</p>\n");
}

/// The text with its repairs marked; those within another one are listed alone.
fn marked(text: &str, repairs: &[Repair], out: &mut String) {
    let mut at = 0;
    for repair in repairs {
        let span = repair.span.range();
        if span.start < at || span.end > text.len() {
            continue;
        }
        escape(&text[at..span.start], out);
        let (class, kind) = (repair.class, repair.kind);
        let sentence = kind.sentence();
        write!(
            out,
            "<mark class=\"{class}\" tabindex=\"0\" data-about=\"{sentence} ({kind}, {class})\">"
        )
        .expect("a string takes it");
        escape(&text[span.clone()], out);
        out.push_str("</mark>");
        at = span.end;
    }
    escape(&text[at..], out);
}

fn changes(findings: &Findings<'_>, out: &mut String) {
    let document = &findings.document;
    if !findings.coercions.is_empty() {
        out.push_str("<h2>Changed to fit the schema</h2>\n<ul id=\"coercions\">\n");
        for coercion in findings.coercions.iter().take(REPAIRS_MAX) {
            let (before, after) = match renamed(coercion, document) {
                Some((before, after)) => (before, after.to_owned()),
                None => {
                    let after = coercion.after.map(|after| short(document, after));
                    let after = after.unwrap_or_else(|| "nothing".to_owned());
                    (short(document, coercion.before), after)
                }
            };
            let (path, sentence) = (coercion.path.to_string(), coercion.kind.sentence());
            item(&format!("{}: {before} \u{2192} {after}", clip(&path)), out);
            let class = coercion.class;
            writeln!(
                out,
                " <mark class=\"{class}\">{sentence} ({class})</mark></li>"
            )
            .expect("a string takes it");
        }
        out.push_str("</ul>\n");
    }
    if !findings.violations.is_empty() {
        out.push_str("<h2>What does not fit the schema</h2>\n<ul id=\"violations\">\n");
        for violation in findings.violations.iter().take(REPAIRS_MAX) {
            let found = found_of(violation, document);
            let (path, expected) = (violation.path.to_string(), &violation.expected);
            item(
                &format!("{}: {found}, expected {}", clip(&path), clip(expected)),
                out,
            );
            out.push_str("</li>\n");
        }
        out.push_str("</ul>\n");
    }
}

fn item(text: &str, out: &mut String) {
    out.push_str("<li>");
    escape(text, out);
}

fn listed(text: &str, repairs: &[Repair], out: &mut String) {
    if repairs.is_empty() {
        return;
    }
    // In one pass, however long a line is.
    let (mut line, mut column, mut at) = (1, 1, 0);
    out.push_str("<h2>Repairs</h2>\n<ol id=\"repairs\">\n");
    for repair in repairs {
        let start = (repair.span.start as usize).max(at);
        for character in text[at..start].chars() {
            (line, column) = match character {
                '\n' => (line + 1, 1),
                _ => (line, column + 1),
            };
        }
        at = start;
        let (class, kind) = (repair.class, repair.kind);
        let sentence = kind.sentence();
        writeln!(
            out,
            "<li>line {line}, column {column}: {sentence} (<code>{kind}</code>, {class})</li>"
        )
        .expect("a string takes it");
    }
    out.push_str("</ol>\n");
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    escape(text, &mut out);
    out
}

/// Appends text in which every character shows and none is markup.
fn escape(text: &str, out: &mut String) {
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(character),
            _ => match shown(character) {
                Some(picture) => escape_plain(&picture, out),
                None => out.push(character),
            },
        }
    }
}

/// The picture of a character that does not show.
fn shown(character: char) -> Option<String> {
    if character >= ' ' && character.is_ascii() && character != '\x7f' {
        return None;
    }
    let mut picture = String::new();
    push_picture(character, &mut picture);
    (!picture.starts_with(character)).then_some(picture)
}

fn escape_plain(picture: &str, out: &mut String) {
    out.push_str(&picture.replace('<', "&lt;").replace('>', "&gt;"));
}
