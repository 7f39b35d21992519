//! Single scalars, bare or after a label, and arrays of scalars line by line.

use llmjson_syntax::Kind;

use super::key::{bullet, label, without_marks};
use super::region::Line;
use super::scalars::{self, trimmed};
use super::tree::{Part, Value};
use super::{Found, Source, shaped};

/// The languages of fences that contain answers.
pub(super) const LANGUAGES: &str = "markdown md yaml yml json";

/// Labels that people and models put before an answer.
const LABELS: &str = "answer category choice class classification conclusion confidence count \
    decision diagnosis evaluation final_answer final_result final_score grade intent label language \
    mood number option output prediction priority rating response result score selected selection \
    sentiment severity status tag the_answer tone topic total type value verdict";

/// Labels of lists.
const LIST_LABELS: &str = "answers categories colors colours entities items keywords labels \
    languages list names numbers options results tags topics values words";

/// Reads a scalar at the root: the last line of the reply, with a label or without.
pub(super) fn read(source: &Source<'_, '_>) -> Option<Found> {
    let (text, places, region) = source.parts();
    let scalar = [Kind::Number, Kind::Bool, Kind::String, Kind::Null];
    let wants = |kinds: &[Kind]| kinds.iter().any(|kind| places.root.takes(*kind));
    if wants(&[Kind::Object, Kind::Array]) || !wants(&scalar) {
        return None;
    }
    let (last, first) = (region.filled().next_back()?, region.filled().next()?);
    let alone = region.filled().count() == 1;
    // Below the last label.
    let below = region.filled().rev().nth(1).filter(|line| {
        let head = text[line.at..line.end].trim_matches(['#', '*', ':', ' ']);
        labels(source, head, LABELS)
    });
    let marked = |line: &Line| {
        let content = line.at..line.end;
        without_marks(text, content.clone()) != content && !places.root.takes_any_text()
    };
    // The answer is last, or first before its reasons.
    [last, first].into_iter().find_map(|line| {
        let whole = alone || marked(line) || below.is_some() && line.at == last.at;
        let part = labelled(source, line).or_else(|| whole.then_some(line.at..line.end))?;
        let inner = text[part.clone()].trim_end_matches(['.', '!']);
        let value = scalars::read(text, part.start..part.start + inner.len());
        let sentence = matches!(&value, Value::Plain(part) if text[part.clone()].split_whitespace().count() > 6);
        (!sentence).then(|| shaped(source, value, line.at..line.end, None))
    })
}

/// Returns `true` if a name is one of the labels or the title of the schema.
fn labels(source: &Source<'_, '_>, name: &str, labels: &str) -> bool {
    let name = name.to_lowercase();
    let joined = name.replace(' ', "_");
    labels.split_whitespace().any(|label| label == joined) || source.title == Some(&name)
}

/// Returns the text after a label on a line, or in an element of that name.
fn labelled(source: &Source<'_, '_>, line: &Line) -> Option<Part> {
    let text = source.text;
    let content = line.text(text);
    let element = content
        .strip_prefix('<')
        .and_then(|tag| tag.split_once('>'));
    let (name, rest) = match element {
        Some((name, inner)) => {
            let close = inner
                .rfind("</")
                .filter(|at| inner[at + 2..].starts_with(name))?;
            let start = line.end - inner.len();
            (name, start..start + close)
        }
        None => {
            let length = bullet(content).unwrap_or_default();
            let (name, rest) = label(text, line.at + length..line.end)?;
            (&text[name], rest..line.end)
        }
    };
    let rest = trimmed(text, rest);
    (labels(source, name, LABELS) && !rest.is_empty()).then_some(rest)
}

/// Reads an array of scalars at the root: lines with bullets or numbers, or a label and items on
/// one line.
pub(super) fn items(source: &Source<'_, '_>) -> Option<Found> {
    let (text, places, region) = source.parts();
    let root = places.root;
    if !root.wants_list() || root.is_tuple() || root.item().takes(Kind::Object) {
        return None;
    }
    let filled: Vec<&Line> = region.filled().collect();
    let is_item = |line: &&Line| bullet(line.text(text)).is_some();
    let first = filled.iter().position(is_item);
    let Some(first) = first else {
        let [line] = filled[..] else {
            return None;
        };
        let (name, rest) = label(text, line.at..line.end)?;
        let rest = trimmed(text, rest..line.end);
        return (labels(source, &text[name], LIST_LABELS) && !rest.is_empty())
            .then(|| shaped(source, Value::Plain(rest), line.at..line.end, None));
    };
    let items = &filled[first..];
    // A line that introduces the list may precede it, and nothing may follow it.
    let announced =
        first == 0 || first == 1 && filled[0].text(text).trim_end_matches('*').ends_with(':');
    if !announced
        || !items.iter().all(is_item)
        || items.iter().any(|line| line.column != items[0].column)
    {
        return None;
    }
    let mut found = items.iter().map(|line| {
        let length = bullet(line.text(text)).unwrap_or_default();
        scalars::read(text, line.at + length..line.end)
    });
    let value = Value::List(found.by_ref().collect());
    let span = items.first()?.at..items.last()?.end;
    Some(Found {
        value,
        span,
        doubtful: false,
        unknown: 0,
        notation: None,
    })
}
