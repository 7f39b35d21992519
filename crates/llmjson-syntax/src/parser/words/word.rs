//! Unquoted text: its meaning once its ends are known.

use crate::base::repair::RepairKind;
use crate::parser::state::reader::Reader;
use crate::parser::words::grouped_digits::{grouped, ungrouped};
use crate::scan::number;
use crate::tape::{Node, Tag, flag};

/// The meaning of an unquoted word.
pub(crate) enum Word {
    Null,
    Bool(bool),
    /// A number that must be respelled.
    Number(alloc::string::String),
    Text,
}

/// Returns the kind of an unquoted word and the repair it counts as: `True` is a keyword of another
/// language, `007` a string that begins like a number. `Text` is the fallback.
pub(crate) fn classify(word: &str) -> (Word, RepairKind) {
    let keyword = |word, kind| (word, kind);
    match word {
        "null" => return keyword(Word::Null, RepairKind::OtherKeyword),
        "undefined" => return keyword(Word::Null, RepairKind::Undefined),
        "NaN" | "Infinity" | "-Infinity" | "+Infinity" | "nan" | "inf" | "-inf" => {
            return keyword(Word::Text, RepairKind::NotANumber);
        }
        _ => {}
    }
    // `True`, `NULL`, `None`: capitals indicate a keyword of another language, while `none` may be
    // a word.
    if word.len() <= 5 {
        for (name, value) in [
            ("true", Word::Bool(true)),
            ("false", Word::Bool(false)),
            ("null", Word::Null),
            ("none", Word::Null),
        ] {
            let first = word.as_bytes().first().is_some_and(u8::is_ascii_uppercase);
            if word.eq_ignore_ascii_case(name) && (first || word == name && name != "none") {
                return keyword(value, RepairKind::OtherKeyword);
            }
        }
        if word == "nil" {
            return keyword(Word::Null, RepairKind::OtherKeyword);
        }
    }
    // `tru`, `fals`, `nul`
    if word.len() >= 3
        && let Some(tag) = cut_keyword(word)
    {
        let word = match tag {
            Tag::True => Word::Bool(true),
            Tag::False => Word::Bool(false),
            _ => Word::Null,
        };
        return keyword(word, RepairKind::ShortKeyword);
    }
    // `+1,234`: read as one word, since JSON numbers do not begin with a plus.
    if grouped(word.as_bytes(), 0).is_some_and(|number| number.end == word.len()) {
        return (Word::Number(ungrouped(word)), RepairKind::GroupedDigits);
    }
    match respell(word) {
        Some(number) => (Word::Number(number), RepairKind::OtherNumber),
        // `2025-01-01`, `1/6`, `007`
        None if starts_like_number(word) => (Word::Text, RepairKind::NumberAsText),
        None => (Word::Text, RepairKind::UnquotedString),
    }
}

/// Returns the JSON spelling of a number in a spelling that JSON does not allow, such as `+1`,
/// `.5`, `1.`, `0x1F`, `1_000` or `10n`. With leading zeros it is a code rather than a number.
fn respell(word: &str) -> Option<alloc::string::String> {
    use alloc::string::ToString as _;
    let (sign, digits) = match word.as_bytes().first()? {
        b'-' => ("-", &word[1..]),
        b'+' => ("", &word[1..]),
        _ => ("", word),
    };
    if !digits
        .as_bytes()
        .first()
        .is_some_and(|&byte| byte.is_ascii_digit() || byte == b'.')
    {
        return None;
    }
    if let Some(hex) = digits
        .strip_prefix("0x")
        .or_else(|| digits.strip_prefix("0X"))
    {
        let value = u128::from_str_radix(hex, 16).ok()?;
        return Some(alloc::format!("{sign}{value}"));
    }
    let plain = digits.replace('_', "");
    let grouped = plain.len() != digits.len();
    // `1__0` or `1_` is a name or a code.
    if grouped && (digits.contains("__") || digits.ends_with('_') || digits.starts_with('_')) {
        return None;
    }
    let plain = plain.strip_suffix('n').unwrap_or(&plain);
    let mut number = sign.to_string();
    let (mantissa, exponent) = match plain.find(['e', 'E']) {
        Some(at) => plain.split_at(at),
        None => (plain, ""),
    };
    if mantissa.starts_with('.') {
        number.push('0');
    }
    number.push_str(mantissa.strip_suffix('.').unwrap_or(mantissa));
    number.push_str(exponent);
    (mantissa.bytes().any(|byte| byte.is_ascii_digit()) && number::is_json(&number))
        .then_some(number)
}

/// Returns `true` if a string that is not a number begins like one, as a code, a date or a fraction
/// does: `1/6`, but not `a1`.
fn starts_like_number(word: &str) -> bool {
    let digits = word.trim_start_matches(['-', '+', '.']);
    digits.as_bytes().first().is_some_and(u8::is_ascii_digit)
}

/// Returns the longest prefix of a truncated number that is itself a number: `1.5` of `1.5e-`. It
/// is followed by at most a point or an exponent letter and one plus or minus, and may contain none
/// of these yet: `5e7e` was not a number.
pub(crate) fn cut_number(word: &str) -> Option<&str> {
    let whole = word.trim_end_matches(['.', 'e', 'E', '+', '-']);
    let again = match &word.as_bytes()[whole.len()..] {
        [] => false,
        [b'.'] | [b'.', b'e' | b'E'] => whole.contains(['.', 'e', 'E']),
        [b'e' | b'E'] | [b'e' | b'E', b'+' | b'-'] => whole.contains(['e', 'E']),
        _ => true,
    };
    (!again && number::is_json(whole)).then_some(whole)
}

/// Returns the keyword that a word at the end of the text begins: `null` for `nu`, but none for
/// `null`.
pub(crate) fn cut_keyword(word: &str) -> Option<Tag> {
    if word.is_empty() {
        return None;
    }
    [
        ("true", Tag::True),
        ("false", Tag::False),
        ("null", Tag::Null),
        ("True", Tag::True),
        ("False", Tag::False),
        ("None", Tag::Null),
    ]
    .into_iter()
    .find(|(keyword, _)| keyword.starts_with(word) && keyword.len() > word.len())
    .map(|(_, tag)| tag)
}

impl Reader<'_> {
    /// Makes a scalar of the unquoted word at `start..end`.
    pub(crate) fn word(&mut self, mut node: Node, start: usize, end: usize) -> Node {
        let text = self.look.text;
        if number::is_json(&text[start..end]) {
            // A valid JSON number; only the text after it is unusual.
            node.start = start as u32;
            node.end = end as u32;
            node.tag = crate::scan::number::number_tag(&text[start..end]);
            return node;
        }
        // `{"a": 1e` before a closing fence: in the middle of a value these characters are a
        // string.
        if let Some(number) = cut_number(&text[start..end]).filter(|number| !number.is_empty())
            && self.text_ends_behind(end)
        {
            return self.unfinished_number(node, start, number, end);
        }
        let (word, kind) = classify(&text[start..end]);
        node.start = start as u32;
        node.end = end as u32;
        node.tag = match word {
            Word::Null => Tag::Null,
            Word::Bool(value) => {
                if value {
                    Tag::True
                } else {
                    Tag::False
                }
            }
            Word::Number(number) => {
                (node.start, node.end) = self.tape.put_side(&number);
                node.next = end as u32;
                node.flags |= flag::SIDE;
                crate::scan::number::number_tag(&number)
            }
            // Without quotes a backslash is literal.
            Word::Text => Tag::String,
        };
        // A keyword in its JSON spelling needs no repair.
        if !matches!(&text[start..end], "true" | "false" | "null") {
            self.repair(kind, start, end);
        }
        node
    }

    /// Reads a number at `k` that the end of the value's text truncates, up to `end`.
    pub(crate) fn unfinished_number(
        &mut self,
        mut node: Node,
        k: usize,
        number: &str,
        end: usize,
    ) -> Node {
        let whole = k + number.len();
        self.repair(RepairKind::CutNumber, whole, end);
        (node.start, node.end) = (k as u32, whole as u32);
        node.tag = number::number_tag(number);
        node.flags |= flag::TRUNCATED;
        node
    }

    /// Returns `true` if a word that ends at `end` is followed only by a mark that ends the text of
    /// the value: a closing fence, a closing tag or a field mark.
    fn text_ends_behind(&self, end: usize) -> bool {
        let (_, k) = self.look.beyond_space(end);
        k >= self.look.bytes.len()
            || self.look.closing_mark_at(k)
            || self.look.field_mark_at(k).is_some()
    }
}
