//! Lowers the class of a value whose context or form says that it may not be the answer.

use core::ops::Range;

use smallvec::SmallVec;

use crate::base::repair::{Class, Repair, RepairKind};
use crate::base::span::Span;
use crate::parser::look::quotes::{closers, quote_at};
use crate::parser::state::reader::Reader;
use crate::reply::before::Before;
use crate::tape::Tag;
use crate::tape::marks::marks_before;
use crate::tape::readings::{Reading, Records};
use crate::view::{Kind, ValueRef};
use crate::zones::context::{Around, Stance, Use, announces, judge, said_after};
use crate::zones::lexicon::{
    BEFORE_PLACEHOLDERS, BESIDE_TYPES, DATA, PLACEHOLDERS, TYPE_NAMES, WORDS, Word, words,
};
use crate::zones::sentences::Sentence;
use crate::zones::turns::ANSWER_BYTES;

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
        let before = self.look.before_value(&self.readings.marks, from, start);
        let after = self.text_after(value, to);
        let text = self.look.text;
        self.look
            .charge((text.len() - after.start).min(ANSWER_BYTES));
        let class_of = |verdict| match verdict {
            Use::Answer => None,
            Use::Ambiguous => Some(Class::Likely),
            Use::Aside => Some(Class::Guess),
        };
        let said = said_after(&text[after.clone()]);
        let (led, told) = judge(&Around {
            before: before.text,
            stance: before.stance,
            fenced: before.fenced,
            after: &text[after.clone()],
            said: &said,
            sides: (&text[..start], &text[after.start..]),
        });
        let form = self.doubt_form(value, &before);
        let contradicted = self.is_contradicted(value, &said);
        let contradicted = contradicted.then_some(Class::Guess);
        let (left, right) = (class_of(led).max(form), class_of(told).max(contradicted));
        let Some(class) = left.max(right) else {
            return;
        };
        let (start, end) = (value.span.start, value.span.end);
        // The fence is the only record around a template in it.
        for kind in [RepairKind::SurroundingText, RepairKind::CodeFence] {
            let is_before = |one: &Repair| one.kind == kind && one.span.end <= start;
            let is_after = |one: &Repair| one.kind == kind && one.span.start >= end;
            let repairs = &self.tape.repairs;
            let last = repairs.iter().rposition(is_before);
            let next = repairs.iter().position(is_after);
            let place = match right > left {
                true => next.or(last),
                false => last.or(next),
            };
            if let Some(place) = place {
                let one = &mut self.tape.repairs[place];
                one.class = one.class.max(class);
                return;
            }
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
        if value.shown || self.is_template(value) {
            return Some(Class::Guess);
        }
        let has_letters = |word: Word<'_>| word.text.contains(char::is_alphabetic);
        let is_inline = before.stance == Stance::Inline && words(before.text).any(has_letters);
        // `in {}`: empty brackets are part of the sentence.
        let is_empty = is_inline && !self.values().substantial(value.root);
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
    fn is_contradicted(&self, value: &Reading, said: &[Sentence<'_>]) -> bool {
        let root = ValueRef::new(self.tape, self.look.text, value.root);
        said.iter().any(|sentence| {
            // Most sentences correct nothing.
            if !sentence.corrects() {
                return false;
            }
            let words = sentence.words.iter();
            let words = words.map(|word| (word.text, scalar_at(sentence.text, word)));
            let words: SmallVec<[_; WORDS]> = words.collect();
            words.iter().enumerate().any(|(at, (word, _))| {
                let mut behind = words[at + 1..].iter().take(FAR);
                let Some(other) = behind.find_map(|(_, value)| *value) else {
                    return false;
                };
                let mut left = MEMBERS_MAX;
                let member = scalar_of(root, word, &mut left);
                member.is_some_and(|member| !holds(member, other))
            })
        })
    }

    /// Returns `true` if a value is in a program, below another line of it: `true` for `{}` in
    /// ```` ```python\nx = 1\ny = {} ````.
    fn in_program(&self, value: &Reading, before: &Before<'_>) -> bool {
        let start = value.span.start as usize;
        if !value.fenced || before.fenced {
            return false;
        }
        let near = marks_before(&self.readings.marks, start).iter().rev();
        let mut near = near.take_while(|mark| start - mark.start <= CODE_BYTES);
        let fence = near.find(|mark| mark.is_fence());
        fence.is_some_and(|fence| {
            let code = self.look.text.get(fence.end..start).unwrap_or_default();
            self.look.charge(code.len());
            let language = self.look.text[fence.start..fence.end].trim_start_matches(['`', '~']);
            let above = code.rfind('\n').map_or("", |line| &code[..line]);
            !(language.is_empty() || DATA.has(language) || above.trim().is_empty())
        })
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
        let root = ValueRef::new(self.tape, self.look.text, value.root);
        let mut left = TEMPLATE_NODES;
        let count = placeholders(root, &mut left);
        self.look.charge(TEMPLATE_NODES - left);
        count.is_some_and(|count| count > 0)
    }
}

/// Returns the number of strings in a value among the next `left` members, or `None` if one of them is neither a
/// placeholder nor its own key.
fn placeholders(value: ValueRef<'_>, left: &mut usize) -> Option<usize> {
    let mut count = 0;
    for (name, one) in value.entries() {
        if *left == 0 {
            break;
        }
        *left -= 1;
        count += match one.kind() {
            Kind::Object | Kind::Array => placeholders(one, left)?,
            Kind::String => {
                let text = one.as_str()?;
                let is_key = || name.is_some_and(|name| name.decoded() == *text);
                (is_placeholder(&text) || is_key()).then_some(1)?
            }
            _ => 0,
        };
    }
    Some(count)
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
fn scalar_at<'t>(text: &'t str, word: &Word<'t>) -> Option<&'t str> {
    let rest = &text[word.start..];
    let before = text[..word.start].char_indices().next_back();
    if let Some((open, c)) = before
        && c != ' '
        && let Some(quote) = quote_at(text, open)
    {
        return rest.find(closers(quote)).map(|end| &rest[..end]);
    }
    let is_scalar = |word: &str| {
        let is_number = word.starts_with(|c: char| c.is_ascii_digit());
        is_number || matches!(word, "true" | "false" | "null")
    };
    if !is_scalar(word.text) {
        return None;
    }
    let end = rest.find(|c: char| c.is_whitespace() || matches!(c, ',' | ')'));
    let word = rest[..end.unwrap_or(rest.len())].trim_end_matches('.');
    is_scalar(word).then_some(word)
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
    let known = |part: &str| TYPE_NAMES.has(part);
    let linking = |part: &str| BESIDE_TYPES.has(part);
    // Names and sentences can be excluded quickly.
    let plain = |part: &str| part.len() <= 9 && part.bytes().all(|byte| byte.is_ascii_alphabetic());
    let types = parts().all(plain)
        && parts().all(|part| known(part) || linking(part))
        && parts().any(known);
    let dots = text
        .chars()
        .all(|c| matches!(c, '.' | '…' | '_' | 'x' | 'X'))
        && text.len() > 1;
    let own = BEFORE_PLACEHOLDERS.iter().any(|begin| {
        let rest = text
            .get(..begin.len())
            .filter(|start| start.eq_ignore_ascii_case(begin));
        rest.is_some() && text[begin.len()..].starts_with(['_', '-']) && !text.contains(' ')
    });
    within || types || dots || own
}
