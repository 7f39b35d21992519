//! Dates, times and date-times as people write them, converted to RFC 3339. An ambiguous date is
//! not accepted.

mod clock;
mod tokens;

use self::clock::Time;
use self::tokens::{Cursor, Token, tokens};
use llmjson_syntax::Class;

use crate::base::formats::FormatStrictness;
use crate::check::format::Format;

/// Length beyond which strings contain more than a date.
const BYTES_MAX: usize = 96;

const MONTHS: &str =
    "january february march april may june july august september october november december";

/// The months in German, French, Spanish, Italian, Portuguese and Dutch where the names differ.
const OTHER_MONTHS: [&str; 12] = [
    "januar janvier enero gennaio janeiro januari",
    "februar février fevrier febrero febbraio fevereiro februari",
    "märz maerz mars marzo março maart",
    "avril abril aprile",
    "mai mayo maggio maio mei",
    "juni juin junio giugno junho",
    "juli juillet julio luglio julho",
    "août aout agosto augustus",
    "septembre septiembre settembre setembro",
    "oktober octobre octubre ottobre outubro",
    "novembre noviembre novembro",
    "dezember décembre decembre diciembre dicembre dezembro",
];

/// The days of the week, from the day on which 1970 began.
const WEEKDAYS: &str = "thursday friday saturday sunday monday tuesday wednesday";

/// Seconds from 1970 to 2100, a range that no other digits in a date reach.
const EPOCH: std::ops::RangeInclusive<i64> = 100_000_000..=4_102_444_800;

/// A day of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Day {
    year: i64,
    month: i64,
    day: i64,
    /// `true` if only the dots between its numbers indicate which of them is the month.
    by_dots: bool,
}

/// The evidence for a date or time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Evidence {
    /// All parts are in the string.
    Whole,
    /// `05.03.2026`, where dots are written between day and month in this order.
    Dots,
    /// `2026-03-05` for a time: midnight is assumed.
    Midnight,
}

impl Evidence {
    /// Returns the class of the date or time.
    pub(crate) fn class(self) -> Class {
        match self {
            Self::Whole => Class::Likely,
            Self::Dots | Self::Midnight => Class::Guess,
        }
    }
}

/// The reason why a text is not a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Miss {
    /// A string of another kind.
    Other,
    /// A date whose order of day and month is ambiguous.
    Ambiguous,
}

/// Returns the date or time that a whole string represents without having the format, written in
/// the format, and the evidence for it.
pub(crate) fn read(text: &str, format: Format) -> Result<(String, Evidence), Miss> {
    let text = text.trim();
    if text.len() > BYTES_MAX {
        return Err(Miss::Other);
    }
    let (day, time) = match format {
        Format::Date | Format::DateTime => match since_epoch(text) {
            Some((day, time)) => (Some(day), Some(time)),
            None => day_and_time(text)?,
        },
        Format::Time | Format::PartialTime | Format::PartialDateTime => day_and_time(text)?,
        _ => return Err(Miss::Other),
    };
    let evidence = match (day, &time) {
        (Some(day), _) if day.by_dots => Evidence::Dots,
        (Some(_), None) if format != Format::Date => Evidence::Midnight,
        _ => Evidence::Whole,
    };
    let written = match (format, day, time) {
        (Format::Date, Some(day), None) => day.write(),
        // Midnight is the day itself.
        (Format::Date, Some(day), Some(time)) if time.is_midnight() => day.write(),
        (Format::Time | Format::PartialTime, None, Some(time)) => {
            let mut written = String::with_capacity(16);
            time.write_to(&mut written);
            written
        }
        (Format::DateTime | Format::PartialDateTime, Some(day), Some(time)) => {
            let mut written = day.write();
            written.push('T');
            time.write_to(&mut written);
            written
        }
        // An ISO 8601 date. In words it may mean the whole of the day.
        (Format::DateTime | Format::PartialDateTime, Some(day), None)
            if Format::Date.tells(text.as_bytes(), FormatStrictness::Strict) == Some(true) =>
        {
            day.write() + "T00:00:00"
        }
        _ => return Err(Miss::Other),
    };
    Ok((written, evidence))
}

/// Writes a number with leading zeros to `digits` digits. The number must not have more.
fn push_number(out: &mut String, number: i64, digits: u32) {
    for place in (0..digits).rev() {
        let digit = number / 10_i64.pow(place) % 10;
        out.push(char::from(b'0' + digit as u8));
    }
}

impl Day {
    /// A valid day.
    fn new(year: i64, month: i64, day: i64) -> Option<Self> {
        let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let days = match month {
            2 if is_leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return None,
        };
        ((1..=days).contains(&day) && (1..=9999).contains(&year)).then_some(Self {
            year,
            month,
            day,
            by_dots: false,
        })
    }

    fn write(self) -> String {
        let mut out = String::with_capacity(32);
        push_number(&mut out, self.year, 4);
        out.push('-');
        push_number(&mut out, self.month, 2);
        out.push('-');
        push_number(&mut out, self.day, 2);
        out
    }

    /// Returns the number of days since the first of 1970.
    fn since_epoch(self) -> i64 {
        let year = if self.month <= 2 {
            self.year - 1
        } else {
            self.year
        };
        let era = year.div_euclid(400);
        let of_era = year.rem_euclid(400);
        let of_year = (153 * ((self.month + 9) % 12) + 2) / 5 + self.day - 1;
        era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
    }

    fn from_epoch(days: i64) -> Option<Self> {
        let days = days + 719_468;
        let era = days.div_euclid(146_097);
        let of_era = days.rem_euclid(146_097);
        let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        let month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        let year = year + era * 400 + i64::from(month <= 2);
        Self::new(year, month, day)
    }

    fn is_on(self, weekday: usize) -> bool {
        self.since_epoch().rem_euclid(7) == weekday as i64
    }
}

/// Seconds or milliseconds since the first of 1970.
fn since_epoch(text: &str) -> Option<(Day, Time)> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let has_no_digits = text.len() > whole.len() && fraction.is_empty();
    if !(9..=13).contains(&whole.len())
        || !is_digits(whole)
        || !is_digits(fraction)
        || has_no_digits
    {
        return None;
    }
    let number: i64 = whole.parse().ok()?;
    let (seconds, fraction) = if EPOCH.contains(&number) {
        (number, fraction.to_owned())
    } else if EPOCH.contains(&(number / 1000)) && fraction.is_empty() {
        (number / 1000, format!("{:03}", number % 1000))
    } else {
        return None;
    };
    let day = Day::from_epoch(seconds.div_euclid(86_400))?;
    let time = Time::of_day(seconds.rem_euclid(86_400), fraction.trim_end_matches('0'));
    Some((day, time))
}

/// Reads a day, a time, or both in any order, and nothing else.
fn day_and_time(text: &str) -> Result<(Option<Day>, Option<Time>), Miss> {
    let mut text = text.to_ascii_lowercase();
    if text.contains('.') && text.contains(".m.") {
        text = text.replace("a.m.", "am").replace("p.m.", "pm");
    }
    let tokens = tokens(&text).ok_or(Miss::Other)?;
    let mut at = Cursor::new(&tokens);
    let is_time = at.skip_word("t");
    let first = clock::time(&mut at);
    if is_time && first.is_none() {
        return Err(Miss::Other);
    }
    if first.is_some() {
        at.skip_sign(',');
        at.skip_word("on");
        at.skip_sign(',');
    }
    let day = match at.is_at_end() {
        true => None,
        false => Some(day(&mut at)?),
    };
    let time = match first {
        None if !at.is_at_end() => {
            at.skip_sign(',');
            let _ = at.skip_word("at") || at.skip_word("t");
            Some(clock::time(&mut at).ok_or(Miss::Other)?)
        }
        first => first,
    };
    match at.is_at_end() {
        true => Ok((day, time)),
        false => Err(Miss::Other),
    }
}

/// Reads a day, with its correct weekday before it if there is one.
fn day(at: &mut Cursor<'_>) -> Result<Day, Miss> {
    let weekday = at.word().and_then(|word| named(word, WEEKDAYS));
    if weekday.is_some() {
        at.step();
        let _ = at.skip_sign('.');
        let _ = at.skip_sign(',');
    }
    let read = match at.number() {
        Some(_) => numbered(at),
        None => month_first(at).ok_or(Miss::Other),
    };
    match (read, weekday) {
        (Ok(day), Some(weekday)) if !day.is_on(weekday) => Err(Miss::Other),
        (Ok(day), Some(_)) => Ok(Day {
            by_dots: false,
            ..day
        }),
        (read, _) => read,
    }
}

/// Returns the index of a name in a list; three letters suffice, and `sept` too.
fn named(word: &str, names: &str) -> Option<usize> {
    let is_short = word.len() == 3 || matches!(word, "sept" | "tues" | "thur" | "thurs");
    let first = word.as_bytes().first();
    names.split(' ').position(|name| {
        name.as_bytes().first() == first && (name == word || is_short && name.starts_with(word))
    })
}

fn month(at: &mut Cursor<'_>) -> Option<i64> {
    let word = at.word()?;
    let elsewhere = || {
        let mut names = OTHER_MONTHS.iter();
        names.position(|names| names.split(' ').any(|name| name == word))
    };
    let place = named(word, MONTHS).or_else(elsewhere)?;
    at.step();
    let _ = at.skip_sign('.');
    Some(place as i64 + 1)
}

/// Reads a day of the month, possibly as an ordinal.
fn day_of_month(at: &mut Cursor<'_>) -> Option<i64> {
    let day = at.take_number(1..=2)?;
    if let Some("st" | "nd" | "rd" | "th" | "er") = at.word() {
        at.step();
    }
    Some(day)
}

/// `march 5th, 2026`, `march the 5th 2026`, `mar-05-2026`
fn month_first(at: &mut Cursor<'_>) -> Option<Day> {
    if at.skip_word("the") {
        return day_first(at);
    }
    let month = month(at)?;
    let is_joined = at.skip_sign('-');
    at.skip_word("the");
    let day = day_of_month(at)?;
    if is_joined != at.skip_sign('-') {
        return None;
    }
    at.skip_sign(',');
    let year = at.take_number(4..=4)?;
    Day::new(year, month, day)
}

/// `5 march 2026`, `5th of march, 2026`, `5-mar-2026`, `5/mar/2026`
fn day_first(at: &mut Cursor<'_>) -> Option<Day> {
    let day = day_of_month(at)?;
    let _ = at.skip_sign('.');
    let sign = ['-', '/'].into_iter().find(|sign| at.skip_sign(*sign));
    let _ = at.skip_word("of") || at.skip_word("de");
    let month = month(at)?;
    if sign.is_some_and(|sign| !at.skip_sign(sign)) {
        return None;
    }
    let _ = at.skip_sign(',') || at.skip_word("de");
    let year = at.take_number(4..=4)?;
    Day::new(year, month, day)
}

/// Reads a day that begins with a number.
fn numbered(at: &mut Cursor<'_>) -> Result<Day, Miss> {
    let Some(Token::Number(first)) = at.peek(0) else {
        return Err(Miss::Other);
    };
    if let (8, Ok(digits)) = (first.len(), first.parse::<i64>()) {
        at.step();
        return Day::new(digits / 10_000, digits / 100 % 100, digits % 100).ok_or(Miss::Other);
    }
    let year_first = first.len() == 4;
    let Some(sign) = at.sign(1).filter(|sign| matches!(sign, '-' | '/' | '.')) else {
        return day_first(at).ok_or(Miss::Other);
    };
    if at.sign(3) != Some(sign) || !matches!(at.peek(2), Some(Token::Number(_))) {
        return day_first(at).ok_or(Miss::Other);
    }
    let numbers = if year_first {
        [4..=4, 1..=2, 1..=2]
    } else {
        [1..=2, 1..=2, 4..=4]
    };
    let mut parts = [0; 3];
    for (part, lengths) in parts.iter_mut().zip(numbers) {
        *part = at.take_number(lengths).ok_or(Miss::Other)?;
        at.skip_sign(sign);
    }
    if year_first {
        let [year, month, day] = parts;
        return Day::new(year, month, day).ok_or(Miss::Other);
    }
    let [one, other, year] = parts;
    match (Day::new(year, other, one), Day::new(year, one, other)) {
        (Some(day), Some(same)) if day == same => Ok(day),
        (Some(day), Some(_)) if sign == '.' => Ok(Day {
            by_dots: true,
            ..day
        }),
        (Some(_), Some(_)) => Err(Miss::Ambiguous),
        (Some(day), None) | (None, Some(day)) => Ok(day),
        (None, None) => Err(Miss::Other),
    }
}

#[cfg(test)]
mod tests;
