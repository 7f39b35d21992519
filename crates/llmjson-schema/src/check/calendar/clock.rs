//! Times of day with their time zones.

use crate::base::fold::is_in;
use crate::base::tokens::Cursor;

/// A time of a day.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Time {
    hour: i64,
    minute: i64,
    second: i64,
    /// The digits as written.
    fraction: String,
    /// Minutes ahead of UTC.
    offset: Option<i64>,
}

impl Time {
    /// Returns the time that many seconds after midnight, UTC.
    pub(super) fn of_day(seconds: i64, fraction: &str) -> Self {
        Self {
            hour: seconds / 3600,
            minute: seconds / 60 % 60,
            second: seconds % 60,
            fraction: fraction.to_owned(),
            offset: Some(0),
        }
    }

    pub(super) fn is_midnight(&self) -> bool {
        let clock = [
            self.hour,
            self.minute,
            self.second,
            self.offset.unwrap_or(0),
        ];
        clock == [0; 4] && self.fraction.bytes().all(|digit| digit == b'0')
    }

    pub(super) fn write(&self) -> String {
        let point = if self.fraction.is_empty() { "" } else { "." };
        let zone = match self.offset {
            None => String::new(),
            Some(0) => "Z".to_owned(),
            Some(offset) => {
                let sign = if offset < 0 { '-' } else { '+' };
                format!("{sign}{:02}:{:02}", offset.abs() / 60, offset.abs() % 60)
            }
        };
        let (hour, minute, second, fraction) =
            (self.hour, self.minute, self.second, &self.fraction);
        format!("{hour:02}:{minute:02}:{second:02}{point}{fraction}{zone}")
    }
}

/// A time with its zone, if there is one: `15:30`, `3:30 pm`, `3 PM EST`, `103000Z`.
pub(super) fn time(at: &mut Cursor<'_>) -> Option<Time> {
    let mut own = *at;
    let time = clock(&mut own)?;
    (time.hour < 24 && time.minute < 60 && time.second < 60).then(|| {
        *at = own;
        time
    })
}

/// Words after the hour, or after the minute.
const HOURS: &str = "h hrs uhr 時 时 点 點 시 ч";

/// Words before or after the hours before noon, and those after it.
const EARLY: &str = "am 上午 午前 오전";
const LATE: &str = "pm 下午 午後 오후";

fn clock(at: &mut Cursor<'_>) -> Option<Time> {
    let mut time = Time::default();
    let (early, late) = (at.skip_any(EARLY), at.skip_any(LATE));
    let is_half = |ahead| is_in(EARLY, at.peek(ahead)) || is_in(LATE, at.peek(ahead));
    let is_dotted = at.peek(1) == "." && (is_half(3) || at.peek(3) == "uhr");
    let is_named = is_in(HOURS, at.peek(1));
    if is_dotted || is_named || at.peek(1) == ":" {
        time.hour = at.take_number(1..=2)?;
        at.step();
        if !is_named || at.is_number(0) {
            time.minute = at.take_number(2..=2)?;
        }
        let _ = at.skip_any(HOURS) || at.skip_any("分 분");
        if at.skip(":") {
            time.second = at.take_number(2..=2)?;
            if at.is_number(1) && at.skip(".") {
                time.fraction = at.peek(0).to_owned();
                at.step();
            }
        }
    } else if is_half(1) {
        time.hour = at.take_number(1..=2)?;
    } else {
        // As ISO 8601 writes it without separators. Four bare digits are a year.
        let number = match at.peek(0).len() {
            6 => at.take_number(6..=6)?,
            4 if hours_of_zone(at.peek(1)).is_some() => at.take_number(4..=4)? * 100,
            _ => return None,
        };
        (time.hour, time.minute, time.second) = (number / 10_000, number / 100 % 100, number % 100);
    }
    let late = at.skip_any(LATE) || late;
    if at.skip_any(EARLY) || early || late {
        (1..=12).contains(&time.hour).then_some(())?;
        time.hour = time.hour % 12 + if late { 12 } else { 0 };
    }
    time.offset = zone(at)?;
    Some(time)
}

/// The offset that a zone is, by its name in RFC 2822 or in digits; `None` if it is none that there is.
fn zone(at: &mut Cursor<'_>) -> Option<Option<i64>> {
    let named = hours_of_zone(at.peek(0));
    let is_universal = matches!(at.peek(0), "utc" | "gmt");
    if named.is_some() {
        at.step();
    }
    let sign = at.peek(0);
    if !matches!(sign, "+" | "-") || !at.is_number(1) || named.is_some() && !is_universal {
        return Some(named.map(|hours| hours * 60));
    }
    at.step();
    let digits = at.peek(0).len();
    let number = at.take_number(1..=4)?;
    let (hours, minutes) = match digits {
        4 => (number / 100, number % 100),
        1 if named.is_none() => return None,
        1 | 2 if at.skip(":") => (number, at.take_number(2..=2)?),
        1 | 2 => (number, 0),
        _ => return None,
    };
    let offset = hours * 60 + minutes;
    (hours < 24 && minutes < 60).then_some(Some(if sign == "-" { -offset } else { offset }))
}

/// The hours that a zone of RFC 2822 is ahead of UTC.
fn hours_of_zone(name: &str) -> Option<i64> {
    Some(match name {
        "z" | "utc" | "gmt" | "ut" => 0,
        "edt" => -4,
        "est" | "cdt" => -5,
        "cst" | "mdt" => -6,
        "mst" | "pdt" => -7,
        "pst" => -8,
        _ => return None,
    })
}
