//! Coercion: fits a document's value to a schema without losing or inventing data.
//!
//! One walk over value and shape together. A conforming value is never touched; any other value is
//! changed only if the result has the type, and is one of the constants, that the schema requires
//! there. Kinds of change are tried in the order of [`CoercionKind`]. A value that none of them can
//! correct stays unchanged, and validation reports it.
//!
//! The walk has an explicit stack, so depth costs memory but no call stack. Inside unions, each
//! value is walked once per branch that may accept it, and results are memoized so that nested
//! unions do not multiply. Text inside strings is parsed once.
//!
//! - `rules`: the table of all coercions
//! - `walk`: the stack of frames, and the rule for each value; `state`: the values that wait on the
//!   stack
//! - `waits`: when a stream must wait, by the same table
//! - `scalar`: converting scalars; `forms`: values as people write them
//! - `conversions`: values of the wrong type: JSON in strings, wrapping and unwrapping
//! - `layout`: the same data in another layout
//! - `object`, `member_scan`, `array`: members and items; `fill`: defaults; `envelope`: removing
//!   envelopes
//! - `union`: the intended branch
//! - `trim`: dropping undeclared members afterwards; `invalid`: dropping nonconforming values;
//!   `cut`: removing places from a value
//! - `memo`: memoized results; `log`: the record of changes

mod array;
pub(crate) mod conversions;
mod cut;
pub(crate) mod envelope;
mod fill;
mod forms;
pub(crate) mod invalid;
mod item;
#[cfg(any(test, feature = "laws"))]
pub(crate) mod laws;
pub(crate) mod layout;
mod log;
pub(crate) mod measured;
mod member_scan;
mod memo;
mod object;
mod options;
mod outcome;
pub(crate) mod rules;
mod scalar;
mod state;
#[cfg(test)]
mod tests;
mod trim;
mod union;
pub(crate) mod waits;
mod walk;

use llmjson_syntax::{Document, NodeId, Work};
use smallvec::SmallVec;

use log::{add_up_to, capped};
pub use options::CoerceOptions;
use state::{Call, Coercer, Walked};

use crate::base::hash::NumberSet;
use crate::base::report::{Coercion, CoercionKind};
use crate::base::undeclared::Undeclared;
use crate::check::fast_check::Findings;
use crate::ir::shape::ShapeId;
use crate::schema::Schema;

/// Coerces a document's value to a schema as far as possible without loss, and returns the changes
/// in the order of the value.
///
/// A conforming value keeps its nodes, and coercing twice changes nothing the second time. The old
/// nodes stay in the document, so each [`Coercion`] can show the previous value. A document without
/// a value is unchanged.
///
/// At most the number of records set in [`CoerceOptions`] is written; a last one of kind
/// [`CoercionKind::RecordsCapped`] then stands for the rest.
///
/// # Examples
///
/// ```
/// use llmjson_schema::{CoerceOptions, Schema, coerce};
///
/// let schema = Schema::compile(&serde_json::json!({
///     "type": "object",
///     "properties": {
///         "tags": {"type": "array", "items": {"type": "string"}},
///         "phoneNumber": {"type": "string"},
///         "count": {"type": "integer"}
///     }
/// }))?;
/// let text = r#"{"tags": "new", "phone_number": 13120057004, "count": "42"}"#;
/// let mut document = llmjson_syntax::parse(text);
/// let coercions = coerce(&mut document, &schema, &CoerceOptions::default());
/// assert_eq!(
///     document.to_json().as_deref(),
///     Some(r#"{"tags":["new"],"phoneNumber":"13120057004","count":42}"#)
/// );
/// let kinds: Vec<_> = coercions.iter().map(|coercion| coercion.kind.name()).collect();
/// assert_eq!(kinds, ["wrap_in_array", "key_spelling", "number_to_text", "text_to_number"]);
/// # Ok::<(), llmjson_schema::SchemaError>(())
/// ```
pub fn coerce(
    document: &mut Document<'_>,
    schema: &Schema,
    options: &CoerceOptions,
) -> Vec<Coercion> {
    let compiled = &schema.compiled;
    let mut findings = Findings::default();
    let mut fits = |root| compiled.surely_fits(root, Undeclared::Reject, &mut findings);
    match document.root() {
        Some(root) if options.changes_fitting() || !fits(root) => {}
        _ => return Vec::new(),
    }
    coerce_closely(document, schema, options, findings, Undeclared::Keep).coercions
}

/// Coerces a document's value to one of the schema's shapes, without a record. `work` is the shared
/// budget for all these parts of one text.
pub(crate) fn coerce_part(
    document: &mut Document<'_>,
    schema: &Schema,
    options: &CoerceOptions,
    shape: ShapeId,
    work: &mut Work,
) {
    let Some(root) = document.root().map(|root| root.id()) else {
        return;
    };
    let compiled = &*schema.compiled;
    let flags = if shape == compiled.shapes.root {
        Call::ROOT
    } else {
        0
    };
    *document.work_mut() = *work;
    let coercer = Coercer::new(document.edit(), compiled, options, Findings::default());
    let node = coercer.run_part(root, shape, flags).outcome.node;
    document.edit().set_root(node);
    *work = document.work();
}

/// The result of coercing a value.
#[derive(Default)]
pub(crate) struct Coerced {
    pub(crate) coercions: Vec<Coercion>,
    /// `true` if the value is known to satisfy the schema.
    pub(crate) is_valid: bool,
    /// `true` if it is also known to contain no undeclared members, if that was checked.
    pub(crate) is_declared: bool,
    /// The containers known to checks that allow undeclared members.
    pub(crate) findings: Findings,
}

/// Coerces a value that a fast check could not settle; `findings` are the results of that check,
/// and `undeclared` is the view of undeclared members after coercion.
pub(crate) fn coerce_closely(
    document: &mut Document<'_>,
    schema: &Schema,
    options: &CoerceOptions,
    findings: Findings,
    undeclared: Undeclared,
) -> Coerced {
    let Some(root) = document.root().map(|root| root.id()) else {
        return Coerced::default();
    };
    let limit = options.limits.records as usize;
    let mut coerced = walk(document, schema, options, (root, findings), undeclared);
    if options.allows(CoercionKind::DropUndeclared) {
        let before = document.root().map(|root| root.id());
        let dropped = trim::drop_undeclared(document, schema);
        let after = document.root().map(|root| root.id());
        add_up_to(limit, &mut coerced.coercions, dropped, before.zip(after));
        coerced.is_valid &= before == after;
        coerced.is_declared &= before == after;
    }
    coerced
}

fn walk(
    document: &mut Document<'_>,
    schema: &Schema,
    options: &CoerceOptions,
    (root, findings): (NodeId, Findings),
    undeclared: Undeclared,
) -> Coerced {
    let compiled = &*schema.compiled;
    let coercer = Coercer::new(document.edit(), compiled, options, findings);
    let mut walked = coercer.run_part(root, compiled.shapes.root, Call::ROOT);
    let node = walked.outcome.node;
    walked.editor.set_root(node);
    let mut findings = std::mem::take(&mut walked.findings).welcoming();
    // A walk that ignores patterns, formats and rare keywords may make a valid value invalid: then
    // the original is better.
    let document = walked.editor.document();
    // Most changed values now fit in every respect, so that is checked first.
    let mut work = document.work();
    let is_declared = node != root && undeclared == Undeclared::Reject && {
        let mut findings = Findings::default();
        compiled.verdict(document.node(node), undeclared, &mut findings, &mut work)
    };
    let mut valid = |id| {
        let (value, undeclared) = (document.node(id), Undeclared::Keep);
        compiled.verdict(value, undeclared, &mut findings, &mut work)
    };
    let is_valid = is_declared || (node != root && valid(node));
    let was_better = node != root && !is_valid && valid(root);
    *walked.editor.work_mut() = work;
    if was_better {
        walked.editor.set_root(root);
        return Coerced {
            is_valid: true,
            ..Coerced::default()
        };
    }
    let Walked {
        mut editor,
        outcome,
        log,
        joined,
        ..
    } = walked;
    let limit = options.limits.records as usize;
    let (mut coercions, all) = log.write(editor.document(), outcome.changes, limit);
    if !all {
        coercions.push(capped(root, node));
    }
    if !joined.is_empty() {
        let repeated = (coercions.iter()).filter(|one| one.kind == CoercionKind::RepeatedKey);
        let last: NumberSet<NodeId> = repeated.map(|one| one.before).collect();
        let is_joined = |all: &SmallVec<_>| all.last().is_some_and(|one| last.contains(one));
        let counted = joined.into_iter().filter(is_joined).flatten();
        editor.count_repeated(&counted.collect::<Vec<_>>());
    }
    Coerced {
        coercions,
        is_valid,
        is_declared,
        findings,
    }
}
