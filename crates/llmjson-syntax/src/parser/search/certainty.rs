//! The classes of the search's repairs, from the margin over the best hypothesis with another
//! value, and from ambiguities that no margin resolves.
//!
//! The margins are fitted to generated documents (described damage, edits at random places, code in
//! strings): above them, fewer than one in ten values was wrong for kinds of damage that were not
//! described, and one in a hundred elsewhere.

use crate::base::repair::{Class, Repair, RepairKind};
use crate::parser::look::habits::value_ends_with;
use crate::parser::look::scalars::{is_keyword, is_number};
use crate::parser::search::text::Text;
use crate::parser::state::reader::Reader;
use crate::parser::words::grouped_digits::grouped;
use crate::scan::peek;
use crate::scan::tag::special_token;

/// The margin from which on a repair has the usual class of its kind.
const LEAD: u32 = 5;

/// Kinds that need another margin: a lower one where another notation is recognized by its
/// punctuation, a higher one where a single bracket, comma or quote is missing and others are
/// plausible too. Kinds that are guesses by nature, since several meanings are likely wherever they
/// occur, count as likely from that margin on.
const LEADS: &[(RepairKind, u32)] = &[
    (RepairKind::Wrapper, 2),
    (RepairKind::BracketedMembers, 2),
    (RepairKind::Tuple, 2),
    (RepairKind::StrayText, 2),
    (RepairKind::WrongCloser, 2),
    (RepairKind::OddSeparator, 3),
    (RepairKind::MissingColon, 4),
    (RepairKind::OtherQuotes, 4),
    (RepairKind::Comment, 4),
    (RepairKind::InnerQuote, 4),
    (RepairKind::DoubledQuote, 4),
    (RepairKind::MissingOpener, 5),
    (RepairKind::UnbracketedList, 6),
    (RepairKind::MissingQuote, 10),
    (RepairKind::MissingComma, 10),
    (RepairKind::DroppedValue, 10),
    (RepairKind::MismatchedQuotes, 16),
    (RepairKind::MissingCloser, 16),
];

/// Number of bytes and nodes before a surplus brace among which another one is searched for.
const CLOSER_LOOK: usize = 1 << 10;
const NODES_LOOK: usize = 1 << 6;

/// Number of records of one string, after which the next token may have one.
const RECORDS_LOOK: usize = 4;

/// Returns the margin from which a repair of a kind has its usual class.
#[must_use]
pub fn lead_of(kind: RepairKind) -> u32 {
    let needed = LEADS.iter().find(|(other, _)| *other == kind);
    needed.map_or(LEAD, |(_, lead)| *lead)
}

impl Reader<'_> {
    /// Sets the classes of the repairs from `first` on, made by a hypothesis with this margin.
    pub(crate) fn judge(&mut self, first: usize, lead: u32) {
        let made = &self.tape.repairs[first..];
        let holds = |kind: RepairKind| made.iter().any(|repair| repair.kind == kind);
        let extra_closer = holds(RepairKind::ExtraCloser);
        // Words before the truncation: more text could give them another meaning. Members without
        // braces may end there.
        let braces = matches!(peek(self.look.bytes, self.value_start), b'{' | b'[');
        let unclosed = made.iter().rev().take_while(|one| is_unclosed(one.kind));
        let cut = unclosed.last().filter(|_| braces).map(|one| one.span.start);
        let ends_with_it = |one: &Repair| {
            let words = one.span.range();
            cut == Some(one.span.end) && self.look.text[words].trim().contains(' ')
        };
        let displaced = extra_closer || holds(RepairKind::TemplateToken);
        for index in first..self.tape.repairs.len() {
            let repair = self.tape.repairs[index];
            let at = repair.span.start as usize;
            let inside = self.look.text.get(repair.span.range()).unwrap_or_default();
            let listed = LEADS.iter().any(|(kind, _)| *kind == repair.kind);
            let least = self.scratch.lead.unwrap_or_else(|| lead_of(repair.kind));
            let leads = lead >= least;
            let doubtful = match repair.kind {
                RepairKind::UnquotedString => {
                    self.look.charge(inside.len());
                    ends_with_it(&repair)
                        || holds_structure(inside)
                        || is_value_beside_words(inside)
                        || is_framed(inside)
                }
                // `"a" or "b"`: the values that are allowed, none of which is chosen. `"a", b, "c"]`:
                // the opener may be missing.
                RepairKind::InnerQuote => {
                    self.look.charge(inside.len() / 16);
                    joins_alternatives(inside) || extra_closer && self.ends_at_surplus(index)
                }
                RepairKind::NumberAsText => is_value_beside_words(inside),
                // `100,200,300` may be one number, even where an array is expected.
                RepairKind::UnbracketedList => grouped(self.look.bytes, at).is_some(),
                // `["a", "b" c]`, `["a", b "c"]`: words before a closer or an item may belong to an
                // item.
                RepairKind::StrayText => {
                    let (next, end) = self.look.beyond_space(repair.span.end as usize);
                    let words = inside.contains(char::is_alphabetic);
                    let item = || next == b'"' && !self.look.text_before(at).ends_with(':');
                    let is_item = || item() && !self.text().name_ahead(end);
                    // `Address of the port:`, before the first member, may be a key.
                    let name = || inside.trim_end().ends_with(':');
                    ends_with_it(&repair)
                        || words && (matches!(next, b']' | b'}') || name() || is_item())
                }
                // `{"a": 1, b}c: 2}`: the bracket may end the object.
                RepairKind::UnquotedKey => holds_lone_bracket(inside),
                // `"a" | "b"`: the values that are allowed, none of which is chosen.
                RepairKind::DroppedValue => inside.starts_with('|'),
                // `1 # as before, "b": 2,`: members may follow it.
                RepairKind::Comment => {
                    self.look.charge(inside.len() / 16);
                    memchr::memmem::find(inside.as_bytes(), b"\":").is_some()
                }
                // Within a value it may have ended one string and begun another.
                RepairKind::TemplateToken => true,
                // The bracket before a closer may be missing instead, as in `"status": ]`.
                RepairKind::MissingValue => displaced,
                // `{"a": {}"b": 1}}`: the bracket after `{` may be the surplus one.
                RepairKind::MissingComma => {
                    extra_closer && self.look.text_before(at).ends_with("{}")
                        || self.is_comma_quoted(at)
                }
                // `{"a": {"b": 1}, "c": 2}, "d": 3}`: another brace may be the surplus one.
                RepairKind::ExtraCloser => self.follows_another_brace(at),
                // More text follows the token that seems to end the value.
                RepairKind::UnclosedObject
                | RepairKind::UnclosedArray
                | RepairKind::UnclosedString
                | RepairKind::MissingCloser
                | RepairKind::CutMember => {
                    let end = self.look.beyond_space(repair.span.end as usize).1;
                    special_token(self.look.text, end).is_some_and(|token| {
                        self.look.beyond_space(token).1 < self.look.bytes.len()
                    })
                }
                _ => false,
            };
            self.tape.repairs[index].class = match repair.class {
                _ if !leads || doubtful => Class::Guess,
                Class::Guess if listed => Class::Likely,
                // `["open" | "closed"]` may list the allowed values.
                Class::Certain if inside == "|" => Class::Likely,
                // `[1 "a", 2 "b"]`: the number may count the items.
                Class::Certain if repair.kind == RepairKind::MissingComma && self.counts(at) => {
                    Class::Likely
                }
                class => class,
            };
        }
    }
}

impl Reader<'_> {
    /// Counts the damage among the records from `first` on, which the search has made.
    pub(crate) fn learn(&mut self, first: usize) {
        for index in first..self.tape.repairs.len() {
            let repair = self.tape.repairs[index];
            self.look.charge(1);
            if let Some(sign) = self.sign_of(&repair) {
                self.scratch.habits.slips.count(sign, repair.class);
            }
        }
    }

    /// Returns what identifies damage of the same kind, if its place is settled by tokens: the kind
    /// and a byte that it concerns.
    fn sign_of(&self, repair: &Repair) -> Option<(RepairKind, u8)> {
        let at = repair.span.start as usize;
        let byte = peek(self.look.bytes, at);
        Some(match repair.kind {
            RepairKind::MissingComma if byte == b'"' => {
                (repair.kind, value_ends_with(&self.look.bytes[..at]))
            }
            // `"a:" 1` has its colon.
            RepairKind::MissingColon if repair.span.is_empty() => (repair.kind, 0),
            RepairKind::OddSeparator | RepairKind::WrongCloser => (repair.kind, byte),
            _ => return None,
        })
    }

    fn text(&self) -> Text<'_> {
        Text::uncut(self.look.text, self.look.names)
    }

    /// Returns `true` if members are between the surplus brace at `at` and an earlier one on its
    /// line.
    fn follows_another_brace(&self, at: usize) -> bool {
        let from = at.saturating_sub(CLOSER_LOOK).max(self.value_start);
        let before = self.look.bytes[from..at].trim_ascii_end();
        self.look.charge(CLOSER_LOOK / 4);
        let line = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
        let members = before[line..].iter().rposition(|byte| *byte == b',');
        let closed = |end: &usize| peek(self.look.bytes, end.saturating_sub(1)) == b'}';
        let ends = from + line..from + members.map_or(0, |members| line + members + 1);
        let nodes = self.tape.nodes[self.value_node..].iter().rev();
        let containers = nodes.take(NODES_LOOK).filter(|node| node.is_container());
        let mut braces = containers.map(|node| node.end as usize).filter(closed);
        peek(self.look.bytes, at) == b'}' && braces.any(|end| ends.contains(&end))
    }

    /// Returns `true` if a surplus closer follows the quote after this record.
    fn ends_at_surplus(&self, index: usize) -> bool {
        let quote = self.tape.repairs[index].span.end as usize;
        let end = self.look.beyond_space(self.look.beyond_quote(quote)).1;
        let mut next = self.tape.repairs[index + 1..].iter().take(RECORDS_LOOK);
        next.any(|one| one.kind == RepairKind::ExtraCloser && one.span.start as usize == end)
    }

    /// Returns `true` if the string before or after a missing comma has a comma at that end, which
    /// may be the missing one: `5", b": 6`.
    fn is_comma_quoted(&self, at: usize) -> bool {
        let before = self.look.text_before(at).strip_suffix('"');
        let behind = self.look.text[at..].trim_start().strip_prefix('"');
        before.is_some_and(|before| before.trim_end().ends_with(','))
            || behind.is_some_and(|behind| behind.trim_start().starts_with(','))
    }

    /// Returns `true` if a number precedes a string that isn't a key, at `at`, without a comma.
    fn counts(&self, at: usize) -> bool {
        let before = self.look.text_before(at);
        let (next, start) = self.look.beyond_space(at);
        before.ends_with(|c: char| c.is_ascii_digit())
            && next == b'"'
            && !self.text().name_ahead(start)
    }
}

/// Returns `true` if a container was closed because the text ended in it.
fn is_unclosed(kind: RepairKind) -> bool {
    matches!(kind, RepairKind::UnclosedObject | RepairKind::UnclosedArray)
}

/// Returns `true` if an unquoted string is a complete number or keyword with words or characters
/// around it that may be accidental: `ok -0`, `2.50/`, `true the`.
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

/// Returns `true` if the same sign, which may be a quote, is on both sides of an unquoted
/// string: `~x~`, but not `/x/`, a pattern.
fn is_framed(text: &str) -> bool {
    let mut signs = text.trim().chars();
    let (first, last) = (signs.next(), signs.next_back());
    first == last && first.is_some_and(|sign| !sign.is_alphanumeric() && sign != '/')
}

/// Returns `true` if an unquoted key contains a brace, or a bracket without its other half: `b}c`,
/// but not `b[0]`.
fn holds_lone_bracket(name: &str) -> bool {
    let count = |bracket| name.matches(bracket).count();
    name.contains(['{', '}']) || count('[') != count(']')
}

/// Returns `true` if each pair of inner quotes has only `or` or a bar inside: `a" or "b`.
fn joins_alternatives(text: &str) -> bool {
    let mut parts = text.split('"').skip(1).step_by(2).peekable();
    parts.peek().is_some() && parts.all(|part| matches!(part.trim(), "or" | "|"))
}

/// Returns `true` if an unquoted string contains punctuation that separates values: a bracket, a
/// comma, a line break, or a colon outside a word such as `https://` or `10:30`.
fn holds_structure(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.iter().enumerate().any(|(at, byte)| match byte {
        b':' => matches!(bytes.get(at + 1), None | Some(b' ' | b'"')),
        b'"' | b'{' | b'}' | b'[' | b']' | b'<' | b'>' | b',' | b'\n' => true,
        _ => false,
    })
}
