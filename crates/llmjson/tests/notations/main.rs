//! Values of random schemas in other notations than JSON: how many come back, and whether the records are honest about the
//! rest; and texts of many kinds that are no values.
//!
//! `LLMJSON_NOTATIONS_DOCS` sets how many values each notation gets, `LLMJSON_NOTATIONS_SHOW` how many failures are shown.

mod laws;
mod oracles;
mod render;
mod spec;
mod written;

use std::collections::HashMap;
use std::fmt::Write as _;

use llmjson::syntax::{Class, Repair, RepairKind};
use llmjson::{Parsed, Schema};
use llmjson_testutil::{Rng, Table, Tally, setting, table, tell};
use render::plain;
use serde_json::Value;
use spec::{Layout, Sample, sample};

/// A notation: its name, the language of its fence, the layouts of values, and what writes them.
struct Notation {
    name: &'static str,
    language: &'static str,
    layouts: &'static [Layout],
    write: fn(&Value, &mut Rng) -> String,
}

const FLAT: &[Layout] = &[Layout::Flat];
const ALL: &[Layout] = &[Layout::Flat, Layout::Deep];
const ROWS: &[Layout] = &[Layout::Rows];

const NOTATIONS: &[Notation] = &[
    Notation {
        name: "YAML",
        language: "yaml",
        layouts: &[Layout::Flat, Layout::Deep, Layout::Rows],
        write: |value, rng| render::yaml(value, 0, rng),
    },
    Notation {
        name: "lines of names and values",
        language: "",
        layouts: ALL,
        write: |value, rng| {
            let style = rng.below(6);
            render::lines(value, 0, style, rng)
        },
    },
    Notation {
        name: "Markdown table",
        language: "markdown",
        layouts: ROWS,
        write: render::table,
    },
    Notation {
        name: "table of names and values",
        language: "",
        layouts: FLAT,
        write: |value, _| render::pairs(value),
    },
    Notation {
        name: "XML",
        language: "xml",
        layouts: &[Layout::Flat, Layout::Deep, Layout::Rows],
        write: |value, rng| {
            let wrapped = rng.chance(60) || value.is_array();
            let name = if value.is_array() {
                "records"
            } else {
                "record"
            };
            render::xml(name, value, 0, wrapped)
        },
    },
    Notation {
        name: "CSV",
        language: "csv",
        layouts: ROWS,
        write: render::csv,
    },
    Notation {
        name: "TOML",
        language: "toml",
        layouts: ALL,
        write: |value, _| render::toml(value, ""),
    },
    Notation {
        name: "INI",
        language: "ini",
        layouts: FLAT,
        write: render::ini,
    },
    Notation {
        name: "text protobuf",
        language: "textproto",
        layouts: ALL,
        write: |value, _| render::text_proto(value, 0),
    },
    Notation {
        name: "HJSON",
        language: "hjson",
        layouts: ALL,
        write: |value, _| render::hjson(value, 0) + "\n",
    },
    Notation {
        name: "print_r",
        language: "php",
        layouts: ALL,
        write: |value, _| render::print_r(value, 0),
    },
    Notation {
        name: "headings",
        language: "markdown",
        layouts: FLAT,
        write: |value, rng| {
            let level = rng.between(1, 3);
            render::headings(value, level)
        },
    },
    Notation {
        name: "list of items",
        language: "",
        layouts: &[Layout::Items],
        write: |value, rng| {
            let numbered = rng.chance(40);
            let items = value.as_array().into_iter().flatten().enumerate();
            let items = items.map(|(index, item)| match numbered {
                true => format!("{}. {}\n", index + 1, plain(item)),
                false => format!("- {}\n", plain(item)),
            });
            items.collect()
        },
    },
    Notation {
        name: "labelled scalar",
        language: "",
        layouts: &[Layout::Scalar],
        write: |value, rng| {
            let label = rng.pick(&["Answer", "Result", "**Answer", "Final answer", "Score"]);
            let open = label.starts_with('*');
            match (open, rng.chance(50)) {
                (true, _) => format!("{label}:** {}\n", plain(value)),
                (_, true) => format!("{label}: **{}**\n", plain(value)),
                _ => format!("{label}: {}\n", plain(value)),
            }
        },
    },
];

const BEFORE: &[&str] = &[
    "",
    "Here is the information you asked for:\n\n",
    "Sure!\n\n",
    "I have extracted the data from the text.\n\n",
];
const BEHIND: &[&str] = &[
    "",
    "\nLet me know if you need anything else!\n",
    "\nI hope this helps.\n",
];

/// The reply in which a value stands.
fn reply(notation: &Notation, value: &Value, rng: &mut Rng) -> String {
    let written = (notation.write)(value, rng);
    let alone =
        notation.layouts.contains(&Layout::Items) || notation.layouts.contains(&Layout::Scalar);
    let (before, behind) = match alone {
        true => ("", ""),
        false => (rng.pick(BEFORE), rng.pick(BEHIND)),
    };
    match rng.chance(50) && !alone {
        true => {
            let language = if rng.chance(80) {
                notation.language
            } else {
                ""
            };
            format!("{before}```{language}\n{written}```\n{behind}")
        }
        false => format!("{before}{written}{behind}"),
    }
}

/// Returns the value of a reply that conforms.
fn value_of(parsed: &Parsed<'_>) -> Option<Value> {
    let json = parsed.to_json().filter(|_| parsed.conforms());
    json.and_then(|json| serde_json::from_str(&json).ok())
}

/// Adds whether a text has the value of the sample. A wrong value is silent if it isn't a guess.
fn add(tally: &mut Tally, sample: &Sample, text: &str) {
    let schema = Schema::compile(&sample.schema).expect("it compiles");
    let parsed = llmjson::parse(text, Some(&schema));
    let value = value_of(&parsed);
    let is_silent = value.is_some() && parsed.certainty() < Class::Guess;
    tally.add(value.as_ref() == Some(&sample.value), is_silent, || {
        let Sample { schema, value } = sample;
        format!("--- {schema}\n{text}\n  truth {value}\n{}", came(&parsed))
    });
}

/// Describes what a reply gave.
fn came(parsed: &Parsed<'_>) -> String {
    let json = parsed.to_json().unwrap_or_default();
    let records = parsed.repairs().iter().map(|one| one.kind.name());
    let records: Vec<_> = records.collect();
    format!("  came  {json} {records:?} {:?}\n", parsed.certainty())
}

#[test]
fn values_in_other_notations_come_back() {
    let documents = setting("LLMJSON_NOTATIONS_DOCS", 100);
    let shown = setting("LLMJSON_NOTATIONS_SHOW", 1);
    let (mut table, mut fails) = (Tally::HEADER.to_owned(), false);
    let mut examples = String::new();
    for (index, notation) in NOTATIONS.iter().enumerate() {
        let mut tally = Tally::default();
        for seed in 0..documents {
            let mut rng = Rng::new((index * 1_000_000 + seed) as u64);
            let layout = rng.pick(notation.layouts);
            let sample = sample(layout, &mut rng);
            let text = reply(notation, &sample.value, &mut rng);
            add(&mut tally, &sample, &text);
        }
        fails |= !tally.is_right_in(970) || !tally.is_silent_in(5);
        table.push_str(&tally.row(notation.name));
        examples.push_str(&tally.shortest(shown));
    }
    tell(&table);
    assert!(!fails, "\n{table}\n{examples}");
}

/// Checks that of texts without a value at most one of two hundred is read as one, and never without a word of doubt.
fn no_values<'s>(schemas: impl Iterator<Item = (&'s str, &'s Schema)>, texts: &[(&str, &str)]) {
    let (mut all, mut count, mut sure, mut found) = (0, 0, 0, String::new());
    for (name, schema) in schemas {
        for (kind, text) in texts {
            let parsed = llmjson::parse(text, Some(schema));
            all += 1;
            let Some(notation) = notation(&parsed).filter(|_| parsed.conforms()) else {
                continue;
            };
            count += 1;
            sure += usize::from(notation.class < Class::Guess);
            let _ = writeln!(
                found,
                "{kind}, {name}: {:?}\n{text}\n{}",
                notation.detail,
                came(&parsed)
            );
        }
    }
    assert!(
        count * 200 <= all && sure == 0,
        "{count} of {all}, {sure} sure:\n{found}"
    );
}

/// Returns the record of a value in another notation than JSON.
fn notation<'p>(parsed: &'p Parsed<'_>) -> Option<&'p Repair> {
    let mut records = parsed.repairs().iter();
    records.find(|one| one.kind == RepairKind::Notation)
}

/// Compiles schemas with names.
fn schemas(rows: impl Iterator<Item = [&'static str; 2]>) -> HashMap<&'static str, Schema> {
    let compiled = rows.map(|[name, text]| {
        let schema = Schema::from_text(text);
        (
            name,
            schema.unwrap_or_else(|error| panic!("{name}: {error}")),
        )
    });
    compiled.collect()
}

#[test]
fn texts_without_a_value_give_none() {
    const FILE: &str = include_str!("negatives.txt");
    let lines = table::lines(FILE, "schemas");
    let schemas = schemas(lines.into_iter().map(|schema| [schema; 2]));
    let texts = table::section(FILE, "texts");
    let texts: Vec<_> = texts.rows().map(|[kind, text]| (kind, text)).collect();
    no_values(schemas.iter().map(|(name, schema)| (*name, schema)), &texts);
}

#[test]
fn rows_hold() {
    let mut sections = Table::all(include_str!("rows.txt")).into_iter();
    let schemas = schemas(sections.next().expect("schemas").rows());
    let mut wrong = String::new();
    for rows in sections {
        for [schema, text, expected, value] in rows.rows() {
            let parsed = llmjson::parse(text, Some(&schemas[schema]));
            let named = notation(&parsed).map(|one| {
                let name = one.detail.map_or("", llmjson::syntax::Notation::name);
                format!("{name} {}", parsed.certainty())
            });
            let json = parsed.to_json().filter(|_| parsed.conforms());
            if named.as_deref().unwrap_or_default() != expected || json.unwrap_or_default() != value
            {
                let _ = writeln!(
                    wrong,
                    "{text}\n{}  {named:?}, expected {value} {expected}\n",
                    came(&parsed)
                );
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
