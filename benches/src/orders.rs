//! An order form, its schema, and who judges a text by that schema.
//!
//! A judge's "value" is the number of errors that it finds.

use std::hint::black_box;

use llmjson_schema::{CoerceOptions, Schema, Undeclared, fit};
use llmjson_syntax::Parser;

use crate::contenders::Contender;
use crate::tree::Tree;

/// The four judges, the base first.
pub(crate) const JUDGES: [&Contender; 4] = [
    &SERDE_JSON_JSONSCHEMA,
    &LLM_JSON_JSONSCHEMA,
    &VALIDATE,
    &COERCE_VALIDATE,
];

/// What programs do today. jsonschema brings `float_roundtrip` along, so this is with it.
pub(crate) const SERDE_JSON_JSONSCHEMA: Contender = Contender {
    name: "serde_json+jsonschema",
    later: "nothing",
    start: || {
        let validator = validator();
        Box::new(move |text| errors(&validator, serde_json::from_str(text).ok()).is_some())
    },
    value: |text| errors(&validator(), serde_json::from_str(text).ok()).map(Into::into),
};

/// The same with a repairer.
const LLM_JSON_JSONSCHEMA: Contender = Contender {
    name: "llm_json+jsonschema",
    later: "nothing",
    start: || {
        let validator = validator();
        Box::new(move |text| {
            errors(&validator, llm_json::loads(text, &Default::default()).ok()).is_some()
        })
    },
    value: |text| {
        errors(
            &validator(),
            llm_json::loads(text, &Default::default()).ok(),
        )
        .map(Into::into)
    },
};

/// Our parser and our validator.
const VALIDATE: Contender = Contender {
    name: "llmjson+validate",
    later: "numbers, escapes",
    start: || {
        let (schema, mut parser) = (schema(), Parser::new());
        Box::new(move |text| judge(&schema, &mut parser, None, text).is_some())
    },
    value: |text| judge(&schema(), &mut Parser::new(), None, text).map(Into::into),
};

/// Our parser, then what may be changed to fit the schema, then our validator.
pub(crate) const COERCE_VALIDATE: Contender = Contender {
    name: "llmjson+coerce+validate",
    later: "numbers, escapes",
    start: || {
        let (schema, mut parser) = (schema(), Parser::new());
        let options = CoerceOptions::default();
        Box::new(move |text| judge(&schema, &mut parser, Some(&options), text).is_some())
    },
    value: |text| {
        let options = CoerceOptions::default();
        judge(&schema(), &mut Parser::new(), Some(&options), text).map(Into::into)
    },
};

/// What users call: everything that [`COERCE_VALIDATE`] does, with a parser of its own for each
/// text and the whole report.
pub(crate) const PARSE: Contender = Contender {
    name: "llmjson::parse",
    later: "numbers, escapes",
    start: || {
        let schema = schema();
        Box::new(move |text| {
            black_box(llmjson::parse(text, Some(&schema)))
                .value()
                .is_some()
        })
    },
    value: |text| {
        let schema = schema();
        Some(
            llmjson::parse(text, Some(&schema))
                .violations()
                .len()
                .into(),
        )
    },
};

/// The same, and the page for the model, if it does not fit.
pub(crate) const FEEDBACK: Contender = Contender {
    name: "llmjson+feedback",
    later: "numbers, escapes",
    start: || {
        let schema = schema();
        Box::new(move |text| {
            let parsed = llmjson::parse(text, Some(&schema));
            if !parsed.conforms() {
                black_box(parsed.into_failure().feedback(None));
            }
            true
        })
    },
    value: |text| (PARSE.value)(text),
};

fn validator() -> jsonschema::Validator {
    let schema = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    let options = jsonschema::options().should_validate_formats(true);
    options.build(&schema).expect("the schema is valid")
}

fn schema() -> Schema {
    Schema::from_text(SCHEMA).expect("the schema is valid")
}

fn errors(validator: &jsonschema::Validator, value: Option<serde_json::Value>) -> Option<usize> {
    let value = value?;
    let errors: Vec<_> = validator.iter_errors(&value).collect();
    Some(black_box(&errors).len())
}

/// How many errors are left.
pub(crate) fn judge(
    schema: &Schema,
    parser: &mut Parser,
    options: Option<&CoerceOptions>,
    text: &str,
) -> Option<usize> {
    let mut document = parser.parse(text);
    let errors = document.root().map(|root| root.id()).map(|root| {
        let violations = match options {
            Some(options) => fit(&mut document, schema, options, Undeclared::Keep).1,
            None => schema.violations(document.node(root), Undeclared::Keep),
        };
        black_box(&violations).len()
    });
    parser.recycle(document);
    errors
}

/// What does not fit in an order.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flaws {
    /// Nothing.
    None,
    /// Three errors that no coercion puts right.
    Three,
    /// So many quantities are texts that hold the number.
    Texts(u64),
    /// Two errors in each of the first hundred lines.
    Many,
}

/// An order with that many lines.
pub(crate) fn order(lines: u64, flaws: Flaws) -> Tree {
    let bad = flaws == Flaws::Three;
    let address = vec![
        ("street", Tree::text("12 Harbour Lane")),
        ("city", Tree::text("Galway")),
        ("zip", Tree::text("91012")),
        ("country", Tree::text("IE")),
    ];
    let customer = vec![
        ("name", Tree::text("Niamh Byrne")),
        (
            "email",
            Tree::text(if bad {
                "niamh at example.com"
            } else {
                "niamh@example.com"
            }),
        ),
        ("address", Tree::Object(address)),
    ];
    let item = |number: u64| {
        Tree::Object(vec![
            (
                "sku",
                Tree::Text(format!("AB-{:04}", 17 + number * 7 % 9000)),
            ),
            (
                "title",
                Tree::text(["teapot", "wool blanket", "reading lamp"][number as usize % 3]),
            ),
            ("quantity", quantity(number, flaws)),
            (
                "price",
                match flaws {
                    Flaws::Many if number < 100 => Tree::Number("-2.5".into()),
                    _ => Tree::cents(250 + number * 37 % 9000),
                },
            ),
        ])
    };
    let payment = vec![
        ("kind", Tree::text("card")),
        ("number", Tree::text("4242424242424242")),
        ("expires", Tree::text("2027-11")),
    ];
    Tree::Object(vec![
        (
            "order_id",
            Tree::text("2f1c7c1e-56a8-4c1d-9a53-0d7b1f6a9c11"),
        ),
        ("created_at", Tree::text("2025-05-02T10:31:00Z")),
        ("status", Tree::text("paid")),
        (
            "currency",
            Tree::text(if bad { "doubloons" } else { "EUR" }),
        ),
        ("customer", Tree::Object(customer)),
        ("items", Tree::List((0..lines).map(item).collect())),
        ("payment", Tree::Object(payment)),
        ("total", Tree::cents(125_000)),
        ("gift", Tree::Bool(false)),
        ("note", Tree::text("please leave it with the neighbours")),
    ])
}

fn quantity(number: u64, flaws: Flaws) -> Tree {
    let quantity = 1 + number % 9;
    match flaws {
        Flaws::Three if number == 1 => Tree::whole(5000),
        Flaws::Many if number < 100 => Tree::whole(5000),
        Flaws::Texts(count) if number < count => Tree::Text(quantity.to_string()),
        _ => Tree::whole(quantity),
    }
}

/// The schema of an order form.
pub(crate) const SCHEMA: &str = r##"{
  "type": "object",
  "required": ["order_id", "created_at", "status", "currency", "customer", "items", "payment"],
  "properties": {
    "order_id": {"type": "string", "format": "uuid"},
    "created_at": {"type": "string", "format": "date-time"},
    "status": {"enum": ["open", "paid", "shipped", "cancelled"]},
    "currency": {"type": "string", "pattern": "^[A-Z]{3}$"},
    "customer": {
      "type": "object",
      "required": ["name", "email"],
      "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 100},
        "email": {"type": "string", "format": "email"},
        "address": {
          "type": "object",
          "required": ["street", "city", "country"],
          "properties": {
            "street": {"type": "string"},
            "city": {"type": "string"},
            "zip": {"type": "string", "pattern": "^[0-9]{5}$"},
            "country": {"type": "string", "minLength": 2, "maxLength": 2}
          }
        }
      }
    },
    "items": {
      "type": "array",
      "minItems": 1,
      "items": {
        "type": "object",
        "required": ["sku", "quantity", "price"],
        "properties": {
          "sku": {"type": "string", "pattern": "^[A-Z]{2}-[0-9]{4}$"},
          "title": {"type": "string", "maxLength": 80},
          "quantity": {"type": "integer", "minimum": 1, "maximum": 999},
          "price": {"type": "number", "minimum": 0}
        },
        "additionalProperties": false
      }
    },
    "payment": {
      "anyOf": [
        {
          "type": "object",
          "required": ["kind", "iban"],
          "properties": {"kind": {"const": "transfer"}, "iban": {"type": "string"}}
        },
        {
          "type": "object",
          "required": ["kind", "number", "expires"],
          "properties": {
            "kind": {"const": "card"},
            "number": {"type": "string", "pattern": "^[0-9]{12,19}$"},
            "expires": {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}$"}
          }
        },
        {
          "type": "object",
          "required": ["kind"],
          "properties": {"kind": {"const": "cash"}, "change_for": {"type": "number"}}
        }
      ]
    },
    "total": {"type": "number", "minimum": 0},
    "gift": {"type": "boolean"},
    "note": {"type": "string", "maxLength": 500}
  }
}"##;
