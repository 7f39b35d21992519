//! Types as libraries declare them, members of enumerations by their names, and marks at values.

use jiff::civil::{DateTime, time};
use jiff::fmt::strtime;

use super::times::any_day;
use super::{Form, NUMBER, Row, form, none, quoted};
use crate::rng::Rng;

pub(super) const ROWS: [Row; 6] = [
    Row {
        name: "decimal as text",
        form: decimal,
        refused: no_decimal,
    },
    Row {
        name: "local time",
        form: local,
        refused: no_local,
    },
    Row {
        name: "format as meant",
        form: meant,
        refused: not_meant,
    },
    Row {
        name: "text among marks",
        form: marked,
        refused: not_marked,
    },
    Row {
        name: "number with marks",
        form: number,
        refused: no_number,
    },
    Row {
        name: "member by name",
        form: member,
        refused: no_member,
    },
];

const DECIMALS: [&str; 3] = [
    r#"{"anyOf":[{"type":"number"},{"type":"string","pattern":"^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$"}]}"#,
    r#"{"type":["string","number"],"pattern":"^-?\\d+(\\.\\d+)?([eE]\\d+)?$"}"#,
    r#"{"type":"string","pattern":"^-?\\d+(\\.\\d+)?$"}"#,
];

fn decimal(rng: &mut Rng) -> Form {
    let (whole, cents) = (rng.between(1, 999), rng.between(10, 99));
    let schema = rng.pick(&DECIMALS);
    let plain = format!("{whole}.{cents}");
    let (text, meant) = match rng.below(6) {
        0 => (format!("${plain}"), plain),
        1 => (format!("{plain} €"), plain),
        2 => (
            format!("{whole},{cents:03}.5"),
            format!("{whole}0{cents}.5"),
        ),
        3 => (format!("{plain} USD"), plain),
        4 => (format!("{plain} [1]"), plain),
        _ => (format!(" {plain} "), plain),
    };
    form(schema, &text, &quoted(&meant))
}

fn no_decimal(rng: &mut Rng) -> Form {
    let schema = rng.pick(&DECIMALS);
    let number = rng.between(2, 99);
    let text = match rng.below(6) {
        0 => format!("{number} apples"),
        1 => format!("{number} of 100"),
        2 => format!("{number}-{}", number + 5),
        3 => format!("A{number}"),
        4 => format!("{number}/{}/2026", rng.between(10, 12)),
        _ => rng.pick(&["free", "call us", "$", "1.2.3"]).to_owned(),
    };
    none(schema, &text)
}

const LOCAL: &str = r#"{"type":"string","format":"partial-date-time"}"#;
const CLOCK: &str = r#"{"type":"string","format":"partial-time"}"#;

fn moment(rng: &mut Rng) -> DateTime {
    let clock = time(rng.below(24) as i8, rng.below(60) as i8, 0, 0);
    DateTime::from_parts(any_day(rng), clock)
}

fn local(rng: &mut Rng) -> Form {
    let moment = moment(rng);
    let written = |format: &str| strtime::format(format, moment).expect("a format of times");
    let whole = quoted(&written("%Y-%m-%dT%H:%M:%S"));
    let clock = quoted(&written("%H:%M:%S"));
    match rng.below(6) {
        0 => form(LOCAL, &written("%B %-d, %Y %-I:%M %p"), &whole),
        1 => form(LOCAL, &written("%Y-%m-%d %H:%M"), &whole),
        2 => form(LOCAL, &written("%d %b %Y %H:%M:%S"), &whole),
        3 => form(CLOCK, &written("%-I:%M %p"), &clock),
        4 => form(CLOCK, &written("%H:%M"), &clock),
        _ => form(CLOCK, &written("%Hh%M"), &clock),
    }
}

fn no_local(rng: &mut Rng) -> Form {
    let moment = moment(rng);
    let written = |format: &str| strtime::format(format, moment).expect("a format of times");
    match rng.below(5) {
        0 => none(LOCAL, &written("%Y-%m-%dT%H:%M:%SZ")),
        1 => none(LOCAL, &written("%B %-d, %Y %-I:%M %p EST")),
        2 => none(LOCAL, &written("%B %-d, %Y")),
        3 => none(CLOCK, &written("%H:%M:%S+02:00")),
        _ => none(CLOCK, rng.pick(&["noon", "later", "5"])),
    }
}

const MOMENT: &str = r#"{"type":"string","format":"date-time"}"#;

fn meant(rng: &mut Rng) -> Form {
    let moment = moment(rng);
    let written = |format: &str| strtime::format(format, moment).expect("a format of times");
    let zone = rng.pick(&["", "Z", "+02:00", "-05:30"]);
    let whole = written("%Y-%m-%dT%H:%M:%S");
    match rng.below(3) {
        0 => form(
            MOMENT,
            &(written("%Y-%m-%d %H:%M") + zone),
            &quoted(&(whole + zone)),
        ),
        1 => form(
            MOMENT,
            &(written("%Y-%m-%d %H:%M:%S") + zone),
            &quoted(&(whole + zone)),
        ),
        _ => form(
            MOMENT,
            &written("%Y-%m-%d"),
            &quoted(&written("%Y-%m-%dT00:00:00")),
        ),
    }
}

fn not_meant(rng: &mut Rng) -> Form {
    let day = any_day(rng);
    let text = match rng.below(4) {
        0 => format!("{day} 24:{:02}", rng.below(60)),
        1 => format!("{day} 1{}", rng.below(10)),
        2 => format!("{day}T10:{}", rng.between(60, 99)),
        _ => format!("{day} morning"),
    };
    none(MOMENT, &text)
}

const PAGE: &str = r#"{"type":"string","format":"uri"}"#;
const ID: &str = r#"{"type":"string","format":"uuid"}"#;

fn marked(rng: &mut Rng) -> Form {
    let page = format!(
        "https://{}.org/{}",
        rng.pick(&["a", "shop", "docs"]),
        rng.below(1000)
    );
    let id = format!("6f1c2d3e-1111-2222-3333-{:012}", rng.below(1_000_000));
    match rng.below(7) {
        0 => form(PAGE, &format!("<{page}>"), &quoted(&page)),
        1 => form(PAGE, &format!("[{page}]({page})"), &quoted(&page)),
        2 => form(PAGE, &format!("`{page}`"), &quoted(&page)),
        3 => form(PAGE, &format!("[the page]({page})"), &quoted(&page)),
        4 => form(ID, &format!("{{{id}}}"), &quoted(&id)),
        5 => form(ID, &id.replace('-', "–"), &quoted(&id)),
        _ => form(ID, &format!("urn:uuid:{{{id}}}")[9..], &quoted(&id)),
    }
}

fn not_marked(rng: &mut Rng) -> Form {
    let number = rng.below(1000);
    match rng.below(5) {
        0 => none(PAGE, &format!("see <https://a.org/{number}>")),
        1 => none(PAGE, &format!("[a](b {number})")),
        2 => none(PAGE, &format!("<a {number}>")),
        3 => none(ID, &format!("{{6f1c2d3e-1111-2222-3333-{number:011}}}")),
        _ => none(ID, &format!("order {number}")),
    }
}

fn number(rng: &mut Rng) -> Form {
    let (whole, part) = (rng.between(1, 999), rng.between(1, 9));
    match rng.below(5) {
        0 => form(NUMBER, &format!("{whole} [{part}]"), &whole.to_string()),
        1 => form(
            NUMBER,
            &format!("{whole}【{part}†source】"),
            &whole.to_string(),
        ),
        2 => form(NUMBER, &format!("–{whole}"), &format!("-{whole}")),
        3 => form(
            NUMBER,
            &format!("{whole} .{part}"),
            &format!("{whole}.{part}"),
        ),
        _ => form(NUMBER, &format!("0. {part}"), &format!("0.{part}")),
    }
}

fn no_number(rng: &mut Rng) -> Form {
    let (whole, part) = (rng.between(1, 999), rng.between(1, 9));
    let text = match rng.below(5) {
        0 => format!("{whole}–{}", whole + part),
        1 => format!("{part}. {whole}"),
        2 => format!("{whole} [a{part}]"),
        3 => format!("[{part}]"),
        _ => format!("– {whole}"),
    };
    none(NUMBER, &text)
}

const LEVEL: &str =
    r#"{"title":"Level","enum":[1,2,3],"x-enum-varnames":["LOW","MEDIUM","HIGH_RISK"]}"#;

fn member(rng: &mut Rng) -> Form {
    let (name, value) = rng.pick(&[("LOW", "1"), ("MEDIUM", "2"), ("HIGH_RISK", "3")]);
    let text = match rng.below(5) {
        0 => name.to_owned(),
        1 => name.to_lowercase().replace('_', " "),
        2 => format!("Level.{name}"),
        3 => format!("**{name}**"),
        _ => format!("<Level.{name}: {value}>"),
    };
    form(LEVEL, &text, value)
}

fn no_member(rng: &mut Rng) -> Form {
    let text = rng.pick(&[
        "not LOW",
        "LOW or MEDIUM",
        "Other.LOW",
        "HIGHER",
        "LOWEST",
        "MEDIUM-LOW",
        "unknown",
        "HIGH",
    ]);
    none(LEVEL, text)
}
