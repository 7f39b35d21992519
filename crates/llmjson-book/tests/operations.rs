//! The table of operations and languages in the book, and Rust's operations on a truncated reply. The tests of the
//! command line, of the Python package and of the npm package call theirs.

use std::fs;
use std::path::PathBuf;

use llmjson::retry::{Message, Retry};
use llmjson::stream::Stream;
use llmjson::tools::{Contract, Tool};
use llmjson::{Policy, Schema};
use serde_json::Value;

/// The names of the languages, as the source and the book's table have them.
const LANGUAGES: [(&str, &str); 4] = [
    ("rust", "Rust"),
    ("command", "command line"),
    ("python", "Python"),
    ("javascript", "JavaScript"),
];

const TRUNCATED: &str = r#"{"to": "Ann", "amount": 1"#;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Pay {
    to: String,
    amount: u32,
}

fn file(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

fn operations() -> Vec<Value> {
    let source = fs::read_to_string(file("docs/operations.json")).expect("the source");
    serde_json::from_str(&source).expect("an array of operations")
}

#[test]
fn the_book_has_the_table() {
    let mut table = String::from("| operation |");
    LANGUAGES
        .iter()
        .for_each(|(_, title)| table.push_str(&format!(" {title} |")));
    table.push_str(" a truncated reply is |\n|---|---|---|---|---|---|\n");
    for row in operations() {
        table.push_str(&format!("| {} |", row["does"].as_str().expect("words")));
        for (language, _) in LANGUAGES {
            match row[language].as_str() {
                Some(name) => table.push_str(&format!(" `{name}` |")),
                None => table.push_str(" |"),
            }
        }
        table.push_str(&format!(
            " {} |\n",
            row["truncated"].as_str().expect("a word")
        ));
    }
    let path = file("docs/src/truncation.md");
    let page = fs::read_to_string(&path).expect("the page");
    let start = page.find("| operation |").expect("the table");
    let length = page[start..]
        .find("\n\n")
        .map_or(page.len() - start, |length| length + 1);
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        let new = [&page[..start], &table, &page[start + length..]].concat();
        fs::write(path, new).expect("the page can be written");
    } else {
        assert_eq!(&page[start..start + length], table);
    }
}

/// Returns `true` if an operation returns the value of the truncated reply; `None` if no operation has the name.
fn takes(name: &str, policy: &Policy) -> Option<bool> {
    let schema = llmjson::typed::schema::<Pay>().expect("a schema");
    let parsed = policy.parse(TRUNCATED, Some(&schema));
    assert!(parsed.conforms() && !parsed.is_complete());
    let paid = |pay: &Pay| pay.to == "Ann" && pay.amount == 1;
    let allows = policy.allows_truncated();
    Some(match name {
        "from_str" => policy
            .from_str::<Pay>(TRUNCATED)
            .is_ok_and(|pay| paid(&pay)),
        "typed::from_str" if !allows => llmjson::typed::from_str::<Pay>(TRUNCATED).is_ok(),
        "typed::arguments" if !allows => llmjson::typed::arguments::<Pay>(TRUNCATED).is_ok(),
        "arguments" => policy.arguments(TRUNCATED, Some(&schema)).conforms(),
        "Parsed::into_result" => parsed.into_result().is_ok(),
        "typed::from_str" | "typed::arguments" | "Parsed::into_type" => {
            parsed.into_type::<Pay>().is_ok_and(|pay| paid(&pay))
        }
        "Contract::bind" => {
            let mut tool = Tool::new("pay", "Pays.");
            if allows {
                tool = tool.with_truncated(policy.truncated());
            }
            let contract = Contract::new(tool, schema.as_json()).expect("a contract");
            contract.bind::<Pay>(TRUNCATED).is_ok()
        }
        "Retry::run" => Retry::new(&schema)
            .with_policy(policy.clone())
            .with_max_retries(0)
            .run(
                |_| Ok::<_, std::fmt::Error>(TRUNCATED),
                vec![Message::user("Pay.")],
            )
            .is_ok(),
        "parse" => parsed.conforms(),
        "parse_all" => policy.parse_all(TRUNCATED, Some(&schema))[0]
            .parsed()
            .conforms(),
        "Stream" => {
            let mut stream = Stream::new(Some(&schema)).with_policy(policy.clone());
            stream.push(TRUNCATED);
            stream.finish().parsed.conforms()
        }
        _ => return None,
    })
}

#[test]
fn every_operation_of_rust_refuses_or_reports_a_truncated_reply() {
    let (lenient, allowing) = (Policy::lenient(), Policy::lenient().allow_truncated());
    for row in operations() {
        let Some(name) = row["rust"].as_str() else {
            continue;
        };
        let seen = (takes(name, &lenient), takes(name, &allowing));
        let is_reported = row["truncated"] != "refused";
        assert_eq!(seen, (Some(is_reported), Some(true)), "{name}");
    }
    let refuses = llmjson::from_str::<Pay>(TRUNCATED)
        .err()
        .expect("it is truncated");
    assert!(refuses.to_string().contains("(truncated)"), "{refuses}");
    let schema = Schema::from_text("true").expect("a schema");
    assert!(!llmjson::arguments(TRUNCATED, Some(&schema)).conforms());
}
