use super::*;

fn number(text: &str) -> Option<(String, CoercionKind, Class)> {
    let read = read(text, &Place::UNKNOWN)?;
    Some((read.number, read.kind, read.class))
}

#[test]
fn numbers_are_read_whole() {
    use Class::{Guess, Likely};
    use CoercionKind::{GroupedNumber as Grouped, UnitNumber as Unit, WrittenNumber as Written};
    for (text, expected, kind, class) in [
        ("75kg", "75", Unit, Guess),
        ("75 kg.", "75", Unit, Guess),
        ("$4.75", "4.75", Unit, Guess),
        ("-$4.75", "-4.75", Unit, Guess),
        ("US$ 5", "5", Unit, Guess),
        ("5 USD", "5", Unit, Guess),
        ("EUR 12.50", "12.50", Unit, Guess),
        ("$5 USD", "5", Unit, Guess),
        ("1.82 m", "1.82", Unit, Guess),
        ("44%", "44", Unit, Guess),
        ("-3.5 °C", "-3.5", Unit, Guess),
        ("−3.5 °C", "-3.5", Unit, Guess),
        ("120 km/h", "120", Unit, Guess),
        ("$20/hour", "20", Unit, Guess),
        ("20 kilometers", "20", Unit, Guess),
        ("30 years old", "30", Unit, Guess),
        ("4,75 €", "4.75", Unit, Guess),
        ("~3", "3", Written, Guess),
        ("about 5", "5", Written, Guess),
        ("約5", "5", Written, Guess),
        ("12,5", "12.5", Written, Guess),
        ("-3,25", "-3.25", Written, Guess),
        ("5万", "50000", Written, Guess),
        ("3億円", "300000000", Written, Guess),
        ("2 Mrd. €", "2000000000", Written, Guess),
        ("zwölf", "12", Written, Guess),
        ("три", "3", Written, Guess),
        ("~3 kg", "3", Unit, Guess),
        ("6.979.309,46 €", "6979309.46", Grouped, Likely),
        ("6.979.309,46", "6979309.46", Grouped, Likely),
        ("12,34,567", "1234567", Grouped, Likely),
        ("₹12,34,567.50", "1234567.50", Grouped, Likely),
        ("1_000_000", "1000000", Grouped, Likely),
        ("1 234 567", "1234567", Grouped, Likely),
        ("٤٢", "42", Written, Likely),
        ("१२.५", "12.5", Written, Likely),
        ("１２３", "123", Written, Likely),
        ("1.2M", "1200000", Written, Guess),
        ("3k", "3000", Written, Guess),
        ("2 million", "2000000", Written, Guess),
        ("$1.2M", "1200000", Written, Guess),
        ("$5m", "5000000", Written, Guess),
        ("5M€", "5000000", Written, Guess),
        ("2.5 billion dollars", "2500000000", Written, Guess),
        ("1.2345k", "1234.5", Written, Guess),
        ("0.5k", "500", Written, Guess),
        ("-0.00001k", "-0.01", Written, Guess),
        ("minus five", "-5", Written, Guess),
        ("three minutes", "3", Written, Guess),
        ("five percent", "5", Written, Guess),
        ("two million", "2000000", Written, Guess),
        ("1.2B", "1200000000", Written, Guess),
        ("969 M", "969000000", Written, Guess),
        ("12.5V", "12.5", Unit, Guess),
        ("12 V", "12", Unit, Guess),
        ("30s", "30", Unit, Guess),
        ("٨٪", "8", Unit, Guess),
        ("twelve", "12", Written, Guess),
        ("twelve (12)", "12", Written, Guess),
        ("a total of 12", "12", Written, Guess),
        ("12 in total.", "12", Written, Guess),
        ("12 approx.", "12", Written, Guess),
        ("minus 5", "-5", Written, Guess),
        ("二十五", "25", Written, Guess),
        ("Twenty.", "20", Written, Guess),
    ] {
        let expected = Some((expected.to_owned(), kind, class));
        assert_eq!(number(text), expected, "{text}");
    }
}

#[test]
fn what_is_more_than_a_number_is_none() {
    for text in [
        "",
        "5 apples",
        "3 of 5",
        "10-20",
        "10 - 20 kg",
        "2024-01-02",
        "2026/03/05",
        "1.2.3",
        "v1.2",
        "AB-12",
        "A4",
        "B52",
        "+1 555 123 4567",
        "555-1234",
        "555 123 4567",
        "12:30",
        "7A",
        "54B",
        "12V",
        "3d",
        "2.5b",
        "1.2T",
        "1/2",
        "½",
        "twelve (13)",
        "5 kg 3 g",
        "5 ft 10 in",
        "3 x 4",
        "5 pm",
        "3rd",
        "#5",
        "about 5 or 6",
        "5+",
        "<5",
        ">= 5",
        "5 or 6",
        "1 to 3",
        "May",
        "1.234 €",
        "$5 €",
        "five apples",
        "twenty one",
        "192.168.0.1",
        "5 stars",
        "10 items",
        "--5",
        "$-$5",
        "1e999",
        "0x10",
        "(555) 123",
        "5 kg or 6 kg",
        "RTX 3080",
        "MK2",
        "USD",
        "kg",
        "%",
        "5 6",
        "1.2.3 kg",
        "5-6 kg",
        "-",
        ".",
        "~",
        "USD-5",
        "12-kg-bag",
    ] {
        assert_eq!(number(text), None, "{text}");
    }
}

#[test]
fn the_schema_says_the_unit() {
    let read = |name: &str, text: &str| {
        let hints = || {
            let mut hints = Hints::default();
            hints.read_name(name);
            hints
        };
        let place = Place {
            hints: &hints,
            ..Place::UNKNOWN
        };
        read(text, &place)
    };
    let class = |name: &str, text: &str| read(name, text).map(|read| read.class);
    assert_eq!(class("weight_kg", "75kg"), Some(Class::Likely));
    assert_eq!(class("weight_kg", "75 lbs"), None);
    assert_eq!(class("weight_kg", "~75kg"), Some(Class::Guess));
    assert_eq!(class("price_usd", "$4.75"), Some(Class::Likely));
    assert_eq!(class("price_eur", "$4.75"), None);
    assert_eq!(class("price", "$4.75"), Some(Class::Guess));
    assert_eq!(class("current_a", "7A"), None);
    assert_eq!(class("plan_b", "54 kg"), Some(Class::Guess));
    let bytes = read("size_in_bytes", "54B").expect("a number of bytes");
    assert_eq!((&*bytes.number, bytes.class), ("54", Class::Likely));
}
