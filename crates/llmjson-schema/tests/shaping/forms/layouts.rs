//! The same data laid out otherwise.

use serde_json::{Map, Value, json};

use super::{Form, Row};
use crate::rng::Rng;

pub(super) const ROWS: [Row; 8] = [
    Row {
        name: "numbered map",
        form: numbered,
        refused: not_numbered,
    },
    Row {
        name: "pairs for a map",
        form: pairs,
        refused: no_pairs,
    },
    Row {
        name: "map for pairs",
        form: map,
        refused: no_map,
    },
    Row {
        name: "table",
        form: table,
        refused: no_table,
    },
    Row {
        name: "names with dots",
        form: dotted,
        refused: not_dotted,
    },
    Row {
        name: "another level",
        form: level,
        refused: no_level,
    },
    Row {
        name: "only member bare",
        form: bare,
        refused: not_bare,
    },
    Row {
        name: "list as text",
        form: listed,
        refused: not_listed,
    },
];

const WORDS: [&str; 8] = [
    "mix", "bake", "serve", "Ada", "Oslo", "red", "a b", "7 days",
];

fn laid(schema: &Value, written: &Value, meant: &Value) -> Form {
    Form {
        schema: schema.to_string(),
        written: written.to_string(),
        meant: Some(meant.to_string()),
    }
}

fn none(schema: &Value, written: &Value) -> Form {
    Form {
        schema: schema.to_string(),
        written: written.to_string(),
        meant: None,
    }
}

fn words(rng: &mut Rng) -> Vec<&'static str> {
    (0..rng.between(2, 5)).map(|_| rng.pick(&WORDS)).collect()
}

fn texts() -> Value {
    json!({"type": "array", "items": {"type": "string"}})
}

fn numbered(rng: &mut Rng) -> Form {
    let (start, stem) = (rng.below(2), rng.pick(&["", "item_", "step", "Item "]));
    let words = words(rng);
    let members = words.iter().enumerate();
    let members: Map<String, Value> = members
        .map(|(at, word)| (format!("{stem}{}", at + start), json!(word)))
        .collect();
    laid(&texts(), &Value::Object(members), &json!(words))
}

fn not_numbered(rng: &mut Rng) -> Form {
    let word = rng.pick(&WORDS);
    let written = match rng.below(3) {
        0 => json!({"2024": word, "2025": "x"}),
        1 => json!({"1": word, "3": "x"}),
        _ => json!({"a1": word, "b2": "x"}),
    };
    none(&texts(), &written)
}

fn counts() -> Value {
    json!({"type": "object", "additionalProperties": {"type": "integer"}})
}

fn members(rng: &mut Rng) -> Vec<(String, usize)> {
    let count = rng.between(2, 4);
    let name = |at: usize| ["blue", "green", "grey", "red"][at].to_owned();
    (0..count).map(|at| (name(at), rng.below(100))).collect()
}

fn pairs(rng: &mut Rng) -> Form {
    let members = members(rng);
    let (key, value) = rng.pick(&[("key", "value"), ("name", "value"), ("", "")]);
    let pair = |(name, count): &(String, usize)| match key {
        "" => json!([name, count]),
        _ => json!({key: name, value: count}),
    };
    let written: Vec<Value> = members.iter().map(pair).collect();
    let meant = members
        .iter()
        .map(|(name, count)| (name.clone(), json!(count)));
    laid(&counts(), &json!(written), &Value::Object(meant.collect()))
}

fn no_pairs(rng: &mut Rng) -> Form {
    let count = rng.below(100);
    let written = match rng.below(3) {
        0 => json!([["a", count], ["a", 1]]),
        1 => json!([["a", count, 1], ["b", 2, 3]]),
        _ => json!([[count, 1], [2, 3]]),
    };
    none(&counts(), &written)
}

fn list_of_pairs() -> Value {
    json!({"type": "array", "items": {
        "type": "object",
        "properties": {"key": {"type": "string"}, "value": {"type": "integer"}},
        "required": ["key", "value"]
    }})
}

fn map(rng: &mut Rng) -> Form {
    let members = members(rng);
    let written = members
        .iter()
        .map(|(name, count)| (name.clone(), json!(count)));
    let meant = members
        .iter()
        .map(|(name, count)| json!({"key": name, "value": count}));
    let meant: Vec<Value> = meant.collect();
    laid(
        &list_of_pairs(),
        &Value::Object(written.collect()),
        &json!(meant),
    )
}

fn no_map(rng: &mut Rng) -> Form {
    none(
        &list_of_pairs(),
        &json!({"red": rng.pick(&WORDS), "blue": {}}),
    )
}

fn people() -> Value {
    json!({"type": "array", "items": {
        "type": "object",
        "properties": {"id": {"type": "integer"}, "name": {"type": "string"}},
        "required": ["id", "name"]
    }})
}

fn table(rng: &mut Rng) -> Form {
    let rows: Vec<(usize, &str)> = (0..rng.between(1, 4))
        .map(|_| (rng.below(100), rng.pick(&WORDS)))
        .collect();
    let meant: Vec<Value> = rows
        .iter()
        .map(|(id, name)| json!({"id": id, "name": name}))
        .collect();
    let written = match rng.chance(50) {
        true => {
            let (ids, names): (Vec<_>, Vec<_>) = rows.iter().copied().unzip();
            json!({"id": ids, "name": names})
        }
        false => {
            let rows: Vec<Value> = rows.iter().map(|(id, name)| json!([id, name])).collect();
            json!({"columns": ["id", "name"], "rows": rows})
        }
    };
    laid(&people(), &written, &json!(meant))
}

fn no_table(rng: &mut Rng) -> Form {
    let id = rng.below(100);
    let written = match rng.below(3) {
        0 => json!({"id": [id, 2], "name": ["a"]}),
        1 => json!({"columns": ["id", "name"], "rows": [[id, "a"], [2]]}),
        _ => json!({"columns": ["id", "id"], "rows": [[id, 1]]}),
    };
    none(&people(), &written)
}

fn person() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "address": {
                "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
                "required": ["street", "city"]
            }
        },
        "required": ["name", "address"]
    })
}

fn dotted(rng: &mut Rng) -> Form {
    let (name, street, city) = (rng.pick(&WORDS), rng.pick(&WORDS), rng.pick(&WORDS));
    let sign = rng.pick(&[".", "_", "/"]);
    let written = json!({
        "name": name, format!("address{sign}street"): street, format!("address{sign}city"): city,
    });
    let meant = json!({"name": name, "address": {"street": street, "city": city}});
    laid(&person(), &written, &meant)
}

fn not_dotted(rng: &mut Rng) -> Form {
    let (name, city) = (rng.pick(&WORDS), rng.pick(&WORDS));
    let written = match rng.chance(50) {
        true => json!({"name": name, "address.city": city}),
        false => json!({"name": name, "home_street": city, "home_city": city}),
    };
    none(&person(), &written)
}

fn level(rng: &mut Rng) -> Form {
    let (name, street, city) = (rng.pick(&WORDS), rng.pick(&WORDS), rng.pick(&WORDS));
    if rng.chance(50) {
        let meant = json!({"name": name, "address": {"street": street, "city": city}});
        return laid(
            &person(),
            &json!({"name": name, "street": street, "city": city}),
            &meant,
        );
    }
    let flat = json!({
        "type": "object",
        "properties": {"name": {"type": "string"}, "street": {"type": "string"}, "city": {"type": "string"}},
        "required": ["name", "street", "city"]
    });
    let written = json!({"name": name, "details": {"street": street, "city": city}});
    laid(
        &flat,
        &written,
        &json!({"name": name, "street": street, "city": city}),
    )
}

fn no_level(rng: &mut Rng) -> Form {
    let (name, city) = (rng.pick(&WORDS), rng.pick(&WORDS));
    none(&person(), &json!({"name": name, "city": city}))
}

fn only(schema: &Value) -> Value {
    json!({
        "type": "object",
        "properties": {"value": schema, "note": {"type": "string"}},
        "required": ["value"]
    })
}

fn bare(rng: &mut Rng) -> Form {
    let (schema, value) = match rng.below(4) {
        0 => (json!({"type": "integer"}), json!(rng.below(100))),
        1 => (texts(), json!(words(rng))),
        2 => (json!({"type": "boolean"}), json!(rng.chance(50))),
        _ => (json!({"type": "string"}), json!(rng.pick(&WORDS))),
    };
    laid(&only(&schema), &value, &json!({"value": value}))
}

fn not_bare(rng: &mut Rng) -> Form {
    let two = json!({
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
        "required": ["a", "b"]
    });
    match rng.below(3) {
        0 => none(&two, &json!(rng.below(100))),
        1 => none(
            &only(&json!({"type": "integer"})),
            &json!([rng.pick(&WORDS)]),
        ),
        _ => none(
            &only(&json!({"type": "integer"})),
            &json!(rng.pick(&["red", "a b"])),
        ),
    }
}

fn listed(rng: &mut Rng) -> Form {
    let names = ["red", "green", "blue"];
    let count = rng.between(2, 3);
    let names = &names[..count];
    let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    let text = match rng.below(4) {
        0 => format!("[{}", quoted.join(", ")),
        1 => format!("[{}]", names.join(", ")),
        2 => format!("Here: [{}]", quoted.join(", ")),
        _ => format!("[{}]", quoted.join(",")),
    };
    laid(&texts(), &json!(text), &json!(names))
}

/// Texts that are one item.
fn not_listed(rng: &mut Rng) -> Form {
    let text = rng.pick(&["[draft] notes", "[Name.esp", "see [1]", "[x]", "a [b"]);
    laid(&texts(), &json!(text), &json!([text]))
}
