//! Work is bounded by the length of the text and of its schema.

use llmjson_schema::Schema;
use llmjson_syntax::laws::work::{Cost, for_each_piece};

use crate::{Parsed, arguments, parse, stream::Stream};

/// Returns the cost of reading, coercing and validating a text.
#[must_use]
pub fn cost_with_schema(text: &str, schema: &Schema) -> Cost {
    cost(&parse(text, Some(schema)), text, schema)
}

/// Returns the cost for the arguments of a tool call.
#[must_use]
pub fn cost_of_arguments(text: &str, schema: &Schema) -> Cost {
    cost(&arguments(text, Some(schema)), text, schema)
}

/// Returns the cost for a text in pieces of these lengths, including the end of the stream.
#[must_use]
pub fn cost_of_coerced_stream(text: &str, schema: &Schema, lengths: impl FnMut() -> usize) -> Cost {
    let mut stream = Stream::new(Some(schema));
    let pieces = for_each_piece(text, lengths, |piece| {
        stream.push_bytes(piece).expect("parts of a text");
    });
    let streamed = stream.stream().work().spent();
    let finished = cost(&stream.finish().parsed, text, schema);
    Cost {
        work: streamed + finished.work,
        pieces,
        ..finished
    }
}

fn cost(parsed: &Parsed<'_>, text: &str, schema: &Schema) -> Cost {
    Cost {
        work: parsed.document().work().spent(),
        bytes: text.len() + schema.as_json().len(),
        pieces: 0,
    }
}

/// Checks that reading any text for any schema takes at most a number of steps per byte of both.
///
/// # Panics
///
/// If the law does not hold.
pub fn work_with_schema_is_bounded(text: &str, schema: &Schema) {
    cost_with_schema(text, schema).is_bounded("parse with a schema", text);
    cost_of_arguments(text, schema).is_bounded("arguments", text);
}

/// Checks that the work is bounded for a text in pieces of these lengths, and for each piece.
///
/// # Panics
///
/// If the law does not hold.
pub fn work_of_coerced_streams_is_bounded(
    text: &str,
    schema: &Schema,
    lengths: impl FnMut() -> usize,
) {
    cost_of_coerced_stream(text, schema, lengths).is_bounded("stream with a schema", text);
}
