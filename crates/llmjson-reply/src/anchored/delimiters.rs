//! The delimiters of a notation, induced from the text around the anchors.

use std::cmp::Reverse;

use llmjson_syntax::{Kind, Notation};

use super::anchors::{AROUND, Anchor};
use super::induced::Induced;
use super::place::{Key, Place};

/// The delimiters of a notation.
#[derive(Clone, Debug, Default)]
pub(super) struct Delimiters {
    /// The punctuation after a key.
    pub(super) sign: String,
    /// The text before a key that is not the first one: `, ` or `") .`.
    pub(super) before: String,
    /// The text between a key and its value.
    pub(super) between: String,
    /// The text after the last value.
    pub(super) after: String,
    /// Each value but the last one is on one line.
    pub(super) inline: bool,
}

impl Delimiters {
    /// Returns the kind that is closest, for anchors within that many brackets.
    pub(super) fn notation(&self, led: bool, depth: usize) -> Notation {
        let Self {
            sign,
            before,
            between,
            ..
        } = self;
        let indent = before.strip_prefix('\n').unwrap_or(before);
        match &**sign {
            _ if between.starts_with(['>', '<']) || sign.starts_with("/>") => Notation::Xml,
            _ if between.ends_with('\n') || before.contains("\n#") => Notation::Headings,
            _ if before.contains('|') => Notation::Table,
            "]" if between.contains("=>") => Notation::PrintR,
            "=" if led => Notation::Toml,
            _ if depth > 0 => Notation::Blocks,
            ":" if led && indent.trim().is_empty() => Notation::Yaml,
            _ => Notation::Lines,
        }
    }
}

/// Punctuation of prose. A key before it has no value.
const PROSE: &[&str] = &[",", ".", ";", "!", "?", ").", "),"];

impl<'s> Induced<'_, 's> {
    /// Returns `true` if an object at a place has a member with the key of an anchor.
    pub(super) fn has(&self, place: Place<'s>, index: usize) -> bool {
        let key = self.anchors[index].key;
        self.places.find_key(place, key).is_some()
    }

    pub(super) fn member(&self, place: Place<'s>, index: usize) -> Place<'s> {
        let key = self.anchors[index].key;
        self.places.find_key(place, key).unwrap_or_default()
    }

    fn names(&self, group: &[usize]) -> usize {
        let keys = group.iter().map(|&one| self.anchors[one].key);
        let mut keys: Vec<Key> = keys.collect();
        keys.sort_unstable();
        keys.dedup();
        keys.len()
    }

    /// Returns the anchors that are written alike and name the most members.
    pub(super) fn group(&self, own: &[usize], outer: Option<&Delimiters>) -> Option<Vec<usize>> {
        let mut written: Vec<((u32, Option<u32>), usize)> = Vec::new();
        for &index in own {
            let one = &self.anchors[index];
            if one.path || PROSE.contains(&&*one.sign) {
                continue;
            }
            let (sign, lead) = one.written;
            written.push(((sign, None), index));
            written.extend(lead.map(|lead| ((sign, Some(lead)), index)));
        }
        written.sort_unstable();
        let groups = written.chunk_by(|(one, _), (other, _)| one == other);
        let groups = groups.map(|group| {
            let ((_, lead), first) = group[0];
            let first = &self.anchors[first];
            let lead = lead.and(first.lead.as_deref());
            let indexes = group.iter().map(|(_, index)| *index);
            ((&*first.sign, lead), indexes.collect::<Vec<usize>>())
        });
        let is_blank = |sign: &str| sign.trim().is_empty() && sign != "\n";
        let inherited = |sign: &str| outer.is_some_and(|outer| outer.sign == sign);
        let best = groups.max_by_key(|((sign, lead), group)| {
            let lead = lead.map(|lead| lead.is_empty());
            let kind = (inherited(sign), !is_blank(sign), lead == Some(true), lead);
            let first = Reverse(group.first().copied());
            (self.names(group), kind, Reverse(group.len()), first)
        });
        let ((sign, _), group) = best?;
        // `name "Anna"`: punctuation or a line break precedes each key.
        let apart = |one: &usize| {
            let one = &self.anchors[*one];
            let before = self.text[..one.head].trim_end_matches([' ', '\t']);
            one.lead.is_some()
                || before.ends_with([
                    ';', '|', '/', '(', ')', '{', '}', '[', ']', ':', '@', '#', '$', '-', '\\',
                    '<', '\n',
                ])
        };
        let alone = self.names(&group) < 2 && !inherited(sign);
        (!is_blank(sign) || !alone && group.iter().all(apart)).then_some(group)
    }

    /// Keeps the outermost anchors, if a key occurs more than once, or anchors are nested below the
    /// key of a container.
    pub(super) fn outermost(
        &self,
        group: Vec<usize>,
        own: &[usize],
        place: Place<'s>,
    ) -> Vec<usize> {
        let all = self.names(&group);
        let inset = |one: &Anchor| if one.leads() { one.inset } else { 0 };
        let column = |one: &Anchor| if one.leads() { one.column } else { 0 };
        let ranks: [&dyn Fn(&Anchor) -> usize; 3] = [&|one| one.depth, &inset, &column];
        let group = ranks.iter().fold(group, |group, rank| {
            let least = group.iter().map(|&one| rank(&self.anchors[one])).min();
            let outer = group.iter().copied();
            let outer: Vec<usize> = outer
                .filter(|&one| Some(rank(&self.anchors[one])) == least)
                .collect();
            let names = self.names(&outer);
            let repeats = self.names(&group) < group.len();
            if repeats && (names == all || names > 1) {
                outer
            } else {
                group
            }
        });
        let holds = |&&one: &&usize| !self.member(place, one).wants_scalar();
        let Some(&container) = own.iter().find(holds) else {
            return group;
        };
        let least = |rank: &dyn Fn(&Anchor) -> usize| {
            group
                .iter()
                .map(|&one| rank(&self.anchors[one]))
                .min()
                .unwrap_or_default()
        };
        let (depth, width) = (least(&|one| one.depth), least(&inset));
        // The numbers before keys may differ in their length.
        let within = |one: &Anchor| one.depth > depth || one.leads() && one.inset > width + 1;
        let kept = group.iter().copied();
        kept.filter(|&one| one <= container || !within(&self.anchors[one]))
            .collect()
    }

    /// Adds the keys that are missing, if they are written a little differently: `address {` next
    /// to `name = "x"`.
    pub(super) fn add_missing(&self, own: &[usize], core: &mut Vec<usize>, place: Place<'s>) {
        let all = || core.iter().map(|&one| &self.anchors[one]);
        let mut have: Vec<Key> = all().map(|one| one.key).collect();
        have.sort_unstable();
        let least = all().map(|one| one.depth).min().unwrap_or_default();
        let led = all().all(Anchor::leads);
        let column = all().next().map_or(0, |one| one.column);
        let inset = all().map(|one| one.inset).min().unwrap_or_default();
        let mut missing = Vec::new();
        for &index in own
            .iter()
            .filter(|index| core.binary_search(index).is_err())
        {
            let one = &self.anchors[index];
            let inner = self.member(place, index);
            let known = have.binary_search(&one.key);
            if let Err(place) = known {
                have.insert(place, one.key);
            }
            let (again, holds) = (known.is_ok(), !inner.wants_scalar());
            if one.path && holds {
                missing.push(index);
                continue;
            }
            let before = self.text[..one.head].trim_end();
            let near = before.len() == one.head;
            let opened = near && before.ends_with(['[', '<', '(']);
            let aligned = one.inset <= inset + 1 || holds && one.column == column;
            let outer = match one.leads() {
                true => aligned,
                false => one.depth == least || one.depth == least + 1 && opened,
            };
            let apart = near && !before.ends_with(char::is_alphanumeric)
                || before.ends_with([',', ';', '{', '(', '[', '|']);
            let opens = holds && matches!(&*one.sign, "{" | "(" | "[");
            let attribute = self.text[one.end..].strip_prefix('=');
            let attribute = attribute.is_some_and(|value| value.starts_with(['"', '\'']));
            let starts = one.leads() || !led && apart || opens || attribute;
            let marked = match &*one.sign {
                " " => holds,
                sign => !PROSE.contains(&sign),
            };
            let repeats = inner.takes(Kind::Array) && !inner.takes(Kind::String);
            if (!again || repeats) && outer && starts && marked && !one.path {
                missing.push(index);
            }
        }
        core.extend(missing);
        core.sort_unstable();
        // The parts of a path follow one another: `address.` in `address.city`.
        self.drop_inner(core, place);
        core.dedup_by(|later, first| {
            let (later, first) = (&self.anchors[*later], &self.anchors[*first]);
            later.path && later.key == first.key
        });
    }

    /// Drops the keys below a section, such as `[address]`, that are its own.
    fn drop_inner(&self, core: &mut Vec<usize>, place: Place<'s>) {
        let mut section: Option<Place<'s>> = None;
        let main = core.first().map(|&one| &*self.anchors[one].sign);
        let kept = core.iter().copied().filter(|&index| {
            let one = &self.anchors[index];
            let inner = self.member(place, index);
            let titled = one.leads() && one.sign.starts_with([']', ')', '}', '>']);
            if titled && Some(&*one.sign) != main && !inner.wants_scalar() {
                section = Some(if inner.wants_list() {
                    inner.item()
                } else {
                    inner
                });
                return true;
            }
            !section.is_some_and(|section| self.has(section, index))
        });
        *core = kept.collect();
    }

    /// Returns the delimiters around the keys of one object, or of the objects of an array.
    pub(super) fn signs(&self, core: &[usize], place: Place<'s>, words: bool) -> Delimiters {
        let text = self.text;
        let all = || core.iter().map(|&one| &self.anchors[one]);
        let left = |one: &Anchor| {
            &text[text.ceil_char_boundary(one.head.saturating_sub(3 * AROUND))..one.head]
        };
        let right = |one: &Anchor| &text[one.end..text.floor_char_boundary(one.end + AROUND)];
        let first = all().next();
        let lead = first
            .and_then(|one| one.lead.as_deref())
            .unwrap_or_default();
        let led = !lead.is_empty() && all().all(|one| one.lead.as_deref() == Some(lead));
        let shared = common_end(all().map(left));
        let before = common_end(all().skip(1).map(left));
        // Two samples show which words are part of the notation.
        let all_words = without_words(shared, words && core.len() > 1);
        let later = without_words(before, words && core.len() > 2);
        let before = match led {
            true if later.trim_start().starts_with('<') => later,
            true => before.rfind('\n').map_or(before, |at| &before[at..]),
            false if all_words.len() > later.len() => all_words,
            false => later,
        };
        let before = before.trim_start_matches(['"', '\'', '`', '”', '.', '!', '?', '…']);
        let before = match (core.len(), before.rfind('\n')) {
            (2, Some(line)) => &before[self.ends(first, &before[..line])..],
            _ => before,
        };
        let between = common_begin(all().map(right));
        let word = between.find(char::is_alphanumeric).unwrap_or(between.len());
        // A key within is one of the value.
        let inside = |one: &Anchor| {
            let next = self.anchors.partition_point(|next| next.start < one.end);
            self.anchors
                .get(next)
                .is_some_and(|next| next.start < one.end + between.len())
        };
        let between = match words && core.len() > 1 && !first.is_some_and(inside) {
            true => between.trim_end_matches(char::is_alphanumeric),
            false => &between[..word],
        };
        let holds = core.len() > 1
            && core
                .iter()
                .any(|&one| self.member(place, one).wants_scalar());
        let begun = first.map_or("", left);
        let after = match before.rsplit_once('\n') {
            Some((ends, _)) => ends.trim(),
            None => {
                let shared = common_end([begun, before].into_iter());
                before[..before.len() - shared.len()].trim()
            }
        };
        Delimiters {
            sign: first.map(|one| one.sign.to_string()).unwrap_or_default(),
            before: before.to_owned(),
            between: without_openers(between, holds).to_owned(),
            after: after.to_owned(),
            inline: true,
        }
    }

    /// Returns where the punctuation after a value begins, of which there is one sample: a value may
    /// end with punctuation too.
    fn ends(&self, first: Option<&Anchor>, before: &str) -> usize {
        let ends = before.trim_end();
        if ends.ends_with([',', ';', '|']) {
            return ends.len() - 1;
        }
        let pairs = [('(', ')'), ('[', ']'), ('{', '}'), ('<', '>')];
        let opened = &self.text[first.map_or(0, |one| one.end)..];
        let opened = opened.trim_start_matches(['"', '\'', ' ', '=', ':']);
        let pair = pairs.iter().find(|(open, _)| opened.starts_with(*open));
        pair.and_then(|(_, close)| ends.find(*close))
            .unwrap_or(before.len())
    }

    /// Returns the delimiters of an object. An object with few keys has the ones of the outer object if
    /// they fit.
    pub(super) fn signs_within(
        &self,
        core: &[usize],
        place: Place<'s>,
        outer: Option<&Delimiters>,
    ) -> Delimiters {
        let own = self.signs(core, place, true);
        let between = outer.map_or("", |outer| outer.between.trim_end());
        let mut all = core.iter().map(|&one| self.anchors[one].end);
        let fits = all.all(|end| self.text[end..].starts_with(between));
        let same = core.len() == 1 || core.len() == 2 && own.between.trim_end() == between;
        outer.filter(|_| fits && same).cloned().unwrap_or(own)
    }
}

/// Returns the text before a value without what belongs to the value: quotes, a hyphen, and a
/// bracket, unless it is the only sign or, if it `holds` scalars, part of all of them.
fn without_openers(between: &str, holds: bool) -> &str {
    let mut kept = between.trim_end_matches(['"', '\'', '`', ' ', '“']);
    if !kept.ends_with("--") {
        kept = kept.trim_end_matches(['-', ' ']);
    }
    let opened = kept.trim_end_matches(['(', '[', '{', '<']);
    if !(opened.trim().is_empty() || holds) {
        kept = opened.trim_end_matches(['"', '\'', ' ']);
    }
    match kept.is_empty() {
        true => &between[..between.len() - between.trim_start().len()],
        false => kept,
    }
}

fn common_begin<'t>(mut all: impl Iterator<Item = &'t str>) -> &'t str {
    let first = all.next().unwrap_or_default();
    all.fold(first, |common, other| {
        let pairs = common.chars().zip(other.chars());
        let same = pairs.take_while(|(one, other)| one == other);
        &common[..same.map(|(one, _)| one.len_utf8()).sum()]
    })
}

fn common_end<'t>(mut all: impl Iterator<Item = &'t str>) -> &'t str {
    let first = all.next().unwrap_or_default();
    all.fold(first, |common, other| {
        let pairs = common.chars().rev().zip(other.chars().rev());
        let same = pairs.take_while(|(one, other)| one == other);
        let length: usize = same.map(|(one, _)| one.len_utf8()).sum();
        &common[common.len() - length..]
    })
}

/// Returns the end of a text from its first punctuation on, or after its last word.
fn without_words(text: &str, words: bool) -> &str {
    if !words {
        let marks = text.trim_end_matches(|c: char| !c.is_alphanumeric());
        return &text[marks.len()..];
    }
    let mut rest = text.trim_start_matches(char::is_alphanumeric);
    // The last words of values may be the same.
    while let Some(word) = rest
        .strip_prefix(' ')
        .filter(|word| word.starts_with(char::is_alphanumeric))
    {
        rest = word.trim_start_matches(char::is_alphanumeric);
    }
    rest
}
