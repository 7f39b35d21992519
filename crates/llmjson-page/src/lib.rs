//! Shows what became of a model's reply to people: as a page for browsers
//! ([`page`]), as a cell for notebooks ([`cell`]), and the results of many replies as one page
//! ([`Batch`]).
//!
//! The reply stands there with each repair marked in place, in a tone for each class that is told by its
//! line as well as by its colour; beside it the value, foldable, with what was changed and what is wrong at
//! its members. What belongs together lights up on both sides. Nothing comes from elsewhere, and
//! nothing of a reply is anything but text: characters that would not show are shown by name. Without
//! its script a page or cell loses the lights alone.
//!
//! It prints nothing and opens no files.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod batch;
#[doc(hidden)]
pub mod hash;
mod leaves;
mod marks;
mod reply;
pub mod shown;
mod value;
pub mod words;

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use llmjson::syntax::{Class, LineIndex};

use leaves::Leaves;
use marks::Mark;
use shown::{escape, escaped};

pub use batch::{Batch, Count, OtherRow, Row};
pub use reply::{Rejected, Reply, ReplyNote};

/// The style of what [`part`] returns.
pub const STYLE: &str = include_str!("page.css");
/// The script that lights up what belongs together; a page needs it once.
pub const SCRIPT: &str = include_str!("page.js");
/// The hash that names [`SCRIPT`] to a browser as the only one that may run: the SHA-256 of its
/// bytes.
const SCRIPT_HASH: &str = include_str!("page.js.sha256");

/// Returns a reply as a whole page.
#[must_use]
pub fn page(title: &str, reply: &Reply<'_>) -> String {
    let mut out = head(title);
    writeln!(
        out,
        "<header><h1>{}</h1>\n<p>{}</p></header>\n<main class=\"llmjson\">",
        escaped(title),
        escaped(&words::summary(reply))
    )
    .expect("a string takes it");
    body(reply, "", "h2", &mut out);
    out.push_str("</main>\n");
    foot(&mut out);
    out
}

/// Returns a reply as a part of another page, such as a cell of a notebook.
#[must_use]
pub fn cell(reply: &Reply<'_>) -> String {
    let mut out = String::from("<div class=\"llmjson cell\">");
    write!(out, "<style>{STYLE}</style>").expect("a string takes it");
    inside(reply, &mut out);
    write!(out, "<script>{SCRIPT}</script></div>").expect("a string takes it");
    out
}

/// Returns a reply as a part of a page that has [`STYLE`] and [`SCRIPT`] itself.
#[must_use]
pub fn part(reply: &Reply<'_>) -> String {
    let mut out = String::from("<div class=\"llmjson cell\">");
    inside(reply, &mut out);
    out.push_str("</div>");
    out
}

/// Returns what does not fit in a value that is printed over several lines: the line of each, from 0, and what is said
/// there.
///
/// ```
/// let schema = r#"{"properties": {"days": {"type": "integer"}}, "required": ["days"]}"#;
/// let schema = llmjson::Schema::from_text(schema)?;
/// let parsed = llmjson::parse("{city: 'Oslo', days: 'many'}", Some(&schema));
/// let misfits = llmjson_page::misfits(&llmjson_page::Reply::of(&parsed));
/// assert_eq!(misfits, [(2, "expected integer".to_owned())]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn misfits(reply: &Reply<'_>) -> Vec<(usize, String)> {
    if !reply.is_unfit() {
        return Vec::new();
    }
    let root = reply.root();
    root.map_or_else(Vec::new, |root| {
        value::misfits(root, &Leaves::of(reply, &[]))
    })
}

fn inside(reply: &Reply<'_>, out: &mut String) {
    let mut hasher = DefaultHasher::new();
    reply.document.text().hash(&mut hasher);
    let prefix = format!("l{:x}-", hasher.finish());
    writeln!(out, "<p>{}</p>", escaped(&words::summary(reply))).expect("a string takes it");
    body(reply, &prefix, "h3", out);
}

/// Returns cells, one below the other, as one, each with a line of text above it.
#[must_use]
pub fn cells(parts: &[(String, Option<Reply<'_>>)]) -> String {
    let mut out = String::from("<div class=\"llmjson cell\">");
    write!(out, "<style>{STYLE}</style>").expect("a string takes it");
    for (number, (title, reply)) in parts.iter().enumerate() {
        writeln!(out, "<p>{}</p>", escaped(title)).expect("a string takes it");
        if let Some(reply) = reply {
            let mut hasher = DefaultHasher::new();
            (number, reply.document.text()).hash(&mut hasher);
            body(reply, &format!("l{:x}-", hasher.finish()), "h3", &mut out);
        }
    }
    write!(out, "<script>{SCRIPT}</script></div>").expect("a string takes it");
    out
}

fn head(title: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; script-src 'sha256-{}'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body class=\"llmjson-page\">\n",
        SCRIPT_HASH.trim_end(),
        escaped(title)
    )
}

fn foot(out: &mut String) {
    writeln!(out, "<script>{SCRIPT}</script>\n</body>\n</html>").expect("a string takes it");
}

/// The reply, its value and what is wrong with it.
fn body(reply: &Reply<'_>, prefix: &str, heading: &str, out: &mut String) {
    let (marks, left_out) = marks::marks(reply);
    let leaves = Leaves::of(reply, &marks);
    legend(reply, out);
    out.push_str("<div class=\"sides\">\n");
    writeln!(out, "<section><{heading}>The reply</{heading}>").expect("a string takes it");
    more(left_out, "repairs are not marked", out);
    out.push_str("<pre class=\"reply\">");
    marks::put_text(reply.document.text(), &marks, &leaves, prefix, out);
    out.push_str("</pre>\n</section>\n<section>\n");
    if let Some(root) = reply.root() {
        let title = match reply.is_unfit() || !reply.refused.is_empty() {
            true => "The best reading",
            false => "The value",
        };
        writeln!(out, "<{heading}>{title}</{heading}>").expect("a string takes it");
        let what = "changes and violations are not shown";
        more(leaves.left_out, what, out);
        out.push_str("<div class=\"value\">");
        value::put_value(root, &leaves, out);
        out.push_str("</div>\n");
    }
    refused(reply, heading, out);
    if let Some(feedback) = &reply.feedback {
        out.push_str("<details open><summary>What the model is told</summary>");
        let feedback = escaped(feedback);
        writeln!(out, "<pre class=\"feedback\">{feedback}</pre></details>")
            .expect("a string takes it");
    }
    listed(reply, &marks, prefix, out);
    out.push_str("</section>\n</div>\n");
}

/// Writes the meanings of the marks, and how many there are of each. The classes count repairs and
/// coercions, because both decide the value's class.
fn legend(reply: &Reply<'_>, out: &mut String) {
    let repairs = reply.document.repairs().iter().map(|one| one.class);
    let coercions = reply.coercions.iter().map(|one| one.class);
    let classes: Vec<Class> = repairs.chain(coercions).collect();
    let of_class = |class| classes.iter().filter(|one| **one == class).count();
    let wrong = reply.violations.len() + reply.rejected.len();
    let counts = [
        ("certain", "certain", of_class(Class::Certain)),
        ("likely", "likely", of_class(Class::Likely)),
        ("guess", "guess", of_class(Class::Guess)),
        ("note", "worth knowing", reply.notes().len()),
        (
            "changed",
            "changed to fit the schema",
            reply.coercions.len(),
        ),
        ("wrong", "does not fit", wrong),
        ("refused", "not allowed", reply.refused.len()),
    ];
    out.push_str("<ul class=\"legend\">");
    for (at, (tone, name, count)) in counts.into_iter().enumerate() {
        if at < 3 || count > 0 {
            write!(out, "<li class=\"{tone}\"><span>{name}</span> {count}</li>")
                .expect("a string takes it");
        }
    }
    out.push_str("</ul>\n");
}

fn more(count: usize, what: &str, out: &mut String) {
    if count > 0 {
        writeln!(out, "<p>{count} more {what}.</p>").expect("a string takes it");
    }
}

fn refused(reply: &Reply<'_>, heading: &str, out: &mut String) {
    if reply.refused.is_empty() {
        return;
    }
    let title = "What the policy does not allow";
    writeln!(out, "<{heading}>{title}</{heading}>\n<ul>").expect("a string takes it");
    let lines = LineIndex::new(reply.document.text());
    for refusal in reply.refused.iter().take(LISTED_MAX) {
        let place = lines.position(refusal.span().start);
        let (line, column) = (place.line, place.column);
        let (name, sentence) = (refusal.name(), refusal.sentence());
        let text = format!("line {line}, column {column}: {sentence} ({name})");
        writeln!(out, "<li>{}</li>", escaped(&text)).expect("a string takes it");
    }
    out.push_str("</ul>\n");
    let left_out = reply.refused.len().saturating_sub(LISTED_MAX);
    more(left_out, "are not listed", out);
}

/// Maximum number of entries in a list.
const LISTED_MAX: usize = 200;

/// Writes the marks as a list of links, for screen readers.
fn listed(reply: &Reply<'_>, marks: &[Mark], prefix: &str, out: &mut String) {
    if marks.is_empty() {
        return;
    }
    let count = marks.len();
    let s = if count == 1 { "" } else { "s" };
    writeln!(
        out,
        "<details><summary>{count} mark{s}, one by one</summary>\n<ol>"
    )
    .expect("a string takes it");
    let text = reply.document.text();
    // In one pass, however long a line is.
    let (mut line, mut column, mut at) = (1, 1, 0);
    for (number, mark) in marks.iter().take(LISTED_MAX).enumerate() {
        for character in text[at..mark.span.start].chars() {
            (line, column) = match character {
                '\n' => (line + 1, 1),
                _ => (line, column + 1),
            };
        }
        at = mark.span.start;
        write!(
            out,
            "<li data-l=\"r{number}\"><a href=\"#{prefix}r{number}\">line {line}, column {column}</a>: "
        )
        .expect("a string takes it");
        escape(&mark.about, out);
        out.push_str("</li>\n");
    }
    out.push_str("</ol>\n");
    more(count.saturating_sub(LISTED_MAX), "are not listed", out);
    out.push_str("</details>\n");
}

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
