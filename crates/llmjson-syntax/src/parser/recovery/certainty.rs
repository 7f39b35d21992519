//! Repairs that are less sure than others of their kind, found once a value has been read to its end.

#[cfg(test)]
mod tests;

use crate::base::repair::{Class, Repair, RepairKind};
use crate::parser::look::quotes::{balance_of, quote_at};
use crate::parser::look::scalars::{is_keyword, is_number};
use crate::parser::look::tokens::TOKENS_MAX;
use crate::parser::look::{LOOK_AHEAD, Look};
use crate::parser::state::reader::Reader;
use crate::parser::strings::line_break;
use crate::scan::peek;
use crate::scan::tag::{holds_special_token, special_token};

/// Bytes between two records that stand beside each other, at most.
const BESIDE: u32 = 3;

impl Reader<'_> {
    /// Makes guesses of those records of a value, from the one at `first` on, that another damage would
    /// explain as well. `complete` tells whether the value's text ended as it should.
    pub(crate) fn lower_certainty(&mut self, first: usize, complete: bool) {
        let repairs = &mut self.tape.repairs[first..];
        let mut value = ReadValue {
            look: self.look,
            complete,
            no_colon: false,
            no_closer: false,
            extra_closer: false,
            commas: 0,
        };
        let mut capped = false;
        for repair in &*repairs {
            value.no_colon |= repair.kind == RepairKind::MissingColon;
            value.no_closer |= repair.kind == RepairKind::MissingCloser;
            value.extra_closer |= repair.kind == RepairKind::ExtraCloser;
            value.commas += usize::from(repair.kind == RepairKind::MissingComma);
            capped |= repair.kind == RepairKind::WorkCapped;
        }
        if capped {
            // They have not been compared with the openers.
            let capped = |repair: &&mut Repair| repair.kind != RepairKind::WorkCapped;
            let behind = repairs.iter_mut().skip_while(capped);
            behind.for_each(|repair| repair.class = Class::Guess);
        }
        for index in 0..repairs.len() {
            if value.explains_otherwise(repairs, index) {
                repairs[index].class = Class::Guess;
            }
        }
    }
}

/// A value that has been read, and what its records are as a whole.
struct ReadValue<'r> {
    look: Look<'r>,
    /// `true` if its text ended as it should.
    complete: bool,
    no_colon: bool,
    no_closer: bool,
    extra_closer: bool,
    /// Number of missing commas.
    commas: usize,
}

impl ReadValue<'_> {
    /// The text of a record.
    fn inside(&self, repair: &Repair) -> &str {
        self.look.charge(repair.span.range().len());
        self.look.text.get(repair.span.range()).unwrap_or_default()
    }

    /// Returns `true` if another damage would explain this record as well.
    fn explains_otherwise(&self, repairs: &[Repair], index: usize) -> bool {
        let repair = &repairs[index];
        let (start, complete) = (repair.span.start as usize, self.complete);
        let last = index.checked_sub(1).map(|last| repairs[last].kind);
        let next = repairs.get(index + 1).map(|next| next.kind);
        let beside = [index.checked_sub(1), Some(index + 1)];
        let mut beside = beside
            .into_iter()
            .flatten()
            .filter_map(|at| repairs.get(at));
        match repair.kind {
            kind if looks_inside(kind) && self.look.work_is_used_up() => true,
            RepairKind::InnerQuote => {
                let apostrophes = match peek(self.look.bytes, start.saturating_sub(1)) {
                    b'\'' => Apostrophes::Quotes,
                    _ => Apostrophes::Text,
                };
                let inside = self.inside(repair);
                self.no_colon
                    || self.is_name(repair)
                    || holds_end_of_string(inside, apostrophes)
                    || ends_in_quote(inside)
            }
            // An apostrophe in it has a record of its own next to this one.
            RepairKind::OtherQuotes => {
                let within = |one: &Repair| {
                    one.span.start >= repair.span.start && one.span.end <= repair.span.end
                };
                beside.any(within) && apostrophes_inside(self.inside(repair))
            }
            // Two strings on one line may lack a comma as well.
            RepairKind::JoinedStrings => !complete || !self.inside(repair).contains(['+', '\n']),
            // At the end of a text that was cut, words may be the beginning of anything.
            RepairKind::UnquotedString => {
                let inside = self.inside(repair);
                self.no_colon
                    || !complete
                    || beside.any(|one| self.lacks_comma_beside(repair, one))
                    || holds_structure(inside)
                    || is_value_beside_words(inside)
                    // `[/INST]`
                    || special_token(self.look.text, start.saturating_sub(1)).is_some()
            }
            // Within a value it may have ended one text and begun another.
            RepairKind::TemplateToken => true,
            RepairKind::NumberAsText => is_value_beside_words(self.inside(repair)),
            // `[true {}, 1]`: where one comma is missing, `true` may be a word that slipped in. In `[true {} 1]`
            // all are missing: the writer left them out.
            RepairKind::MissingComma => {
                self.commas == 1 && is_keyword_between(self.look.text, start)
                    || self.look.are_pieces(start)
                    // `{"a": {}"b": 1}}`: the bracket behind `{` may be the one that is too many.
                    || self.extra_closer && self.look.text_before(start).ends_with("{}")
            }
            // `{"a", "b": 1}`: a set, unless colons or closers are missing elsewhere, which then may be
            // missing here.
            RepairKind::Set => !complete || self.no_closer || self.no_colon,
            RepairKind::MissingCloser => {
                self.look.charge(LOOK_AHEAD / 16);
                holds_one_item(self.look.text, start) || self.is_before_token(start)
            }
            // Where colons are missing, a string may be two of them.
            RepairKind::InvalidEscape => self.no_colon,
            RepairKind::EscapedDocument => part_of_another(self.look.text, start),
            // Brackets that do not pair, in one way or another.
            RepairKind::ExtraCloser => !complete || self.no_closer,
            // The bracket before a closer may be what is missing, as in `"status": ]`.
            RepairKind::MissingValue => {
                let beside = [last, next];
                last == Some(RepairKind::Comment)
                    || beside.contains(&Some(RepairKind::ExtraCloser))
                    || beside.contains(&Some(RepairKind::TemplateToken))
            }
            RepairKind::Comment if complete && is_glued(self.look.text, start) => true,
            // What was cut may have begun with what was passed over.
            RepairKind::Comment | RepairKind::CutMember if !complete => {
                let inside = self.inside(repair);
                inside.contains(['}', ']']) || holds_special_token(inside)
            }
            // A line break may be where the missing quote belongs, a special token where the text was cut.
            RepairKind::UnclosedString => {
                last == Some(RepairKind::ControlCharacter) || self.ends_in_token(start)
            }
            // `"{"a": "b\n"}"`: JSON inside shows that the text is whole.
            RepairKind::ControlCharacter if last != Some(RepairKind::UnescapedJson) => {
                let inside = self.inside(repair);
                // `{"na\nme": 1}`: no name has lines.
                let lines = inside.contains('\n') && self.is_name(repair);
                lines || !self.may_have_lines(start) && line_break::is_doubtful(inside)
            }
            // More text stands behind the token that seems to end the value.
            RepairKind::UnclosedObject | RepairKind::UnclosedArray => self.is_before_token(start),
            _ => false,
        }
    }

    /// Returns `true` if a special token stands at `at`, and text behind it.
    fn is_before_token(&self, at: usize) -> bool {
        let mut end = at;
        for _ in 0..TOKENS_MAX {
            match special_token(self.look.text, end) {
                Some(token) => end = self.look.beyond_space(token).1,
                None => break,
            }
        }
        end > at && end < self.look.bytes.len()
    }

    /// Returns `true` if a special token ends the text of a value before `at`: `{"a": "b<|im_end|>`.
    fn ends_in_token(&self, at: usize) -> bool {
        let before = self.look.text_before(at);
        let near = &before.as_bytes()[before.len().saturating_sub(LOOK_AHEAD)..];
        let sign = memchr::memrchr2(b'<', b'[', near);
        sign.is_some_and(|sign| {
            let begin = before.len() - near.len() + sign;
            special_token(self.look.text, begin) == Some(before.len())
        })
    }

    /// Returns `true` if the quotes before `start` are of a kind within which lines may end: `"""`.
    fn may_have_lines(&self, start: usize) -> bool {
        let before = &self.look.text[..start];
        ["`", "\"\"\"", "'''"]
            .into_iter()
            .any(|quotes| before.ends_with(quotes))
    }

    /// Returns `true` if a colon stands behind the string of a record: names hold no quotes.
    fn is_name(&self, string: &Repair) -> bool {
        let behind = &self.look.text[string.span.end as usize..];
        let behind = behind.trim_start_matches(['"', '\'', ' ']);
        behind.starts_with(':')
    }

    /// Returns `true` if a comma is missing right beside a text without quotes, on its line.
    fn lacks_comma_beside(&self, words: &Repair, comma: &Repair) -> bool {
        let (from, to) = match comma.span.start < words.span.start {
            true => (comma.span.end, words.span.start),
            false => (words.span.end, comma.span.start),
        };
        let behind = &self.look.text[words.span.end as usize..];
        comma.kind == RepairKind::MissingComma
            && to.saturating_sub(from) <= BESIDE
            && !behind.trim_start_matches([' ', '\t']).starts_with('\n')
    }
}

/// Returns `true` if the text of a record of this kind is looked at: that of an inner quote, as in `"a "b" c"`,
/// not that of a missing comma.
fn looks_inside(kind: RepairKind) -> bool {
    matches!(
        kind,
        RepairKind::InnerQuote
            | RepairKind::JoinedStrings
            | RepairKind::UnquotedString
            | RepairKind::ControlCharacter
    )
}

/// Returns `true` if a text without quotes is a whole number or keyword with words or signs before
/// or behind it, which may have slipped in: `ok -0`, `2.50/`, `true the`.
fn is_value_beside_words(text: &str) -> bool {
    let text = text.trim();
    let is_value = |word: &str| is_number(word) || is_keyword(word);
    let mut words = text.split_ascii_whitespace();
    let (first, last) = (words.next().unwrap_or(""), words.next_back());
    if let Some(last) = last {
        return is_value(first) || is_value(last);
    }
    let is_sign = |c: char| c.is_ascii_punctuation() && !matches!(c, '-' | '+' | '%' | '#');
    let bare = text.trim_matches(is_sign);
    bare.is_empty() || bare.len() < text.len() && is_value(bare)
}

/// Returns `true` if a missing comma stands between a keyword and something else than a name, where
/// the keyword may be a word that slipped in: `[true {}]`.
fn is_keyword_between(text: &str, at: usize) -> bool {
    let (before, behind) = (text[..at].trim_end(), text[at..].trim_start());
    let letters = |c: char| c.is_ascii_alphabetic();
    let begin = before.len()
        - before
            .bytes()
            .rev()
            .take_while(u8::is_ascii_alphabetic)
            .count();
    let end = behind.find(|c| !letters(c)).unwrap_or(behind.len());
    let named = behind
        .strip_prefix('"')
        .and_then(|rest| rest.split_once('"'));
    let named = named.is_some_and(|(_, rest)| rest.trim_start().starts_with(':'));
    !named && (is_keyword(&before[begin..]) || is_keyword(&behind[..end]))
}

/// Returns `true` if a list that lacks its closer at `at` was opened on the same line and holds one
/// item: its bracket may be the one that is too many, as in `"id":[ 5, "name": "x"`.
fn holds_one_item(text: &str, at: usize) -> bool {
    let from = (0..=at.saturating_sub(LOOK_AHEAD))
        .rev()
        .find(|from| text.is_char_boundary(*from));
    let before = text[from.unwrap_or(0)..at].trim_end().trim_end_matches(',');
    let line = before.rsplit('\n').next().unwrap_or(before);
    let Some(open) = line.rfind('[') else {
        return false;
    };
    let item = &line[open + 1..];
    line[..open].trim_end().ends_with([':', '"'])
        && !item.contains([',', ']'])
        && !item.trim().is_empty()
}

/// Returns `true` if a comment with `#` stands right behind a value or right before a name, where the sign may
/// have slipped in: `1# a`, `#"a"`, not `1 # a`.
fn is_glued(text: &str, at: usize) -> bool {
    let before = text[..at].bytes().next_back();
    let glued = before.is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'"');
    text[at..].starts_with('#') && (glued || text[at..].starts_with("#\""))
}

/// The meaning of apostrophes in a string.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Apostrophes {
    /// Quotes, any of which may end the string.
    Quotes,
    Text,
}

/// Returns `true` if a string with quotes in it could have ended at one of them: a colon, a comma and another
/// quote, the end of its line or a closer stand behind it, or a line begins with it: `a", "b`, not `a "b" c`.
fn holds_end_of_string(text: &str, apostrophes: Apostrophes) -> bool {
    let bytes = text.as_bytes();
    // The first bytes of quotes, and the backslash.
    let marks = |byte: &u8| matches!(byte, b'"' | b'\'' | b'`' | b'\\' | 0xC2..);
    let mut at = 0;
    while let Some(length) = bytes.get(at..).and_then(|rest| rest.iter().position(marks)) {
        at += length;
        if bytes[at] == b'\\' {
            let escaped = text[at + 1..].chars().next();
            at += 1 + escaped.map_or(0, char::len_utf8);
            continue;
        }
        let c = text[at..].chars().next().unwrap_or_default();
        let next = at + c.len_utf8();
        if quote_at(text, at).is_some() && (apostrophes == Apostrophes::Quotes || c != '\'') {
            let before = text[..at].trim_end_matches([' ', '\t']);
            if before.ends_with('\n') || ends_at(&text[next..], c) {
                return true;
            }
        }
        at = next;
    }
    false
}

/// Returns `true` if a string may end at the quote before this text: before `: 1`, not before ` b`.
fn ends_at(behind: &str, quote: char) -> bool {
    let rest = behind.trim_start();
    if behind[..behind.len() - rest.len()].contains('\n') {
        return true;
    }
    match rest.chars().next() {
        Some(':') => true,
        Some(',' | ';') => {
            let next = rest[1..].trim_start();
            next.is_empty() || rest[1..].starts_with('\n') || quote_at(next, 0).is_some()
        }
        Some('}' | ']' | ')') => {
            let next = rest.trim_start_matches(['}', ']', ')', ' ']);
            next.starts_with([',', '\n'])
        }
        Some(other) => other == quote,
        None => false,
    }
}

/// Returns `true` if a text without quotes holds what separates values: a bracket, a comma, the end
/// of a line, or a colon that is not within a word as in `https://` or `10:30`.
fn holds_structure(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.iter().enumerate().any(|(at, byte)| match byte {
        b':' => matches!(bytes.get(at + 1), None | Some(b' ' | b'"')),
        b'"' | b'{' | b'}' | b'[' | b']' | b'<' | b'>' | b',' | b'\n' => true,
        _ => false,
    })
}

/// Returns `true` if a string ends in a quote of its own that no other one opens, and that is no mark of
/// inches: then it could be one too many. `a"`, not `5"`.
fn ends_in_quote(text: &str) -> bool {
    let Some(before) = text.strip_suffix('"') else {
        return false;
    };
    !before.ends_with(|c: char| c.is_ascii_digit()) && before.matches('"').count() % 2 == 0
}

/// Returns `true` if a string in single quotes could have ended at one inside: `'a', 'b'`, not `'it's'`.
fn apostrophes_inside(text: &str) -> bool {
    let inside = text
        .strip_prefix('\'')
        .and_then(|text| text.strip_suffix('\''));
    inside.is_some_and(|inside| {
        memchr::memchr(b'\'', inside.as_bytes()).is_some()
            && holds_end_of_string(inside, Apostrophes::Quotes)
    })
}

/// Returns `true` if the text before a value that was written with escapes ends inside another one, since a
/// bracket is open or there are names: before 6 of `{"a": \"b\"`, not before 4 of `so: \"b\"`.
fn part_of_another(text: &str, start: usize) -> bool {
    let mut from = start.saturating_sub(LOOK_AHEAD);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let before = &text[from..start];
    let named = |(colon, _): (usize, &str)| {
        let name = &before[..colon];
        let quote = name.char_indices().next_back().map_or(0, |(at, _)| at);
        quote_at(name, quote).is_some() && !name[..quote].ends_with('\\')
    };
    balance_of(before.as_bytes()) > 0 || before.match_indices(':').any(named)
}
