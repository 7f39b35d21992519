//! Formats that are decided here, one function for each: by the letter of their specification, or only
//! as they are meant. A validator of `jsonschema` asks the same functions (`explain/judge.rs`).

use crate::base::formats::Formats;

/// A format of which something is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Date,
    DateTime,
    Duration,
    Time,
    Uuid,
    /// The usual form of an address; a rarer one is left to the closer check.
    Email,
}

/// The degree to which a text has a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    Not,
    /// The text says all that the format is about, in another way: without the offset, say.
    Meant,
    Letter,
}

impl Format {
    /// The formats that are decided here, by their names.
    pub(crate) const DECIDED: [(&'static str, Self); 5] = [
        ("date", Self::Date),
        ("date-time", Self::DateTime),
        ("duration", Self::Duration),
        ("time", Self::Time),
        ("uuid", Self::Uuid),
    ];

    pub(crate) fn named(name: &str) -> Option<Self> {
        if name == "email" {
            return Some(Self::Email);
        }
        let mut decided = Self::DECIDED.iter();
        decided.find(|(own, _)| *own == name).map(|(_, own)| *own)
    }

    /// Returns whether a text has the format; `None` if that takes a closer look.
    #[inline]
    pub(crate) fn tells(self, text: &[u8], formats: Formats) -> Option<bool> {
        let fit = match self {
            Self::Date => date(text),
            Self::DateTime => date_time(text),
            Self::Duration => duration(text),
            Self::Time => time(text),
            Self::Uuid => uuid(text),
            Self::Email => return is_usual_email(text).then_some(true),
        };
        Some(match formats {
            Formats::Letter => fit == Fit::Letter,
            Formats::Meant => fit != Fit::Not,
        })
    }
}

impl Fit {
    /// Returns `Letter`, or the other fit if the condition does not hold.
    const fn letter_if(condition: bool, otherwise: Self) -> Self {
        if condition { Self::Letter } else { otherwise }
    }

    /// Returns `Meant`, or `Not` if the condition does not hold.
    const fn meant_if(condition: bool) -> Self {
        if condition { Self::Meant } else { Self::Not }
    }

    /// Returns the worse fit of two parts of a text.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Not, _) | (_, Self::Not) => Self::Not,
            (Self::Letter, Self::Letter) => Self::Letter,
            _ => Self::Meant,
        }
    }
}

fn number(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |sum, digit| {
        let is_digit = digit.is_ascii_digit();
        is_digit.then(|| sum * 10 + u32::from(digit - b'0'))
    })
}

/// Two digits below a bound.
fn pair(tens: u8, ones: u8, end: u32) -> Option<u32> {
    number(&[tens, ones]).filter(|number| *number < end)
}

/// A day that there is in the calendar.
fn date(text: &[u8]) -> Fit {
    let [y0, y1, y2, y3, b'-', m0, m1, b'-', d0, d1] = *text else {
        return Fit::Not;
    };
    let year = number(&[y0, y1, y2, y3]);
    let (Some(year), Some(month), Some(day)) = (year, pair(m0, m1, 13), pair(d0, d1, 32)) else {
        return Fit::Not;
    };
    let days = match month {
        0 => 0,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    Fit::letter_if((1..=days).contains(&day), Fit::Not)
}

/// A date and a time. A space between them is only meant.
fn date_time(text: &[u8]) -> Fit {
    let Some((day, [between, clock @ ..])) = text.split_at_checked(10) else {
        return Fit::Not;
    };
    let between = Fit::letter_if(
        matches!(between, b'T' | b't'),
        Fit::meant_if(*between == b' '),
    );
    match between.and(date(day)) {
        Fit::Not => Fit::Not,
        so_far => so_far.and(time(clock)),
    }
}

/// Hours, minutes, seconds and the offset. Without seconds or offset, it is only meant.
fn time(text: &[u8]) -> Fit {
    let [h0, h1, b':', m0, m1, rest @ ..] = text else {
        return Fit::Not;
    };
    let (Some(hour), Some(minute)) = (pair(*h0, *h1, 24), pair(*m0, *m1, 60)) else {
        return Fit::Not;
    };
    let (second, rest) = match rest {
        [b':', s0, s1, rest @ ..] => match pair(*s0, *s1, 61) {
            Some(second) => (Some(second), rest),
            None => return Fit::Not,
        },
        _ => (None, rest),
    };
    let rest = match (second, rest) {
        (Some(_), [b'.', after @ ..]) => {
            let digits = digits(after);
            if digits == 0 {
                return Fit::Not;
            }
            &after[digits..]
        }
        _ => rest,
    };
    let Some((zone, offset)) = zone(rest) else {
        return Fit::Not;
    };
    // Seconds are added to the last minute of a day, as UTC counts.
    let last = || (hour * 60 + minute + 24 * 60 - offset) % (24 * 60) == 24 * 60 - 1;
    if second == Some(60) && !last() {
        return Fit::Not;
    }
    zone.and(Fit::letter_if(second.is_some(), Fit::Meant))
}

/// An offset from UTC, and how many minutes it is.
fn zone(text: &[u8]) -> Option<(Fit, u32)> {
    let minutes = |sign: u8, hours: [u8; 2], minutes: [u8; 2]| {
        let ahead = pair(hours[0], hours[1], 24)? * 60 + pair(minutes[0], minutes[1], 60)?;
        Some(if sign == b'+' {
            ahead
        } else {
            (24 * 60 - ahead) % (24 * 60)
        })
    };
    Some(match *text {
        [] => (Fit::Meant, 0),
        [b'Z' | b'z'] => (Fit::Letter, 0),
        [sign @ (b'+' | b'-'), h0, h1, b':', m0, m1] => {
            (Fit::Letter, minutes(sign, [h0, h1], [m0, m1])?)
        }
        [sign @ (b'+' | b'-'), h0, h1, m0, m1] => (Fit::Meant, minutes(sign, [h0, h1], [m0, m1])?),
        [sign @ (b'+' | b'-'), h0, h1] => (Fit::Meant, minutes(sign, [h0, h1], *b"00")?),
        // Not twice, so this goes no deeper.
        [b' ', ref rest @ ..] if !matches!(rest, [] | [b' ', ..]) => (Fit::Meant, zone(rest)?.1),
        _ => return None,
    })
}

fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// Days, hours and so on behind a `P`. By the letter without a sign, fractions and gaps. Only meant is
/// `HH:MM:SS`, too.
fn duration(text: &[u8]) -> Fit {
    const YEARS: u8 = 1;
    const MONTHS: u8 = 1 << 1;
    const WEEKS: u8 = 1 << 2;
    const DAYS: u8 = 1 << 3;
    const HOURS: u8 = 1 << 4;
    const MINUTES: u8 = 1 << 5;
    const SECONDS: u8 = 1 << 6;
    let unsigned = text.strip_prefix(b"-").or_else(|| text.strip_prefix(b"+"));
    let Some(mut rest) = unsigned.unwrap_or(text).strip_prefix(b"P") else {
        return Fit::meant_if(is_clock(unsigned.unwrap_or(text)));
    };
    let (mut units, mut in_time, mut is_whole) = (0, false, true);
    while let [first, after @ ..] = rest {
        if *first == b'T' && !in_time {
            (in_time, rest) = (true, after);
            continue;
        }
        let amount = digits(rest);
        let mut tail = &rest[amount..];
        if let [b'.' | b',', fraction @ ..] = tail
            && digits(fraction) > 0
            && is_whole
        {
            tail = &fraction[digits(fraction)..];
            is_whole = false;
        } else if !is_whole {
            // Only the smallest unit has a fraction.
            return Fit::Not;
        }
        let [unit, after @ ..] = tail else {
            return Fit::Not;
        };
        let unit = match (in_time, unit) {
            (false, b'Y') => YEARS,
            (false, b'M') => MONTHS,
            (false, b'W') => WEEKS,
            (false, b'D') => DAYS,
            (true, b'H') => HOURS,
            (true, b'M') => MINUTES,
            (true, b'S') => SECONDS,
            _ => return Fit::Not,
        };
        if amount == 0 || units >= unit {
            return Fit::Not;
        }
        units |= unit;
        rest = after;
    }
    if units == 0 || in_time && units < HOURS {
        return Fit::Not;
    }
    let skips = |middle: u8, around: u8| units & around == around && units & middle == 0;
    let has_gap = skips(MONTHS, YEARS | DAYS) || skips(MINUTES, HOURS | SECONDS);
    let has_weeks_among = units & WEEKS != 0 && units != WEEKS;
    let is_letter = unsigned.is_none() && is_whole && !has_gap && !has_weeks_among;
    Fit::letter_if(is_letter, Fit::Meant)
}

/// Returns `true` if a text is hours, minutes and seconds: `1:30:00`, `36:00:00.5`.
fn is_clock(text: &[u8]) -> bool {
    let hours = digits(text);
    let [b':', m0, m1, b':', s0, s1, fraction @ ..] = &text[hours..] else {
        return false;
    };
    let fraction = match fraction {
        [] => true,
        [b'.', fraction @ ..] => !fraction.is_empty() && digits(fraction) == fraction.len(),
        _ => false,
    };
    hours > 0 && pair(*m0, *m1, 60).is_some() && pair(*s0, *s1, 60).is_some() && fraction
}

/// Digits in groups. Without the hyphens, or as a URN (RFC 9562, section 4), it is only meant.
fn uuid(text: &[u8]) -> Fit {
    let is_group = |group: &[u8]| group.iter().all(u8::is_ascii_hexdigit);
    let is_letter = |text: &[u8]| {
        text.len() == 36
            && text.iter().enumerate().all(|(at, byte)| match at {
                8 | 13 | 18 | 23 => *byte == b'-',
                _ => byte.is_ascii_hexdigit(),
            })
    };
    let inside = text.strip_prefix(b"urn:uuid:").unwrap_or(text);
    let is_meant = is_letter(inside) || inside.len() == 32 && is_group(inside);
    Fit::letter_if(is_letter(text), Fit::meant_if(is_meant))
}

/// Words joined by dots before the sign, labels of letters and digits joined by dots behind it.
fn is_usual_email(text: &[u8]) -> bool {
    let Some(at) = text.iter().position(|&byte| byte == b'@') else {
        return false;
    };
    let (local, domain) = (&text[..at], &text[at + 1..]);
    let word = |part: &[u8], most: usize| {
        (1..=most).contains(&part.len()) && part.iter().all(u8::is_ascii_alphanumeric)
    };
    let joined = |text: &[u8], most| {
        text.split(|&byte| byte == b'.')
            .all(|part| word(part, most))
    };
    local.len() <= 64
        && domain.len() <= 180
        && domain.contains(&b'.')
        && joined(local, 64)
        && joined(domain, 63)
        && domain.last().is_some_and(u8::is_ascii_alphabetic)
}

#[cfg(test)]
mod tests;
