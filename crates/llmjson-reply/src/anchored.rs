//! Values in notations other than JSON, for replies without JSON that satisfies the schema.
//!
//! The keys of the schema are anchors, and the text around them shows the notation. Scalars and
//! items without keys, tags of calls and HTML are read beside it. A result counts only if the value
//! satisfies the schema. Scalars are coerced from their spelling.

mod anchors;
mod delimiters;
mod html;
mod induced;
mod items;
mod key;
#[cfg(feature = "laws")]
pub(crate) mod laws;
mod place;
mod region;
mod rows;
mod scalar;
mod scalars;
mod shape;
mod tagged;
mod tree;
mod values;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::cmp::Reverse;
use std::ops::Range;
use std::rc::Rc;

use llmjson_schema::Schema;
use llmjson_syntax::internal::Builder;
use llmjson_syntax::internal::zones::thoughts;
use llmjson_syntax::{Class, Document, Kind, Notation, Truncation, ValueRef, Work};

use anchors::Anchor;
use place::Places;
use region::{Region, regions};
use tree::{Part, Value, span};

/// Maximum depth of containers.
const DEPTH: usize = 32;

/// The share of its part of the reply that a result explains; more is better.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    unknown_names: Reverse<usize>,
    scalars: usize,
    bytes: usize,
}

/// The text, the schema and the part of a reply passed to a reader.
struct Source<'r, 's> {
    text: &'r str,
    places: &'r Places<'s>,
    region: &'r Region,
    /// The keys in the region.
    anchors: &'r OnceCell<Rc<Vec<Anchor>>>,
    /// The reasoning in the reply.
    thoughts: &'r [Range<usize>],
    /// The title of the schema in lower case.
    title: Option<&'r str>,
    /// The language of the fence is one of the reader's.
    named: bool,
}

impl<'r, 's> Source<'r, 's> {
    fn parts(&self) -> (&'r str, &'r Places<'s>, &'r Region) {
        (self.text, self.places, self.region)
    }
}

/// A value found by a reader.
struct Found {
    value: Value,
    /// The place of the value in the text.
    span: Part,
    /// A choice was made among equally plausible interpretations.
    doubtful: bool,
    /// The number of members that the schema does not have, and that were left out.
    unknown: usize,
    /// The notation, if it is not the one of the reader.
    notation: Option<Notation>,
}

/// A reader: its notation, the fence languages for it, and the function. Text outside fences, and
/// fences whose language leaves the notation open, are also tried.
type Reader = (Notation, &'static str, fn(&Source<'_, '_>) -> Option<Found>);

/// The readers, in the order in which they are tried: if several explain the text equally well, the
/// first is used.
#[rustfmt::skip]
const READERS: &[Reader] = &[
    (Notation::Xml, "html xhtml markdown md", html::read),
    (Notation::Xml, region::LANGUAGES, tagged::read),
    (Notation::Lines, region::LANGUAGES, induced::read),
    (Notation::Items, scalar::LANGUAGES, scalar::items),
    (Notation::Scalar, scalar::LANGUAGES, scalar::read),
];

/// Maximum number of keys that are searched for in JSON.
const NAMES_MAX: usize = 8;

/// Maximum number of steps per byte of a text, including earlier work.
const WORK: u32 = 32;

/// Returns the value of a reply in a notation other than JSON, if it has one. `document` is the
/// result for its JSON, whose work budget is charged. `fit` coerces a value to the schema, and
/// returns it if it then conforms, with the remaining budget.
#[cold]
pub(crate) fn read<'t, F>(
    document: &mut Document<'t>,
    schema: &Schema,
    fit: impl FnMut(Document<'t>) -> (Option<F>, Work),
) -> Option<F> {
    if document.limit().is_some() || document.text().len() >= u32::MAX as usize {
        return None;
    }
    let mut work = document.work();
    work.raise(Work::for_bytes(WORK, document.text().len()));
    let places = Places::of(schema, work);
    let found = best(document, schema, &places, fit);
    *document.work_mut() = places.work();
    found
}

fn best<'t, F>(
    document: &Document<'t>,
    schema: &Schema,
    places: &Places<'_>,
    mut fit: impl FnMut(Document<'t>) -> (Option<F>, Work),
) -> Option<F> {
    let text = document.text();
    let json = named_json(document, places);
    // A value that lacks only its closers is not read as a complete one in another notation.
    if json.is_some() && document.truncation() == Some(Truncation::ClosersOnly) {
        return None;
    }
    let aside = json.as_ref().filter(|json| is_quoted(document, json));
    let title = schema.outline().title().map(str::to_lowercase);
    let thoughts = thoughts(text, |_| None);
    let parts = regions(text, &aside.cloned().unwrap_or_default(), &thoughts);
    let joined = region::joined(text, &parts).filter(|_| places.root.wants_list());
    for region in joined.iter().chain(&parts) {
        let (mut best, anchors): (Option<(Rank, F)>, _) = (None, OnceCell::new());
        for (notation, languages, read) in READERS {
            let source = Source {
                text,
                places,
                region,
                anchors: &anchors,
                thoughts: &thoughts,
                title: title.as_deref(),
                named: region.is(languages),
            };
            let found = (source.named || region.is_open()).then(|| read(&source));
            if places.is_used_up() {
                return None;
            }
            let Some(found) = found.flatten() else {
                continue;
            };
            let (known, unknown) = found.value.count(text, places.root, places);
            let unknown = unknown + found.unknown;
            let rank = Rank {
                unknown_names: Reverse(unknown),
                scalars: found.value.leaves(),
                bytes: found.span.len(),
            };
            if best.as_ref().is_some_and(|(most, _)| *most >= rank) {
                continue;
            }
            // JSON within the value is a part of it.
            let inside =
                |json: &&Range<usize>| json.start > found.span.start && json.end <= found.span.end;
            let json = json.as_ref().filter(|json| !inside(json));
            let Some(class) = class(&source, &found, (known, unknown), json.is_some()) else {
                continue;
            };
            let notation = found.notation.unwrap_or(*notation);
            let mut built = built(document, &found, (notation, class), json);
            *built.work_mut() = places.work();
            let (fitted, work) = fit(built);
            places.set_work(work);
            best = fitted.map(|fitted| (rank, fitted)).or(best);
        }
        if let Some((_, fitted)) = best {
            return Some(fitted);
        }
    }
    None
}

/// Returns `true` if an object has a quoted key: such JSON is not read once more.
fn is_quoted(document: &Document<'_>, json: &Range<usize>) -> bool {
    let part = &document.text()[json.clone()];
    let is_quoted = |name: &str| {
        ['"', '\'']
            .iter()
            .any(|quote| part.contains(&format!("{quote}{name}{quote}")))
    };
    let objects = document.root().into_iter();
    let objects = objects.flat_map(|root| [root].into_iter().chain(root.items()));
    let names = objects.flat_map(|one| one.members().map(|(name, _)| name));
    names.take(NAMES_MAX).any(|name| is_quoted(&name))
}

/// Returns the place of an object, or of an array of objects, that has one of the schema's keys.
fn named_json(document: &Document<'_>, places: &Places<'_>) -> Option<Range<usize>> {
    let root = document.root()?;
    let named = |value: ValueRef<'_>| {
        let mut names = value.members().map(|(name, _)| name);
        let roots = [places.root, places.root.item()];
        let has = |name: &str| roots.iter().any(|root| places.find(*root, name).is_some());
        value.kind() == Kind::Object && names.any(|name| has(&name))
    };
    let is_named = named(root) || root.items().any(named);
    let span = document.span_read().filter(|_| is_named)?;
    Some(span.range())
}

/// Returns the class of a value, or `None` if it is rejected.
fn class(
    source: &Source<'_, '_>,
    found: &Found,
    (known, unknown): (usize, usize),
    has_json: bool,
) -> Option<Class> {
    let has_names = matches!(found.value, Value::Object(_)) || known + unknown > 0;
    let is_empty = known == 0 && found.value.leaves() == 0;
    if is_empty || has_names && (known == 0 || unknown >= known) {
        return None;
    }
    let around = Around::of(source, &found.span);
    let lonely = known < 2 && has_names;
    // `name=value` by itself may be a line of any program.
    let part = &source.text[found.span.clone()];
    let is_assignment = part.contains('=') && !part.contains(':') && !part.starts_with('<');
    if lonely
        && (found.value.leaves() == 0 || is_assignment || !(around.is_blank || around.is_last))
    {
        return None;
    }
    // The rest of the data are items of the array, too.
    if around.holds_data && source.places.root.wants_list() {
        return None;
    }
    let sure = !(has_json || found.doubtful || around.holds_data || unknown > 0);
    let sure = sure && (known >= 2 || around.is_blank);
    Some(if sure { Class::Likely } else { Class::Guess })
}

/// The text around a value in the reply.
struct Around {
    /// `true` if it consists only of fences and reasoning.
    is_blank: bool,
    /// `true` if the reply ends after the value.
    is_last: bool,
    /// Lines that look like data.
    holds_data: bool,
}

impl Around {
    fn of(source: &Source<'_, '_>, span: &Part) -> Self {
        let Source { text, places, .. } = source;
        let mut around = Self {
            is_blank: true,
            is_last: true,
            holds_data: false,
        };
        places.charge(text.len());
        if text[..span.start].trim().is_empty() && text[span.end..].trim().is_empty() {
            return around;
        }
        for region in regions(text, span, source.thoughts) {
            for line in region.lines.iter().filter(|line| !line.is_blank()) {
                let content = line.text(text);
                if content.chars().all(|c| "-=*_#.{}[]()".contains(c)) {
                    continue;
                }
                around.is_blank = false;
                around.is_last &= line.at < span.start;
                around.holds_data |= content.starts_with('|');
            }
            let data = |one: &Anchor| {
                let line = || text[one.end..].lines().next().unwrap_or_default();
                one.leads()
                    && one.sign.starts_with(['=', ':', '-', '>', '~'])
                    && line().contains(char::is_alphanumeric)
            };
            around.holds_data |= anchors::anchors(text, &region.lines, places)
                .iter()
                .any(data);
        }
        around
    }
}

/// Builds the document of a value that was found.
fn built<'t>(
    read: &Document<'t>,
    found: &Found,
    (notation, class): (Notation, Class),
    json: Option<&Range<usize>>,
) -> Document<'t> {
    let text = match read.borrowed_text() {
        Some(text) => Cow::Borrowed(text),
        None => Cow::Owned(read.text().to_owned()),
    };
    let (start, end) = (found.span.start, found.span.end);
    let reply = read.text();
    let mut builder = Builder::over(text);
    let around = |part: Part, builder: &mut Builder<'_>| {
        let part = scalars::trimmed(reply, part);
        if !part.is_empty() {
            builder.record_surrounding(span(&part));
        }
    };
    around(0..start, &mut builder);
    builder.record_notation(notation, class, span(&found.span));
    found.value.put(reply, &mut builder);
    around(end..reply.len(), &mut builder);
    let mut document = builder.finish();
    if let Some(json) = json {
        document.record_choice(span(json), Class::Guess);
    }
    document
}

/// Returns the normal form of a value for its place: see [`shape`].
fn shaped(source: &Source<'_, '_>, value: Value, span: Part, notation: Option<Notation>) -> Found {
    let mut shaper = shape::Shaper {
        text: source.text,
        places: source.places,
        doubtful: false,
        digits_for_truth: notation == Some(Notation::PrintR),
    };
    let value = shaper.shape(value, source.places.root);
    Found {
        value,
        span,
        doubtful: shaper.doubtful,
        unknown: 0,
        notation,
    }
}
