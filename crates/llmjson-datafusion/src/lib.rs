//! A scalar function for DataFusion that parses replies of language models into the type that a JSON
//! Schema says.
//!
//! [`parse_udf`] makes the function from a schema. It returns a struct with the members `value`, `ok`,
//! `complete`, `certainty`, `repairs`, `coercions`, `violations` and `feedback`, which the crate
//! [`llmjson_arrow`] describes. No reply fails a query: what does not fit is a row whose `ok` is false.
//!
//! ```
//! use datafusion::prelude::SessionContext;
//! use llmjson::Schema;
//! use llmjson_arrow::Options;
//! use llmjson_datafusion::parse_udf;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let schema = Schema::from_text(
//!     r#"{"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}}"#,
//! )?;
//! let context = SessionContext::new();
//! context.register_udf(parse_udf("llmjson", Some(&schema), Options::default()));
//! let rows = context
//!     .sql(
//!         "SELECT r.value.city AS city, r.value.days + 1 AS days FROM \
//!          (SELECT llmjson(reply) AS r FROM (VALUES ('Sure: {city: ''Oslo'', days: \"3\"}'), ('No.')) \
//!          AS replies(reply)) WHERE r.ok",
//!     )
//!     .await?;
//! let shown = rows.to_string().await?;
//! assert!(shown.contains("| Oslo | 4    |"), "{shown}");
//! # Ok(())
//! # }
//! ```

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

use std::fmt;
use std::hash::{Hash, Hasher};
use std::num::NonZeroUsize;
use std::sync::Arc;

use datafusion_common::arrow::array::{Array, ArrayRef};
use datafusion_common::arrow::datatypes::DataType;
use datafusion_common::utils::take_function_args;
use datafusion_common::{DataFusionError, Result, ScalarValue};
use datafusion_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use llmjson::Schema;
use llmjson_arrow::{Options, fields, parse};

/// The types of columns that hold replies. Others are cast to one of them if they can be.
const TEXTS: [DataType; 6] = [
    DataType::Utf8View,
    DataType::Utf8,
    DataType::LargeUtf8,
    DataType::BinaryView,
    DataType::Binary,
    DataType::LargeBinary,
];

/// Returns a function of that name, which parses a text and returns a struct: the value in the type
/// that follows from the schema, or as JSON text without one, and how it was read.
///
/// The function uses one thread for each call unless the options say otherwise, because DataFusion
/// calls it for several partitions at once.
///
/// In a query the function fails only if a batch is too long for its columns or the options cancel it:
/// see [`llmjson_arrow::Error`].
///
/// ```
/// use llmjson_arrow::{Options, Output};
/// use llmjson_datafusion::parse_udf;
///
/// let function = parse_udf("reply_json", None, Options::default().with_output(Output::Json));
/// assert_eq!(function.name(), "reply_json");
/// ```
#[must_use]
pub fn parse_udf(name: impl Into<String>, schema: Option<&Schema>, options: Options) -> ScalarUDF {
    let threads = options.threads.unwrap_or(NonZeroUsize::MIN);
    let function = Function {
        name: name.into(),
        signature: Signature::uniform(1, TEXTS.to_vec(), Volatility::Immutable),
        result: DataType::Struct(fields(schema, options.output)),
        schema: schema.cloned(),
        options: options.with_threads(threads),
    };
    ScalarUDF::from(ParseFunction(Arc::new(function)))
}

/// The function as DataFusion knows it.
#[derive(Clone)]
struct ParseFunction(Arc<Function>);

struct Function {
    name: String,
    signature: Signature,
    result: DataType,
    schema: Option<Schema>,
    options: Options,
}

impl ParseFunction {
    fn parse(&self, replies: &dyn Array) -> Result<ArrayRef> {
        let Function {
            schema, options, ..
        } = &*self.0;
        let rows = parse(replies, schema.as_ref(), options);
        let rows = rows.map_err(|error| DataFusionError::External(Box::new(error)))?;
        Ok(Arc::new(rows))
    }
}

impl ScalarUDFImpl for ParseFunction {
    fn name(&self) -> &str {
        &self.0.name
    }

    fn signature(&self) -> &Signature {
        &self.0.signature
    }

    fn return_type(&self, _arg_types: &[DataType]) -> Result<DataType> {
        Ok(self.0.result.clone())
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let [replies] = take_function_args(self.name(), args.args)?;
        match replies {
            ColumnarValue::Array(replies) => Ok(ColumnarValue::Array(self.parse(&replies)?)),
            ColumnarValue::Scalar(reply) => {
                let row = self.parse(&reply.to_array()?)?;
                let row = ScalarValue::try_from_array(&row, 0)?;
                Ok(ColumnarValue::Scalar(row))
            }
        }
    }
}

/// Functions are equal if they are clones of one: DataFusion computes equal calls once.
impl PartialEq for ParseFunction {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for ParseFunction {}

impl Hash for ParseFunction {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).hash(state);
    }
}

/// Leaves out schema and options, since plans and their errors show functions so.
impl fmt::Debug for ParseFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParseFunction")
            .field("name", &self.0.name)
            .finish_non_exhaustive()
    }
}

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
