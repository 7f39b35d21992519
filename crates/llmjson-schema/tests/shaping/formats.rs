//! Texts of formats, made at random: by the letter, as they are meant, and damaged.

use jsonschema::Draft;
use llmjson_schema::{CoerceOptions, Coercion, FormatStrictness, Schema, Undeclared, coerce, laws};
use llmjson_syntax::parse;
use serde_json::json;

use llmjson_testutil::Rng;

/// How a text was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Made {
    Letter,
    Meant,
    Wrong,
}

fn two(rng: &mut Rng, end: usize) -> String {
    format!("{:02}", rng.below(end))
}

fn clock(rng: &mut Rng) -> String {
    format!("{}:{}", two(rng, 24), two(rng, 60))
}

fn date(made: Made, rng: &mut Rng) -> String {
    let (year, month) = (rng.between(1900, 2100), rng.between(1, 12));
    let day = rng.between(1, 28);
    match made {
        Made::Letter => format!("{year}-{month:02}-{day:02}"),
        _ => match rng.below(4) {
            0 => format!("{year}-{:02}-{day:02}", month + 12),
            1 => format!("{year}-{month:02}-{:02}", day + 31),
            2 => format!("{day:02}/{month:02}/{year}"),
            _ => format!("{year}-{month:02}"),
        },
    }
}

fn time(made: Made, rng: &mut Rng) -> String {
    let (clock, second) = (clock(rng), two(rng, 60));
    let zone = match rng.below(2) {
        0 => "Z".to_owned(),
        _ => format!("{}{}:00", rng.pick(&["+", "-"]), two(rng, 24)),
    };
    let fraction = rng.pick(&["", ".5", ".123456"]);
    match made {
        Made::Letter => format!("{clock}:{second}{fraction}{zone}"),
        Made::Meant => match rng.below(4) {
            0 => format!("{clock}:{second}{fraction}"),
            1 => clock,
            2 => format!("{clock}{zone}"),
            _ => format!("{clock}:{second}{fraction} +02"),
        },
        Made::Wrong => match rng.below(5) {
            0 => format!("{}{}:{second}{zone}", rng.between(24, 99), &clock[2..]),
            1 => format!("{}:{}:{second}", &clock[..2], rng.between(60, 99)),
            2 => format!("{clock}:{}", rng.between(61, 99)),
            3 => format!("{clock} pm"),
            _ => format!("{clock}:{second}."),
        },
    }
}

fn date_time(made: Made, rng: &mut Rng) -> String {
    match made {
        Made::Letter => format!("{}T{}", date(made, rng), time(made, rng)),
        Made::Meant => {
            let how = rng.pick(&[(" ", Made::Letter), ("T", Made::Meant), (" ", Made::Meant)]);
            format!("{}{}{}", date(Made::Letter, rng), how.0, time(how.1, rng))
        }
        Made::Wrong => match rng.below(4) {
            0 => format!("{}T{}", date(made, rng), time(Made::Letter, rng)),
            1 => format!("{} {}", date(Made::Letter, rng), time(made, rng)),
            2 => date(Made::Letter, rng),
            _ => format!("{}, {}", date(Made::Letter, rng), time(Made::Meant, rng)),
        },
    }
}

fn duration(made: Made, rng: &mut Rng) -> String {
    let amount = rng.below(100);
    match made {
        Made::Letter => {
            let form = rng.pick(&["P#D", "PT#H", "PT#M30S", "P#W", "P1Y#M2D", "P1DT#H"]);
            form.replace('#', &amount.to_string())
        }
        Made::Meant => match rng.below(3) {
            0 => format!("{amount}:{}:{}", two(rng, 60), two(rng, 60)),
            1 => format!("PT{amount}.5S"),
            _ => format!("-PT{amount}M"),
        },
        Made::Wrong => match rng.below(4) {
            0 => format!("{amount} minutes"),
            1 => format!("{amount}:{}:00", rng.between(60, 99)),
            2 => format!("PT{amount}"),
            _ => format!("{amount}:{}", two(rng, 60)),
        },
    }
}

fn uuid(made: Made, rng: &mut Rng) -> String {
    let digits: String = (0..32).map(|_| rng.pick(&HEX)).collect();
    let groups = [
        &digits[..8],
        &digits[8..12],
        &digits[12..16],
        &digits[16..20],
        &digits[20..],
    ];
    match made {
        Made::Letter => groups.join("-"),
        Made::Meant => digits,
        Made::Wrong => match rng.below(3) {
            0 => digits[1..].to_owned(),
            1 => format!("{}g", &digits[1..]),
            _ => groups.join("-").replacen('-', "", 1),
        },
    }
}

const HEX: [char; 16] = [
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'E', 'F',
];

type Make = fn(Made, &mut Rng) -> String;

const FORMATS: [(&str, Make); 5] = [
    ("date", date),
    ("date-time", date_time),
    ("duration", duration),
    ("time", time),
    ("uuid", uuid),
];

/// What was made conforms, is noted or is wrong as it was made, stays as it is, and the letter is that of
/// `jsonschema`.
pub(crate) fn are_told(seed: u64) {
    let mut rng = Rng::new(seed);
    let (name, make) = rng.pick(&FORMATS);
    let schema = json!({"items": {"type": "string", "format": name}});
    let oracle = laws::judge(&schema["items"], Draft::Draft202012).expect("a schema");
    let schema = Schema::compile(&schema).expect("a schema");
    let made: Vec<_> = (0..8)
        .map(|_| rng.pick(&[Made::Letter, Made::Meant, Made::Wrong]))
        .collect();
    // There is only one way to write a day.
    let is_free = name != "date";
    let made = made
        .into_iter()
        .filter(|made| is_free || *made != Made::Meant);
    let made: Vec<_> = made.map(|made| (made, make(made, &mut rng))).collect();
    let texts: Vec<_> = made.iter().map(|(_, text)| text.as_str()).collect();
    let given = json!(texts).to_string();
    let mut document = parse(&given);
    let as_written = schema.with_formats(FormatStrictness::AsWritten);
    let changes = coerce(&mut document, as_written, &CoerceOptions::default());
    let places = |wanted: &[Made]| {
        let places = made.iter().enumerate();
        let places = places.filter(|(_, (made, _))| wanted.contains(made));
        places
            .map(|(at, _)| format!("$input[{at}]"))
            .collect::<Vec<_>>()
    };
    // What is wrong may be another form of the same; what has the format stays.
    let other_forms = places(&[Made::Wrong]);
    let is_other = |made: &Coercion| other_forms.contains(&made.path.to_string());
    assert!(changes.iter().all(is_other), "{given}: {changes:?}");
    are_written_out(&given, name, &schema, &made);
    let document = parse(&given);
    let root = document.root().expect("a list");
    let wrong = |schema: &Schema| {
        let found = schema.violations(root, Undeclared::Keep);
        found
            .iter()
            .map(|one| one.path.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(wrong(&schema), places(&[Made::Wrong]), "{name} in {given}");
    let noted = schema.format_notes(root);
    let noted: Vec<_> = noted.iter().map(|note| note.path.to_string()).collect();
    assert_eq!(noted, places(&[Made::Meant]), "{name} in {given}");
    let strict = schema.with_formats(FormatStrictness::Strict);
    assert_eq!(
        wrong(strict),
        places(&[Made::Meant, Made::Wrong]),
        "{name} in {given}"
    );
    assert!(strict.format_notes(root).is_empty());
    for (made, text) in &made {
        let is_letter = oracle.is_valid(&json!(text));
        assert_eq!(is_letter, *made == Made::Letter, "{name} of {text:?}");
    }
}

/// A text that has its format by the letter stays, and one that has it as it is meant says the same by the letter: the same digits
/// and the same offset, or none, with seconds and the `T` put in.
fn are_written_out(given: &str, name: &str, schema: &Schema, made: &[(Made, String)]) {
    let mut document = parse(given);
    let changes = coerce(&mut document, schema, &CoerceOptions::default());
    let root = document.root().expect("a list");
    let is_time = matches!(name, "date-time" | "time");
    for ((made, text), after) in made.iter().zip(root.items()) {
        let after = after.as_str().expect("a text");
        match made {
            Made::Wrong => continue,
            Made::Meant if is_time => {}
            Made::Letter | Made::Meant => {
                assert_eq!(after, *text, "{name}: {changes:?}");
                continue;
            }
        }
        let digits = |text: &str| text.replace(|sign: char| !sign.is_ascii_digit(), "");
        let begins = if name == "time" { 5 } else { 16 };
        let (head, tail) = (&text[..begins], &text[begins..]);
        assert_eq!(after[..begins], head.replace(' ', "T"), "{text}");
        let has_seconds = tail.starts_with(':');
        let rest = after[begins..].strip_prefix(":00").filter(|_| !has_seconds);
        let rest = rest.unwrap_or(&after[begins..]);
        let zeros = digits(rest)
            .strip_prefix(&digits(tail))
            .map(|more| more.trim_matches('0').len());
        assert_eq!(zeros, Some(0), "{text} became {after}");
        let has_offset = |text: &str| text.contains(['Z', '+', '-']);
        assert_eq!(has_offset(tail), has_offset(rest), "{text} became {after}");
        assert!(
            after[begins..].starts_with(':') && !after.contains(' '),
            "{text} became {after}"
        );
    }
    let again = coerce(&mut document, schema, &CoerceOptions::default());
    let wrong = |one: &&Coercion| !changes.iter().any(|made| made.path == one.path);
    assert_eq!(again.iter().filter(wrong).count(), 0, "{given}: {again:?}");
}
