//! Dates, times and date-times as people write them, converted to RFC 3339. An ambiguous date is
//! not accepted.

mod clock;

use self::clock::Time;
use llmjson_syntax::Class;

use crate::base::formats::FormatStrictness;
use crate::base::tokens::{Cursor, Sort, sort, tokens};
use crate::base::words;
use crate::check::format::Format;

/// Length beyond which strings contain more than a date.
const BYTES_MAX: usize = 96;

/// Seconds from 1970 to 2100, a range that no other digits in a date reach.
const EPOCH: std::ops::RangeInclusive<i64> = 100_000_000..=4_102_444_800;

/// Words and commas before a day or a time.
const BEFORE: &str = ", on at am um den le a el las em as в";

/// Characters between the parts of a date or a time.
const SIGNS: &str = "/-.,:+()";

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
        (Format::Time | Format::PartialTime, None, Some(time)) => time.write(),
        (Format::DateTime | Format::PartialDateTime, Some(day), Some(time)) => {
            [day.write(), time.write()].join("T")
        }
        // An ISO 8601 date. In words it may mean the whole of the day.
        (Format::DateTime | Format::PartialDateTime, Some(day), None) if text == day.write() => {
            day.write() + "T00:00:00"
        }
        _ => return Err(Miss::Other),
    };
    Ok((written, evidence))
}

impl Day {
    /// A valid day.
    fn new(year: i64, month: i64, day: i64) -> Option<Self> {
        let day = Self {
            year,
            month,
            day,
            by_dots: false,
        };
        let written = day.write();
        let is_one = Format::Date.tells(written.as_bytes(), FormatStrictness::Strict);
        (year > 0 && is_one == Some(true)).then_some(day)
    }

    fn write(self) -> String {
        format!("{:04}-{:02}-{:02}", self.year, self.month, self.day)
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

    /// Returns `true` if it is on that day of the week, counted from a Thursday.
    fn is_on(self, weekday: usize) -> bool {
        const MONTHS: [i64; 12] = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4];
        let year = self.year - i64::from(self.month < 3);
        let days = year + year / 4 - year / 100 + year / 400 + self.day;
        (days + MONTHS[self.month as usize - 1] + 3) % 7 == weekday as i64
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
    let text = text.replace(".m.", "m").replace(".M.", "M");
    // The full stop of a sentence.
    let text = text.strip_suffix('.').unwrap_or(&text);
    let tokens = tokens(text, sort);
    let mut signs = tokens
        .iter()
        .filter(|token| token.raw.chars().all(|one| sort(one) == Sort::Symbol));
    if !signs.all(|sign| SIGNS.contains(&*sign.text)) {
        return Err(Miss::Other);
    }
    let mut at = Cursor::new(&tokens);
    at.skip_any(BEFORE);
    let is_time = at.skip("t");
    let first = clock::time(&mut at);
    if is_time && first.is_none() {
        return Err(Miss::Other);
    }
    while first.is_some() && at.skip_any(BEFORE) {}
    let day = match at.is_at_end() {
        true => None,
        false => Some(day(&mut at)?),
    };
    let time = match first {
        None if !at.is_at_end() => {
            while at.skip_any(BEFORE) {}
            at.skip("t");
            Some(clock::time(&mut at).ok_or(Miss::Other)?)
        }
        first => first,
    };
    match at.is_at_end() {
        true => Ok((day, time)),
        false => Err(Miss::Other),
    }
}

/// A day, with its weekday before it or in brackets after it if that is the right one.
fn day(at: &mut Cursor<'_>) -> Result<Day, Miss> {
    let weekday = |at: &mut Cursor<'_>| {
        let weekday = words::weekday(at.peek(0));
        weekday.inspect(|_| {
            at.step();
            // `quinta-feira`
            let _ = at.peek(1) == "feira" && at.skip("-") && at.skip("feira");
        })
    };
    let before = weekday(at);
    while before.is_some() && (at.skip(".") || at.skip_any(BEFORE)) {}
    let day = Fields::of(at).ok_or(Miss::Other)?.day()?;
    let _ = words::weekday(at.peek(1)).is_some() && at.skip(",");
    let is_noted = at.skip("(");
    let after = weekday(at);
    let is_whole = !is_noted || after.is_some() && at.skip(")");
    let weekdays = [before, after];
    let is_right = weekdays.iter().flatten().all(|weekday| day.is_on(*weekday));
    match is_whole && is_right {
        true => Ok(Day {
            by_dots: day.by_dots && weekdays == [None; 2],
            ..day
        }),
        false => Err(Miss::Other),
    }
}

/// The three parts of a date. A month may have a name instead of a number.
struct Fields<'t> {
    /// The digits; a name has none.
    digits: [&'t str; 3],
    numbers: [i64; 3],
    /// The separator of the numbers; a space if there is none.
    sign: &'t str,
}

impl<'t> Fields<'t> {
    fn of(at: &mut Cursor<'t>) -> Option<Self> {
        let (mut digits, mut numbers, mut signs) = ([""; 3], [0; 3], [" "; 2]);
        let whole = at.peek(0);
        if at.take_number(8..=8).is_some() {
            let digits = [&whole[..4], &whole[4..6], &whole[6..]];
            return Some(Self {
                digits,
                numbers: digits.map(|part| part.parse().unwrap_or_default()),
                sign: "-",
            });
        }
        for (place, (digits, number)) in digits.iter_mut().zip(&mut numbers).enumerate() {
            at.skip_any("the de del");
            if at.is_number(0) {
                *digits = at.peek(0);
                *number = at.take_number(1..=4)?;
            } else {
                *number = words::month(at.peek(0))?;
                at.step();
                at.skip(".");
            }
            // `5th`, and the parts that Chinese, Japanese and Korean name.
            let suffixes = match digits.len() {
                0 => "",
                4 => "年 년 г года",
                _ if place == 1 => "月 월 st nd rd th",
                _ => "st nd rd th er 日 号 일",
            };
            let suffix = at.peek(0);
            let is_suffix = at.skip_any(suffixes);
            // `5 марта 2026 г.`
            let _ = suffix == "г" && at.skip(".");
            let Some(sign) = signs.get_mut(place) else {
                break;
            };
            let next = at.peek(0);
            if matches!(next, "-" | "/" | "." | ",") {
                at.step();
                *sign = next;
            } else if is_suffix && !suffix.is_ascii() {
                *sign = "-";
            }
            at.skip_any("of de del");
        }
        let [sign, other] = signs;
        let is_even = match digits.iter().filter(|digits| digits.is_empty()).count() {
            // `5. March, 2026`
            1 => sign == other || !signs.iter().any(|sign| matches!(*sign, "-" | "/")),
            0 => sign == other && matches!(sign, "-" | "/" | "."),
            _ => false,
        };
        is_even.then_some(Self {
            digits,
            numbers,
            sign,
        })
    }

    fn day(&self) -> Result<Day, Miss> {
        let [one, other, last] = self.numbers;
        let lengths = self.digits.map(str::len);
        match lengths {
            [4, 0..=2, 1..=2] => Day::new(one, other, last),
            [0, 1..=2, 4] => Day::new(last, one, other),
            [1..=2, 0, 4] => Day::new(last, other, one),
            [1..=2, 1..=2, 4] => match (Day::new(last, other, one), Day::new(last, one, other)) {
                (Some(day), Some(same)) if day == same => Some(day),
                (Some(day), Some(_)) if self.sign == "." => Some(Day {
                    by_dots: true,
                    ..day
                }),
                (Some(_), Some(_)) => return Err(Miss::Ambiguous),
                (day, same) => day.or(same),
            },
            _ => None,
        }
        .ok_or(Miss::Other)
    }
}
