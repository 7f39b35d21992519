//! Times of day with their time zones.

use super::push_number;
use super::tokens::{Cursor, Token};

/// A time of a day.
#[derive(Clone, Debug, PartialEq, Eq)]
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
        let is_zero = self.hour == 0 && self.minute == 0 && self.second == 0;
        is_zero && self.fraction.bytes().all(|digit| digit == b'0') && self.offset.unwrap_or(0) == 0
    }

    pub(super) fn write_to(&self, out: &mut String) {
        push_number(out, self.hour, 2);
        out.push(':');
        push_number(out, self.minute, 2);
        out.push(':');
        push_number(out, self.second, 2);
        if !self.fraction.is_empty() {
            out.push('.');
            out.push_str(&self.fraction);
        }
        match self.offset {
            None => {}
            Some(0) => out.push('Z'),
            Some(offset) => {
                out.push(if offset < 0 { '-' } else { '+' });
                push_number(out, offset.abs() / 60, 2);
                out.push(':');
                push_number(out, offset.abs() % 60, 2);
            }
        }
    }
}

/// A time with its zone, if there is one: `15:30`, `3:30 pm`, `3 PM EST`, `103000Z`.
pub(super) fn time(at: &mut Cursor<'_>) -> Option<Time> {
    let mark = at.mark();
    let read = clock(at).filter(|time| time.hour < 24 && time.minute < 60 && time.second < 60);
    if read.is_none() {
        at.return_to(mark);
    }
    read
}

fn clock(at: &mut Cursor<'_>) -> Option<Time> {
    let mut time = Time {
        hour: 0,
        minute: 0,
        second: 0,
        fraction: String::new(),
        offset: None,
    };
    let follows_half = |at: &Cursor<'_>| matches!(at.peek(1), Some(Token::Word("am" | "pm")));
    if at.sign(1) == Some(':') {
        time.hour = at.take_number(1..=2)?;
        at.step();
        time.minute = at.take_number(2..=2)?;
        if at.skip_sign(':') {
            time.second = at.take_number(2..=2)?;
            if at.sign(0) == Some('.')
                && let Some(Token::Number(digits)) = at.peek(1)
            {
                time.fraction = digits.to_owned();
                at.step();
                at.step();
            }
        }
    } else if follows_half(at) {
        time.hour = at.take_number(1..=2)?;
    } else {
        // As ISO 8601 writes it without separators. Four bare digits are a year.
        let digits = at.number()?;
        let number: i64 = digits.parse().ok()?;
        let number = match digits.len() {
            6 => number,
            4 if at.peek(1).is_some_and(is_named_zone) => number * 100,
            _ => return None,
        };
        (time.hour, time.minute, time.second) = (number / 10_000, number / 100 % 100, number % 100);
        at.step();
    }
    if let Some(half @ ("am" | "pm")) = at.word() {
        if !(1..=12).contains(&time.hour) {
            return None;
        }
        at.step();
        time.hour = time.hour % 12 + if half == "pm" { 12 } else { 0 };
    }
    time.offset = zone(at)?;
    Some(time)
}

/// The offset that a zone is, by its name in RFC 2822 or in digits; `None` if it is none that there is.
fn zone(at: &mut Cursor<'_>) -> Option<Option<i64>> {
    let named = at.word().and_then(hours_of_zone);
    let is_universal = matches!(at.word(), Some("utc" | "gmt"));
    if named.is_some() {
        at.step();
    }
    let is_signed =
        matches!(at.sign(0), Some('+' | '-')) && matches!(at.peek(1), Some(Token::Number(_)));
    if !is_signed || (named.is_some() && !is_universal) {
        return Some(named.map(|hours| hours * 60));
    }
    let sign = if at.sign(0) == Some('-') { -1 } else { 1 };
    at.step();
    let digits = at.number()?.len();
    let number = at.take_number(1..=4)?;
    let (hours, minutes) = match digits {
        4 => (number / 100, number % 100),
        1 if named.is_none() => return None,
        1 | 2 if at.skip_sign(':') => (number, at.take_number(2..=2)?),
        1 | 2 => (number, 0),
        _ => return None,
    };
    (hours < 24 && minutes < 60).then_some(Some(sign * (hours * 60 + minutes)))
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

fn is_named_zone(token: Token<'_>) -> bool {
    matches!(token, Token::Word(word) if hours_of_zone(word).is_some())
}
