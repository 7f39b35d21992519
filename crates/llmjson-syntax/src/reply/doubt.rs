//! Lowers the class of a value whose context or form says that it may not be the answer.

use core::ops::Range;

use crate::base::repair::{Class, Repair, RepairKind};
use crate::base::span::Span;
use crate::parser::look::quotes::{closers, quote_at};
use crate::parser::state::reader::Reader;
use crate::reply::before::Before;
use crate::tape::Tag;
use crate::tape::marks::marks_before;
use crate::tape::readings::{Reading, Records};
use crate::view::{Kind, ValueRef};
use crate::zones::context::{
    Stance, Use, Word, announces, corrects, ends_in_label, judge_after, judge_before, said, words,
};
use crate::zones::lexicon::{BESIDE_TYPES, DATA, PLACEHOLDERS, TYPE_NAMES, is_one_of};

/// Number of bytes after a value that are searched for its context.
const AFTER_BYTES: usize = 400;

/// Number of bytes before a value that are searched for the fence around code.
const CODE_BYTES: usize = 1024;

/// Maximum number of members of a value that are looked for in the sentences after it.
const MEMBERS_MAX: usize = 32;

/// Maximum number of words between a key and another value for it.
const FAR: usize = 8;

/// Maximum number of nodes of a value that are examined to recognize a template.
const TEMPLATE_NODES: usize = 256;

/// Maximum length of a placeholder in bytes.
const PLACEHOLDER_BYTES: usize = 48;

/// Maximum length in bytes of an array that may be an interval, a point or a citation in a
/// sentence.
const INTERVAL_BYTES: usize = 48;

impl Reader<'_> {
    /// Lowers the class of the text around a value whose context or form says that it is not the answer. Other values
    /// precede `from` and follow `to`.
    pub(crate) fn doubt_value(&mut self, value: &Reading, from: usize, to: usize) {
        if self.look.work_is_used_up() {
            return;
        }
        let start = value.span.start as usize;
        self.doubt_parts(value);
        let before = self.look.before_value(&self.readings.marks, from, start);
        let after = self.text_after(value, to);
        let is_last = after.end == self.look.bytes.len();
        let after = &self.look.text[after];
        let class_of = |verdict| match verdict {
            Use::Answer => None,
            Use::Ambiguous => Some(Class::Likely),
            Use::Aside => Some(Class::Guess),
        };
        let is_open = before.stance == Stance::Inline
            || !before.text.is_empty()
                && before.fenced
                && !before.text.ends_with([':', '.', '!', '?']);
        let stance = if is_open {
            Stance::Inline
        } else {
            before.stance
        };
        let led = class_of(judge_before(before.text, stance));
        let form = self.doubt_form(value, &before);
        let told = class_of(judge_after(after, is_open));
        let contradicted = self.is_contradicted(value, after).then_some(Class::Guess);
        let asked = (is_last && ends_in_label(after)).then_some(Class::Guess);
        let (left, right) = (led.max(form), told.max(contradicted).max(asked));
        let Some(class) = left.max(right) else {
            return;
        };
        let (start, end) = (value.span.start, value.span.end);
        let text = |kind| kind == RepairKind::SurroundingText;
        let mut repairs = self.tape.repairs.iter();
        let last = repairs.rposition(|one| text(one.kind) && one.span.end <= start);
        let mut repairs = self.tape.repairs.iter();
        let next = repairs.position(|one| text(one.kind) && one.span.start >= end);
        let place = if right > left {
            next.or(last)
        } else {
            last.or(next)
        };
        if let Some(one) = place.and_then(|place| self.tape.repairs.get_mut(place)) {
            one.class = one.class.max(class);
        }
    }

    /// Makes a guess of the fences around a value that continues in a second fence, or began in an earlier one.
    fn doubt_parts(&mut self, value: &Reading) {
        if !value.fenced {
            return;
        }
        let span = value.span;
        let fence = |one: &&mut Repair| one.kind == RepairKind::CodeFence;
        let unfinished = |one: &Reading| one.fenced && !one.complete && one.span.end <= span.start;
        let members = |one: &Repair| one.kind == RepairKind::MissingBraces;
        let begun =
            self.readings.all.iter().any(unfinished) && self.tape.repairs.iter().any(members);
        let mut fences = self.tape.repairs.iter_mut().filter(fence);
        let next = match begun {
            // `{"a": 1,` in the first, `"b": 2}` in the second.
            true => fences.next(),
            false => {
                let mut fences = fences.filter(|one| one.span.start > span.start);
                match fences.next() {
                    // The value continues after the closing line of the first fence.
                    Some(one) if one.span.end < span.end => Some(one),
                    // The value ends there, and another one opens the second.
                    Some(_) if !value.complete => fences.next(),
                    _ => None,
                }
            }
        };
        let text = self.look.text;
        let data = |one: &&mut Repair| {
            let line = text.get(one.span.range()).unwrap_or_default();
            is_data(line.trim_matches(['`', '~', ' ', '\r']))
        };
        if let Some(next) = next.filter(data) {
            next.class = Class::Guess;
        }
    }

    /// Lowers the class of the text around the only value of a tape, which the caller has found.
    pub(crate) fn doubt_part(&mut self, span: Span) {
        let none = Records::of(0..0);
        let value = Reading {
            first: true,
            ..Reading::new(0, span, none, none)
        };
        let length = self.look.bytes.len();
        self.doubt_value(&value, 0, length);
    }

    /// Returns the class to which the form of a value lowers it: a template, a short array within a
    /// sentence, a value below other lines of a program.
    fn doubt_form(&self, value: &Reading, before: &Before<'_>) -> Option<Class> {
        if self.is_template(value) {
            return Some(Class::Guess);
        }
        let has_letters = |word: Word<'_>| word.text.contains(char::is_alphabetic);
        let is_inline = before.stance == Stance::Inline && words(before.text).any(has_letters);
        // `in {}`: empty brackets are part of the sentence.
        let is_empty = is_inline && !self.substantial(value.root);
        // `x in [0, 1]`
        let is_interval = is_inline
            && !announces(before.text)
            && !value.list
            && value.span.len() <= INTERVAL_BYTES
            && self.tape.nodes[value.root as usize].tag == Tag::Array;
        let class = is_interval.then_some(Class::Guess);
        let class = class.max(self.in_program(value, before).then_some(Class::Likely));
        class.max(is_empty.then_some(Class::Guess))
    }

    /// Returns the range of the text after a value up to the next value, at most [`AFTER_BYTES`].
    fn text_after(&self, value: &Reading, to: usize) -> Range<usize> {
        let end = value.span.end as usize;
        let to = to
            .max(end)
            .min(end + AFTER_BYTES)
            .min(self.look.bytes.len());
        let to = self.look.text.floor_char_boundary(to).max(end);
        self.look.charge(to - end);
        let text = &self.look.text[end..to];
        end..end + text.find('{').unwrap_or(text.len())
    }

    /// Returns `true` if a sentence after a value gives one of its keys another value:
    /// `Correction: "age" should be 35`, `age -> 35`.
    fn is_contradicted(&self, value: &Reading, text: &str) -> bool {
        let root = ValueRef::new(self.tape, self.look.text, value.root);
        said(text).filter(|one| corrects(one)).any(|sentence| {
            let mut words = words(sentence);
            while let Some(word) = words.next() {
                let mut left = MEMBERS_MAX;
                let Some(member) = scalar_of(root, word.text, &mut left) else {
                    continue;
                };
                let mut rest = words.clone().take(FAR);
                let other = rest.find_map(|word| scalar_at(sentence, word.start));
                if other.is_some_and(|other| !holds(member, other)) {
                    return true;
                }
            }
            false
        })
    }

    /// Returns `true` if a value is in a program, below another line of it: `true` for `{}` in
    /// ```` ```python\nx = 1\ny = {} ````.
    fn in_program(&self, value: &Reading, before: &Before<'_>) -> bool {
        let code = self.code_before(value, before);
        code.is_some_and(|(language, code)| {
            let lines = code.rfind('\n').map_or("", |line| &code[..line]);
            // A fence of `python` with `x = 1` and below it `d = {"a": 1}`: the dictionary belongs to the
            // program.
            !is_data(language) && !lines.trim().is_empty()
        })
    }

    /// Returns the language of the code fence around a value, unless the value begins the code, and
    /// the code between them: `sh` and `\nx` at the end of ```` ```sh\nx ````.
    fn code_before(&self, value: &Reading, before: &Before<'_>) -> Option<(&str, &str)> {
        let start = value.span.start as usize;
        if !value.fenced || before.fenced {
            return None;
        }
        let near = marks_before(&self.readings.marks, start).iter().rev();
        let mut near = near.take_while(|mark| start - mark.start <= CODE_BYTES);
        let fence = near.find(|mark| mark.is_fence())?;
        let code = self.look.text.get(fence.end..start)?;
        self.look.charge(code.len());
        let language = &self.look.text[fence.start..fence.end];
        let language = language.trim_start_matches(['`', '~']);
        let end = language.find(|c: char| !c.is_ascii_alphanumeric());
        Some((&language[..end.unwrap_or(language.len())], code))
    }

    /// Returns `true` if a value has strings, all of which are type names or placeholders: `true`
    /// for `{"a": "string"}`.
    fn is_template(&self, value: &Reading) -> bool {
        let span = self.look.text.get(value.span.range()).unwrap_or_default();
        if span.starts_with("{{") && span.ends_with("}}") {
            return !span.contains(['"', ':']);
        }
        if value.list {
            return false;
        }
        let root = value.root as usize;
        let last = (self.tape.after(value.root) as usize).min(root + TEMPLATE_NODES);
        let mut texts = (root..last).filter(|index| self.tape.nodes[*index].tag == Tag::String);
        self.look.charge(last - root);
        let placeholder = |index: usize| {
            let text = ValueRef::new(self.tape, self.look.text, index as u32);
            text.as_str().is_some_and(|text| is_placeholder(&text))
        };
        texts.next().is_some_and(placeholder) && texts.all(placeholder)
    }
}

/// Returns the first scalar with a key in a value, among the next `left` members.
fn scalar_of<'d>(value: ValueRef<'d>, key: &str, left: &mut usize) -> Option<ValueRef<'d>> {
    for (name, one) in value.entries() {
        *left = left.checked_sub(1)?;
        let is_container = matches!(one.kind(), Kind::Object | Kind::Array);
        if !is_container && name.is_some_and(|name| name.decoded().eq_ignore_ascii_case(key)) {
            return Some(one);
        }
        let inner = is_container.then(|| scalar_of(one, key, left)).flatten();
        if inner.is_some() {
            return inner;
        }
    }
    None
}

/// Returns the scalar that begins at a word: a number, a keyword, a quoted string.
fn scalar_at(text: &str, start: usize) -> Option<&str> {
    let rest = &text[start..];
    let before = text[..start].char_indices().next_back();
    if let Some((open, c)) = before
        && c != ' '
        && let Some(quote) = quote_at(text, open)
    {
        return rest.find(closers(quote)).map(|end| &rest[..end]);
    }
    let end = rest.find(|c: char| c.is_whitespace() || matches!(c, ',' | ')'));
    let word = rest[..end.unwrap_or(rest.len())].trim_end_matches('.');
    let is_number = word.starts_with(|c: char| c.is_ascii_digit());
    (is_number || matches!(word, "true" | "false" | "null")).then_some(word)
}

/// Returns `true` if a member has a value, or contains it.
fn holds(member: ValueRef<'_>, other: &str) -> bool {
    match member.kind() {
        Kind::String => member.as_str().is_some_and(|text| text.contains(other)),
        // `12` contains `12%`, but not `12.50`.
        Kind::Number => member.as_number().is_some_and(|number| {
            let rest = other.strip_prefix(number.trim_start_matches('-'));
            rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit() || c == '.'))
        }),
        Kind::Bool | Kind::Null => member.to_json() == other,
        _ => true,
    }
}

/// Returns `true` if a code fence of a language contains data or text rather than a program:
/// `json`, or no language.
fn is_data(language: &str) -> bool {
    language.is_empty() || is_one_of(DATA, language)
}

/// Returns `true` if a string is a type name or a placeholder: `true` for `string` and `<name>`.
fn is_placeholder(text: &str) -> bool {
    let text = text.trim();
    if text.is_empty() || text.len() > PLACEHOLDER_BYTES {
        return false;
    }
    let pairs = PLACEHOLDERS.iter();
    let within = pairs.filter_map(|(open, close)| text.strip_prefix(open)?.strip_suffix(close));
    let mut within = within.filter(|inner| !inner.contains(['<', '"']));
    let within = within.any(|inner| inner.starts_with(char::is_alphabetic));
    let parts = || {
        let parts = text.split(['|', ' ', '?', '[', ']', '(', ')', '<', '>']);
        parts.filter(|part| !part.is_empty())
    };
    let known = |part: &str| is_one_of(TYPE_NAMES, part);
    let linking = |part: &str| is_one_of(BESIDE_TYPES, part);
    // Names and sentences can be excluded quickly.
    let plain = |part: &str| part.len() <= 9 && part.bytes().all(|byte| byte.is_ascii_alphabetic());
    let types = parts().all(plain)
        && parts().all(|part| known(part) || linking(part))
        && parts().any(known);
    let dots = text
        .chars()
        .all(|c| matches!(c, '.' | '…' | '_' | 'x' | 'X'))
        && text.len() > 1;
    let own = ["your", "insert", "enter"].iter().any(|begin| {
        let rest = text
            .get(..begin.len())
            .filter(|start| start.eq_ignore_ascii_case(begin));
        rest.is_some() && text[begin.len()..].starts_with(['_', '-']) && !text.contains(' ')
    });
    within || types || dots || own
}
