//! A type whose schema guides what is read: see the module `typed` of llmjson.

use llmjson::typed;
use schemars::JsonSchema;
use serde::Deserialize;

/// A journey.
#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
pub struct Trip {
    /// Name of the city.
    pub to: String,
    #[schemars(range(min = 1))]
    pub days: u8,
    pub by: Vec<String>,
}

/// Reads a trip; an error has the feedback from which the model writes it anew.
pub fn read(reply: &str) -> Result<Trip, typed::Error> {
    typed::from_str(reply)
}

#[cfg(test)]
mod tests {
    use super::*;
    use llmjson::tools::{Registry, Tool};

    #[test]
    fn the_schema_says_what_was_meant() {
        let trip = read("Sure: {to: 'Oslo', days: \"3\", by: \"train\"}").unwrap();
        assert_eq!(
            (&*trip.to, trip.days, &*trip.by),
            ("Oslo", 3, &["train".to_owned()][..])
        );
        let feedback = read("{to: 'Oslo', days: 0, by: []}")
            .unwrap_err()
            .feedback();
        assert!(feedback.unwrap().contains("\"days\": 0, // ❌"));
    }

    /// With the features `preserve_order` of serde_json and schemars, order is kept from the type to the list of tools,
    /// and from the reply to the value.
    #[test]
    fn order_is_kept() {
        let in_order = |json: &str| {
            let places = ["\"to\":", "\"days\":", "\"by\":"].map(|name| json.find(name).unwrap());
            assert!(places.is_sorted(), "{json}");
        };
        let registry = Registry::builder().register::<Trip>(Tool::new("book", "Books a trip."));
        let registry = registry.build().unwrap();
        in_order(&registry.to_openai_json());
        in_order(&registry.to_mcp_json());
        let call = r#"{"to": "Oslo", "days": 3, "by": ["train"]}"#;
        in_order(&registry.bind_value("book", call).unwrap().value.to_string());
        let value = llmjson::parse(call, None).to_value().unwrap();
        in_order(&value.to_string());
    }
}
