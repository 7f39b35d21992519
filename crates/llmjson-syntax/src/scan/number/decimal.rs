//! The exact value of a number's text: order, equality and integrality without rounding.
//!
//! Numbers of a document and bounds of a schema stay text. Short integers are compared as machine
//! words; all others digit by digit, whatever their length or exponent.

use core::cmp::Ordering;

pub use super::short_integer;

/// A decomposed number: its digits, without zeros at either end, follow a decimal point that is
/// shifted by `exponent` places. Zero has no digits.
#[derive(Clone, Copy, Debug)]
pub struct Decimal<'t> {
    negative: bool,
    whole: &'t [u8],
    fraction: &'t [u8],
    /// The value is `0.<digits>` times ten to this power.
    exponent: i64,
}

impl<'t> Decimal<'t> {
    /// Parses a JSON number. Exponents beyond 64 bits saturate.
    pub fn new(text: &'t str) -> Self {
        let bytes = text.as_bytes();
        let (negative, bytes) = match bytes {
            [b'-', rest @ ..] => (true, rest),
            _ => (false, bytes),
        };
        let split = bytes.iter().position(|byte| matches!(byte, b'e' | b'E'));
        let (mantissa, power) = match split {
            Some(at) => (&bytes[..at], power(&bytes[at + 1..])),
            None => (bytes, 0),
        };
        let point = mantissa.iter().position(|&byte| byte == b'.');
        let (mut whole, mut fraction) = match point {
            Some(at) => (&mantissa[..at], &mantissa[at + 1..]),
            None => (mantissa, &[][..]),
        };
        whole = &whole[leading_zeros(whole)..];
        fraction = &fraction[..fraction.len() - trailing_zeros(fraction)];
        let mut exponent = power.saturating_add(whole.len() as i64);
        if whole.is_empty() {
            let zeros = leading_zeros(fraction);
            fraction = &fraction[zeros..];
            exponent = power.saturating_sub(zeros as i64);
        }
        if fraction.is_empty() {
            whole = &whole[..whole.len() - trailing_zeros(whole)];
        }
        if whole.is_empty() && fraction.is_empty() {
            return Self {
                negative: false,
                whole,
                fraction,
                exponent: 0,
            };
        }
        Self {
            negative,
            whole,
            fraction,
            exponent,
        }
    }

    fn len(self) -> usize {
        self.whole.len() + self.fraction.len()
    }

    fn is_zero(self) -> bool {
        self.len() == 0
    }

    /// Returns the significant digits, without zeros at either end.
    pub fn digits(self) -> impl Iterator<Item = u8> + use<'t> {
        self.whole.iter().chain(self.fraction).copied()
    }

    /// Returns the sign and the exponent, which together with the digits identify the value.
    pub fn scale(self) -> (bool, i64) {
        (self.negative, self.exponent)
    }

    /// Returns `true` if the value has no fraction.
    pub fn is_whole(self) -> bool {
        self.is_zero() || self.exponent >= self.len() as i64
    }

    /// Returns the digits of an integer, none for zero. `None` if it has a fraction or more digits
    /// than `most`.
    pub fn whole_digits(self, most: usize) -> Option<impl Iterator<Item = u8> + use<'t>> {
        let length = usize::try_from(self.exponent).ok()?;
        let digits = self.digits().chain(core::iter::repeat(b'0'));
        (self.is_whole() && length <= most).then(|| digits.take(length))
    }

    /// Returns whether the value is a multiple of another one. `None` if that one is zero or has
    /// more than 19 significant digits. Exponents are never expanded.
    pub fn is_multiple_of(self, divisor: Self) -> Option<bool> {
        let modulus = divisor.digits().try_fold(0u64, |sum, digit| {
            sum.checked_mul(10)?.checked_add(u64::from(digit - b'0'))
        });
        let modulus = u128::from(modulus.filter(|modulus| *modulus > 0)?);
        if self.is_zero() {
            return Some(true);
        }
        // Both are whole numbers with a nonzero last digit, times a power of ten.
        let places = self.last_place().saturating_sub(divisor.last_place());
        let Ok(mut places) = u64::try_from(places) else {
            return Some(false);
        };
        let (mut rest, mut power) = (1, 10 % modulus);
        while places > 0 {
            if places % 2 == 1 {
                rest = rest * power % modulus;
            }
            power = power * power % modulus;
            places /= 2;
        }
        let digits = self.digits().fold(0, |sum, digit| {
            (sum * 10 + u128::from(digit - b'0')) % modulus
        });
        Some(digits * rest % modulus == 0)
    }

    /// The power of ten of the last digit.
    fn last_place(self) -> i64 {
        self.exponent.saturating_sub(self.len() as i64)
    }

    /// Compares two values exactly.
    pub fn compare(self, other: Self) -> Ordering {
        match (self.sign(), other.sign()) {
            (left, right) if left != right => left.cmp(&right),
            (0, _) => Ordering::Equal,
            (1, _) => self.compare_magnitude(other),
            _ => other.compare_magnitude(self),
        }
    }

    fn sign(self) -> i8 {
        match (self.is_zero(), self.negative) {
            (true, _) => 0,
            (false, false) => 1,
            (false, true) => -1,
        }
    }

    fn compare_magnitude(self, other: Self) -> Ordering {
        self.exponent
            .cmp(&other.exponent)
            .then_with(|| self.digits().cmp(other.digits()))
    }
}

fn power(text: &[u8]) -> i64 {
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    let magnitude = digits.iter().fold(0i64, |sum, digit| {
        sum.saturating_mul(10)
            .saturating_add(i64::from(digit.saturating_sub(b'0')))
    });
    // Half the range leaves room for adding the lengths of texts.
    let magnitude = magnitude.min(i64::MAX / 2);
    if negative { -magnitude } else { magnitude }
}

fn leading_zeros(digits: &[u8]) -> usize {
    digits.iter().take_while(|&&digit| digit == b'0').count()
}

fn trailing_zeros(digits: &[u8]) -> usize {
    digits
        .iter()
        .rev()
        .take_while(|&&digit| digit == b'0')
        .count()
}

/// Compares two JSON numbers exactly.
pub fn compare(left: &str, right: &str) -> Ordering {
    match (
        short_integer(left.as_bytes()),
        short_integer(right.as_bytes()),
    ) {
        (Some(left), Some(right)) => left.cmp(&right),
        _ => Decimal::new(left).compare(Decimal::new(right)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_compare_by_value() {
        let ascending = [
            "-1e999",
            "-12345678901234567890123",
            "-12345678901234567890122",
            "-2",
            "-1.5",
            "-1",
            "-0.001",
            "-1e-999",
            "0",
            "1e-999",
            "0.1",
            "0.10000000000000000001",
            "0.2",
            "1",
            "1.5",
            "2",
            "10",
            "9007199254740992.5",
            "9007199254740993",
            "12345678901234567890123",
            "12345678901234567890124",
            "1e999",
            "1e99999999999999999999",
        ];
        for (at, left) in ascending.iter().enumerate() {
            for (other, right) in ascending.iter().enumerate() {
                assert_eq!(compare(left, right), at.cmp(&other), "{left} and {right}");
            }
        }
    }

    #[test]
    fn spellings_of_one_value_are_equal() {
        let groups: &[&[&str]] = &[
            &["0", "-0", "0.0", "0e5", "-0.00E-7"],
            &["1", "1.0", "1e0", "10e-1", "0.1e1", "0.0010e3"],
            &["-1500", "-1.5e3", "-15E+2", "-1500.00"],
            &["0.1", "1e-1", "0.100"],
        ];
        for group in groups {
            for left in *group {
                for right in *group {
                    assert_eq!(compare(left, right), Ordering::Equal, "{left} and {right}");
                }
            }
        }
    }

    #[test]
    fn multiples_are_told_by_the_exact_value() {
        for (value, divisor, expected) in [
            ("0", "3", Some(true)),
            ("-0.0", "0.1", Some(true)),
            ("9", "3", Some(true)),
            ("-9.0", "3", Some(true)),
            ("10", "3", Some(false)),
            ("0.3", "0.1", Some(true)),
            ("0.35", "0.1", Some(false)),
            ("1e400", "2", Some(true)),
            ("1e400", "3", Some(false)),
            ("3e400000000", "3", Some(true)),
            ("7", "1e-400000000", Some(true)),
            ("1e-400000000", "7", Some(false)),
            ("5", "10", Some(false)),
            ("100", "25", Some(true)),
            ("4611686018427387904", "2147483648", Some(true)),
            ("18446744073709551615", "18446744073709551615", Some(true)),
            ("18446744073709551616", "18446744073709551615", Some(false)),
            (
                "1e99999999999999999999",
                "18446744073709551615",
                Some(false),
            ),
            ("1", "0", None),
            ("1", "123456789012345678901", None),
        ] {
            let found = Decimal::new(value).is_multiple_of(Decimal::new(divisor));
            assert_eq!(found, expected, "{value} and {divisor}");
        }
    }

    #[test]
    fn whole_numbers_have_no_fraction() {
        for text in ["0", "-0.0", "3.0", "1e3", "1.5e1", "1500e-2", "1e999"] {
            assert!(Decimal::new(text).is_whole(), "{text}");
        }
        for text in ["0.5", "1.5e0", "15e-2", "1e-400", "0.001"] {
            assert!(!Decimal::new(text).is_whole(), "{text}");
        }
    }
}
