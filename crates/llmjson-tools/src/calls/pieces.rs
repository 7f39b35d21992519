//! The parts of tagged calls: where a key and where a value ends.

use llmjson_schema::internal::similar::edit_distance;
use llmjson_syntax::{steps_of_search, write_string};
use memchr::{memchr, memchr2};

use super::families::Families;
use super::family::{ANY_PAIRS, Family, Pairs, Shape};
use super::json::is_name;
use super::scan::Tags;
use super::tag::{PREFIX, Tag, may_become_tag, normalized};
use super::values::{self, Takes};
use super::{Budget, CallReading, is_end, near, skip};

/// Maximum length of an argument's name, in bytes.
pub(super) const KEY_BYTES_MAX: usize = 128;

/// The most letters in which a damaged marker differs from the marker.
const MARKER_EDITS_MAX: usize = 2;

/// Words for an argument, which may precede the words for its key and its value.
const ARGUMENTS: [&str; 4] = ["arg", "argument", "param", "parameter"];

/// The part of a pair that a tag begins or ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Key,
    KeyEnd,
    Hint,
    HintEnd,
    Value,
    ValueEnd,
}

/// The tags around the arguments of a call.
#[derive(Clone)]
pub(super) enum Dress<'t> {
    /// A tag that names each argument, and the tag of the call: `<function=name><parameter=key>`.
    Named(Tag<'t>),
    /// One for the key and one for the value, and the normalized name of the tag around the call.
    Paired {
        pairs: &'static Pairs,
        /// The letters before each of these names.
        lead: String,
        around: String,
        has_bars: bool,
        /// `true` if calls are searched for in values. An unclosed call does not count.
        nests: bool,
    },
}

impl<'t> Dress<'t> {
    /// Returns the pair tags that follow a family's marker, of which `first` is the first one.
    pub(super) fn paired(opener: &Tag<'_>, only: Option<Families>, first: Option<Tag<'_>>) -> Self {
        let pairs = Family::of(Some(opener.raw), Shape::Pairs, only).pairs();
        let name = first.map(|tag| tag.normalized()).unwrap_or_default();
        let lead = name.strip_suffix(ANY_PAIRS.key).filter(|lead| {
            let is_argument = ARGUMENTS.iter().any(|word| lead.ends_with(word));
            name != pairs.key && (is_argument || lead.is_empty())
        });
        Self::Paired {
            pairs: if lead.is_some() { &ANY_PAIRS } else { pairs },
            lead: lead.unwrap_or_default().to_owned(),
            around: opener.normalized(),
            has_bars: opener.raw.contains('|'),
            nests: true,
        }
    }

    /// Returns the part of a pair that a tag is, if it is one.
    pub(super) fn part(&self, tag: &Tag<'_>) -> Option<Part> {
        let Self::Paired { pairs, lead, .. } = self else {
            return None;
        };
        let name = tag.normalized();
        let of = |begin, end| Some(if tag.is_closing { end } else { begin });
        match name.strip_prefix(&**lead)? {
            "" => None,
            name if name == pairs.end => Some(Part::ValueEnd),
            name if name == pairs.key => of(Part::Key, Part::KeyEnd),
            name if name == pairs.value => of(Part::Value, Part::ValueEnd),
            name if name == pairs.hint => of(Part::Hint, Part::HintEnd),
            _ => None,
        }
    }

    /// Returns the normalized names of the tags around a value that the tag begins.
    fn markers(&self, tag: Option<&Tag<'_>>) -> Vec<String> {
        let names: Vec<String> = match self {
            Self::Named(call) => {
                let tags = tag.into_iter().chain([call]);
                tags.map(Tag::normalized).collect()
            }
            Self::Paired {
                pairs,
                lead,
                around,
                ..
            } => {
                let parts = [pairs.key, pairs.hint, pairs.value, pairs.end];
                let parts = parts.iter().filter(|part| !part.is_empty());
                let parts = parts.map(|part| lead.clone() + part);
                parts.chain([around.clone()]).collect()
            }
        };
        names.into_iter().filter(|name| !name.is_empty()).collect()
    }

    /// Returns the tags at which a value that the tag begins may end.
    pub(super) fn tags(&self, tag: Option<&Tag<'_>>) -> Tags {
        Tags {
            names: self.markers(tag),
            ends_with_call: matches!(self, Self::Paired { pairs, .. } if !pairs.end.is_empty()),
        }
    }

    /// Returns `true` if a value contains a marker of its call that is damaged, or has no partner in the value:
    /// `Oslo</arg_vlue>`, `Oslo</parameter>`. The value may have ended there.
    pub(super) fn is_stray_in(
        &self,
        value: &str,
        tag: Option<&Tag<'_>>,
        budget: &mut Budget,
    ) -> bool {
        if tag.is_some_and(Tag::is_separated) {
            budget.charge(value.len());
            return Tag::has_separators(value);
        }
        let is_named = matches!(self, Self::Named(_));
        let names = self.markers(tag);
        // The number of unclosed tags of each name.
        let mut open = vec![0_usize; names.len()];
        let mut at = 0;
        while let Some(found) = memchr2(b'<', b'/', &value.as_bytes()[at..]) {
            let begin = at + found;
            let inner = value[begin..].trim_start_matches(['<', '/', ' ', '|', '｜']);
            at = value.len() - inner.len();
            let lead = &value[begin..at];
            let near = near(inner, 0, KEY_BYTES_MAX);
            let (written, rest) = near.split_at(near.find(['>', '<', '\n']).unwrap_or(near.len()));
            budget.charge(steps_of_search(found) + lead.len() + written.len());
            let is_closing = lead.contains('/');
            let ends: &[char] = if is_closing { &['='] } else { &['=', ' '] };
            let word = written.split(ends).next().unwrap_or_default();
            let is_tag = lead.starts_with('<') || rest.starts_with('>');
            let name = normalized(word);
            let mut known = names.iter().zip(&mut open);
            let Some((_, open)) = known.find(|(known, _)| is_tag && is_like(&name, known)) else {
                continue;
            };
            // `List<Parameter>` is a type.
            let begins_line = begin == 0 || value[..begin].ends_with('\n');
            let is_last = rest.len() == inner.len() - written.len()
                && rest.trim_start_matches('>').trim().is_empty();
            let is_bare = is_named && word == written;
            if !is_closing {
                *open += usize::from(!is_bare || begins_line || is_last);
            } else if *open == 0 {
                return true;
            } else {
                *open -= 1;
            }
        }
        open.iter().any(|open| *open > 0)
    }

    /// Returns `true` if a pair whose first tag was lost begins at a place: `key</arg_key>`.
    pub(super) fn starts_pair(&self, text: &str, at: usize, budget: &mut Budget) -> bool {
        let (key, tag) = before_tag(text, at, budget);
        !(key.is_empty() || key.contains(char::is_whitespace))
            && tag.is_some_and(|tag| self.part(&tag) == Some(Part::KeyEnd))
    }

    /// Returns `true` if a tag encloses calls of this kind.
    fn is_around(&self, tag: &Tag<'_>) -> bool {
        match self {
            Self::Named(call) => tag.is_closing && tag.closes_call(call),
            Self::Paired {
                around, has_bars, ..
            } => tag.raw.contains('|') == *has_bars && tag.normalized() == *around,
        }
    }

    /// Returns `true` if a tag ends the call.
    fn ends(&self, tag: &Tag<'_>) -> bool {
        tag.is_closing && self.is_around(tag)
            || matches!(self, Self::Paired { pairs, .. } if !pairs.end.is_empty())
                && self.part(tag).is_none()
                && is_end(&tag.normalized())
    }

    /// Returns `true` if a tag begins a call of this kind: within a value such a tag is part of it.
    fn begins(&self, text: &str, tag: &Tag<'_>, budget: &mut Budget) -> bool {
        match self {
            Self::Named(call) => tag.is_call() && tag.is_of(call),
            Self::Paired { nests, .. } if !nests || tag.is_closing || !self.is_around(tag) => false,
            Self::Paired { .. } => {
                let (name, next) = before_tag(text, tag.end, budget);
                is_name(name.trim()) && next.is_some_and(|tag| self.part(&tag) == Some(Part::Key))
            }
        }
    }

    /// Returns `true` if a tag closes the value that another one begins.
    fn closes(&self, tag: &Tag<'_>, opener: Option<&Tag<'t>>) -> bool {
        match (self, opener) {
            (Self::Named(_), Some(opener)) => tag.closes(opener),
            _ => self.part(tag) == Some(Part::ValueEnd),
        }
    }

    /// Returns `true` if a tag before a place, which ends a call of pairs, ends this one: within a
    /// value it is text.
    fn is_end_of_pairs(
        &self,
        text: &str,
        after: usize,
        is_open: bool,
        goes_on: &mut Option<usize>,
        budget: &mut Budget,
    ) -> bool {
        if after == text.len() {
            return true;
        }
        let follows = Tag::look(text, after, budget).map(|one| self.part(&one));
        if matches!(follows, None | Some(Some(Part::Value | Part::ValueEnd))) {
            return false;
        }
        // A call in another format, after which the value continues.
        if is_open && goes_on.is_none_or(|end| end <= after) {
            *goes_on = next_closer(text, after, self, budget);
        }
        !is_open || goes_on.is_none()
    }

    /// Returns `true` if a tag begins the argument after the one that another tag begins, and
    /// counts similar tags inside a value.
    fn is_next(
        &self,
        next: &Tag<'t>,
        tag: Option<Tag<'t>>,
        begins_line: bool,
        inner: &mut u32,
    ) -> bool {
        let Some(tag) = tag else {
            return self.part(next) == Some(Part::Key);
        };
        let is_parameter = next.parameter().is_some() && begins_line;
        let is_dressed = next.is_dressed_like(&tag);
        *inner += u32::from(is_parameter && !is_dressed && next.is_of(&tag));
        is_parameter && is_dressed && tag.parameter().is_some()
    }

    /// Returns `true` if a closer before a position may be the last one of a value, judging by the
    /// text after it.
    fn may_end_before(&self, text: &str, at: usize, budget: &mut Budget) -> bool {
        let after = &text[at..];
        if after.is_empty() || after.starts_with(PREFIX) {
            return true;
        }
        let next = Tag::look(text, at, budget);
        match self {
            Self::Named(call) => {
                let is_of_others = |tag: Tag<'_>| tag.closes_call(&tag) && !tag.closes_call(call);
                after.starts_with('<') && !next.is_some_and(is_of_others)
            }
            Self::Paired { .. } => match next {
                Some(next) => {
                    let name = next.normalized();
                    self.is_around(&next)
                        || self.part(&next) == Some(Part::Key)
                        || is_end(&name)
                        || next.is_closing && Family::opens(&name, None)
                }
                None => self.starts_pair(text, at, budget),
            },
        }
    }
}

/// Returns the text between a position and the next tag, and the tag, if it is near.
fn before_tag<'t>(text: &'t str, at: usize, budget: &mut Budget) -> (&'t str, Option<Tag<'t>>) {
    match near(text, at, KEY_BYTES_MAX).split_once('<') {
        Some((before, _)) => (before, Tag::look(text, at + before.len(), budget)),
        None => ("", None),
    }
}

/// A key or a value.
pub(super) struct Piece<'t> {
    pub(super) text: &'t str,
    pub(super) end: usize,
    pub(super) is_closed: bool,
    /// `true` if it has no closer and contains the end of a call directly followed by the beginning
    /// of another.
    pub(super) spans_calls: bool,
}

impl<'t> Piece<'t> {
    /// Returns the text that ends with a closer, or at a place without one.
    fn up_to(text: &'t str, (start, end): (usize, usize), closer: Option<Tag<'t>>) -> Self {
        Self {
            text: &text[start..closer.map_or(end, |closer| closer.begin())],
            end: closer.map_or(end, |closer| closer.end),
            is_closed: closer.is_some(),
            spans_calls: false,
        }
    }

    /// Returns `true` if it has the closer that a key of these has, if they have one.
    pub(super) fn has_end(&self, dress: &Dress<'_>) -> bool {
        self.is_closed || matches!(dress, Dress::Paired { pairs, .. } if !pairs.end.is_empty())
    }
}

/// Reads the text up to one of the tags of a pair, or the end of the call.
pub(super) fn up_to<'t>(
    text: &'t str,
    start: usize,
    closer: Part,
    dress: &Dress<'_>,
    budget: &mut Budget,
) -> Piece<'t> {
    let mut at = start;
    while let Some(tag) = next_tag(text, at, budget) {
        let part = dress.part(&tag);
        if part == Some(closer) {
            return Piece::up_to(text, (start, tag.end), Some(tag));
        }
        if part.is_some() || dress.ends(&tag) {
            return Piece::up_to(text, (start, tag.start), None);
        }
        at = tag.end;
    }
    budget.reached_end = true;
    Piece::up_to(text, (start, text.len()), None)
}

/// Reads the value that begins after its tag, if it has one. Tags and calls in other formats are
/// part of it, and so are tags in its own format if the value continues after them.
pub(super) fn value<'t>(
    text: &'t str,
    start: usize,
    tag: Option<Tag<'t>>,
    dress: &mut Dress<'t>,
    budget: &mut Budget,
) -> Piece<'t> {
    let is_named = matches!(dress, Dress::Named(_));
    let mut first: Option<Tag<'t>> = None;
    let mut end_of_call = None;
    // Tags inside the value that look like parameter and call tags.
    let (mut inner, mut inner_calls) = (0_u32, 0_u32);
    let (mut behind_end, mut spans_calls) = (None, false);
    // The end of the value, if it ends after a marker.
    let mut goes_on = None;
    let tags = dress.tags(tag.as_ref());
    let mut at = start;
    while let Some(next) = tags.find(text, at, budget) {
        let after = skip(text, next.end);
        let is_last = dress.may_end_before(text, after, budget);
        let may_be_last = after == text.len()
            || text[after..].starts_with('<') && may_become_tag(text, after, budget);
        if dress.closes(&next, tag.as_ref()) && (is_named || inner_calls == 0) {
            // `<parameter=a>see <parameter name="b">y</parameter></parameter>`: the closer belongs to a tag
            // within the value.
            if inner > 0 {
                inner -= 1;
            } else if is_last && inner_calls == 0 {
                budget.reached_end |= may_be_last;
                let is_first = is_named && after == text.len();
                let closer = first.filter(|_| is_first).unwrap_or(next);
                return Piece::up_to(text, (start, closer.end), Some(closer));
            }
            first = first.or(Some(next));
        }
        let begins_line = text[..next.start]
            .trim_end_matches(' ')
            .ends_with(['\n', '>']);
        let begins = dress.begins(text, &next, budget);
        spans_calls |= is_named
            && begins
            && behind_end.is_some_and(|end| holds_tags_only(&text[end..next.start]));
        inner_calls += u32::from(begins);
        let mut is_end = dress.ends(&next);
        if is_end && inner_calls > 0 {
            inner_calls -= 1;
            is_end = false;
        }
        is_end = is_end
            && (is_named
                || dress.is_end_of_pairs(text, after, first.is_none(), &mut goes_on, budget));
        if is_end {
            end_of_call = end_of_call.or(Some(next.start));
            behind_end = Some(next.end);
        }
        let is_own = inner_calls == 0 && dress.is_next(&next, tag, begins_line, &mut inner);
        if is_end && (is_last || begins_line || !is_named) || is_own {
            budget.reached_end |= is_end && may_be_last && !(begins_line && is_named);
            return Piece {
                spans_calls,
                ..Piece::up_to(text, (start, next.start), first)
            };
        }
        at = next.end;
        if first.is_some() && budget.ends_search() {
            break;
        }
    }
    budget.reached_end = true;
    if let Dress::Paired { nests, .. } = dress
        && inner_calls > 0
        && std::mem::take(nests)
    {
        return value(text, start, tag, dress, budget);
    }
    let end = end_of_call.unwrap_or(text.len());
    Piece {
        spans_calls,
        ..Piece::up_to(text, (start, end), first)
    }
}

/// Returns `true` if a value consists of elements, or may do so.
pub(super) fn may_be_elements(value: &str) -> bool {
    let value = value.trim_start();
    value.starts_with(PREFIX) || PREFIX.starts_with(value)
}

/// Returns the JSON that a value of elements represents: those named `item` form an array, others
/// an object.
pub(super) fn nested(value: &str, budget: &mut Budget) -> Option<String> {
    let mut json = String::new();
    // The name of each open element, where its content begins, and its closer if it has child
    // elements.
    let mut open = vec![("", 0, None)];
    let mut at = 0;
    while let Some(tag) = next_tag(value, at, budget) {
        if !tag.has_elements() {
            return None;
        }
        let between = &value[at..tag.start];
        let is_root = open.len() == 1;
        let (name, start, close) = open.last_mut()?;
        match tag.is_closing {
            true if *name != tag.name || is_root => return None,
            true => {
                match close {
                    Some(close) => json.push(*close),
                    None => {
                        let leaf = &value[*start..tag.start];
                        let (takes, place) = (Takes::Anything, (*start, tag.start));
                        let mut read = CallReading::default();
                        values::write(leaf, takes, place, &mut json, &mut read, budget);
                    }
                }
                open.pop();
            }
            false if !between.trim().is_empty() => return None,
            false => {
                let is_list = tag.name == "item";
                match close {
                    Some(_) => json.push(','),
                    None => json.push(if is_list { '[' } else { '{' }),
                }
                if *close.get_or_insert(if is_list { ']' } else { '}' }) == '}' {
                    write_string(tag.name, &mut json);
                    json.push(':');
                }
                open.push((tag.name, tag.end, None));
            }
        }
        at = tag.end;
    }
    let is_whole = open.len() == 1 && value[at..].trim().is_empty();
    json.push(open[0].2?);
    is_whole.then_some(json)
}

/// Returns `true` if a name is a marker's, or differs from it in two letters at most; in fewer, if it is short.
fn is_like(name: &str, marker: &str) -> bool {
    let edits_max = MARKER_EDITS_MAX.min(marker.len() / 3);
    name.len().abs_diff(marker.len()) <= edits_max
        && edit_distance(name, marker).is_some_and(|edits| edits <= edits_max)
}

/// Returns the position of the next closer of a value, unless another tag of a pair precedes it.
fn next_closer(text: &str, mut at: usize, dress: &Dress<'_>, budget: &mut Budget) -> Option<usize> {
    while let Some(tag) = next_tag(text, at, budget) {
        if let Some(part) = dress.part(&tag) {
            return (part == Part::ValueEnd).then_some(tag.start);
        }
        at = tag.end;
    }
    budget.reached_end = true;
    None
}

/// Returns `true` if a text consists only of tags.
fn holds_tags_only(text: &str) -> bool {
    let mut parts = text.split('<');
    let is_begin = parts.next().is_none_or(|part| part.trim().is_empty());
    is_begin
        && parts.all(|part| {
            part.split_once('>')
                .is_some_and(|(_, rest)| rest.trim().is_empty())
        })
}

/// Lines added around the value are not part of it. A value that ends in a line feed and directly
/// follows its tag keeps the line feed.
pub(super) fn trimmed(value: &str) -> &str {
    match line_end(value) {
        0 => value,
        length => without_line_end(&value[length..]),
    }
}

pub(super) fn without_line_end(text: &str) -> &str {
    let line = text.strip_suffix('\n');
    line.map_or(text, |line| line.strip_suffix('\r').unwrap_or(line))
}

/// Returns the length of the line break with which a text begins.
pub(super) fn line_end(text: &str) -> usize {
    let before = usize::from(text.starts_with("\r\n"));
    before + usize::from(text[before..].starts_with('\n'))
}

pub(super) fn next_tag<'t>(text: &'t str, mut at: usize, budget: &mut Budget) -> Option<Tag<'t>> {
    while let Some(found) = memchr(b'<', text.as_bytes().get(at..)?) {
        budget.charge(steps_of_search(found));
        if budget.is_used_up() {
            return None;
        }
        at += found;
        match Tag::read(text, at, budget) {
            Ok(tag) => return Some(tag),
            Err(miss) => budget.reached_end |= miss.goes_on,
        }
        at += 1;
    }
    budget.charge(steps_of_search(text.len() - at));
    None
}
