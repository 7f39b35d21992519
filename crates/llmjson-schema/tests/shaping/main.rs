//! Random schemas and values: what was damaged in a known way comes back, what fits stays, and the
//! verdict is that of `jsonschema`.
//!
//! `LLMJSON_SHAPING_DOCS` sets how many values each kind of damage gets, `LLMJSON_SHAPING_SHOW`
//! how many failures of each are shown.

mod damage;
mod dialect;
mod dropped;
mod formats;
mod forms;
mod instance;
mod laid;
mod spec;
mod wild;

use std::fmt::Write as _;

use damage::{OPERATORS, Operator, damage};
use dialect::Dialect;
use llmjson_schema::{CoerceOptions, Schema, coerce, laws};
use llmjson_syntax::parse;
use llmjson_testutil::{Rng, Tally, setting};

/// A schema, a value that satisfies it, and what a model made of that value.
struct Sample {
    schema: String,
    truth: String,
    damaged: String,
}

/// A schema with a value.
fn pair(seed: u64) -> (String, instance::Instance, Rng) {
    let mut rng = Rng::new(seed);
    let schema = spec::schema(&mut rng);
    let text = Dialect::any(&mut rng).write(&schema);
    let instance = instance::instance(&schema, &mut rng);
    (text, instance, rng)
}

/// The seed goes on until some value has a place for this damage.
fn sample(seed: u64, operators: &[&Operator], percent: usize) -> Sample {
    let found = (0..5000).find_map(|step| {
        let (schema, instance, mut rng) = pair(seed * 5000 + step);
        let (json, count) = damage(&instance, operators, percent, &mut rng);
        let truth = instance.truth().write();
        let damaged = json.write();
        (count > 0).then_some(Sample {
            schema,
            truth,
            damaged,
        })
    });
    found.expect("some value has a place for this damage")
}

fn compile(schema: &str) -> Schema {
    Schema::from_text(schema).unwrap_or_else(|error| panic!("{error}: {schema}"))
}

fn coerced(text: &str, schema: &Schema) -> (String, String) {
    let mut document = parse(text);
    let coercions = coerce(&mut document, schema, &CoerceOptions::default());
    let mut kinds = String::new();
    for coercion in &coercions {
        let _ = write!(kinds, " {}@{}", coercion.kind, coercion.path);
    }
    (document.to_json().unwrap_or_default(), kinds)
}

/// Adds whether a damaged value comes out as its truth.
fn add(tally: &mut Tally, sample: &Sample) {
    let (json, kinds) = coerced(&sample.damaged, &compile(&sample.schema));
    tally.add(json == sample.truth, false, || {
        let Sample {
            schema,
            truth,
            damaged,
        } = sample;
        format!(
            "--- {schema}\n  damaged {damaged}\n  truth   {truth}\n  came    {json}\n  by     {kinds}\n"
        )
    });
}

/// How many of a thousand damaged values have to come out right.
const RIGHT: usize = 990;

#[test]
fn one_kind_of_damage_at_a_time_is_undone() {
    let documents = setting("LLMJSON_SHAPING_DOCS", 100) as u64;
    let shown = setting("LLMJSON_SHAPING_SHOW", 1);
    let (mut table, mut good) = (String::new(), true);
    for operator in OPERATORS {
        let mut tally = Tally::default();
        for seed in 0..documents {
            let percent = if seed % 2 == 0 { 100 } else { 40 };
            add(&mut tally, &sample(seed, &[operator], percent));
        }
        good &= tally.is_right_in(RIGHT);
        table.push_str(&(tally.row(operator.name) + &tally.shortest(shown)));
    }
    assert!(good, "\n{table}");
}

#[test]
fn several_kinds_of_damage_are_undone() {
    let documents = setting("LLMJSON_SHAPING_DOCS", 100) as u64 * 20;
    let shown = setting("LLMJSON_SHAPING_SHOW", 1) * 5;
    let all: Vec<&Operator> = OPERATORS.iter().collect();
    let mut tally = Tally::default();
    for seed in 0..documents {
        add(&mut tally, &sample(seed + 1_000_000, &all, 8));
    }
    let table = tally.row("several kinds") + &tally.shortest(shown);
    assert!(tally.is_right_in(RIGHT), "\n{table}");
}

#[test]
fn what_fits_is_left_alone() {
    for seed in 0..setting("LLMJSON_SHAPING_DOCS", 100) as u64 * 20 {
        let (text, instance, _) = pair(seed + 2_000_000);
        let (schema, value) = (compile(&text), instance.truth().write());
        let document = parse(&value);
        let root = document.root().expect("a value");
        assert!(schema.is_valid(root), "{value} satisfies {text}");
        laws::what_fits_is_unchanged(&value, &schema);
    }
}

#[test]
fn laws_hold_for_damaged_values() {
    let all: Vec<&Operator> = OPERATORS.iter().collect();
    for seed in 0..setting("LLMJSON_SHAPING_DOCS", 100) as u64 * 5 {
        let sample = sample(seed + 3_000_000, &all, 15);
        let schema = compile(&sample.schema);
        let (json, _) = coerced(&sample.damaged, &schema);
        for text in [&sample.truth, &sample.damaged, &json] {
            wild::laws_hold(text, &schema);
        }
    }
}

#[test]
fn formats_are_told_as_they_were_written() {
    for seed in 0..setting("LLMJSON_SHAPING_DOCS", 100) as u64 * 20 {
        formats::are_told(seed);
    }
}
