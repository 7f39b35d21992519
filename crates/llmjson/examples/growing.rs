//! A struct that grows while the reply arrives: each snapshot of a stream is read into a type whose
//! fields may be missing. Run it with `cargo run -p llmjson --example growing`.

#![allow(clippy::print_stdout)]

use std::error::Error;

use llmjson::{DeserializeExt, Schema, stream::Stream};
use serde::Deserialize;

/// The data that the page shows; every field may still be missing.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
struct Trip {
    city: Option<String>,
    days: Option<u32>,
    level: Option<Level>,
    stops: Vec<Stop>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Level {
    Easy,
    Hard,
}

#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
struct Stop {
    name: String,
    nights: Option<u32>,
}

/// The text of a model, split at the boundaries of its pieces.
const PIECES: [&str; 12] = [
    "Here is your trip:\n```json\n{",
    "\"city\": \"Os",
    "lo\", \"days\"",
    ": \"5",
    "\", \"level\": \"ea",
    "sy\", \"stops\"",
    ": [{\"name\": \"Li",
    "llehammer\", \"nights\": 2",
    "}, {\"name\"",
    ": \"Ber",
    "gen\", \"nights\": 3",
    "}]}\n```\nHave a good time!",
];

fn main() -> Result<(), Box<dyn Error>> {
    let schema = Schema::compile(&serde_json::json!({
        "type": "object",
        "properties": {
            "city": {"type": "string"},
            "days": {"type": "integer"},
            "level": {"enum": ["easy", "hard"]},
            "stops": {"type": "array", "items": {
                "type": "object",
                "properties": {"name": {"type": "string"}, "nights": {"type": "integer"}}
            }}
        },
        "required": ["city", "days"]
    }))?;
    let mut stream = Stream::new(Some(&schema));
    let mut shown = Trip::default();
    for piece in PIECES {
        stream.push(piece);
        let Some(value) = stream.value() else {
            continue;
        };
        let trip: Trip = value.deserialize()?;
        if trip != shown {
            println!("{trip:?}");
            shown = trip;
        }
    }
    let finished = stream.finish();
    assert!(finished.parsed.conforms() && !finished.superseded);
    if let Some(value) = finished.parsed.value() {
        println!("whole: {:?}", value.deserialize::<Trip>()?);
    }
    Ok(())
}
