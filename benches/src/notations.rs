//! Lists of records in notations other than an array of JSON, read with the schema of the list.

use std::hint::black_box;

use llmjson::Schema;

use crate::contenders::Contender;
use crate::memory;

/// The number of records in a text.
const COUNT: usize = 20;

const PEOPLE: [&str; 8] = [
    "Ada Lovelace",
    "Grace Hopper",
    "Alan Turing",
    "Edsger Dijkstra",
    "Barbara Liskov",
    "Donald Knuth",
    "Frances Allen",
    "John McCarthy",
];

const NOTATIONS: [&str; 7] = [
    "yaml",
    "elements",
    "table",
    "csv",
    "lines",
    "json-lines",
    "log",
];

const SCHEMA: &str = r#"{
    "type": "array",
    "items": {
        "type": "object",
        "required": ["id", "name", "active", "score"],
        "properties": {
            "id": {"type": "integer"},
            "name": {"type": "string"},
            "email": {"type": "string"},
            "active": {"type": "boolean"},
            "score": {"type": "number"}
        }
    }
}"#;

/// `llmjson::parse` with the schema of the list.
pub(crate) const PARSE: Contender = Contender {
    name: "llmjson::parse, list",
    later: "nothing",
    start: || {
        let schema = schema();
        Box::new(move |text| black_box(llmjson::parse(text, Some(&schema))).conforms())
    },
    value: |text| serde_json::from_str(&llmjson::parse(text, Some(&schema())).to_json()?).ok(),
};

fn schema() -> Schema {
    Schema::from_text(SCHEMA).expect("the schema is valid")
}

/// Prints the heap use of a parse with the compiled schema.
pub(crate) fn print_heap() {
    println!("\nHeap, lists of records in other notations: peak bytes per input byte\n");
    println!(
        "| {} |\n{}|",
        NOTATIONS.join(" | "),
        "|---:".repeat(NOTATIONS.len())
    );
    let schema = schema();
    let cells = NOTATIONS.iter().filter_map(|name| {
        let text = text(name)?;
        let parse = || drop(black_box(llmjson::parse(&text, Some(&schema))));
        parse();
        let peak = memory::peak(parse) as f64;
        Some(format!("{:.1}", peak / text.len() as f64))
    });
    println!("| {} |", cells.collect::<Vec<_>>().join(" | "));
}

/// The records in a notation.
pub(crate) fn text(notation: &str) -> Option<String> {
    let records = (0..COUNT).map(|number| record(notation, number));
    let records = records.collect::<Option<Vec<String>>>()?.concat();
    Some(match notation {
        "elements" => format!("<records>\n{records}</records>\n"),
        "table" => {
            format!("| id | name | email | active | score |\n|---|---|---|---|---|\n{records}")
        }
        "csv" => format!("id,name,email,active,score\n{records}"),
        _ => records,
    })
}

fn record(notation: &str, number: usize) -> Option<String> {
    let name = PEOPLE[number % PEOPLE.len()];
    let first = name.split(' ').next().unwrap_or_default().to_lowercase();
    let (id, email) = (number + 1, format!("{first}@example.org"));
    let (active, score) = (number % 2 == 0, (number + 2) as f64 * 0.75);
    Some(match notation {
        "yaml" => format!(
            "- id: {id}\n  name: {name}\n  email: {email}\n  active: {active}\n  score: {score}\n"
        ),
        "elements" => format!(
            "  <record>\n    <id>{id}</id>\n    <name>{name}</name>\n    <email>{email}</email>\n    \
             <active>{active}</active>\n    <score>{score}</score>\n  </record>\n"
        ),
        "table" => format!("| {id} | {name} | {email} | {active} | {score} |\n"),
        "csv" => format!("{id},{name},{email},{active},{score}\n"),
        "lines" => {
            format!("id: {id}\nname: {name}\nemail: {email}\nactive: {active}\nscore: {score}\n\n")
        }
        "json-lines" | "log" => {
            let begin = match notation {
                "log" => format!("2025-05-02T10:31:{number:02}Z INFO worker result "),
                _ => String::new(),
            };
            format!(
                "{begin}{{\"id\": {id}, \"name\": \"{name}\", \"email\": \"{email}\", \"active\": {active}, \
                 \"score\": {score}}}\n"
            )
        }
        _ => return None,
    })
}
