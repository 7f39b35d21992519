//! Formats that are checked here, one function for each, strictly by their specification or
//! leniently. A validator of `jsonschema` calls the same functions (`explain/judge.rs`).

use crate::base::formats::FormatStrictness;

/// A supported format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Date,
    DateTime,
    Duration,
    /// A date and a time without an offset.
    PartialDateTime,
    /// A time without an offset.
    PartialTime,
    Time,
    Uuid,
    /// A date and a time with the name of its zone (RFC 9557).
    ZonedDateTime,
    /// The usual form of an address; a rarer one is left to the closer check.
    Email,
    /// A number as a string. It is not a format that strings can violate: only coercion uses it.
    Decimal,
}

/// The degree to which a string has a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    Not,
    /// The string contains all information of the format in another notation, for example without
    /// the offset.
    Meant,
    Letter,
}

impl Format {
    /// The formats that are decided here, by their names.
    pub(crate) const DECIDED: [(&'static str, Self); 8] = [
        ("date", Self::Date),
        ("date-time", Self::DateTime),
        ("duration", Self::Duration),
        ("partial-date-time", Self::PartialDateTime),
        ("partial-time", Self::PartialTime),
        ("time", Self::Time),
        ("uuid", Self::Uuid),
        ("zoned-date-time", Self::ZonedDateTime),
    ];

    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "email" => return Some(Self::Email),
            "decimal" => return Some(Self::Decimal),
            _ => {}
        }
        let mut decided = Self::DECIDED.iter();
        decided.find(|(own, _)| *own == name).map(|(_, own)| *own)
    }

    /// Returns whether a string has the format, or `None` if that needs a closer check.
    #[inline]
    pub(crate) fn tells(self, text: &[u8], formats: FormatStrictness) -> Option<bool> {
        let fit = match self {
            Self::Email => return is_usual_email(text).then_some(true),
            Self::Decimal => return Some(true),
            _ => self.fit(text),
        };
        Some(match formats {
            FormatStrictness::Strict => fit == Fit::Letter,
            FormatStrictness::Lenient | FormatStrictness::AsWritten => fit != Fit::Not,
        })
    }

    /// Returns `true` if a string is valid and coercion would not rewrite it.
    #[inline]
    pub(crate) fn settles(self, text: &[u8], formats: FormatStrictness) -> Option<bool> {
        Some(match (self, formats) {
            (Self::Email, _) => return is_usual_email(text).then_some(true),
            (Self::Decimal, _) => is_decimal(text),
            (_, FormatStrictness::Lenient) => match self.fit(text) {
                Fit::Letter => true,
                Fit::Meant => self.written_out(text).is_none(),
                Fit::Not => false,
            },
            _ => return self.tells(text, formats),
        })
    }

    fn fit(self, text: &[u8]) -> Fit {
        match self {
            Self::Date => date(text),
            Self::DateTime => date_time(text),
            Self::Duration => duration(text),
            Self::PartialDateTime => without_offset(text, date_time(text)),
            Self::PartialTime => without_offset(text, time(text)),
            Self::Time => time(text),
            Self::Uuid => uuid(text),
            Self::ZonedDateTime => zoned(text),
            Self::Email | Self::Decimal => Fit::Meant,
        }
    }

    /// Returns a string that has a time format only leniently, with missing seconds and the `T`
    /// between date and time inserted, and its offset in the strict spelling, or `None` if nothing
    /// is missing.
    #[cold]
    pub(crate) fn written_out(self, text: &[u8]) -> Option<String> {
        let has_day = match self {
            Self::DateTime | Self::PartialDateTime | Self::ZonedDateTime => true,
            Self::Time | Self::PartialTime => false,
            _ => return None,
        };
        if self.fit(text) != Fit::Meant {
            return None;
        }
        let text = std::str::from_utf8(text).ok()?;
        let (day, rest) = text.split_at(if has_day { 10 } else { 0 });
        let rest = if has_day { &rest[1..] } else { rest };
        let (clock, zone) = rest.split_at(rest.find('[').unwrap_or(rest.len()));
        let (hours, after) = clock.split_at(5);
        let time = after.find(['Z', 'z', '+', '-', ' ']).unwrap_or(after.len());
        let (seconds, offset) = after.split_at(time);
        let seconds = if seconds.is_empty() { ":00" } else { seconds };
        let offset = offset.trim_start();
        let colon = match offset.len() {
            3 => ":00".to_owned(),
            5 => format!(":{}", &offset[3..]),
            _ => String::new(),
        };
        let offset = match colon.is_empty() {
            true => offset,
            false => &offset[..3],
        };
        let between = match text.as_bytes()[day.len()..].first() {
            Some(b't') if has_day => "t",
            _ if has_day => "T",
            _ => "",
        };
        let written = [day, between, hours, seconds, offset, &colon, zone].concat();
        (written != text).then_some(written)
    }
}

/// Returns `true` if a string is a decimal number, possibly with an exponent.
fn is_decimal(text: &[u8]) -> bool {
    let unsigned = match text {
        [b'-' | b'+', rest @ ..] => rest,
        all => all,
    };
    let whole = digits(unsigned);
    let (fraction, rest) = match &unsigned[whole..] {
        [b'.', rest @ ..] => (digits(rest), &rest[digits(rest)..]),
        rest => (0, rest),
    };
    let ends = match rest {
        [] => true,
        [b'e' | b'E', b'-' | b'+', rest @ ..] | [b'e' | b'E', rest @ ..] => {
            !rest.is_empty() && digits(rest) == rest.len()
        }
        _ => false,
    };
    whole + fraction > 0 && ends
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

    /// Returns the worse fit of two parts of a string.
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

/// Reads two digits below a bound.
fn pair(tens: u8, ones: u8, end: u32) -> Option<u32> {
    number(&[tens, ones]).filter(|number| *number < end)
}

/// Reads a valid day of the calendar.
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

/// Checks a date and a time. A space between them is only lenient.
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

/// Checks a time, with a date or without, that has no offset: without one it has the strict format,
/// if seconds and the `T` are present.
fn without_offset(text: &[u8], fit: Fit) -> Fit {
    let clock = match text {
        [_, _, b':', ..] => text,
        _ => text.get(11..).unwrap_or_default(),
    };
    let after = clock.get(5..).unwrap_or_default();
    let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b':' | b'.');
    if fit == Fit::Not || !after.iter().all(is_part) {
        return Fit::Not;
    }
    let is_spaced = clock.len() < text.len() && text[10] == b' ';
    Fit::letter_if(!after.is_empty() && !is_spaced, Fit::Meant)
}

/// Checks a date and a time with the name of the zone in brackets after it, and possibly other
/// annotations of that kind. Without an offset before them, it is only lenient.
fn zoned(text: &[u8]) -> Fit {
    let Some(start) = text.iter().position(|byte| *byte == b'[') else {
        return Fit::Not;
    };
    let (moment, notes) = text.split_at(start);
    let Some(notes) = notes
        .strip_prefix(b"[")
        .and_then(|one| one.strip_suffix(b"]"))
    else {
        return Fit::Not;
    };
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"/_+-:.=!".contains(byte);
    let mut notes = notes.split(|byte| *byte == b']').enumerate();
    let are_notes = notes.all(|(at, note)| {
        let note = if at == 0 {
            Some(note)
        } else {
            note.strip_prefix(b"[")
        };
        note.is_some_and(|note| {
            !note.is_empty() && note.iter().all(is_part) && (at > 0 || !note.contains(&b'='))
        })
    });
    match are_notes {
        true => date_time(moment),
        false => Fit::Not,
    }
}

/// Checks hours, minutes, seconds and the offset. Without seconds or offset, it is only lenient.
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
    // Leap seconds are added to the last minute of a day in UTC.
    let last = || (hour * 60 + minute + 24 * 60 - offset) % (24 * 60) == 24 * 60 - 1;
    if second == Some(60) && !last() {
        return Fit::Not;
    }
    zone.and(Fit::letter_if(second.is_some(), Fit::Meant))
}

/// Returns an offset from UTC in minutes.
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

/// Checks days, hours and so on after a `P`. Strictly without a minus, fractions and gaps.
/// `HH:MM:SS` is lenient.
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

/// Returns `true` if a string is hours, minutes and seconds: `1:30:00`, `36:00:00.5`.
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

/// Checks digits in groups. Without the hyphens, or as a URN (RFC 9562, section 4), it is only
/// lenient.
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

/// Checks words joined by dots before the `@`, labels of letters and digits joined by dots after
/// it.
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
