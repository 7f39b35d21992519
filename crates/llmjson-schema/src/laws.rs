//! Laws of a schema, a value and its violations. Called from tests over many cases and from
//! fuzzing; each panics with its arguments if its law does not hold.

#[cfg(test)]
mod work_search;

pub use crate::annotate_laws::*;
#[cfg(feature = "laws")]
pub use crate::coerce::laws::*;

use jsonschema::{Draft, ValidationError, Validator};
use llmjson_syntax::{Kind, ValueRef};
use serde_json::Value;

use crate::base::undeclared::Undeclared;
use crate::check::fast_check::Findings;
use crate::check::undeclared::Scope;
use crate::coerce::{CoerceOptions, coerce, coerce_closely};
use crate::convert::to_value;
use crate::explain::validate::VERDICT;
use crate::explain::violations::Collector;
use crate::fit::fit;
use crate::schema::Schema;

/// Checks that the walker's verdict equals `jsonschema`'s, if both support the schema in the same
/// way: only the walker knows integer widths, and it compares numbers exactly that `jsonschema`
/// rounds.
///
/// # Panics
///
/// If the law does not hold.
pub fn verdicts_agree(schema: &Schema, value: ValueRef<'_>) {
    let compiled = &*schema.compiled;
    if compiled.keywords().has_widths || holds_inexact_numbers(value) {
        return;
    }
    let judge = compiled.judge.get_or_init(|| schema.to_jsonschema().ok());
    let (Some(judge), Ok(json)) = (judge, to_value(value)) else {
        return;
    };
    // `jsonschema` recurses, so it is not asked about deeply nested values.
    if depth(&json) > 128 {
        return;
    }
    let external = judge.is_valid(&json);
    let root = compiled.shapes.root;
    let work = compiled.account(VERDICT, value);
    let walker = compiled
        .walker(Undeclared::Keep, work)
        .holds(value, root, Scope::Own);
    let remembered = compiled.walker(Undeclared::Keep, work).remembering();
    let remembered = { remembered }.holds(value, root, Scope::Own);
    let schema = compiled.tree.value();
    assert_eq!(
        walker, external,
        "the walker against jsonschema on {value:?} and {schema}"
    );
    assert_eq!(
        remembered, external,
        "remembered verdicts on {value:?} and {schema}"
    );
}

/// Returns a validator of the crate `jsonschema` that asserts formats. Its code is generic and large:
/// a test that builds one itself compiles half a minute longer.
///
/// # Errors
///
/// If `jsonschema` cannot compile the schema.
pub fn judge(schema: &Value, draft: Draft) -> Result<Validator, ValidationError<'static>> {
    let options = jsonschema::options()
        .with_draft(draft)
        .should_validate_formats(true);
    options.build(schema)
}

/// Returns the nesting depth of containers.
fn depth(json: &Value) -> usize {
    let inner = match json {
        Value::Array(items) => items.iter().map(depth).max(),
        Value::Object(members) => members.values().map(depth).max(),
        _ => return 0,
    };
    1 + inner.unwrap_or_default()
}

/// Checks that the closer checks agree with a fast check that is sure that a value fits: the value
/// is valid and, without undeclared members, coercion does not change it.
///
/// # Panics
///
/// If the law does not hold.
pub fn quick_looks_are_right(text: &str, schema: &Schema) {
    let mut document = llmjson_syntax::parse(text);
    let compiled = &*schema.compiled;
    let Some(value) = document.root() else { return };
    let root = value.id();
    let sure = |undeclared| compiled.surely_fits(value, undeclared, &mut Findings::default());
    let fits = sure(Undeclared::Reject);
    let valid = sure(Undeclared::Keep);
    assert!(valid || !fits, "{text:?} fits but is not valid");
    for (sure, undeclared) in [(valid, Undeclared::Keep), (fits, Undeclared::Reject)] {
        let mut walker = compiled.walker(undeclared, compiled.account(VERDICT, value));
        let holds = walker.holds(value, compiled.shapes.root, Scope::Own);
        assert!(holds || !sure, "{text:?} does not hold with {undeclared:?}");
    }
    if fits {
        let (options, findings) = (CoerceOptions::default(), Findings::default());
        let coercions =
            coerce_closely(&mut document, schema, &options, findings, Undeclared::Keep).coercions;
        assert_eq!(coercions, [], "made of {text:?}");
        let now = document.root().map(ValueRef::id);
        assert_eq!(now, Some(root), "{text:?} is left alone");
    }
}

/// Checks that fitting a value equals coercing it and then validating it: shared findings make no
/// difference.
///
/// # Panics
///
/// If the law does not hold.
pub fn fitting_is_both(text: &str, schema: &Schema) {
    let options = CoerceOptions::default();
    for undeclared in [Undeclared::Keep, Undeclared::Reject] {
        let mut fitted = llmjson_syntax::parse(text);
        let (coercions, violations) = fit(&mut fitted, schema, &options, undeclared);
        let mut document = llmjson_syntax::parse(text);
        let alone = coerce(&mut document, schema, &options);
        assert_eq!(coercions, alone, "{text:?} with {undeclared:?}");
        assert_eq!(fitted.to_json(), document.to_json(), "{text:?}");
        let Some(value) = document.root() else { return };
        let again = schema.violations(value, undeclared);
        assert_eq!(violations, again, "{text:?} with {undeclared:?}");
        let (findings, mut work) = (Findings::default(), schema.compiled.account(VERDICT, value));
        let holds = (schema.compiled).closer_verdict(value, undeclared, &findings, &mut work);
        assert_eq!(violations.is_empty(), holds, "{text:?} with {undeclared:?}");
    }
}

/// Checks that compiling a schema and fitting a text to it take a bounded number of steps per byte
/// of both, in addition to reading each once.
///
/// # Panics
///
/// If the law does not hold.
pub fn work_is_bounded(text: &str, schema: &Schema) {
    let most = |bytes: usize| 64 * bytes as u64 + 65_536;
    let (json, compiled) = (schema.as_json(), schema.work().spent());
    assert!(compiled <= most(json.len()), "{compiled} steps for {json}");
    let bytes = json.len() + text.len();
    for undeclared in [Undeclared::Keep, Undeclared::Reject] {
        let mut document = llmjson_syntax::parse(text);
        let options = CoerceOptions::default();
        fit(&mut document, schema, &options, undeclared);
        let spent = document.work().spent();
        assert!(
            spent <= most(bytes),
            "{spent} steps for {text:?} with {json}"
        );
    }
}

/// Checks that there are violations exactly if a value is invalid, and that rejecting undeclared
/// members only adds violations. Each has a description, and its path leads to the value it found.
///
/// # Panics
///
/// If the law does not hold.
pub fn violations_say_why(schema: &Schema, value: ValueRef<'_>) {
    let normal = schema.compiled.tree.value();
    let violations = schema.violations(value, Undeclared::Keep);
    let is_valid = schema.is_valid(value);
    assert_eq!(
        violations.is_empty(),
        is_valid,
        "{violations:?} for {value:?} and {normal}"
    );
    if is_valid {
        let (findings, work) = (Findings::default(), schema.compiled.account(VERDICT, value));
        let found = Collector::new(&schema.compiled, Undeclared::Keep, findings, work);
        let (found, _) = found.collect(value);
        assert_eq!(found, [], "for {value:?}, which is valid, and {normal}");
    }
    let strict = schema.violations(value, Undeclared::Reject);
    assert!(
        is_valid || !strict.is_empty(),
        "{value:?} passes when strict only, with {normal}"
    );
    for violation in violations.iter().chain(&strict) {
        assert!(
            !violation.expected.is_empty(),
            "{violation:?} for {value:?} and {normal}"
        );
        let found = violation
            .path
            .steps()
            .iter()
            .try_fold(value, |at, step| match step {
                crate::Step::Member(name) => at.get(name),
                crate::Step::Index(index) => at.item(*index as usize),
            });
        let stated = match violation.found {
            crate::Found::Value(id) => Some(id),
            crate::Found::Missing => None,
        };
        assert_eq!(
            found.map(ValueRef::id),
            stated,
            "{violation:?} for {value:?}"
        );
    }
}

/// Returns whether some number is not told apart from its neighbours, or not usable, as a double.
fn holds_inexact_numbers(value: ValueRef<'_>) -> bool {
    let mut values = vec![value];
    while let Some(value) = values.pop() {
        match value.kind() {
            Kind::Array => values.extend(value.items()),
            Kind::Object => values.extend(value.members().map(|(_, value)| value)),
            Kind::Number => {
                let digits = value.as_number().unwrap_or_default().len();
                let exact = value.as_i64().is_some() || value.as_u64().is_some();
                let usable = value.as_f64().is_some_and(|number| number != 0.0 || exact);
                if !usable || (digits > 16 && !exact) {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}
