//! Values in other notations, as models write them.

use serde_json::Value;

use llmjson_testutil::Rng;

/// The name as people read it: `Unit Price` of `unit_price`.
pub(crate) fn titled(name: &str) -> String {
    let words = name
        .split('_')
        .map(|word| word[..1].to_uppercase() + &word[1..]);
    words.collect::<Vec<_>>().join(" ")
}

/// The text of a scalar without quotes.
pub(crate) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn is_container(value: &Value) -> bool {
    value.is_array() || value.is_object()
}

/// A scalar of YAML, quoted where it has to be.
fn yaml_scalar(value: &Value, rng: &mut Rng) -> String {
    let Value::String(text) = value else {
        return value.to_string();
    };
    let odd = text.contains(": ") || text.contains(" #") || text.ends_with(':');
    let odd =
        odd || text.starts_with(|c: char| "#&*!|>'\"%@`{[-?,+".contains(c) || c.is_ascii_digit());
    match odd || rng.chance(15) {
        true if !text.contains('\'') && rng.chance(50) => format!("'{text}'"),
        true => value.to_string(),
        false => text.clone(),
    }
}

pub(crate) fn yaml(value: &Value, indent: usize, rng: &mut Rng) -> String {
    let pad = " ".repeat(indent);
    let mut out = String::new();
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                match value {
                    Value::Array(items)
                        if items.iter().all(|item| !is_container(item)) && rng.chance(25) =>
                    {
                        let items: Vec<_> =
                            items.iter().map(|item| yaml_scalar(item, rng)).collect();
                        out += &format!("{pad}{name}: [{}]\n", items.join(", "));
                    }
                    Value::Array(_) => {
                        let inner = if rng.chance(50) { indent } else { indent + 2 };
                        out += &format!("{pad}{name}:\n{}", yaml(value, inner, rng));
                    }
                    Value::Object(_) => {
                        out += &format!("{pad}{name}:\n{}", yaml(value, indent + 2, rng))
                    }
                    Value::String(text)
                        if text.contains(". ") || text.len() > 18 && rng.chance(30) =>
                    {
                        out += &format!("{pad}{name}: |\n{pad}  {text}\n");
                    }
                    _ => {
                        let comment = if rng.chance(8) { "  # as stated" } else { "" };
                        out += &format!("{pad}{name}: {}{comment}\n", yaml_scalar(value, rng));
                    }
                }
            }
        }
        Value::Array(items) => {
            for item in items {
                match is_container(item) {
                    true => {
                        let inner = yaml(item, indent + 2, rng);
                        out += &format!("{pad}- {}", inner.trim_start());
                    }
                    false => out += &format!("{pad}- {}\n", yaml_scalar(item, rng)),
                }
            }
        }
        _ => out += &format!("{pad}{}\n", yaml_scalar(value, rng)),
    }
    out
}

/// Lines of names and values; `style` says which marks stand around them.
pub(crate) fn lines(value: &Value, indent: usize, style: usize, rng: &mut Rng) -> String {
    let pad = " ".repeat(indent);
    let mut out = String::new();
    let label = |name: &str| match style {
        0 => format!("{name}:"),
        1 => format!("{}:", titled(name)),
        2 => format!("**{}:**", titled(name)),
        3 => format!("- **{}**:", titled(name)),
        4 => format!("* {}:", titled(name)),
        _ => format!("- `{name}`:"),
    };
    let Value::Object(members) = value else {
        return out;
    };
    for (name, value) in members {
        let head = format!("{pad}{}", label(name));
        match value {
            Value::Array(items) if items.iter().all(|item| !is_container(item)) => {
                if rng.chance(50) {
                    let items: Vec<_> = items.iter().map(plain).collect();
                    out += &format!("{head} {}\n", items.join(", "));
                } else {
                    out += &format!("{head}\n");
                    for item in items {
                        out += &format!("{pad}  - {}\n", plain(item));
                    }
                }
            }
            Value::Array(items) => {
                out += &format!("{head}\n");
                for (index, item) in items.iter().enumerate() {
                    let bullet = if rng.chance(50) {
                        format!("{}.", index + 1)
                    } else {
                        "-".to_owned()
                    };
                    let width = indent + 3 + bullet.len();
                    let inner = lines(item, width, style.min(2), rng);
                    out += &format!("{pad}  {bullet} {}", inner.trim_start());
                }
            }
            Value::Object(_) => {
                out += &format!("{head}\n{}", lines(value, indent + 2, style, rng));
            }
            _ if style == 2 && rng.chance(30) => out += &format!("{head} `{}`\n", plain(value)),
            _ => out += &format!("{head} {}\n", plain(value)),
        }
    }
    out
}

/// The rows of a value, and the text that names the member they belong to.
fn rows(value: &Value) -> (&[Value], Option<&str>) {
    match value {
        Value::Array(items) => (items, None),
        Value::Object(members) => {
            let (name, list) = members.iter().next().expect("a member");
            (list.as_array().expect("a list"), Some(name))
        }
        _ => (&[], None),
    }
}

pub(crate) fn table(value: &Value, rng: &mut Rng) -> String {
    let (rows, name) = rows(value);
    let names: Vec<&String> = rows[0].as_object().expect("an object").keys().collect();
    let title = rng.chance(60);
    let mut out = match name {
        Some(name) if rng.chance(50) => format!("### {}\n\n", titled(name)),
        _ => String::new(),
    };
    let head: Vec<_> = names
        .iter()
        .map(|name| if title { titled(name) } else { (*name).clone() })
        .collect();
    out += &format!(
        "| {} |\n|{}\n",
        head.join(" | "),
        "---|".repeat(names.len())
    );
    for row in rows {
        let cells: Vec<_> = names
            .iter()
            .map(|name| plain(&row[name.as_str()]))
            .collect();
        out += &format!("| {} |\n", cells.join(" | "));
    }
    out
}

/// A table of names and values.
pub(crate) fn pairs(value: &Value) -> String {
    let mut out = "| Field | Value |\n| :--- | :--- |\n".to_owned();
    for (name, value) in value.as_object().expect("an object") {
        let text = match value {
            Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(", "),
            value => plain(value),
        };
        out += &format!("| **{}** | {text} |\n", titled(name));
    }
    out
}

pub(crate) fn csv(value: &Value, rng: &mut Rng) -> String {
    let (rows, _) = rows(value);
    let names: Vec<&String> = rows[0].as_object().expect("an object").keys().collect();
    let sign = rng.pick(&[",", ",", ";", "\t"]);
    let field = |value: &Value| {
        let text = plain(value);
        match text.contains([',', ';', '"', '\t']) {
            true => format!("\"{}\"", text.replace('"', "\"\"")),
            false => text,
        }
    };
    let mut out = names
        .iter()
        .map(|name| (*name).clone())
        .collect::<Vec<_>>()
        .join(sign)
        + "\n";
    for row in rows {
        let cells: Vec<_> = names
            .iter()
            .map(|name| field(&row[name.as_str()]))
            .collect();
        out += &(cells.join(sign) + "\n");
    }
    out
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// Elements of a value within one of that name.
pub(crate) fn xml(name: &str, value: &Value, indent: usize, wrapped: bool) -> String {
    let pad = " ".repeat(indent);
    let single = name.strip_suffix('s').unwrap_or("item");
    match value {
        Value::Object(members) => {
            let inner: String = members
                .iter()
                .map(|(name, value)| xml(name, value, indent + 2, wrapped))
                .collect();
            format!("{pad}<{name}>\n{inner}{pad}</{name}>\n")
        }
        Value::Array(items) if wrapped => {
            let inner: String = items
                .iter()
                .map(|item| xml(single, item, indent + 2, wrapped))
                .collect();
            format!("{pad}<{name}>\n{inner}{pad}</{name}>\n")
        }
        Value::Array(items) => items
            .iter()
            .map(|item| xml(name, item, indent, wrapped))
            .collect(),
        value => format!("{pad}<{name}>{}</{name}>\n", escaped(&plain(value))),
    }
}

pub(crate) fn toml(value: &Value, path: &str) -> String {
    let members = value.as_object().expect("an object");
    let (mut out, mut tables) = (String::new(), String::new());
    for (name, value) in members {
        let inner = if path.is_empty() {
            name.clone()
        } else {
            format!("{path}.{name}")
        };
        match value {
            Value::Object(_) => tables += &format!("\n[{inner}]\n{}", toml(value, &inner)),
            Value::Array(items) if items.iter().any(Value::is_object) => {
                for item in items {
                    tables += &format!("\n[[{inner}]]\n{}", toml(item, &inner));
                }
            }
            value => out += &format!("{name} = {value}\n"),
        }
    }
    out + &tables
}

/// Names and values without quotes, as INI and properties have them.
pub(crate) fn ini(value: &Value, rng: &mut Rng) -> String {
    let sign = rng.pick(&["=", " = "]);
    let members = value.as_object().expect("an object").iter();
    let lines = members.map(|(name, value)| {
        let text = match value {
            Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(", "),
            value => plain(value),
        };
        format!("{name}{sign}{text}\n")
    });
    lines.collect()
}

pub(crate) fn text_proto(value: &Value, indent: usize) -> String {
    let pad = " ".repeat(indent);
    let mut out = String::new();
    for (name, value) in value.as_object().expect("an object") {
        let all = match value {
            Value::Array(items) => &items[..],
            value => std::slice::from_ref(value),
        };
        for one in all {
            out += &match one {
                Value::Object(_) => {
                    format!("{pad}{name} {{\n{}{pad}}}\n", text_proto(one, indent + 2))
                }
                one => format!("{pad}{name}: {one}\n"),
            };
        }
    }
    out
}

pub(crate) fn hjson(value: &Value, indent: usize) -> String {
    let pad = " ".repeat(indent + 2);
    let end = " ".repeat(indent);
    match value {
        Value::Object(members) => {
            let inner = members
                .iter()
                .map(|(name, value)| format!("{pad}{name}: {}\n", hjson(value, indent + 2)));
            format!("{{\n{}{end}}}", inner.collect::<String>())
        }
        Value::Array(items) => {
            let inner = items
                .iter()
                .map(|item| format!("{pad}{}\n", hjson(item, indent + 2)));
            format!("[\n{}{end}]", inner.collect::<String>())
        }
        Value::String(text) if text.starts_with(['#', '"', '\'', '[', '{']) => value.to_string(),
        value => plain(value),
    }
}

pub(crate) fn print_r(value: &Value, indent: usize) -> String {
    let pad = " ".repeat(indent);
    let entry = |name: &str, value: &Value| {
        format!("{pad}    [{name}] => {}\n", print_r(value, indent + 8))
    };
    let inner: String = match value {
        Value::Object(members) => members
            .iter()
            .map(|(name, value)| entry(name, value))
            .collect(),
        Value::Array(items) => {
            let items = items.iter().enumerate();
            items
                .map(|(index, value)| entry(&index.to_string(), value))
                .collect()
        }
        Value::Bool(truth) => {
            return if *truth {
                "1".to_owned()
            } else {
                String::new()
            };
        }
        value => return plain(value),
    };
    format!("Array\n{pad}(\n{inner}{pad})\n")
}

pub(crate) fn headings(value: &Value, level: usize) -> String {
    let mut out = String::new();
    for (name, value) in value.as_object().expect("an object") {
        out += &format!("{} {}\n\n", "#".repeat(level), titled(name));
        out += &match value {
            Value::Object(_) => headings(value, level + 1),
            Value::Array(items) => {
                items
                    .iter()
                    .map(|item| format!("- {}\n", plain(item)))
                    .collect::<String>()
                    + "\n"
            }
            value => format!("{}\n\n", plain(value)),
        };
    }
    out
}
