//! Turns columns of replies of language models into typed Arrow columns, on all cores.
//!
//! [`parse`] reads each text of a column as [`Policy::parse`](llmjson::Policy::parse) does and returns one row for each,
//! in order: the value as the schema types it, and columns that say how it was read. No text is an
//! error: what does not fit is a row whose `ok` is false, with feedback for the model.
//!
//! ```
//! use arrow_array::{Array, StringArray, cast::AsArray, types::Int64Type};
//! use llmjson::Schema;
//! use llmjson_arrow::{Options, parse};
//!
//! let schema = Schema::from_text(
//!     r#"{"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}}"#,
//! )?;
//! let replies = StringArray::from(vec![
//!     Some("Sure: {city: 'Oslo', days: \"3\"}"),
//!     Some(r#"{"city": "Rome", "days": "many"}"#),
//!     None,
//! ]);
//! let rows = parse(&replies, Some(&schema), &Options::default())?;
//! let column = |name| rows.column_by_name(name).expect("the column");
//!
//! let days = column("value").as_struct().column(1).as_primitive::<Int64Type>();
//! assert_eq!(days.iter().collect::<Vec<_>>(), [Some(3), None, None]);
//! let ok: Vec<_> = column("ok").as_boolean().iter().collect();
//! assert_eq!(ok, [Some(true), Some(false), Some(false)]);
//! assert!(column("feedback").as_string::<i32>().value(1).contains("$input.days"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Columns
//!
//! | column | type | |
//! |---|---|---|
//! | `value` | see below | the value; null where `ok` is false, unless [`Output::Json`] is asked for |
//! | `ok` | bool | whether there is a value, it fits the schema and its column, and the policy allows it |
//! | `complete` | bool | whether the text was whole |
//! | `certainty` | utf8 | `certain`, `likely` or `guess`; null without a value |
//! | `repairs` | list of `kind`, `certainty`, `start`, `end` | what was changed to read the text, in bytes of it |
//! | `coercions` | list of `kind`, `certainty`, `path` | what was changed to fit the schema |
//! | `violations` | list of `path`, `expected`, `found` | what still does not fit |
//! | `feedback` | utf8 | the feedback for the model; null where `ok` is true |
//!
//! A null text is a row with `ok` false, empty lists, and null in all other columns. Bytes that are not
//! UTF-8 are a row without a value whose feedback says so.
//!
//! # Types
//!
//! [`fields`] returns the types before any row is read. They depend on the schema alone:
//!
//! | schema | type of `value` |
//! |---|---|
//! | object with `properties` | struct of them, in the order of the schema; members that the schema does not declare are left out |
//! | other objects (maps) | utf8: their JSON text |
//! | array | list; of tuples with items of several types, utf8 |
//! | string, enumerated strings | utf8 |
//! | integer | int64; a larger number does not fit its column, and the row says so |
//! | number | float64 |
//! | number or string, as decimals are described, and numbers of the format `decimal` | utf8: the exact digits, or the string |
//! | boolean | bool |
//! | null only | utf8, always null |
//! | a union of objects | struct of the members of all of them |
//! | all other unions, no type, a reference to a subschema that it stands in | utf8: the JSON text |
//!
//! With [`Output::Typed`] more of them are types of Arrow's own:
//!
//! | schema | type of `value` |
//! |---|---|
//! | string of the format `date` | date32 |
//! | of the format `time` | time64 in microseconds, as the clock reads; an offset other than zero does not fit |
//! | of the format `date-time` | timestamp in microseconds, of UTC |
//! | of the format `uuid` | 16 bytes, with the extension `arrow.uuid` |
//! | enumerated strings | dictionary of them |
//! | numbers and strings of the format `decimal`, or of the pattern by which pydantic describes decimals | decimal128, 38 digits, 9 of them after the point |
//!
//! What such a column cannot hold (more places of a decimal, a moment without an offset) does not fit, and the row says
//! so: nothing is rounded.
//!
//! Null is allowed everywhere: for null, for a member that is missing, and for JSON text that would be
//! `null` within the value. There are no Arrow maps and unions in the result, because not all engines read
//! them. With [`Output::Json`], and without a schema, `value` is the JSON text of the best reading, with all
//! its members, also where `ok` is false.
//!
//! # Limits
//!
//! A column of text holds at most 2 GiB: see [`Error::TooLong`]. What nests deeper than 64 levels in the
//! schema, and what comes after 20,000 subschemas, is JSON text.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod column;
mod error;
mod list_column;
mod merge;
mod misfit;
mod moment;
mod native_column;
mod offsets;
mod options;
#[cfg(feature = "parquet")]
#[cfg_attr(docsrs, doc(cfg(feature = "parquet")))]
pub mod parquet;
mod part;
mod pieces;
mod records;
mod rows;
mod scalar_column;
mod struct_column;
mod text_column;
mod texts;
mod threads;
mod value_type;

use arrow_array::{Array, RecordBatch, StructArray};
use arrow_schema::Fields;
use llmjson::Schema;

pub use error::Error;
pub use options::{Options, Output};

use merge::merge;
use rows::RowReader;
use texts::Texts;
use threads::on_threads;
use value_type::ValueType;

/// Reads each text of a column and returns one row for each, in order: see the
/// [columns](crate#columns).
///
/// Takes texts and bytes (`Utf8`, `LargeUtf8`, `Utf8View`, `Binary`, `LargeBinary`, `BinaryView`),
/// dictionaries of them, and columns of nulls. Works on all cores unless the options say otherwise,
/// with threads that end before it returns.
///
/// # Errors
///
/// If the column is of another type, the result is too long for its columns, or it was
/// [cancelled](Options::with_cancel).
///
/// ```
/// use arrow_array::{Int64Array, cast::AsArray};
/// use llmjson_arrow::{Error, Options, Output, parse};
///
/// let replies = arrow_array::StringArray::from(vec!["{a: [1, 2"]);
/// let rows = parse(&replies, None, &Options::default().with_output(Output::Json))?;
/// assert_eq!(rows.column(0).as_string::<i32>().value(0), r#"{"a":[1,2]}"#);
///
/// let error = parse(&Int64Array::from(vec![1]), None, &Options::default()).unwrap_err();
/// assert_eq!(error.to_string(), "replies are texts or bytes, and not of the type Int64");
/// # Ok::<(), Error>(())
/// ```
pub fn parse(
    column: &dyn Array,
    schema: Option<&Schema>,
    options: &Options,
) -> Result<StructArray, Error> {
    let texts = Texts::of(column)?;
    let value_type = ValueType::of(schema, options.output);
    let threads = options.thread_count();
    let pieces = pieces::split(&texts, threads);
    let threads = threads.min(pieces.len());
    // A schema is worth compiling again for a thread that reads much more than that takes.
    let is_long = |schema: &Schema| texts.total() / 200 > schema.as_json().len();
    let unshared = || match schema {
        Some(schema) if is_long(schema) => Some(schema.unshared()),
        other => other.cloned(),
    };
    let schemas = (schema.cloned(), unshared);
    let rows = on_threads(threads, pieces, schemas, |schema, piece| {
        RowReader::new(schema.as_ref(), options, &value_type).read(&texts, piece)
    })?;
    merge(rows, result_fields(&value_type), threads)
}

/// Returns what [`parse`] returns as a batch.
///
/// # Errors
///
/// As [`parse`].
///
/// ```
/// use llmjson_arrow::{Options, parse_batch};
///
/// let replies = arrow_array::StringArray::from(vec!["[1]", "[2]"]);
/// let batch = parse_batch(&replies, None, &Options::default())?;
/// assert_eq!((batch.num_rows(), batch.num_columns()), (2, 8));
/// # Ok::<(), llmjson_arrow::Error>(())
/// ```
pub fn parse_batch(
    column: &dyn Array,
    schema: Option<&Schema>,
    options: &Options,
) -> Result<RecordBatch, Error> {
    parse(column, schema, options).map(RecordBatch::from)
}

/// Returns the names and types of the columns that [`parse`] returns: see the [types](crate#types).
///
/// ```
/// use arrow_schema::DataType;
/// use llmjson::Schema;
/// use llmjson_arrow::{Output, fields};
///
/// let schema = Schema::from_text(r#"{"type": "array", "items": {"type": "number"}}"#)?;
/// let value = |output| fields(Some(&schema), output)[0].data_type().clone();
/// assert_eq!(value(Output::Struct).to_string(), "List(Float64)");
/// assert_eq!(value(Output::Json), DataType::Utf8);
/// # Ok::<(), llmjson::SchemaError>(())
/// ```
#[must_use]
pub fn fields(schema: Option<&Schema>, output: Output) -> Fields {
    result_fields(&ValueType::of(schema, output))
}

fn result_fields(value_type: &ValueType) -> Fields {
    rows::fields(value_type)
}

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
