//! The double nearest to a number, from its digits and its decimal exponent.
//!
//! A number with up to 19 digits and a moderate exponent is rounded exactly here: by one division
//! or multiplication of doubles if both are exact (Clinger, 1990), else with the power of five to
//! 128 bits (Eisel and Lemire, 2020; <https://arxiv.org/abs/2101.11408>), which is always
//! conclusive for the powers used here. All other numbers are left to the standard library.

use crate::scan::bytes::no_digit_values;

/// The exponents of the precomputed powers of five. Within them 128 bits are exact enough for every
/// mantissa.
const LEAST: i32 = -27;
const MOST: i32 = 55;

/// The powers of ten that are exact doubles.
const TENS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// Powers of five as normalized 128-bit numbers, from [`LEAST`] to [`MOST`]; those below one are
/// rounded up.
static FIVES: [u128; (MOST - LEAST + 1) as usize] = {
    let mut fives = [0; (MOST - LEAST + 1) as usize];
    let mut at = 0;
    while at < fives.len() {
        let power = LEAST + at as i32;
        fives[at] = if power < 0 {
            reciprocal(5u128.pow(power.unsigned_abs()))
        } else {
            let five = 5u128.pow(power as u32);
            five << five.leading_zeros()
        };
        at += 1;
    }
    fives
};

/// Returns the first 128 bits of one divided by `divisor`, rounded up.
const fn reciprocal(divisor: u128) -> u128 {
    let mut rest = 1 << (128 - divisor.leading_zeros());
    let mut quotient = 0;
    let mut bit = 0;
    while bit < 128 {
        quotient <<= 1;
        if rest >= divisor {
            rest -= divisor;
            quotient |= 1;
        }
        rest <<= 1;
        bit += 1;
    }
    quotient + 1
}

/// Returns the nearest double, or `None` for numbers left to the slower methods.
#[inline]
pub(crate) fn quick(text: &[u8]) -> Option<f64> {
    let (negative, number) = match text {
        [b'-', rest @ ..] => (true, rest),
        all => (false, all),
    };
    let mut mantissa = 0;
    let whole = digits(number, &mut mantissa);
    let (mantissa, power) = match number.get(whole..) {
        Some([b'.', fraction @ ..])
            if whole > 0
                && (9..=16).contains(&fraction.len())
                && whole + fraction.len() <= 19
                && let Some(low) = long_fraction(fraction) =>
        {
            let places = fraction.len();
            (mantissa * TENS_WHOLE[places] + low, -(places as i32))
        }
        _ => parts(number, whole, mantissa)?,
    };
    let value = if mantissa < 1 << 53 && (-22..=22).contains(&power) {
        let ten = TENS[power.unsigned_abs() as usize];
        if power < 0 {
            mantissa as f64 / ten
        } else {
            mantissa as f64 * ten
        }
    } else {
        nearest(mantissa, power)?
    };
    Some(if negative { -value } else { value })
}

/// The powers of ten up to the longest fraction that is read in two halves.
const TENS_WHOLE: [u64; 17] = {
    let mut tens = [1; 17];
    let mut power = 1;
    while power < tens.len() {
        tens[power] = 10 * tens[power - 1];
        power += 1;
    }
    tens
};

/// Returns the number formed by 9 to 16 digits, if all bytes are digits: the first eight, followed
/// by the last eight without any of the first.
#[inline]
fn long_fraction(fraction: &[u8]) -> Option<u64> {
    let values = |digits: &[u8; 8]| u64::from_le_bytes(*digits) ^ ZEROS;
    let first = values(fraction.first_chunk()?);
    let rest = fraction.len().wrapping_sub(8) % 9;
    let last = values(fraction.last_chunk()?) & u64::MAX << (8 * (8 - rest) % 64);
    let others = no_digit_values(first) | no_digit_values(last);
    (others == 0).then(|| eight(first) * TENS_WHOLE[rest] + eight(last))
}

/// Returns all digits, up to 19, as one whole number, and the power of ten by which to multiply it.
/// The digits before the point have been read.
fn parts(number: &[u8], whole: usize, mut mantissa: u64) -> Option<(u64, i32)> {
    let (mut count, mut rest) = (whole, &number[whole..]);
    let mut power = 0;
    if let [b'.', fraction @ ..] = rest {
        let places = digits(fraction, &mut mantissa);
        if places == 0 {
            return None;
        }
        count += places;
        power = -(places as i32);
        rest = &fraction[places..];
    }
    if whole == 0 || count > 19 {
        return None;
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        let (negative, exponent) = match exponent {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] => (false, rest),
            all => (false, all),
        };
        let mut shift = 0;
        let length = digits(exponent, &mut shift);
        if length == 0 || length > 3 {
            return None;
        }
        power += if negative {
            -(shift as i32)
        } else {
            shift as i32
        };
        rest = &exponent[length..];
    }
    rest.is_empty().then_some((mantissa, power))
}

/// Appends the leading digits of `text` to a number, and returns their count.
#[inline(always)]
fn digits(text: &[u8], number: &mut u64) -> usize {
    let mut count = 0;
    while let Some(digit) = text.get(count).map(|byte| byte.wrapping_sub(b'0'))
        && digit <= 9
    {
        *number = number.wrapping_mul(10).wrapping_add(u64::from(digit));
        count += 1;
    }
    count
}

const ZEROS: u64 = u64::from_le_bytes([b'0'; 8]);

/// Returns the number formed by eight digits, given their values: pairs first, then pairs of pairs.
#[inline(always)]
fn eight(digits: u64) -> u64 {
    const PAIRS: u64 = 0x0000_00FF_0000_00FF;
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8);
    // The first and third pair, then the second and fourth, each weighted by its place; the sum is
    // in the highest bits.
    let odd = (pairs & PAIRS).wrapping_mul(100 + (1_000_000 << 32));
    let even = (pairs >> 16 & PAIRS).wrapping_mul(1 + (10_000 << 32));
    odd.wrapping_add(even) >> 32
}

/// Returns the double nearest to a mantissa times a power of ten, by the Eisel-Lemire algorithm.
fn nearest(mantissa: u64, power: i32) -> Option<f64> {
    let five = *FIVES.get(usize::try_from(power - LEAST).ok()?)?;
    if mantissa == 0 {
        return Some(0.0);
    }
    let zeros = mantissa.leading_zeros();
    let mantissa = mantissa << zeros;
    let wide = |one: u64, other: u64| u128::from(one) * u128::from(other);
    let mut product = wide(mantissa, (five >> 64) as u64);
    // Nine bits are below the precision; if all are set, the rest of the power may carry.
    if (product >> 64) as u64 & 0x1FF == 0x1FF {
        product = product.wrapping_add(wide(mantissa, five as u64) >> 64);
    }
    let (high, low) = ((product >> 64) as u64, product as u64);
    // 53 bits and one for rounding.
    let top = (high >> 63) as i32;
    let shift = top + 9;
    let mut bits = high >> shift;
    let exponent = ((power * 217_706) >> 16) + 63 + top - zeros as i32 + 1023;
    if low <= 1 && (-4..=23).contains(&power) && bits & 3 == 1 && bits << shift == high {
        // Exactly between two doubles: round to even.
        bits &= !1;
    }
    bits = (bits + (bits & 1)) >> 1;
    let carried = bits >> 53;
    let exponent = exponent + carried as i32;
    if !(1..0x7FF).contains(&exponent) {
        return None;
    }
    let fraction = if carried == 0 { bits & !(1 << 52) } else { 0 };
    Some(f64::from_bits(fraction | (exponent as u64) << 52))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::String;
    use core::fmt::Write as _;

    fn same(text: &str) -> bool {
        let expected: f64 = text.parse().expect("a number");
        let found = quick(text.as_bytes());
        assert!(
            found.is_none_or(|found| found.to_bits() == expected.to_bits()),
            "{text}: {found:?} for {expected:?}"
        );
        found.is_some()
    }

    #[test]
    fn floats_are_those_that_the_standard_library_reads() {
        let mut state = 88_172_645_463_325_252u64;
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let mut text = String::new();
        let mut quickly = 0;
        for round in 0..200_000 {
            let whole = random() >> (random() % 64);
            let places = 1 + (random() % 19) as usize;
            let fraction = format!("{:019}", random() % 10_000_000_000_000_000_000);
            text.clear();
            text.push_str(["", "-"][round % 2]);
            let _ = write!(text, "{whole}");
            if round % 5 > 0 {
                let _ = write!(text, ".{}", &fraction[..places]);
            }
            if round % 3 == 0 {
                let _ = write!(text, "e{}", random() as i64 % 60);
            }
            quickly += usize::from(same(&text));
        }
        assert!(quickly > 100_000, "{quickly}");
    }

    #[test]
    fn floats_between_two_doubles_become_the_even_one() {
        for bits in (0..2_000u64).map(|step| 0x4330_0000_0000_0000 + step * 0x0000_0FED_CBA9_8765) {
            // One half and three halves beyond a double of 53 bits, if that has 19 digits or fewer.
            let double = f64::from_bits(bits);
            if let (true, whole) = (double < 4e18, double as u128) {
                let step = u128::from((f64::from_bits(bits + 1) - double) as u64);
                for number in [2 * whole + step, 2 * whole + 3 * step] {
                    let halved = format!("{}.{}", number / 2, if number % 2 == 1 { 5 } else { 0 });
                    for text in [
                        halved.as_str(),
                        &format!("-{halved}"),
                        &format!("{halved}e0"),
                    ] {
                        same(text);
                    }
                }
            }
        }
        for text in [
            "9007199254740993",
            "9007199254740995",
            "9007199254740993.0",
            "4503599627370496.5",
            "4503599627370497.5",
            "0.5e16",
            "9007199254740993e1",
            "9007199254740993e-1",
        ] {
            assert!(same(text), "{text}");
        }
    }

    #[test]
    fn powers_of_ten_are_exact_at_both_ends() {
        for power in -40..=60 {
            for mantissa in [
                1,
                3,
                9,
                123_456_789,
                u64::MAX / 2,
                9_999_999_999_999_999_999,
            ] {
                let text = format!("{mantissa}e{power}");
                assert_eq!(same(&text), (LEAST..=MOST).contains(&power), "{text}");
            }
        }
        assert_eq!(quick(b"0e0"), Some(0.0));
        assert_eq!(
            quick(b"-0.000").map(f64::to_bits),
            Some((-0.0f64).to_bits())
        );
    }

    #[test]
    fn what_is_no_number_is_left_to_others() {
        for text in [
            "",
            "-",
            ".",
            "1.",
            ".5",
            "1..2",
            "1.2.3",
            "x",
            "1x",
            "1.x",
            "1.5x",
            "1e",
            "1e+",
            "1.5e-",
            "--1",
            "1.1234567x",
            "1.12345678x",
            "1.123:",
            "1.12345678/2",
            "12345678901234567890",
            "0.12345678901234567890",
            "1e1234",
        ] {
            assert_eq!(quick(text.as_bytes()), None, "{text}");
        }
    }
}
