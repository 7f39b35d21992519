//! Libraries of the field as oracles: what they write is read as the value that they were given, and what both read of the
//! generator's texts is the same.

use std::io::Write as _;

use llmjson::Schema;
use llmjson::syntax::RepairKind;
use serde_json::{Map, Value, json};

use crate::render::{self, plain};
use crate::spec::{Layout, Sample, sample};
use llmjson_testutil::{Rng, setting};

/// Reads a text, and gives the value if it conforms and stood in another notation than JSON.
fn read(text: &str, schema: &Value) -> Option<Value> {
    let schema = Schema::compile(schema).expect("it compiles");
    let parsed = llmjson::parse(text, Some(&schema));
    let mut records = parsed.repairs().iter();
    let is_notation = records.any(|one| one.kind == RepairKind::Notation);
    let json = parsed
        .to_json()
        .filter(|_| parsed.conforms() && is_notation)?;
    Some(serde_json::from_str(&json).expect("JSON"))
}

/// The value as a schema has it that a library read: its texts may be numbers.
fn fitted(value: &Value, schema: &Value) -> Option<Value> {
    let schema = Schema::compile(schema).expect("it compiles");
    let json = value.to_string();
    let parsed = llmjson::parse(&json, Some(&schema));
    let json = parsed.to_json().filter(|_| parsed.conforms())?;
    Some(serde_json::from_str(&json).expect("JSON"))
}

/// Has samples of these layouts written and read, and compares what came with what was expected. A text that a library does not
/// write or read counts for nothing.
fn compare(
    name: &str,
    layouts: &[Layout],
    check: impl Fn(&Sample, &mut Rng) -> Option<(String, Option<Value>)>,
) {
    let (mut all, mut failures) = (0, Vec::new());
    for seed in 0..setting("LLMJSON_NOTATIONS_DOCS", 100) {
        let mut rng = Rng::new(9_000_000 + seed as u64);
        let layout = rng.pick(layouts);
        let sample = sample(layout, &mut rng);
        let Some((text, expected)) = check(&sample, &mut rng) else {
            continue;
        };
        all += 1;
        let came = read(&text, &sample.schema);
        if came != expected {
            failures.push(format!(
                "{text}\n  expected {expected:?}\n  came {came:?}\n  schema {}\n",
                sample.schema
            ));
        }
    }
    writeln!(
        std::io::stderr(),
        "{name}: {} of {all} alike",
        all - failures.len()
    )
    .expect("standard error can be written");
    failures.sort_by_key(String::len);
    let shown = failures.len().min(setting("LLMJSON_NOTATIONS_SHOW", 1));
    assert!(
        failures.is_empty() && all > 20,
        "{name}: {} of {all} differ\n{}",
        failures.len(),
        failures[..shown].join("\n")
    );
}

const NESTED: &[Layout] = &[Layout::Flat, Layout::Deep, Layout::Rows];
const OBJECTS: &[Layout] = &[Layout::Flat, Layout::Deep];
const ROWS: &[Layout] = &[Layout::Rows];

#[test]
fn yaml_of_a_library_is_read() {
    compare("YAML written by a library", NESTED, |sample, rng| {
        let text = serde_saphyr::to_string(&sample.value).ok()?;
        let fence = rng.chance(50);
        let text = if fence {
            format!("```yaml\n{text}\n```")
        } else {
            text
        };
        Some((text, Some(sample.value.clone())))
    });
}

/// A block of YAML ends with a line break, which models do not mean: the reader leaves it out.
fn without_last_breaks(value: &mut Value) {
    match value {
        Value::String(text) => text.truncate(text.trim_end_matches('\n').len()),
        Value::Array(items) => items.iter_mut().for_each(without_last_breaks),
        Value::Object(members) => members.values_mut().for_each(without_last_breaks),
        _ => {}
    }
}

#[test]
fn yaml_is_read_as_by_a_library() {
    compare("YAML read by a library", NESTED, |sample, rng| {
        let text = render::yaml(&sample.value, 0, rng);
        let value: Value = serde_saphyr::from_str(&text).ok()?;
        let mut expected = fitted(&value, &sample.schema);
        expected.iter_mut().for_each(without_last_breaks);
        Some((text, expected))
    });
}

#[test]
fn toml_of_a_library_is_read() {
    compare("TOML written by a library", OBJECTS, |sample, rng| {
        let text = match rng.chance(50) {
            true => toml::to_string(&sample.value).ok()?,
            false => toml::to_string_pretty(&sample.value).ok()?,
        };
        Some((text, Some(sample.value.clone())))
    });
}

#[test]
fn toml_is_read_as_by_a_library() {
    compare("TOML read by a library", OBJECTS, |sample, _| {
        let text = render::toml(&sample.value, "");
        let value: Value = toml::from_str(&text).ok()?;
        Some((text, fitted(&value, &sample.schema)))
    });
}

/// The rows of a value.
fn rows(value: &Value) -> Option<&Vec<Value>> {
    let list = || {
        value
            .as_object()
            .and_then(|members| members.values().next())
    };
    value.as_array().or_else(|| list()?.as_array())
}

#[test]
fn csv_of_a_library_is_read() {
    compare("CSV written by a library", ROWS, |sample, rng| {
        let rows = rows(&sample.value)?;
        let mut builder = csv::WriterBuilder::new();
        builder.delimiter(rng.pick(b",;\t"));
        if rng.chance(30) {
            builder.quote_style(csv::QuoteStyle::NonNumeric);
        }
        let mut writer = builder.from_writer(Vec::new());
        let first = rows.first()?.as_object()?;
        writer.write_record(first.keys()).ok()?;
        for row in rows {
            let cells = first.keys().map(|name| plain(&row[name]));
            writer.write_record(cells).ok()?;
        }
        let text = String::from_utf8(writer.into_inner().ok()?).ok()?;
        Some((text, Some(sample.value.clone())))
    });
}

#[test]
fn csv_is_read_as_by_a_library() {
    compare("CSV read by a library", ROWS, |sample, rng| {
        let text = render::csv(&sample.value, rng);
        let head = text.lines().next()?;
        let sign = [b'\t', b';', b',']
            .into_iter()
            .find(|sign| head.as_bytes().contains(sign))?;
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(sign)
            .from_reader(text.as_bytes());
        let names = reader.headers().ok()?.clone();
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.ok()?;
            let members = names.iter().zip(record.iter());
            let members = members.map(|(name, cell)| (name.to_owned(), json!(cell)));
            rows.push(Value::Object(members.collect()));
        }
        let value = match sample.value.as_object() {
            Some(members) => {
                let name = members.keys().next()?.clone();
                Value::Object(Map::from_iter([(name, Value::Array(rows))]))
            }
            None => Value::Array(rows),
        };
        let expected = fitted(&value, &sample.schema);
        Some((text, expected))
    });
}

#[test]
fn xml_of_a_library_is_read() {
    compare("XML written by a library", NESTED, |sample, rng| {
        let value = match &sample.value {
            Value::Array(_) => json!({"record": sample.value}),
            value => value.clone(),
        };
        let mut text = String::new();
        let mut writer = quick_xml::se::Serializer::with_root(&mut text, Some("records")).ok()?;
        if rng.chance(50) {
            writer.indent(' ', 2);
        }
        serde::Serialize::serialize(&value, writer).ok()?;
        Some((text, Some(sample.value.clone())))
    });
}

/// The texts of elements without elements in them, as a library reads them.
fn texts_of(text: &str) -> Option<Vec<String>> {
    use quick_xml::events::Event;
    let mut reader = quick_xml::Reader::from_str(text);
    let (mut all, mut current) = (Vec::new(), None);
    loop {
        match reader.read_event().ok()? {
            Event::Start(_) => current = Some(String::new()),
            Event::Text(text) => {
                if let Some(current) = &mut current {
                    *current += &text;
                }
            }
            Event::GeneralRef(name) => {
                if let Some(current) = &mut current {
                    let entity = format!("&{};", &*name);
                    *current += &quick_xml::escape::unescape(&entity).ok()?;
                }
            }
            Event::End(_) => all.extend(current.take()),
            Event::Eof => return Some(all),
            _ => {}
        }
    }
}

fn leaves(value: &Value, all: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| leaves(item, all)),
        Value::Object(members) => members.values().for_each(|value| leaves(value, all)),
        value => all.push(plain(value)),
    }
}

#[test]
fn xml_is_read_as_by_a_library() {
    compare("XML read by a library", NESTED, |sample, rng| {
        let wrapped = rng.chance(60) || sample.value.is_array();
        let text = render::xml("records", &sample.value, 0, wrapped);
        let mut all = Vec::new();
        leaves(&sample.value, &mut all);
        // What the library reads are the texts of the value.
        assert_eq!(texts_of(&text)?, all, "{text}");
        Some((text, Some(sample.value.clone())))
    });
}
