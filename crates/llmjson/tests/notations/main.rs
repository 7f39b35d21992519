//! Values of random schemas in other notations than JSON: how many come back, and whether the records are honest about the
//! rest; and texts of many kinds that are no values.
//!
//! `LLMJSON_NOTATIONS_DOCS` sets how many values each notation gets, `LLMJSON_NOTATIONS_SHOW` how many failures are shown.

#[path = "../damage/rng.rs"]
mod rng;

mod laws;
mod negatives;
mod oracles;
mod render;
mod rows;
mod spec;
mod written;

use std::fmt::Write as _;
use std::io::Write as _;

use llmjson::Schema;
use llmjson::syntax::{Class, RepairKind};
use render::plain;
use rng::Rng;
use serde_json::Value;
use spec::{Layout, Sample, sample};

pub(crate) fn setting(name: &str, default: usize) -> usize {
    let value = std::env::var(name).ok();
    value
        .and_then(|value| value.parse().ok())
        .unwrap_or(default)
}

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

#[derive(Default)]
struct Tally {
    documents: usize,
    right: usize,
    /// Another value without a word of doubt.
    silent: usize,
    likely: usize,
    failures: Vec<String>,
}

impl Tally {
    fn add(&mut self, sample: &Sample, text: &str) {
        let schema = Schema::compile(&sample.schema).expect("it compiles");
        let parsed = llmjson::parse(text, Some(&schema));
        let json = parsed.to_json().filter(|_| parsed.conforms());
        let value: Option<Value> = json.and_then(|json| serde_json::from_str(&json).ok());
        self.documents += 1;
        let sure = parsed.certainty() < Class::Guess;
        if value.as_ref() == Some(&sample.value) {
            self.right += 1;
            self.likely += usize::from(sure);
            return;
        }
        self.silent += usize::from(value.is_some() && sure);
        let Sample {
            schema,
            value: truth,
        } = sample;
        let came = parsed.to_json().unwrap_or_default();
        let records = parsed
            .repairs()
            .iter()
            .map(|one| one.kind.name())
            .collect::<Vec<_>>();
        self.failures.push(format!(
            "--- {schema}\n{text}\n  truth {truth}\n  came  {came} {records:?} {:?}\n",
            parsed.certainty()
        ));
    }
}

#[test]
fn values_in_other_notations_come_back() {
    let documents = setting("LLMJSON_NOTATIONS_DOCS", 100);
    let shown = setting("LLMJSON_NOTATIONS_SHOW", 1);
    let (mut table, mut fails) = (String::new(), false);
    let mut examples = String::new();
    for (index, notation) in NOTATIONS.iter().enumerate() {
        let mut tally = Tally::default();
        for seed in 0..documents {
            let mut rng = Rng::new((index * 1_000_000 + seed) as u64);
            let layout = rng.pick(notation.layouts);
            let sample = sample(layout, &mut rng);
            let text = reply(notation, &sample.value, &mut rng);
            tally.add(&sample, &text);
        }
        fails |= tally.right * 100 < tally.documents * 97 || tally.silent * 200 > tally.documents;
        let Tally {
            documents,
            right,
            silent,
            likely,
            ..
        } = tally;
        let _ = writeln!(
            table,
            "{:<28} {right:>6} of {documents:>6} right, {likely:>6} likely, {silent:>4} silently wrong",
            notation.name
        );
        tally.failures.sort_by_key(String::len);
        examples.extend(
            tally
                .failures
                .iter()
                .take(shown)
                .map(|one| format!("{}\n{one}", notation.name)),
        );
    }
    std::io::stderr()
        .write_all(table.as_bytes())
        .expect("standard error can be written");
    assert!(!fails, "\n{table}\n{examples}");
}

/// Texts without a value are read as one in at most one of two hundred cases, and never without a word of doubt.
#[test]
fn texts_without_a_value_give_none() {
    let (mut all, mut found, mut sure) = (0, String::new(), 0);
    let mut count = 0;
    for schema in negatives::SCHEMAS {
        let compiled = Schema::from_text(schema).expect("it compiles");
        for (kind, text) in negatives::TEXTS {
            let parsed = llmjson::parse(text, Some(&compiled));
            all += 1;
            let notation = parsed
                .repairs()
                .iter()
                .find(|one| one.kind == RepairKind::Notation);
            let Some(notation) = notation.filter(|_| parsed.conforms()) else {
                continue;
            };
            count += 1;
            sure += usize::from(notation.class < Class::Guess);
            let name = notation.detail.map_or("", llmjson::syntax::Notation::name);
            let json = parsed.to_json().unwrap_or_default();
            let _ = writeln!(found, "{kind}: {name} {json} {schema}\n{text}\n");
        }
    }
    assert!(
        count * 200 <= all && sure == 0,
        "{count} of {all}, {sure} sure:\n{found}"
    );
}

#[test]
fn rows_hold() {
    let mut wrong = String::new();
    for (schema, text, notation, value) in rows::ROWS {
        let compiled = Schema::from_text(schema).expect("it compiles");
        let parsed = llmjson::parse(text, Some(&compiled));
        let record = parsed
            .repairs()
            .iter()
            .find(|one| one.kind == RepairKind::Notation);
        let named = record.map(|one| {
            format!(
                "{} {}",
                one.detail.map_or("", llmjson::syntax::Notation::name),
                parsed.certainty()
            )
        });
        let came = parsed
            .to_json()
            .filter(|_| parsed.conforms())
            .unwrap_or_default();
        if named.as_deref().unwrap_or_default() != *notation || came != *value {
            let _ = writeln!(
                wrong,
                "{text}\n  came {came} {named:?}, expected {value} {notation}\n"
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
