//! Numbers whose digits are grouped by commas: `1,234.50`. In a list they are several numbers, but a
//! member has one value, and behind its comma no name begins with a digit.

use crate::base::repair::{Class, RepairKind};
use crate::parser::look::Look;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{Container, KeyStep};
use crate::scan::peek;
use crate::tape::{Tag, flag};

/// The digits of a group.
const GROUP: usize = 3;

/// A number in groups, as far as it was read.
pub(crate) struct Grouped {
    pub(crate) end: usize,
    /// Number of groups behind the first.
    pub(crate) groups: usize,
    /// `true` if it has a fraction.
    pub(crate) fraction: bool,
}

/// Returns the number in groups that begins at `start`: up to three digits without leading zeros, groups of
/// three, each behind a comma, and perhaps a fraction. That of `1,234.5 km` ends at 7.
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

/// Returns a number in groups as JSON writes it: `1234.5` for `+1,234.5`.
pub(crate) fn ungrouped(number: &str) -> alloc::string::String {
    number.trim_start_matches('+').replace(',', "")
}

impl Reader<'_> {
    /// Digits at `k` stand directly behind the comma behind the number read last, where a name
    /// should: they are more of it.
    pub(crate) fn digits_continue(&mut self, here: Container, k: usize) -> Option<KeyStep> {
        let last = self.tape.nodes.len() - 1;
        let node = self.tape.nodes[last];
        let start = node.start as usize;
        let adjacent = here.count > 0
            && node.tag == Tag::Integer
            && !node.has(flag::SIDE)
            && node.end as usize + 1 == k
            && self.look.bytes[k - 1] == b','
            && !self.look.expects_list(&node);
        if !adjacent {
            return None;
        }
        let number = grouped(self.look.bytes, start);
        if self
            .look
            .ends_in_group(start, number.as_ref().map_or(k - 1, |number| number.end))
        {
            // It cannot be told whether the number ended there.
            self.ungroup_last(last, self.look.bytes.len(), Class::Guess);
            return Some(KeyStep::Nothing(here, self.look.bytes.len()));
        }
        let number = number?;
        // `{"a": 1,234, "b": 2}`: behind the comma of a member no name begins with a digit.
        let next = self.look.beyond_grouped(number.end)?;
        if next > number.end {
            // Words behind it make a text of it, as they do of any number.
            let end = start + self.look.text[start..next].trim_end().len();
            let node = &mut self.tape.nodes[last];
            (node.tag, node.end) = (Tag::String, end as u32);
            self.repair(RepairKind::NumberAsText, start, end);
            return Some(KeyStep::Nothing(here, end));
        }
        let class = self.look.class_of_groups(start, &number);
        self.ungroup_last(last, next, class);
        let point = peek(self.look.bytes, next) == b'.';
        // `{"a": 1,234.`: the fraction was cut off.
        if point {
            self.repair(RepairKind::CutNumber, next, next + 1);
        }
        Some(KeyStep::Nothing(here, next + usize::from(point)))
    }

    /// The number read last goes on up to `end`, with commas between its groups.
    fn ungroup_last(&mut self, last: usize, end: usize, class: Class) {
        let start = self.tape.nodes[last].start as usize;
        self.repair_as(RepairKind::GroupedDigits, class, start, end);
        let digits = ungrouped(&self.look.text[start..end]);
        let (start, end) = self.tape.put_side(&digits);
        let node = &mut self.tape.nodes[last];
        (node.start, node.end) = (start, end);
        node.tag = crate::scan::number::number_tag(&digits);
        node.flags |= flag::SIDE;
    }
}

impl Look<'_> {
    /// Returns `true` if the text ends within the group behind the comma at `comma`, up to which a number that
    /// begins at `start` was read: `1,23`, not `1,234`.
    fn ends_in_group(&self, start: usize, comma: usize) -> bool {
        let rest = &self.bytes[(comma + 1).min(self.bytes.len())..];
        let first = self.text[start..comma].trim_start_matches('-');
        let begins = first.contains(',') || first.len() <= GROUP && first != "0";
        peek(self.bytes, comma) == b','
            && (1..GROUP).contains(&rest.len())
            && rest.iter().all(u8::is_ascii_digit)
            && begins
    }

    /// Returns the offset at which the text goes on behind a number in groups that ends at `end`: there, or
    /// behind the words that belong to it, at 8 of `1,234 km, x`. `None` if more digits show that it is no such
    /// number.
    fn beyond_grouped(&self, end: usize) -> Option<usize> {
        let line = self.bytes[end..]
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b'\t'));
        let (line, k) = (line.clone().count() > 0, end + line.count());
        let word = match peek(self.bytes, k) {
            // `1,234,5`: the last group is too short, so the commas do not group digits.
            b',' | b'.' if !line && peek(self.bytes, k + 1).is_ascii_digit() => return None,
            // `1,234 567`: more digits behind the groups.
            byte if byte.is_ascii_digit() => return None,
            0x80.. => self.comma_like(k).is_none(),
            // `1,234 %`: the whole is a text.
            b'%' | b'*' | b'+' | b'-' | b'^' | b'_' | b'$' => true,
            byte => byte.is_ascii_alphabetic(),
        };
        if !word || line && self.key_ahead(k) {
            return Some(end);
        }
        let window = self.window(k);
        let length = window.find([',', '}', ']', '\n', '\r', '"', ';']);
        Some(k + length.unwrap_or(window.len()))
    }

    /// Returns the certainty of a number in groups. One group and no fraction may as well be two
    /// numbers where commas have no space behind them: a guess for `"a":1,234}`, and likely for `"a": 1,234}`.
    fn class_of_groups(&self, start: usize, number: &Grouped) -> Class {
        let spaced = matches!(self.bytes[start - 1], b' ' | b'\t' | b'\n');
        if number.groups > 1 || number.fraction || spaced {
            Class::Likely
        } else {
            Class::Guess
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Class, grouped, ungrouped};
    use crate::parser::look::ask;

    #[test]
    fn one_group_of_digits_may_be_two_numbers() {
        for (text, class) in [
            ("{\"a\": 1,234}", Class::Likely),
            ("{\"a\":\t1,234}", Class::Likely),
            ("{\"a\":\n1,234}", Class::Likely),
            ("{\"a\":1,234,567}", Class::Likely),
            ("{\"a\":1,234.5}", Class::Likely),
            ("{\"a\":1,234}", Class::Guess),
        ] {
            let start = text.find('1').expect("a digit");
            let number = grouped(text.as_bytes(), start).expect("a number in groups");
            let found = ask(text, |look| look.class_of_groups(start, &number));
            assert_eq!(found, class, "{text:?}");
        }
    }

    #[test]
    fn texts_end_within_a_group() {
        for (text, comma, expected) in [
            ("1,2", 1, true),
            ("1,23", 1, true),
            ("1,234,5", 5, true),
            ("-12,3", 3, true),
            ("1,234", 1, false),
            ("1,", 1, false),
            ("0,2", 1, false),
            ("1234,5", 4, false),
            ("1;2", 1, false),
            ("1,x", 1, false),
            ("1", 1, false),
        ] {
            assert_eq!(
                ask(text, |look| look.ends_in_group(0, comma)),
                expected,
                "{text:?}"
            );
        }
    }

    #[test]
    fn numbers_in_groups_end_behind_their_words() {
        for (text, expected) in [
            ("1,234", Some(5)),
            ("1,234, ", Some(5)),
            ("1,234 km, x", Some(8)),
            ("1,234%}", Some(6)),
            ("1,234 a: 1", Some(5)),
            ("1,234 ，", Some(5)),
            ("1,234€", Some(8)),
            ("1,234 , 5", Some(5)),
            ("1,234.", Some(5)),
            ("1,234,5", None),
            ("1,234.5", None),
            ("1,234 5", None),
            ("1,2345", None),
        ] {
            assert_eq!(
                ask(text, |look| look.beyond_grouped(5)),
                expected,
                "{text:?}"
            );
        }
    }

    #[test]
    fn groups_are_surer_behind_a_space() {
        for (text, start, expected) in [
            ("[1,234]", 1, Class::Guess),
            ("[1, 1,234]", 4, Class::Likely),
            ("[\t1,234]", 2, Class::Likely),
            ("[\n1,234]", 2, Class::Likely),
            ("[1,234,567]", 1, Class::Likely),
            ("[1,234.5]", 1, Class::Likely),
        ] {
            let number = grouped(text.as_bytes(), start).expect("a number in groups");
            let class = ask(text, |look| look.class_of_groups(start, &number));
            assert_eq!(class, expected, "{text:?}");
        }
    }

    #[test]
    fn digits_stand_in_groups() {
        // Where the number ends, its groups, and whether it has a fraction.
        let found = |text: &str| {
            let number = grouped(text.as_bytes(), 0)?;
            Some((number.end, number.groups, number.fraction))
        };
        for (text, expected) in [
            ("1,234.5 km", (7, 1, true)),
            ("1,234", (5, 1, false)),
            ("123,456,789", (11, 2, false)),
            ("-1,234", (6, 1, false)),
            ("+1,234.", (6, 1, false)),
            ("1,234,56", (5, 1, false)),
        ] {
            assert_eq!(found(text), Some(expected), "{text}");
        }
        for text in [
            "1234,567", "0,123", "1,2345", "1,23", "1", "1.5", ",123", "a", "",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
        assert_eq!(ungrouped("+1,234.5"), "1234.5");
        assert_eq!(ungrouped("-1,234,567"), "-1234567");
    }
}
