//! The outcomes that every door has, by type, input and policy: the table `doors.json`. Rust, the command line, Python and
//! JavaScript read the same table; a member named after a library (`pydantic`) has what differs for the types of that library.

use llmjson::{Policy, Schema};
use serde_json::{Value, json};

const TABLE: &str = include_str!("doors.json");

#[test]
fn values_verdicts_and_reports_are_those_of_the_table() {
    let table: Value = serde_json::from_str(TABLE).expect("JSON");
    let rows = table["rows"].as_array().expect("rows");
    for row in rows {
        let input = row["input"].as_str().expect("a string");
        let schema = &table["types"][row["type"].as_str().expect("a type")];
        let schema = Schema::compile(schema).expect("a schema");
        let policies = row["policies"].as_object().expect("outcomes by policy");
        assert!(policies.len() >= 4, "{input}");
        for (name, expected) in policies {
            let policy = Policy::named(name).expect("a preset");
            let parsed = policy.parse(input, Some(&schema));
            let report = serde_json::to_value(parsed.report()).expect("a report");
            let each = |member: &str, line: &dyn Fn(&Value) -> String| -> Vec<String> {
                let records = report[member].as_array().expect("records");
                records.iter().map(line).collect()
            };
            let word = |one: &Value, name: &str| one[name].as_str().unwrap_or_default().to_owned();
            let seen = json!({
                "ok": parsed.conforms(),
                "value": report["value"],
                "complete": report["complete"],
                "certainty": report["certainty"],
                "coercions": each("coercions", &|one| {
                    [word(one, "kind"), word(one, "class"), word(one, "path")].join(" ")
                }),
                "violations": each("violations", &|one| word(one, "path")),
            });
            assert_eq!(&seen, expected, "{name}: {input}");
        }
    }
}
