//! Extensions that the tools of cases name.

use llmjson::syntax::ValueRef;
use llmjson::tools::{
    Coerced, Coercer, Contextual, Extensions, Field, FieldCandidate, FieldMatcher, Fuzzy, Semantic,
};
use serde_json::Value;

/// The extensions that a tool names under `extensions`; lists of `synonyms` stand beside it.
pub(crate) fn named(options: &Value) -> Extensions {
    let names = options["extensions"].as_array();
    let names = names.into_iter().flatten().filter_map(Value::as_str);
    names.fold(Extensions::new(), |extensions, name| match name {
        "fuzzy" => extensions.with_matcher(Fuzzy::new()),
        "semantic" => extensions.with_matcher(semantic(&options["synonyms"])),
        "contextual" => extensions.with_matcher(Contextual::new()),
        "backwards" => extensions.with_matcher(Backwards),
        "backwards_first" => extensions.with_first_matcher(Backwards),
        "grams" => extensions.with_coercer(Grams),
        "digits" => extensions.with_normalizer("phone", digits),
        "broken" => extensions.with_normalizer("broken", |_: &str| panic!("out of order")),
        other => panic!("there is no extension {other}"),
    })
}

fn semantic(lists: &Value) -> Semantic {
    let lists = lists.as_array().into_iter().flatten();
    lists.fold(Semantic::new(), |semantic, list| {
        let names = list.as_array().into_iter().flatten();
        semantic.with_synonyms(names.filter_map(Value::as_str))
    })
}

/// Leaves the digits of a text, if there are any.
fn digits(text: &str) -> Option<String> {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    (!digits.is_empty()).then_some(digits)
}

/// Finds the member whose name is written backwards.
struct Backwards;

impl FieldMatcher for Backwards {
    fn name(&self) -> &str {
        "backwards"
    }

    fn candidates(&self, name: &str, _: ValueRef<'_>, open: &[Field<'_>]) -> Vec<FieldCandidate> {
        let name: String = name.chars().rev().collect();
        let found = open.iter().position(|field| field.name() == name);
        found
            .map(|field| FieldCandidate::new(field, 0.9))
            .into_iter()
            .collect()
    }
}

/// Reads weights: `2 kg` is 2000.
struct Grams;

impl Coercer for Grams {
    fn name(&self) -> &str {
        "grams"
    }

    fn coerce(&self, value: ValueRef<'_>, field: &Field<'_>) -> Coerced {
        let text = match value.as_str() {
            Some(text) if matches!(&*field.name(), "weightGrams" | "gramsValue") => text,
            _ => return Coerced::NotMine,
        };
        let Some((number, unit)) = text.split_once(' ') else {
            return Coerced::NotMine;
        };
        match (number.parse::<u32>(), unit) {
            (Ok(number), "g") => Coerced::Value(number.into()),
            (Ok(number), "kg") => Coerced::Value((number * 1_000).into()),
            _ => Coerced::Refused(format!("{text} is no weight in g or kg.")),
        }
    }
}
