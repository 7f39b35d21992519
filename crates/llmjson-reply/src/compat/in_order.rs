//! The candidates of the preset [`conservative`](crate::Policy::conservative), in order: the whole
//! reply, the reply without its fence, a truncated reply if that is enabled, and then each balanced
//! region outside of reasoning.

use std::ops::Range;

use llmjson_schema::Schema;
use llmjson_syntax::internal::zones::thoughts;
use llmjson_syntax::{Class, Document, Kind, LimitReached, Parser, Span, ValueRef};

use crate::compat::conservative::{clean_span, regions};
use crate::policy::{Found, Policy};
use crate::reply::Fitted;

/// Reads a reply and coerces its value. Returns `None` if it contains no strict JSON.
pub(crate) fn find<'t>(
    text: &'t str,
    schema: Option<&Schema>,
    policy: &Policy,
) -> Option<Found<'t>> {
    search(text, schema, policy).map(|fitted| Found {
        document: fitted.document,
        fit: (fitted.coercions, fitted.violations),
        refused: fitted.refused,
    })
}

fn search<'t>(text: &'t str, schema: Option<&Schema>, policy: &Policy) -> Option<Fitted<'t>> {
    let limits = policy.limits();
    if text.len() > limits.input_bytes as usize {
        let (size, limit) = (text.len(), limits.input_bytes);
        let document = Document::beyond(text, LimitReached::InputBytes { size, limit });
        return Some(Fitted::of(document, schema, policy));
    }
    let mut parser = Parser::new().with_limits(limits);
    let whole = 0..text.len();
    let document = parser.parse_part(text, whole.clone());
    if document.root().is_some() || document.limit().is_some() {
        return Some(Fitted::of(document, schema, policy));
    }
    let inner = clean_span(text);
    if inner != whole {
        let document = parser.parse_part(text, inner.clone());
        if document.root().is_some() {
            return Some(Fitted::of(document, schema, policy));
        }
    }
    if policy.recovers_strings() {
        // White space at the very end may belong to the string; a closing fence does not.
        let open = text[inner.end..].trim().is_empty();
        let end = if open { whole.end } else { inner.end };
        let document = parser.parse_cut(text, inner.start..end);
        if document.root().is_some() {
            return Some(Fitted::of(document, schema, &policy.for_recovered()));
        }
    }
    first_region(&mut parser, text, schema, policy)
}

/// The maximum number of bytes in strict JSON regions that are checked against the schema, per byte
/// of the text, in addition to [`BYTES`]. Each of several nested regions may be as long as the
/// text: without a limit the time would be quadratic.
const BYTES_PER_BYTE: usize = 4;
const BYTES: usize = 12 << 10;

/// Returns the first region that is strict JSON and conforms, unless an object after it is
/// truncated. If none does, the violations of the last object tried are the most informative, even
/// if there are more regions than may be tried.
fn first_region<'t>(
    parser: &mut Parser,
    text: &'t str,
    schema: Option<&Schema>,
    policy: &Policy,
) -> Option<Fitted<'t>> {
    let limit = policy.limits().candidates;
    let regions = outside_thoughts(parser, text, regions(text), limit as usize);
    let mut last: Option<Fitted<'t>> = None;
    let mut tried = &regions[..regions.len().min(limit as usize)];
    let mut left = BYTES + BYTES_PER_BYTE * text.len();
    for (at, region) in tried.iter().enumerate() {
        let document = parser.parse_part(text, region.clone());
        let Some(root) = document.root() else {
            continue;
        };
        let is_object = root.kind() == Kind::Object;
        let Some(rest) = left.checked_sub(region.len()) else {
            tried = &tried[..at];
            break;
        };
        left = rest;
        let fitted = Fitted::of(document, schema, policy);
        let wanted = is_object || schema.is_some();
        if wanted && fitted.is_usable() {
            if is_cut_behind(text, region, &regions) {
                return None;
            }
            let mut fitted = fitted;
            record_others(parser, &mut fitted, (tried, region), schema, policy);
            return Some(fitted);
        }
        if is_object || (last.is_none() && schema.is_none()) {
            last = Some(fitted);
        }
    }
    if last.is_none() && regions.len() > tried.len() {
        let document = Document::beyond(text, LimitReached::Candidates { limit });
        return Some(Fitted::of(document, schema, policy));
    }
    last
}

/// Returns `true` if an object after a region is truncated by the end of the reply, in which case
/// the region may contain a draft of it.
fn is_cut_behind(text: &str, region: &Range<usize>, regions: &[Range<usize>]) -> bool {
    let openers = text[region.end..].match_indices('{');
    let mut openers = openers.map(|(at, _)| region.end + at);
    openers.any(|at| {
        let begins = text[at + 1..].trim_start().starts_with('"');
        begins
            && regions
                .binary_search_by_key(&at, |other| other.start)
                .is_err()
    })
}

/// Records the objects outside the chosen region: if one of them also conforms, the choice is a
/// guess.
fn record_others<'t>(
    parser: &mut Parser,
    chosen: &mut Fitted<'t>,
    (tried, region): (&[Range<usize>], &Range<usize>),
    schema: Option<&Schema>,
    policy: &Policy,
) {
    let text = chosen.document.borrowed_text().unwrap_or_default();
    let mut seen = 0;
    for other in tried {
        let apart = other.end <= region.start || other.start >= region.end;
        if !apart || other.start < seen {
            continue;
        }
        let document = parser.parse_part(text, other.clone());
        let is_object = |root: ValueRef<'_>| root.kind() == Kind::Object;
        if !document.root().is_some_and(is_object) {
            continue;
        }
        seen = other.end;
        let fitted = Fitted::of(document, schema, policy);
        let class = match fitted.is_usable() {
            true if fitted.to_json() == chosen.to_json() => continue,
            true => Class::Guess,
            false => Class::Likely,
        };
        let span = Span::new(other.start as u32, other.end as u32);
        chosen.document.record_choice(span, class);
    }
    chosen.refused = policy.refusals(&chosen.document);
}

/// Returns the regions that do not begin in a reasoning block, whose content is a draft. A mark
/// inside a strict JSON region is text. The number of regions tested for this is bounded.
fn outside_thoughts(
    parser: &mut Parser,
    text: &str,
    mut regions: Vec<Range<usize>>,
    mut strict_max: usize,
) -> Vec<Range<usize>> {
    let mut begun = regions.iter();
    let mut next = begun.next();
    let value_at = |mark: usize| {
        while let Some(region) = next.take_if(|region| region.start < mark) {
            next = begun.next();
            if region.end > mark && strict_max > 0 {
                strict_max -= 1;
                if parser.parse_part(text, region.clone()).root().is_some() {
                    return Some(region.end);
                }
            }
        }
        None
    };
    let thoughts = thoughts(text, value_at);
    let mut thoughts = thoughts.iter().peekable();
    regions.retain(|region| {
        while thoughts.next_if(|one| one.end <= region.start).is_some() {}
        thoughts.peek().is_none_or(|one| region.start < one.start)
    });
    regions
}
