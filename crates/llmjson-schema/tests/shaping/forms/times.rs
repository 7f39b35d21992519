//! Dates and times, which `jiff` writes.

use jiff::civil::{Date, DateTime, date};
use jiff::fmt::{rfc2822, strtime};
use jiff::tz::TimeZone;

use super::{Form, form, none, quoted};
use llmjson_testutil::Rng;

pub(super) fn any_day(rng: &mut Rng) -> Date {
    date(
        rng.between(1950, 2060) as i16,
        rng.between(1, 12) as i8,
        rng.between(1, 28) as i8,
    )
}

const DAY: &str = r#"{"type":"string","format":"date"}"#;
const MOMENT: &str = r#"{"type":"string","format":"date-time"}"#;

pub(super) fn ordinal(day: i8) -> &'static str {
    match day {
        1 | 21 | 31 => "st",
        2 | 22 => "nd",
        3 | 23 => "rd",
        _ => "th",
    }
}

pub(super) fn day(rng: &mut Rng) -> Form {
    let day = any_day(rng);
    let number = day.day();
    let th = ordinal(number);
    let written = |format: &str| strtime::format(format, day).expect("a format of dates");
    let text = match rng.below(10) {
        0 => written("%B %-d, %Y"),
        1 => written(&format!("%B %-d{th}, %Y")),
        2 => written("%d %b %Y"),
        3 => written("%A, %B %-d, %Y"),
        4 => written("%Y/%m/%d"),
        5 => written("%Y%m%d"),
        6 => written("%-d-%b-%Y"),
        7 => written(&format!("%-d{th} of %B %Y")),
        8 if number > 12 => written("%d/%m/%Y"),
        _ if number > 12 => written("%m/%d/%Y"),
        _ => written("%a, %d %b %Y"),
    };
    form(DAY, &text, &quoted(&day.to_string()))
}

pub(super) fn no_day(rng: &mut Rng) -> Form {
    let day = any_day(rng);
    let (low, other) = (rng.between(1, 6), rng.between(7, 12));
    let next = day.tomorrow().expect("a day");
    let text = match rng.below(8) {
        0 => format!("{low:02}/{other:02}/2026"),
        1 => rng
            .pick(&["May", "tomorrow", "next Friday", "Q1 2026", "2026", "soon"])
            .to_owned(),
        2 => strtime::format("%B %Y", day).expect("a format"),
        3 => format!(
            "{} to {}",
            strtime::format("%B %-d, %Y", day).expect("a format"),
            next
        ),
        4 => format!(
            "{}, {}",
            strtime::format("%A", next).expect("a format"),
            strtime::format("%B %-d, %Y", day).expect("a format")
        ),
        5 => format!("30 February {}", rng.between(1990, 2040)),
        6 => format!("{other}.{low}.{}", rng.between(10, 99)),
        _ => format!(
            "before {}",
            strtime::format("%B %-d, %Y", day).expect("a format")
        ),
    };
    none(DAY, &text)
}

pub(super) fn moment(rng: &mut Rng) -> Form {
    let time = jiff::civil::time(
        rng.below(24) as i8,
        rng.below(60) as i8,
        rng.below(60) as i8,
        0,
    );
    let day = any_day(rng).max(date(1975, 1, 1));
    let local = DateTime::from_parts(day, time);
    let zoned = local.to_zoned(TimeZone::UTC).expect("a time");
    let clock = format!(
        "{}T{}",
        day,
        strtime::format("%H:%M:%S", local).expect("a format")
    );
    let utc = quoted(&format!("{clock}Z"));
    let written = |format: &str| strtime::format(format, local).expect("a format of times");
    match rng.below(5) {
        0 => form(
            MOMENT,
            &rfc2822::to_string(&zoned).expect("a mail's date"),
            &utc,
        ),
        1 => form(MOMENT, &written("%a, %d %b %Y %H:%M:%S GMT"), &utc),
        2 => form(MOMENT, &written("%B %-d, %Y %-I:%M:%S %p"), &quoted(&clock)),
        3 => form(MOMENT, &written("%Y/%m/%d %H:%M:%S"), &quoted(&clock)),
        _ => {
            let est = quoted(&format!("{clock}-05:00"));
            form(MOMENT, &written("%d %b %Y %H:%M:%S EST"), &est)
        }
    }
}

pub(super) fn no_moment(rng: &mut Rng) -> Form {
    let text = match rng.below(5) {
        0 => strtime::format("%B %-d, %Y", any_day(rng)).expect("a format"),
        1 => format!("0{}/0{}/2026 10:00", rng.between(1, 4), rng.between(5, 9)),
        2 => rng
            .pick(&["now", "10:30", "3 PM", "yesterday at noon", "12345"])
            .to_owned(),
        3 => strtime::format("%B %-d, %Y 13:30 PM", any_day(rng)).expect("a format"),
        _ => strtime::format("%d %b %Y 10:00 CET", any_day(rng)).expect("a format"),
    };
    none(MOMENT, &text)
}

const TIME: &str = r#"{"type":"string","format":"time"}"#;

pub(super) fn clock(rng: &mut Rng) -> Form {
    let time = jiff::civil::time(
        rng.below(24) as i8,
        rng.below(60) as i8,
        rng.below(60) as i8,
        0,
    );
    let written = |format: &str| strtime::format(format, time).expect("a format of times");
    let minutes = |zone: &str| quoted(&format!("{}:00{zone}", written("%H:%M")));
    let seconds = |zone: &str| quoted(&format!("{}{zone}", written("%H:%M:%S")));
    match rng.below(7) {
        0 => form(TIME, &written("%-I:%M %p"), &minutes("")),
        1 => form(TIME, &written("%I:%M%P"), &minutes("")),
        2 => form(TIME, &written("%-I:%M:%S %p"), &seconds("")),
        3 => form(TIME, &written("%-I:%M %p EST"), &minutes("-05:00")),
        4 => form(TIME, &written("%H:%M:%S GMT"), &seconds("Z")),
        5 => form(TIME, &written("T%H:%M:%SZ"), &seconds("Z")),
        _ => form(TIME, &written("%H%MZ"), &minutes("Z")),
    }
}

pub(super) fn no_clock(rng: &mut Rng) -> Form {
    let hour = rng.between(1, 11);
    let text = match rng.below(8) {
        0 => format!("{hour}-{} PM", hour + 1),
        1 => format!("{} PM", hour + 12),
        2 => format!("{hour}"),
        3 => format!("{hour}:6{} AM", hour % 10),
        4 => format!("{hour} PM or {hour} AM"),
        5 => format!("after {hour} PM"),
        6 => format!("{hour} PM CET"),
        _ => rng.pick(&["morning", "2560Z", "3 hours", "May"]).to_owned(),
    };
    none(TIME, &text)
}
