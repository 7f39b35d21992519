//! How many replies a second become rows, with one thread and with two. Each run reads 200,000 tool
//! calls of 250 to 350 bytes. Run it with `cargo run --release -p llmjson-arrow --example throughput`.

#![allow(clippy::print_stdout)]

use std::error::Error;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use arrow_array::StringArray;
use llmjson::Schema;
use llmjson_arrow::{Options, Output, parse};

const REPLIES: usize = 200_000;
const ROUNDS: usize = 7;

const SCHEMA: &str = r#"{"type": "object", "properties": {
    "query": {"type": "string"},
    "limit": {"type": "integer", "minimum": 1},
    "max_price": {"type": "number"},
    "cabin": {"enum": ["economy", "business", "first"]},
    "airlines": {"type": "array", "items": {"type": "string"}},
    "passenger": {"type": "object", "properties": {
        "name": {"type": "string"}, "age": {"type": "integer"}, "vegetarian": {"type": "boolean"}
    }, "required": ["name"]}
}, "required": ["query", "limit"], "additionalProperties": false}"#;

/// One tool call. Every reply differs.
fn call(number: usize) -> String {
    let cabin = ["economy", "business", "first"][number % 3];
    let detail = &"window seat, no overnight connections, no trains"[..number % 48];
    format!(
        concat!(
            r#"{{"query": "flights from Lisbon to Oslo on day {}, {}", "limit": {}, "max_price": {}.95, "#,
            r#""cabin": "{}", "airlines": ["TP", "SK", "DY"], "#,
            r#""passenger": {{"name": "Ada Lovelace {}", "age": {}, "vegetarian": {}}}}}"#
        ),
        number,
        detail,
        number % 50 + 1,
        number % 900,
        cabin,
        number,
        number % 80,
        number.is_multiple_of(2)
    )
}

/// The call as models write it when they do not write JSON, for one in five.
fn damaged(number: usize) -> String {
    let call = call(number);
    match number % 20 {
        0 => format!("Sure, here it is:\n```json\n{call}\n```\n"),
        5 => call.replace('"', "'"),
        10 => call
            .replace("\"limit\": ", "\"limit\": \"")
            .replace(", \"max", "\", \"max"),
        15 => call[..call.len() - 2].to_owned(),
        _ => call,
    }
}

/// The shortest times of some rounds, with one thread and with two in turn: the others were disturbed.
fn shortest(
    replies: &StringArray,
    schema: &Schema,
    output: Output,
) -> Result<[Duration; 2], Box<dyn Error>> {
    let mut shortest = [Duration::MAX; 2];
    for _ in 0..ROUNDS {
        for (threads, shortest) in (1..).zip(&mut shortest) {
            let threads = NonZeroUsize::try_from(threads)?;
            let options = Options::default().with_output(output).with_threads(threads);
            let start = Instant::now();
            parse(replies, Some(schema), &options)?;
            *shortest = start.elapsed().min(*shortest);
        }
    }
    Ok(shortest)
}

fn main() -> Result<(), Box<dyn Error>> {
    let schema = Schema::from_text(SCHEMA)?;
    let make: [fn(usize) -> String; 2] = [call, damaged];
    println!("| replies | output | 1 thread | 2 threads | efficiency |");
    println!("|---|---|---|---|---|");
    for (name, make) in ["valid", "1 in 5 damaged"].into_iter().zip(make) {
        let replies: StringArray = (0..REPLIES).map(|number| Some(make(number))).collect();
        for output in [Output::Struct, Output::Json] {
            let [one, two] = shortest(&replies, &schema, output)?;
            let rate = |time: Duration| REPLIES as f64 / time.as_secs_f64();
            let efficiency = 100.0 * rate(two) / rate(one) / 2.0;
            println!(
                "| {name} | {output:?} | {:.0}/s | {:.0}/s | {efficiency:.0} % |",
                rate(one),
                rate(two)
            );
        }
    }
    Ok(())
}
