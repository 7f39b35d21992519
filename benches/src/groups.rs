//! What is compared with what: one function per group of tables.

use serde_json_plain::Value;

use crate::contenders::{
    self, Contender, JITER, JSONREPAIR_RS, LLM_JSON, LLMJSON, LLMJSON_FRESH, LLMJSON_READ,
    LLMJSON_REPLY, LLMJSON_STRICT, LLMJSON_VALUE, SERDE_JSON, SIMD_JSON, SONIC_RS,
};
use crate::inputs::Input;
use crate::nested::{self, NESTED};
use crate::orders::{COERCE_VALIDATE, JUDGES, PARSE, SERDE_JSON_JSONSCHEMA};
use crate::pieces;
use crate::rounds::{Times, measure};
use crate::schemas::{self, COMPILERS, SCHEMAS};
use crate::sse::{self, STREAMS};
use crate::table::{Cell, Table};
use crate::tools::{CALLS, CLEAN, LLMJSON_BIND, SERDE_JSON_ARGUMENTS};
use crate::tree::Damage;
use crate::typed::READERS;

/// Orders of which something does not fit, and the errors that are left when they were made fit.
const MISFITS: [(&str, usize); 6] = [
    ("order8k", 0),
    ("order8k-1-text", 0),
    ("order8k-10-texts", 0),
    ("order8k-100-texts", 0),
    ("order8k-bad", 3),
    ("order8k-200-bad", 200),
];

/// Prints the tables of one group, of so many rounds each.
type Group = fn(usize);

/// The names that `--only` takes, and what they measure.
pub(crate) const GROUPS: [(&str, Group); 12] = [
    ("clean", clean),
    ("leniency", leniency),
    ("damaged", damaged),
    ("typed", typed),
    ("reply", reply),
    ("schema", schema),
    ("misfits", misfits),
    ("bind", bind),
    ("compile", compile),
    ("nested", nested),
    ("sse", sse),
    ("streams", pieces::print),
];

/// Valid JSON: speeds over serde_json, then ours over the others.
fn clean(rounds: usize) {
    let rows = [
        &SERDE_JSON,
        &SONIC_RS,
        &SIMD_JSON,
        &JITER,
        &LLMJSON,
        &LLMJSON_FRESH,
        &LLMJSON_READ,
        &LLMJSON_VALUE,
        &LLMJSON_STRICT,
    ];
    let inputs = Input::valid();
    let texts: Vec<_> = inputs
        .iter()
        .map(|input| input.text(Damage::Valid))
        .collect();
    let columns: Vec<_> = inputs.iter().map(|input| input.name.to_string()).collect();
    let measured: Vec<Vec<Option<Times>>> = texts
        .iter()
        .map(|text| compare(&rows, text, |value| same(value, text), rounds).0)
        .collect();

    let title = "Valid JSON: speed as a multiple of serde_json::from_str::<Value>";
    let mut table = Table::new(title, columns.clone());
    for (index, contender) in rows.iter().enumerate() {
        let cells = measured
            .iter()
            .map(|times| ratio(times, index, 0))
            .collect();
        table.row(contender.name, cells, contender.later);
    }
    table.print();

    let mut table = Table::new("Valid JSON: llmjson as a multiple of others", columns);
    let pairs = [
        (&LLMJSON, &SONIC_RS),
        (&LLMJSON_READ, &SONIC_RS),
        (&LLMJSON, &SIMD_JSON),
        (&LLMJSON_READ, &SIMD_JSON),
        (&LLMJSON, &JITER),
        (&LLMJSON_READ, &JITER),
        (&LLMJSON_STRICT, &LLMJSON),
    ];
    for pair in pairs {
        let place = |name| {
            rows.iter()
                .position(|row| row.name == name)
                .expect("it has a row")
        };
        let (own, base) = (place(pair.0.name), place(pair.1.name));
        let cells = measured
            .iter()
            .map(|times| ratio(times, own, base))
            .collect();
        let name = format!("{} / {}", rows[own].name, rows[base].name);
        table.row(name, cells, rows[own].later);
    }
    table.print();
}

/// What damage costs ourselves: time per byte of the damaged text over that of the valid one.
fn leniency(rounds: usize) {
    let columns = Damage::ALL.map(|damage| damage.name().to_string());
    let title = "llmjson: speed per byte on damaged text as a multiple of its own on valid text";
    let mut table = Table::new(title, columns.into());
    for input in Input::all() {
        let texts = Damage::ALL.map(|damage| input.text(damage));
        let pairs: Vec<_> = texts.iter().map(|text| (&LLMJSON, text.as_str())).collect();
        let times = measure(&pairs, rounds);
        let cells = texts
            .iter()
            .zip(Damage::ALL)
            .enumerate()
            .map(|(index, (text, damage))| {
                let value = (LLMJSON.value)(text);
                let per_byte = text.len() as f64 / texts[0].len() as f64;
                judge(
                    value.as_ref(),
                    |value| fits(value, damage, &input.meant(damage)),
                    || times[index].speed_over(&times[0]) * per_byte,
                )
            });
        table.row(input.name, cells.collect(), LLMJSON.later);
    }
    table.print();
}

/// Damaged JSON: speeds over llm_json, where the value is the right one.
fn damaged(rounds: usize) {
    let rows = [
        &LLM_JSON,
        &JSONREPAIR_RS,
        &JITER,
        &LLMJSON,
        &LLMJSON_READ,
        &LLMJSON_VALUE,
    ];
    for input in Input::all() {
        let valid = input.text(Damage::Valid);
        let mut measured = Vec::new();
        for damage in Damage::ALL {
            let (text, meant) = (input.text(damage), input.meant(damage));
            measured.push(compare(
                &rows,
                &text,
                |value| fits(value, damage, &meant),
                rounds,
            ));
        }
        let title = format!(
            "{}, {} bytes, damaged: speed as a multiple of llm_json \
             (x: refused, n: another value, y: right, but llm_json was not)",
            input.name,
            valid.len()
        );
        let columns = Damage::ALL.map(|damage| damage.name().to_string());
        let mut table = Table::new(title, columns.into());
        for (index, contender) in rows.iter().enumerate() {
            let cells = measured
                .iter()
                .map(|(times, refused)| match (&times[index], &times[0]) {
                    (Some(own), Some(base)) => Cell::Ratio(own.speed_over(base)),
                    (Some(_), None) => Cell::Alone,
                    _ if refused[index] => Cell::Refused,
                    _ => Cell::Another,
                });
            table.row(contender.name, cells.collect(), contender.later);
        }
        table.print();
    }
}

/// Valid JSON to a Rust type: speeds over serde_json.
fn typed(rounds: usize) {
    let names = ["list20k", "list1m"];
    let texts: Vec<_> = names
        .into_iter()
        .filter_map(Input::named)
        .map(|input| input.text(Damage::Valid))
        .collect();
    let measured: Vec<Vec<Option<Times>>> = texts
        .iter()
        .map(|text| compare(&READERS, text, |value| same(value, text), rounds).0)
        .collect();
    let title = "Valid JSON into a Rust type: speed as a multiple of serde_json::from_str::<T>";
    let mut table = Table::new(title, names.map(String::from).into());
    for (index, contender) in READERS.iter().enumerate() {
        let cells = measured
            .iter()
            .map(|times| ratio(times, index, 0))
            .collect();
        table.row(contender.name, cells, contender.later);
    }
    table.print();
}

/// A reply to a value, by the parser alone and by the function that users call.
fn reply(rounds: usize) {
    let rows = [&LLMJSON_FRESH, &LLMJSON_REPLY, &SERDE_JSON];
    let names = ["tool46", "tool300", "extract2k", "list20k"];
    let measured: Vec<Vec<Option<Times>>> = names
        .iter()
        .filter_map(|name| Input::named(name))
        .map(|input| {
            let text = input.text(Damage::Valid);
            compare(&rows, &text, |value| same(value, &text), rounds).0
        })
        .collect();
    let title = "A reply without a schema: speed as a multiple of the parser alone";
    let mut table = Table::new(title, names.map(String::from).into());
    for (index, contender) in rows.iter().enumerate() {
        let cells = measured.iter().map(|times| ratio(times, index, 0));
        table.row(contender.name, cells.collect(), contender.later);
    }
    table.print();
}

/// A schema to what validates by it: speeds over jsonschema.
fn compile(rounds: usize) {
    let measured: Vec<Vec<Option<Times>>> = SCHEMAS
        .iter()
        .map(|name| {
            let schema = schemas::schema(name);
            let wanted = (COMPILERS[0].value)(&schema);
            let right = |value: &Value| Some(value) == wanted.as_ref();
            compare(&COMPILERS, &schema, right, rounds).0
        })
        .collect();
    let title = "Compiling a schema: speed as a multiple of jsonschema";
    let mut table = Table::new(title, SCHEMAS.map(String::from).into());
    for (index, compiler) in COMPILERS.iter().enumerate() {
        let cells = measured.iter().map(|times| ratio(times, index, 0));
        table.row(compiler.name, cells.collect(), compiler.later);
    }
    table.print();
}

/// One wrong leaf far down in unions within unions: what a judge needs that enters the branch that was
/// meant.
fn nested(rounds: usize) {
    let measured: Vec<_> = NESTED
        .iter()
        .map(|name| {
            let text = nested::text(name);
            let judges: Vec<_> = nested::JUDGES
                .iter()
                .map(|&judge| (judge, &*text))
                .collect();
            measure(&judges, rounds)
        })
        .collect();
    let title = "Unions within unions, parsed, made fit and validated: milliseconds";
    let mut table = Table::new(title, NESTED.map(String::from).into());
    for (index, judge) in nested::JUDGES.iter().enumerate() {
        let cells = measured
            .iter()
            .map(|times| Cell::Ratio(times[index].seconds() * 1e3));
        table.row(judge.name, cells.collect(), judge.later);
    }
    table.print();
}

/// A text and a schema to all errors: speeds over serde_json with jsonschema.
fn schema(rounds: usize) {
    let rows = JUDGES.into_iter().chain([&SERDE_JSON]).collect::<Vec<_>>();
    let names = ["order700", "order8k", "order700-bad", "order8k-bad"];
    let inputs: Vec<_> = names.into_iter().filter_map(Input::named).collect();
    let measured: Vec<Vec<Option<Times>>> = inputs
        .iter()
        .map(|input| {
            let text = input.text(Damage::Valid);
            // Judges are right if they find as many errors as jsonschema; the last row has none.
            let errors = (rows[0].value)(&text);
            let right = |value: &Value| !value.is_number() || Some(value) == errors.as_ref();
            compare(&rows, &text, right, rounds).0
        })
        .collect();
    let title = "A text and a compiled schema to all errors: speed as a multiple of \
                 serde_json::from_str::<Value> and jsonschema's iter_errors";
    let mut table = Table::new(
        title,
        inputs.iter().map(|input| input.name.into()).collect(),
    );
    for (index, contender) in rows.iter().enumerate() {
        let cells = measured
            .iter()
            .map(|times| ratio(times, index, 0))
            .collect();
        table.row(contender.name, cells, contender.later);
    }
    table.print();
}

/// A text of which something does not fit, read, made fit and validated: speeds over serde_json with
/// jsonschema, which changes nothing and finds the texts to be errors.
fn misfits(rounds: usize) {
    let rows = [&SERDE_JSON_JSONSCHEMA, &COERCE_VALIDATE, &PARSE];
    let measured: Vec<Vec<Option<Times>>> = MISFITS
        .iter()
        .filter_map(|(name, _)| Input::named(name))
        .map(|input| compare(&rows, &input.text(Damage::Valid), |_| true, rounds).0)
        .collect();
    let title = "A text that does not fit its schema, made fit and validated: speed as a multiple \
                 of serde_json::from_str::<Value> and jsonschema's iter_errors";
    let columns = MISFITS.map(|(name, _)| name.to_string());
    let mut table = Table::new(title, columns.into());
    for (index, contender) in rows.iter().enumerate() {
        let cells = measured.iter().map(|times| ratio(times, index, 0));
        table.row(contender.name, cells.collect(), contender.later);
    }
    table.print();
}

/// The arguments of a call bound to a type with ten members: speeds over serde_json, which reads the
/// arguments as they should be in every column.
fn bind(rounds: usize) {
    let title = "The arguments of a call, 300 bytes, bound to a type with 10 members: speed as a \
                 multiple of serde_json::from_slice on the clean ones";
    let right = (SERDE_JSON_ARGUMENTS.value)(CLEAN);
    let cells = CALLS.map(|(_, text)| {
        if (LLMJSON_BIND.value)(text) != right {
            return Cell::Another;
        }
        let pairs = [(&SERDE_JSON_ARGUMENTS, CLEAN), (&LLMJSON_BIND, text)];
        let times = measure(&pairs, rounds);
        Cell::Ratio(times[1].speed_over(&times[0]))
    });
    let mut table = Table::new(title, CALLS.map(|(name, _)| name.to_owned()).into());
    table.row(LLMJSON_BIND.name, cells.into(), LLMJSON_BIND.later);
    table.print();
}

/// A stream of chunks to its frames, and to the reply: speeds over eventsource-stream, and in bytes.
fn sse(rounds: usize) {
    let streams = STREAMS.map(sse::stream);
    let measured: Vec<Vec<Option<Times>>> = streams
        .iter()
        .map(|(stream, frames, reply)| {
            let right = |value: &Value| value == frames || value == reply;
            compare(&sse::READERS, stream, right, rounds).0
        })
        .collect();
    // Of each table what it shows and what that is compared with.
    let tables = [
        ("A stream to its frames", 0..2, 0),
        ("A stream to the whole reply", 2..5, 2),
        ("A stream to the whole reply", 3..5, 0),
    ];
    for (title, rows, base) in tables {
        let of = match base {
            0 if rows.start > 0 => ", which makes frames only",
            _ => "",
        };
        let base_name = sse::READERS[base].name;
        let title = format!("{title}: speed as a multiple of {base_name}{of}");
        let mut table = Table::new(title, STREAMS.map(String::from).into());
        for index in rows {
            let reader = sse::READERS[index];
            let cells = measured.iter().map(|times| ratio(times, index, base));
            table.row(reader.name, cells.collect(), reader.later);
        }
        table.print();
    }
    let title = "A stream: million bytes in a second of processor time";
    let mut table = Table::new(title, STREAMS.map(String::from).into());
    for (index, reader) in sse::READERS.iter().enumerate() {
        let cells =
            measured
                .iter()
                .zip(&streams)
                .map(|(times, (stream, ..))| match &times[index] {
                    Some(times) => Cell::Ratio(stream.len() as f64 / times.seconds() / 1e6),
                    None => Cell::Another,
                });
        table.row(reader.name, cells.collect(), reader.later);
    }
    table.print();
}

/// Times those of `contenders` whose value is right; also says which of them refused the text.
fn compare(
    contenders: &[&Contender],
    text: &str,
    right: impl Fn(&Value) -> bool,
    rounds: usize,
) -> (Vec<Option<Times>>, Vec<bool>) {
    let values: Vec<_> = contenders
        .iter()
        .map(|contender| (contender.value)(text))
        .collect();
    let rights: Vec<_> = values
        .iter()
        .map(|value| value.as_ref().is_some_and(&right))
        .collect();
    let pairs = contenders.iter().zip(&rights).filter(|(_, right)| **right);
    let pairs: Vec<_> = pairs.map(|(&contender, _)| (contender, text)).collect();
    let mut times = measure(&pairs, rounds).into_iter();
    let times = rights
        .iter()
        .map(|&right| if right { times.next() } else { None })
        .collect();
    (times, values.iter().map(Option::is_none).collect())
}

fn ratio(times: &[Option<Times>], own: usize, base: usize) -> Cell {
    match (&times[own], &times[base]) {
        (Some(own), Some(base)) => Cell::Ratio(own.speed_over(base)),
        _ => Cell::Another,
    }
}

fn judge(value: Option<&Value>, right: impl Fn(&Value) -> bool, speed: impl Fn() -> f64) -> Cell {
    match value {
        None => Cell::Refused,
        Some(value) if right(value) => Cell::Ratio(speed()),
        Some(_) => Cell::Another,
    }
}

/// Whether `value` is what was meant; of a text that was cut, whether it holds something.
fn fits(value: &Value, damage: Damage, meant: &str) -> bool {
    match (damage, value) {
        (Damage::Cut, Value::Object(members)) => !members.is_empty(),
        (Damage::Cut, Value::Array(items)) => !items.is_empty(),
        (Damage::Cut, _) => false,
        _ => same(value, meant),
    }
}

fn same(value: &Value, valid: &str) -> bool {
    (contenders::SERDE_JSON.value)(valid).as_ref() == Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_measured_is_right() {
        let mut wrong: Vec<String> = Vec::new();
        for input in Input::valid() {
            let valid = input.text(Damage::Valid);
            for contender in contenders::ALL {
                let value = (contender.value)(&valid);
                let right = value.as_ref().is_some_and(|value| same(value, &valid));
                assert!(right, "{} reads {} wrongly", contender.name, input.name);
            }
        }
        for input in Input::all() {
            for damage in Damage::ALL {
                let value = (LLMJSON.value)(&input.text(damage));
                let right = value
                    .as_ref()
                    .is_some_and(|value| fits(value, damage, &input.meant(damage)));
                if !right {
                    wrong.push(format!("{}:{}", input.name, damage.name()));
                }
            }
        }
        assert!(wrong.is_empty(), "llmjson reads wrongly: {wrong:?}");
    }

    #[test]
    fn the_judges_agree() {
        for name in ["order700", "order8k", "order700-bad", "order8k-bad"] {
            let text = Input::named(name)
                .expect("it has an input")
                .text(Damage::Valid);
            let expected = if name.ends_with("-bad") { 3 } else { 0 };
            for judge in JUDGES {
                assert_eq!(
                    (judge.value)(&text),
                    Some(expected.into()),
                    "{} on {name}",
                    judge.name
                );
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_made_fit() {
        for (name, errors) in MISFITS {
            let text = Input::named(name)
                .expect("it has an input")
                .text(Damage::Valid);
            for judge in [&COERCE_VALIDATE, &PARSE] {
                assert_eq!((judge.value)(&text), Some(errors.into()), "{name}");
            }
        }
    }

    #[test]
    fn one_leaf_is_wrong() {
        for name in NESTED {
            let wrong = u64::from(name.ends_with("-wrong"));
            let text = nested::text(name);
            for judge in nested::JUDGES {
                let found = (judge.value)(&text);
                let errors = found.as_ref().and_then(Value::as_u64);
                assert_eq!(errors, Some(wrong), "{} on {name}", judge.name);
            }
        }
    }

    #[test]
    fn what_is_read_into_a_type_is_right() {
        let text = Input::named("list20k")
            .expect("it has an input")
            .text(Damage::Valid);
        for reader in READERS {
            let value = (reader.value)(&text);
            assert!(
                value.is_some_and(|value| same(&value, &text)),
                "{}",
                reader.name
            );
        }
    }
}
