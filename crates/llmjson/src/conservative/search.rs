//! What in a reply is read: the whole, the whole without its fence, a reply that broke off if that
//! is wanted, and else the balanced regions one after the other.

use llmjson_schema::Schema;
use llmjson_syntax::{Document, Kind, LimitReached, Parser};

use super::clean::clean_span;
use super::recovery::recover_part;
use super::regions::regions;
use crate::fitted::Fitted;
use crate::policy::Policy;

/// Reads a reply and makes its value fit. `None` if there is no strict JSON in it.
pub(crate) fn search<'t>(
    text: &'t str,
    schema: Option<&Schema>,
    policy: &Policy,
) -> Option<Fitted<'t>> {
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
    if policy.recovers_truncated_strings() {
        // White space at the very end may belong to the string; a closing fence does not.
        let open = text[inner.end..].trim().is_empty();
        let end = if open { whole.end } else { inner.end };
        if let Some(document) = recover_part(&mut parser, text, inner.start..end) {
            return Some(Fitted::of(document, schema, &policy.for_recovered()));
        }
    }
    first_region(&mut parser, text, schema, policy)
}

/// The first region that is strict JSON and fits. If none does, the last object that was tried
/// shows best what is wrong.
fn first_region<'t>(
    parser: &mut Parser,
    text: &'t str,
    schema: Option<&Schema>,
    policy: &Policy,
) -> Option<Fitted<'t>> {
    let limit = policy.limits().candidates;
    let regions = regions(text);
    let mut last: Option<Fitted<'t>> = None;
    for region in regions.iter().take(limit as usize) {
        let document = parser.parse_part(text, region.clone());
        let Some(root) = document.root() else {
            continue;
        };
        let is_object = root.kind() == Kind::Object;
        let fitted = Fitted::of(document, schema, policy);
        let wanted = is_object || schema.is_some();
        if wanted && fitted.is_usable() {
            return Some(fitted);
        }
        if is_object || (last.is_none() && schema.is_none()) {
            last = Some(fitted);
        }
    }
    if regions.len() > limit as usize {
        let document = Document::beyond(text, LimitReached::Candidates { limit });
        return Some(Fitted::of(document, schema, policy));
    }
    last
}
