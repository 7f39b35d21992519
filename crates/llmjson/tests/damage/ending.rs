//! The text breaks off: after any character, the value keeps all that is settled.

use crate::draft::{Draft, Kind};
use llmjson_testutil::Rng;

/// Cuts the text inside or behind any token. What is left means: texts as far as they go without
/// half an escape, keywords in full, numbers as far as they are numbers; a name without a value is
/// dropped. At least one member or item stays.
pub(crate) fn cut(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let whole = draft.tokens.len() - 1;
    let first = (0..whole).find(|&at| draft.tokens[at].is_scalar())?;
    if first + 1 >= whole {
        return None;
    }
    let at = rng.between(first + 1, whole - 1);
    let token = &draft.tokens[at];
    if token.touched || token.raw.is_empty() {
        return None;
    }
    let ends: Vec<usize> = token
        .raw
        .char_indices()
        .map(|(at, c)| at + c.len_utf8())
        .collect();
    let raw = token.raw[..rng.pick(&ends)].to_owned();
    let (kind, meant) = match token.kind {
        Kind::Text => (Kind::Text, decoded(&raw)),
        Kind::Key => (Kind::Noise, String::new()),
        Kind::Number => match number(&raw) {
            Some(number) => (Kind::Number, number),
            None => (Kind::Noise, String::new()),
        },
        kind => (kind, token.meant.clone()),
    };
    draft.tokens.truncate(at + 1);
    draft.replace(at, kind, &raw, &meant);
    draft.complete = Some(false);
    Some(())
}

/// The longest beginning that is a number.
fn number(raw: &str) -> Option<String> {
    let numeric = |end: &usize| serde_json::from_str::<f64>(&raw[..*end]).is_ok();
    (1..=raw.len())
        .rev()
        .find(numeric)
        .map(|end| raw[..end].to_owned())
}

/// What a string means as far as it goes; half an escape or surrogate pair at its end is dropped.
fn decoded(raw: &str) -> String {
    let inside = &raw[1..];
    (0..=inside.len())
        .rev()
        .filter(|&end| inside.is_char_boundary(end))
        .find_map(|end| {
            let part = &inside[..end];
            let closed = (end == inside.len()).then(|| serde_json::from_str::<String>(raw).ok());
            closed
                .flatten()
                .or_else(|| serde_json::from_str(&format!("\"{part}\"")).ok())
        })
        .unwrap_or_default()
}
