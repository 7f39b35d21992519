//! Numbers with digits grouped by commas: `1,234.50`. In an array they are several numbers, but a
//! member has one value, and after its comma no key begins with a digit.

use crate::scan::peek;

/// The digits of a group.
const GROUP: usize = 3;

/// The part of a number in groups that has been read.
pub(crate) struct Grouped {
    pub(crate) end: usize,
    /// Number of groups after the first.
    pub(crate) groups: usize,
    /// `true` if it has a fraction.
    pub(crate) fraction: bool,
}

/// Returns the number in groups that begins at `start`: up to three digits without leading zeros,
/// groups of three, each after a comma, and optionally a fraction. In `1,234.5 km` it ends at 7.
pub(crate) fn grouped(bytes: &[u8], start: usize) -> Option<Grouped> {
    let digits = |at: usize| {
        let digit = |byte: &&u8| byte.is_ascii_digit();
        bytes
            .get(at..)
            .unwrap_or_default()
            .iter()
            .take(GROUP + 1)
            .take_while(digit)
            .count()
    };
    let first = start + usize::from(matches!(peek(bytes, start), b'-' | b'+'));
    if !(1..=GROUP).contains(&digits(first)) || peek(bytes, first) == b'0' {
        return None;
    }
    let mut end = first + digits(first);
    let mut groups = 0;
    while peek(bytes, end) == b',' && digits(end + 1) == GROUP {
        end += 1 + GROUP;
        groups += 1;
    }
    let digit = |byte: &&u8| byte.is_ascii_digit();
    let fraction = match peek(bytes, end) {
        b'.' => bytes[end + 1..].iter().take_while(digit).count(),
        _ => 0,
    };
    if fraction > 0 {
        end += 1 + fraction;
    }
    (groups > 0).then_some(Grouped {
        end,
        groups,
        fraction: fraction > 0,
    })
}

/// Returns a number in groups in JSON syntax: `1234.5` for `+1,234.5`.
pub(crate) fn ungrouped(number: &str) -> alloc::string::String {
    number.trim_start_matches('+').replace(',', "")
}
