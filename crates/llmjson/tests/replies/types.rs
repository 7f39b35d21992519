//! Types by the schemas that their libraries derive, and the forms in which models write their values: each cell through
//! schemars and serde.

use std::fmt::Debug;

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime};
use llmjson::syntax::Class;
use llmjson::typed;
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use url::Url;
use uuid::Uuid;

#[derive(Debug, Deserialize, JsonSchema)]
struct Reply<T> {
    value: T,
}

/// A derived schema has the values alone, so that attributes tell the names.
#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[schemars(extend("x-enum-varnames" = ["Low", "High"]))]
enum Level {
    #[serde(rename = "1")]
    Low,
    #[serde(rename = "3")]
    High,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
enum State {
    /// All have agreed.
    #[serde(rename = "A")]
    #[schemars(title = "Approved")]
    Approved,
    /// One has not.
    #[serde(rename = "R")]
    #[schemars(title = "Rejected")]
    Rejected,
}

fn read<T>(written: &str) -> Result<(String, Class), String>
where
    T: Debug + DeserializeOwned + JsonSchema + 'static,
{
    let text = format!(r#"{{"value": {written}}}"#);
    let schema = typed::schema::<Reply<T>>().expect("a schema");
    let parsed = llmjson::parse(&text, Some(&schema));
    let certainty = parsed.certainty();
    let made = parsed.into_type::<Reply<T>>();
    let made = made.map_err(|error| error.to_string())?;
    Ok((format!("{:?}", made.value), certainty))
}

#[test]
fn values_are_read_as_their_types_declare_them() {
    use Class::{Certain, Guess, Likely};
    const LONG: &str = "0.1234567890123456789012345678";
    const ID: &str = "6f1c2d3e-1111-2222-3333-444455556666";
    let quoted = |text: &str| format!("{text:?}");
    type Cell<'t> = (
        fn(&str) -> Result<(String, Class), String>,
        String,
        &'t str,
        Class,
    );
    let cells: Vec<Cell<'_>> = vec![
        (read::<Decimal>, quoted("12.50"), "12.50", Certain),
        (read::<Decimal>, quoted(LONG), LONG, Certain),
        (read::<Decimal>, quoted("$12.50"), "12.50", Guess),
        (read::<Decimal>, quoted("1,234.50"), "1234.50", Likely),
        (read::<Option<Decimal>>, quoted("N/A"), "None", Likely),
        (read::<f64>, quoted("$39.90"), "39.9", Guess),
        (read::<f64>, quoted("6.979.309,46 €"), "6979309.46", Likely),
        (read::<u8>, quoted("3.0"), "3", Certain),
        (read::<Option<i32>>, quoted("none"), "None", Likely),
        (read::<bool>, quoted("Yes."), "true", Guess),
        (read::<bool>, "1".to_owned(), "true", Guess),
        (
            read::<NaiveDate>,
            quoted("March 5th, 2026"),
            "2026-03-05",
            Likely,
        ),
        (read::<NaiveDate>, quoted("05.03.2026"), "2026-03-05", Guess),
        (
            read::<NaiveDate>,
            quoted("**2026-03-05**"),
            "2026-03-05",
            Likely,
        ),
        (read::<NaiveTime>, quoted("3:30 PM"), "15:30:00", Likely),
        (
            read::<NaiveDateTime>,
            quoted("2026-03-05 10:30"),
            "2026-03-05T10:30:00",
            Likely,
        ),
        (
            read::<DateTime<FixedOffset>>,
            quoted("2026-03-05 10:30Z"),
            "2026-03-05T10:30:00+00:00",
            Likely,
        ),
        (read::<Uuid>, quoted(&format!("{{{ID}}}")), ID, Likely),
        (read::<Uuid>, quoted(&ID.replace('-', "–")), ID, Likely),
        (
            read::<Url>,
            quoted("<https://a.org/>"),
            "Domain(\"a.org\")",
            Likely,
        ),
        (read::<Option<Url>>, quoted("not available"), "None", Likely),
        (read::<Level>, quoted("High"), "High", Certain),
        (read::<Level>, quoted("HIGH"), "High", Likely),
        (read::<State>, quoted("Approved"), "Approved", Certain),
        (read::<State>, quoted("A - Approved"), "Approved", Likely),
        (
            read::<Vec<f64>>,
            quoted("1, 2 and 3"),
            "[1.0, 2.0, 3.0]",
            Guess,
        ),
        (read::<String>, "12.50".to_owned(), "\"12.50\"", Certain),
        (
            read::<String>,
            LONG.to_owned(),
            "\"0.1234567890123456789012345678\"",
            Certain,
        ),
    ];
    let mut wrong = String::new();
    for (read, written, meant, class) in cells {
        match read(&written) {
            Ok((made, certainty)) if made.contains(meant) && certainty == class => {}
            found => wrong += &format!("{written}: {found:?}, not {meant}, {class}\n"),
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn what_only_looks_like_a_value_is_none() {
    for (read, written) in [
        (read::<Decimal> as fn(&str) -> _, "\"five apples\""),
        (read::<f64>, "\"10-20\""),
        (read::<u8>, "\"5.5\""),
        (read::<bool>, "\"maybe\""),
        (read::<NaiveDate>, "\"05/03/2026\""),
        (read::<NaiveTime>, "\"noon\""),
        (read::<NaiveDateTime>, "\"tomorrow\""),
        (read::<DateTime<FixedOffset>>, "\"March 5, 2026\""),
        (read::<Uuid>, "\"6f1c2d3e-1111\""),
        (read::<Url>, "\"see <https://a.org>\""),
        (read::<Level>, "\"not High\""),
        (read::<State>, "\"not Approved\""),
    ] {
        let made = read(written);
        assert!(made.is_err(), "{written} was read as {made:?}");
    }
}

#[test]
fn times_without_an_offset_are_known_by_the_patterns_of_zod() {
    const TIME: &str = r"^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?$";
    let schema = serde_json::json!({
        "type": "object",
        "properties": {"value": {"type": "string", "pattern": TIME}},
        "required": ["value"]
    });
    let schema = llmjson::Schema::compile(&schema).expect("a schema");
    for (written, meant) in [
        ("3:30 PM", Some("15:30:00")),
        ("15:30", Some("15:30")),
        ("noon", None),
    ] {
        let text = format!(r#"{{"value": "{written}"}}"#);
        let parsed = llmjson::parse(&text, Some(&schema));
        let meant = meant.map(|meant| format!(r#"{{"value":"{meant}"}}"#));
        assert_eq!(parsed.conforms(), meant.is_some(), "{written}");
        if meant.is_some() {
            assert_eq!(parsed.to_json(), meant, "{written}");
        }
    }
}
