//! Values that fit their schema and not their column. The schema allows more than the column can
//! hold: integers of any size, and values of any type where it names none.

use llmjson::report::{Found, Path, Violation};
use llmjson::syntax::cursor::Source;
use llmjson::syntax::{Kind, ValueRef};

use crate::column::Column;
use crate::value_type::ValueType;

/// The name that violations give instead of a keyword of the schema.
const KEYWORD: &str = "column_type";

/// Returns the parts of a value that its column cannot hold, as violations.
pub(crate) fn misfits(root: ValueRef<'_>, value_type: &ValueType) -> Vec<Violation> {
    let mut found = Vec::new();
    collect(root, value_type, &Path::root(), &mut found);
    found
}

/// Collects them, as deep as the type goes.
fn collect(value: ValueRef<'_>, value_type: &ValueType, path: &Path, found: &mut Vec<Violation>) {
    let (expected, description) = match (value_type, value.kind()) {
        (_, Kind::Null)
        | (ValueType::Any | ValueType::OpenObject | ValueType::Mixed, _)
        | (ValueType::Bool, Kind::Bool)
        | (ValueType::Text | ValueType::Exact, Kind::String)
        | (ValueType::Exact, Kind::Number) => return,
        (ValueType::Int, Kind::Number) if value.as_i64().is_some() => return,
        (ValueType::Float, Kind::Number) if value.as_f64().is_some() => return,
        (of, Kind::String | Kind::Number) if holds(of, value) => return,
        (ValueType::List(items), Kind::Array) => {
            for (at, item) in (0..).zip(value.items()) {
                collect(item, items, &path.index(at), found);
            }
            return;
        }
        (ValueType::Struct(members), Kind::Object) => {
            for (name, member) in value.members() {
                if let Some((_, of)) = members.iter().find(|(known, _)| **known == *name) {
                    collect(member, of, &path.member(&name), found);
                }
            }
            return;
        }
        (ValueType::Int, _) => (
            "number & Type<\"int64\">",
            Some("the column holds integers of 64 bits"),
        ),
        (ValueType::Float, _) => (
            "number",
            Some("the column holds numbers of double precision"),
        ),
        (ValueType::Moment, Kind::String) => (
            "string & Format<\"date-time\">",
            Some("the column holds moments with an offset, to the microsecond"),
        ),
        (ValueType::Time, Kind::String) => (
            "string & Format<\"time\">",
            Some("the column holds times without an offset, to the microsecond"),
        ),
        (ValueType::Decimal, Kind::Number | Kind::String) => (
            "number",
            Some("the column holds decimals of 38 digits, 9 of them after the point"),
        ),
        (other, _) => (expected(other), None),
    };
    let value = Found::Value(value.id());
    let violation = Violation::new(path.clone(), KEYWORD, expected, value);
    found.push(match description {
        Some(description) => violation.with_description(description),
        None => violation,
    });
}

/// Returns `true` if a column of Arrow's own types holds a text or a number.
fn holds(value_type: &ValueType, value: ValueRef<'_>) -> bool {
    let source = Source::of(value);
    let mut column = match value_type {
        ValueType::Date
        | ValueType::Time
        | ValueType::Moment
        | ValueType::Decimal
        | ValueType::Uuid
        | ValueType::Enum(_) => Column::of(value_type),
        _ => return false,
    };
    column.push(&source.entry()).is_ok()
}

/// Returns the values that a column holds, in typia's notation.
fn expected(value_type: &ValueType) -> &'static str {
    match value_type {
        ValueType::Nothing => "null",
        ValueType::Bool => "boolean",
        ValueType::Int | ValueType::Float => "number",
        ValueType::Text | ValueType::Enum(_) => "string",
        ValueType::Date => "string & Format<\"date\">",
        ValueType::Time => "string & Format<\"time\">",
        ValueType::Moment => "string & Format<\"date-time\">",
        ValueType::Uuid => "string & Format<\"uuid\">",
        ValueType::Exact | ValueType::Decimal => "(number | string)",
        ValueType::List(_) => "Array<any>",
        ValueType::Struct(_) | ValueType::OpenObject => "object",
        ValueType::Any | ValueType::Mixed => "any",
    }
}
