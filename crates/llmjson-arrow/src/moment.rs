//! Dates, times, decimals and UUIDs as the numbers that Arrow keeps of them.

/// The digits of a decimal column, and how many of them stand after the point.
pub(crate) const PRECISION: u8 = 38;
pub(crate) const SCALE: i8 = 9;

const SECONDS_A_DAY: i64 = 86_400;
const MICROS: i64 = 1_000_000;

/// The days from 1970 to a date such as `2025-05-17`.
pub(crate) fn days(text: &str) -> Option<i32> {
    let mut parts = text.splitn(3, '-');
    let [year, month, day] = [4, 2, 2].map(|width| number(parts.next()?, width));
    let (year, month, day) = (year?, month?, day?);
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => 28 + i64::from(is_leap),
        _ => return None,
    };
    if !(1..=length).contains(&day) {
        return None;
    }
    // Years that begin in March, so that the day that may be missing is the last one.
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let before = 365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    let days = before + (153 * month + 2) / 5 + day - 1 - 719_468;
    i32::try_from(days).ok()
}

/// Returns the microseconds from midnight to a time such as `09:30:00.5` or `09:30:00Z`. A time with another offset is
/// none: the column has no place for it, and in UTC it would read as another time than those beside it.
pub(crate) fn micros_of_day(text: &str) -> Option<i64> {
    let (micros, offset) = clock(text)?;
    (offset.unwrap_or(0) == 0).then_some(micros)
}

/// The microseconds from 1970 to a moment such as `2025-05-17T09:30:00+02:00`. One without an offset is none.
pub(crate) fn micros(text: &str) -> Option<i64> {
    let at = text.find(['T', 't', ' '])?;
    let days = days(text.get(..at)?)?;
    let (micros, offset) = clock(text.get(at + 1..)?)?;
    let seconds = i64::from(days) * SECONDS_A_DAY - offset?;
    Some(seconds * MICROS + micros)
}

/// The microseconds that a clock shows, and the seconds that it is ahead of UTC.
fn clock(text: &str) -> Option<(i64, Option<i64>)> {
    let end = text.find(['Z', 'z', '+', '-']).unwrap_or(text.len());
    let (time, zone) = text.split_at(end);
    let offset = match zone.as_bytes() {
        [] => None,
        [b'Z' | b'z'] => Some(0),
        [sign, ..] => {
            let (hours, minutes) = zone.get(1..)?.split_once(':')?;
            let seconds = number(hours, 2)? * 3600 + number(minutes, 2)? * 60;
            Some(if *sign == b'-' { -seconds } else { seconds })
        }
    };
    let (time, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let mut parts = time.splitn(3, ':');
    let hours = number(parts.next()?, 2).filter(|hours| *hours < 24)?;
    let minutes = number(parts.next()?, 2).filter(|minutes| *minutes < 60)?;
    // A leap second would be the first moment of the next minute.
    let seconds = number(parts.next()?, 2).filter(|seconds| *seconds < 60)?;
    let seconds = hours * 3600 + minutes * 60 + seconds;
    Some((seconds * MICROS + scaled(fraction, 6)?, offset))
}

/// Returns the number that a text consists of, if it has exactly `width` digits.
fn number(text: &str, width: usize) -> Option<i64> {
    let is_plain = text.len() == width && text.bytes().all(|byte| byte.is_ascii_digit());
    is_plain.then(|| text.parse().ok()).flatten()
}

/// Digits after a point in units of the last of `places`; none if more of them count.
fn scaled(digits: &str, places: usize) -> Option<i64> {
    let digits = digits.trim_end_matches('0');
    let is_plain = digits.len() <= places && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_plain
        .then(|| format!("{digits:0<places$}").parse().ok())
        .flatten()
}

/// A decimal such as `-12.50` or `1e3` in units of its last place. None if that loses a digit.
pub(crate) fn decimal(text: &str) -> Option<i128> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (is_negative, digits) = match mantissa.as_bytes() {
        [b'-', ..] => (true, &mantissa[1..]),
        [b'+', ..] => (false, &mantissa[1..]),
        _ => (false, mantissa),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let digits: String = whole.chars().chain(fraction.chars()).collect();
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let places = i32::try_from(fraction.len()).ok()?;
    let significant = digits.trim_end_matches('0');
    let zeros = i32::try_from(digits.len() - significant.len()).ok()?;
    let significant = significant.trim_start_matches('0');
    if significant.is_empty() {
        return Some(0);
    }
    let power = exponent.checked_sub(places)?.checked_add(zeros)?;
    let power = u32::try_from(power.checked_add(i32::from(SCALE))?).ok()?;
    if significant.len() + usize::try_from(power).ok()? > usize::from(PRECISION) {
        return None;
    }
    let value = significant.parse::<i128>().ok()? * 10_i128.pow(power);
    Some(if is_negative { -value } else { value })
}

/// The bytes of a UUID as a number.
pub(crate) fn uuid(text: &str) -> Option<i128> {
    let has_form = text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        });
    if !has_form {
        return None;
    }
    let bits = u128::from_str_radix(&text.replace('-', ""), 16).ok()?;
    Some(i128::from_be_bytes(bits.to_be_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        assert_eq!(days("1970-01-01"), Some(0));
        assert_eq!(days("2025-05-17"), Some(20_225));
        assert_eq!(days("2000-02-29"), Some(11_016));
        assert_eq!(days("0001-01-01"), Some(-719_162));
        assert_eq!(days("9999-12-31"), Some(2_932_896));
        for wrong in [
            "",
            "2025-5-17",
            "2025-02-29",
            "2025-13-01",
            "1900-02-29",
            "2025-05-00",
            "+025-05-01",
        ] {
            assert_eq!(days(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn times() {
        assert_eq!(micros_of_day("09:30:00.5"), Some(34_200_500_000));
        assert_eq!(micros_of_day("09:30:00Z"), Some(34_200_000_000));
        assert_eq!(micros_of_day("00:30:00+01:00"), None);
        assert_eq!(micros("1970-01-01T00:00:00Z"), Some(0));
        assert_eq!(
            micros("1969-12-31 23:00:00.000001-02:00"),
            Some(3_600_000_001)
        );
        for wrong in [
            "1970-01-01T00:00:00",
            "1970-01-01",
            "1970-01-01T24:00:00Z",
            "1970-01-01T00:00:00.1234567Z",
        ] {
            assert_eq!(micros(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn decimals() {
        let one = 1_000_000_000;
        assert_eq!(decimal("1"), Some(one));
        assert_eq!(decimal("-12.50"), Some(-12 * one - one / 2));
        assert_eq!(decimal("1e3"), Some(1000 * one));
        assert_eq!(decimal("1500E-3"), Some(one + one / 2));
        assert_eq!(decimal("0.000000001"), Some(1));
        assert_eq!(decimal("0e999"), Some(0));
        assert_eq!(decimal(&"9".repeat(29)).map(|value| value % 10), Some(0));
        let long = "9".repeat(30);
        for wrong in [
            "",
            "-",
            ".",
            "1.2.3",
            "0.0000000001",
            "1e29",
            "1e-10",
            "x",
            &long,
        ] {
            assert_eq!(decimal(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn uuids() {
        let text = "123e4567-e89b-12d3-a456-426614174000";
        let bytes = uuid(text).map(i128::to_be_bytes);
        assert_eq!(bytes.map(|bytes| (bytes[0], bytes[15])), Some((0x12, 0)));
        assert_eq!(uuid(&text.replace('-', "")), None);
    }
}
