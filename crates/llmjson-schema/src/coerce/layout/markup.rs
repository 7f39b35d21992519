//! Tags of a tool call inside the strings of an object.
//!
//! A model that changes from JSON to tags within a string writes the remaining members into it:
//! `{"a": "x</a>\n<parameter name=\"b\">y"}`.

use llmjson_syntax::internal::tag;
use llmjson_syntax::{Class, Kind, NewKey, NodeId};

use crate::base::report::CoercionKind;
use crate::coerce::member_scan::MemberScan;
use crate::coerce::state::{Call, Coercer, Laid};
use crate::ir::shape::ObjectRules;

/// Maximum length of a tag.
const TAG_BYTES_MAX: usize = 202;

/// Maximum number of bytes of white space between two tags.
const SPACE_BYTES_MAX: usize = 32;

/// Maximum number of closing tags after a value.
const CLOSERS_MAX: usize = 4;

/// Maximum number of tags of missing members before which a value does not end. Each costs a scan of the value.
const TRIES_MAX: usize = 4;

/// Steps per byte of a string in which tags are looked for.
const STEPS_PER_BYTE: usize = 4;

/// A tag in a string.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Tag<'t> {
    /// The name of the element, with its namespace.
    element: &'t str,
    /// The member that the element holds: `<b>`, `<parameter name="b">`, `<parameter=b>`.
    member: Option<&'t str>,
    is_closing: bool,
    /// The index of the first byte after the tag.
    end: usize,
}

/// A string without the values of other members: the member's own value, and the others by their
/// index.
type Split<'t> = (&'t str, Vec<(usize, &'t str)>);

/// The index of a member, its own value, and the other members in its string.
type SplitMember = (u32, String, Vec<(usize, String)>);

impl<'c> Coercer<'c, '_> {
    /// Returns an object whose strings are split at the tags of missing members, and end before the
    /// closing tags of values that do not fit.
    pub(in crate::coerce) fn without_markup(
        &mut self,
        call: Call,
        rules: &'c ObjectRules,
        scan: &MemberScan,
    ) -> Option<Laid> {
        if scan.complete && scan.waiting.is_empty()
            || call.flags & (Call::JUDGE | Call::NO_LAYOUT) != 0
            || !self.options.allows(CoercionKind::SplitMarkup)
            || self.options.plain_fields
            || !self.options.reaches(call.depth + 1)
            || self.is_spent()
            || !call.has(Call::TAGGED) && self.has_other_branches(call)
        {
            return None;
        }
        let mut present = scan.present.clone();
        let mut waiting: Vec<u32> = scan.waiting.iter().map(|one| one.at).collect();
        waiting.sort_unstable();
        let mut splits: Vec<SplitMember> = Vec::new();
        let (mut steps, value) = (0, self.value(call.node));
        for (at, (key, value)) in (0u32..).zip(value.members().keyed()) {
            let is_unfit = waiting.binary_search(&at).is_ok();
            if value.kind() != Kind::String || scan.complete && !is_unfit {
                continue;
            }
            let text = value.as_str().unwrap_or_default();
            steps += STEPS_PER_BYTE * text.len();
            let own = key.decoded();
            let missing = |name: &str| rules.find(name).filter(|slot| !present[*slot]);
            let found = split(&text, &own, missing);
            let closed = || unclosed(&text, &own).filter(|head| is_balanced(head, &own));
            let found = found.or_else(|| Some((closed().filter(|_| is_unfit)?, Vec::new())));
            let Some((head, others)) = found else {
                continue;
            };
            let others: Vec<_> = (others.iter())
                .map(|(slot, text)| (*slot, (*text).to_owned()))
                .collect();
            splits.push((at, head.to_owned(), others));
            for (slot, _) in &splits[splits.len() - 1].2 {
                present[*slot] = true;
            }
        }
        self.charge(steps);
        (!splits.is_empty()).then(|| (self.write_split(call.node, rules, splits), Class::Likely))
    }

    fn write_split(
        &mut self,
        object: NodeId,
        rules: &'c ObjectRules,
        splits: Vec<SplitMember>,
    ) -> NodeId {
        let members = self.value(object).members().keyed();
        let members = members.map(|(key, value)| (NewKey::Same(key.member()), value.id()));
        let mut members: Vec<(NewKey<'c>, NodeId)> = members.collect();
        // From the last one on, so that the indices of the others stay.
        for (at, head, others) in splits.into_iter().rev() {
            members[at as usize].1 = self.editor.string(&head);
            for (slot, text) in others.into_iter().rev() {
                let key = NewKey::Text(&rules.properties[slot].name);
                members.insert(at as usize + 1, (key, self.editor.string(&text)));
            }
        }
        self.editor.object(&members)
    }
}

/// Splits a member's string at the tags of missing members. There must be a closing tag, and all
/// tags of arguments must be paired.
fn split<'t>(
    text: &'t str,
    own: &str,
    missing: impl Fn(&str) -> Option<usize>,
) -> Option<Split<'t>> {
    let mut values: Vec<(&str, &str)> = Vec::new();
    let mut slots: Vec<usize> = Vec::new();
    let (mut name, mut start, mut is_closed) = (own, 0, false);
    let mut tries = 0;
    let begin = |slots: &[usize], value| match slots {
        [] => line(value),
        _ => without_line_ends(value),
    };
    for (at, _) in text.match_indices('<') {
        let tag = tag_at(text, at).filter(|tag| at >= start && !tag.is_closing);
        let Some((tag, next)) = tag.and_then(|tag| Some((tag, tag.member?))) else {
            continue;
        };
        let Some(slot) = missing(next).filter(|slot| !slots.contains(slot)) else {
            continue;
        };
        let rest = &text[start..at];
        let value = match unclosed(rest, name) {
            Some(value) => value,
            // `x\n<parameter name="b">y</parameter>`
            None if is_argument(tag.element) && !rest.trim_end().ends_with('>') => rest,
            None if tries == TRIES_MAX => return None,
            None => {
                tries += 1;
                continue;
            }
        };
        is_closed |= value.len() < rest.len();
        values.push((name, begin(&slots, value)));
        slots.push(slot);
        (name, start) = (next, tag.end);
    }
    let rest = &text[start..];
    let last = match unclosed(rest, name) {
        Some(value) => without_line_ends(value),
        None if is_closed => rest.strip_prefix('\n').unwrap_or(rest),
        None => return None,
    };
    values.push((name, last));
    // "`</a><parameter name=\"b\">`": code in prose.
    let is_code = values[0].1.matches('`').count() % 2 == 1;
    let are_balanced = values
        .iter()
        .all(|(name, value)| is_balanced(value, name) && is_balanced(value, "parameter"));
    let others = values[1..].iter().map(|(_, value)| *value);
    (!slots.is_empty() && !is_code && are_balanced)
        .then(|| (values[0].1, slots.into_iter().zip(others).collect()))
}

/// Returns the text before the closing tags of a member and of the call around it, or `None` if it
/// does not end in them.
fn unclosed<'t>(text: &'t str, member: &str) -> Option<&'t str> {
    let mut head = text;
    for _ in 0..CLOSERS_MAX {
        let trimmed = head.trim_end();
        let at = trimmed.rfind('<')?;
        let tag = tag_at(trimmed, at);
        let tag = tag.filter(|tag| tag.is_closing && tag.end == trimmed.len());
        let Some(tag) = tag.filter(|_| head.len() - trimmed.len() <= SPACE_BYTES_MAX) else {
            break;
        };
        let is_own = tag.element == member || is_argument(tag.element);
        if !is_own && !is_call(tag.element) || closers(&trimmed[..at], tag.element) < 0 {
            break;
        }
        head = &trimmed[..at];
        if is_own {
            break;
        }
    }
    (head.len() < text.len()).then_some(head)
}

/// Returns the number of closing tags of an element that are without an opening one.
fn closers(text: &str, element: &str) -> i64 {
    let tags = text
        .match_indices('<')
        .filter_map(|(at, _)| tag_at(text, at));
    let tags = tags.filter(|tag| local(tag.element) == local(element));
    tags.map(|tag| if tag.is_closing { 1 } else { -1 }).sum()
}

fn is_balanced(text: &str, element: &str) -> bool {
    closers(text, element) == 0
}

/// Removes the line end after the only line of a text, before a tag on a separate line.
fn line(text: &str) -> &str {
    let line = text.strip_suffix('\n');
    line.filter(|line| !line.contains('\n')).unwrap_or(text)
}

/// Removes the line ends next to the tags around a value.
fn without_line_ends(value: &str) -> &str {
    let begun = value.strip_prefix('\n');
    begun.map_or(value, |value| value.strip_suffix('\n').unwrap_or(value))
}

fn local(element: &str) -> &str {
    element.rsplit(':').next().unwrap_or_default()
}

/// Returns `true` if elements of that name hold an argument.
fn is_argument(element: &str) -> bool {
    ["param", "arg"]
        .iter()
        .any(|begin| local(element).starts_with(begin))
}

/// Returns `true` if elements of that name hold a call.
fn is_call(element: &str) -> bool {
    ["invoke", "function", "tool", "call"]
        .iter()
        .any(|part| element.contains(part))
}

/// Returns the tag that begins at an index.
fn tag_at(text: &str, at: usize) -> Option<Tag<'_>> {
    let (is_closing, element, end) = tag(text, at)?;
    let start = at + 1 + usize::from(is_closing);
    let attributes = text[start..end - 1].strip_prefix(element)?;
    let attributes = attributes.trim_end_matches('/').trim();
    let named = || {
        let value = attributes
            .strip_prefix("name")
            .unwrap_or(attributes)
            .trim_start();
        let value = value.strip_prefix('=')?.trim();
        let quoted = value.strip_prefix(['"', '\'']);
        let value = quoted.map_or(value, |value| {
            value.split(['"', '\'']).next().unwrap_or(value)
        });
        is_argument(element).then_some(value)
    };
    let member = if attributes.is_empty() {
        Some(element)
    } else {
        named()
    };
    Some(Tag {
        element,
        member,
        is_closing,
        end,
    })
}

/// The part of a growing string that may be the beginning of tags.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watch(String);

/// The relation of a growing string to tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Watched {
    /// All of it belongs to the member.
    Own,
    /// The end of the string may be the beginning of tags.
    Undecided,
    /// The string may hold another member.
    Split,
}

impl Watch {
    /// Adds the next piece of the string. `is_missing` returns `true` for a declared member that
    /// has not arrived.
    pub(crate) fn push(&mut self, piece: &str, is_missing: impl Fn(&str) -> bool) -> Watched {
        self.0.push_str(piece);
        let mut from = 0;
        while let Some(at) = self.0[from..].find(['<', '\n']).map(|at| from + at) {
            let text = &self.0[at..];
            match watched(text.strip_prefix('\n').unwrap_or(text), &is_missing) {
                Watched::Own => from = at + 1,
                Watched::Undecided => {
                    self.0.drain(..at);
                    return Watched::Undecided;
                }
                Watched::Split => return Watched::Split,
            }
        }
        self.0.clear();
        Watched::Own
    }
}

/// Returns the relation of a text to tags that it begins with.
fn watched(text: &str, is_missing: impl Fn(&str) -> bool) -> Watched {
    let mut rest = text;
    for _ in 0..=CLOSERS_MAX {
        let Some(tag) = tag_at(rest, 0) else {
            return match is_begun(rest) {
                true => Watched::Undecided,
                false => Watched::Own,
            };
        };
        let is_after_closer = rest.len() < text.len();
        if !tag.is_closing {
            let is_new = tag.member.is_some_and(is_missing);
            let is_split = is_new && (is_after_closer || is_argument(tag.element));
            return if is_split {
                Watched::Split
            } else {
                Watched::Own
            };
        }
        let after = &rest[tag.end..];
        rest = after.trim_start();
        if after.len() - rest.len() > SPACE_BYTES_MAX {
            return Watched::Own;
        }
    }
    Watched::Own
}

/// Returns `true` if a text may be the beginning of a tag.
fn is_begun(text: &str) -> bool {
    let Some(inner) = text.strip_prefix('<') else {
        return text.is_empty();
    };
    let is_name = inner.starts_with(|one: char| one == '/' || one.is_alphabetic());
    (inner.is_empty() || is_name)
        && inner.len() < TAG_BYTES_MAX
        && !inner.contains(['<', '>', '\n'])
}

/// Returns `true` if a complete string may be split, or ends in a closing tag.
pub(crate) fn may_be_split(text: &str, is_missing: impl Fn(&str) -> bool) -> bool {
    text.contains("</")
        && (Watch::default().push(text, is_missing) == Watched::Split
            || text.trim_end().ends_with('>'))
}
