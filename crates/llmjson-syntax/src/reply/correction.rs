//! Corrections of a value in words after it: `Correction: "age" should be 35`, `age -> 35`.
//!
//! A correction names a member and its value. A sentence that only mentions both is not a
//! correction: it must begin with a word of correction, say what should be, or deny the original
//! value.

use alloc::vec::Vec;

use crate::parser::look::quotes::{closers, quote_at};
use crate::parser::state::reader::Reader;
use crate::reply::choose::is_patch;
use crate::reply::found::ReplySearch;
use crate::reply::lexicon::Cue;
use crate::reply::words::Words;
use crate::scan::number;
use crate::tape::marks::Mark;
use crate::tape::readings::{Corrects, Reading};
use crate::view::{Kind, ValueRef};
use crate::zones::lexicon::is_one_of;

/// Maximum number of words before the name.
const WORDS_BEFORE: usize = 4;

/// Words that may stand before a name, and behind it.
const BEFORE_NAME: &str = "the its his her their my that value of for field key property member";
const BEHIND_NAME: &str = "field value key property member";

/// Words between a name and its value, with whether they correct it without a word of correction. Longer ones come first.
const VERBS: &[(&str, bool)] = &[
    ("should actually be", true),
    ("should instead be", true),
    ("should really be", true),
    ("should have been", true),
    ("should've been", true),
    ("should read", true),
    ("should be", true),
    ("needs to be", false),
    ("ought to be", false),
    ("has to be", false),
    ("must be", false),
    ("is actually", true),
    ("changes to", true),
    ("changed to", true),
    ("becomes", false),
    ("reads", false),
    ("are", false),
    ("is", false),
    ("->", true),
    ("=>", true),
    ("→", true),
    ("⇒", true),
    ("=", false),
    (":", false),
];

/// Words behind a value that name the one that it stands for.
const OLD_VALUES: &[&str] = &["instead of", "rather than", "and not", "not", "was"];

/// The most bytes of one correction.
const LINE_BYTES: usize = 200;

/// A value as words give it.
enum Said<'t> {
    /// A string.
    Text(&'t str),
    /// A number, a keyword or an array, as JSON.
    Json(&'t str),
}

/// Returns the range of each line that corrects the value, in the text after it.
pub(crate) fn corrections(text: &str, root: ValueRef<'_>) -> Vec<(usize, usize)> {
    let (mut all, mut told, mut at) = (Vec::new(), false, 0);
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let bare = line.trim();
        if bare.is_empty() {
            continue;
        }
        // `Corrections:`, and a list of them below it.
        let item =
            bare.starts_with(['-', '*', '•']) || bare.starts_with(|c: char| c.is_ascii_digit());
        told &= item;
        if bare.len() > LINE_BYTES {
            continue;
        }
        if bare.ends_with(':') && is_correcting(bare) {
            told = true;
            continue;
        }
        let from = start + line.len() - line.trim_start().len();
        if is_line(bare, told, root) {
            all.push((from, from + bare.len()));
        }
    }
    all
}

/// Returns whether a line corrects the value, and says nothing else.
fn is_line(line: &str, told: bool, root: ValueRef<'_>) -> bool {
    let line = without_mark(line);
    let (rest, led) = without_lead(line);
    let told = told || led;
    if is_worded(rest, told, root) {
        return true;
    }
    // `age should be 35 and city should be "Oslo"`, or a further sentence.
    for (at, sign) in rest
        .match_indices([';', '.', ','])
        .chain(rest.match_indices(" and "))
    {
        let (one, other) = (&rest[..at], &rest[at + sign.len()..]);
        let other = other.trim_start();
        let other = other.strip_prefix("and ").unwrap_or(other);
        let ended = sign == "." && at + 1 < rest.len() && rest[at + 1..].starts_with(' ');
        match (is_worded(one, told, root), is_worded(other, told, root)) {
            (true, true) => return true,
            // `Sorry. The age should be 35.`, `… should be 35. Everything else stays.`
            (true, false) if ended && !other.contains("should") => return true,
            (false, true) if ended => return true,
            _ => {}
        }
    }
    false
}

/// Returns a line without the mark of a list.
fn without_mark(line: &str) -> &str {
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let item = digits
        .strip_prefix(['.', ')'])
        .filter(|_| digits.len() < line.len());
    let item = item.or_else(|| line.strip_prefix(['-', '*', '•']));
    let item = item.filter(|rest| rest.starts_with(' '));
    item.map_or(line, str::trim_start)
}

/// Returns whether words say that what follows corrects what stands before.
fn is_correcting(text: &str) -> bool {
    let words = Words::of(text);
    let all = words.sentences().all(|one| {
        let plain = (0..one.len())
            .any(|at| matches!(one.word(at), "fix" | "fixes" | "corrections" | "errata"));
        plain || one.has(&[Cue::Correction, Cue::Retraction, Cue::Regret, Cue::Wrong])
    });
    all && words.sentences().next().is_some()
}

/// Returns a line without words of correction with which it begins, and whether there are any.
fn without_lead(line: &str) -> (&str, bool) {
    let (mut rest, mut led) = (line, false);
    let marks = |text: &'_ str| text.trim_start_matches(['*', '_', ' ']).len();
    while let Some(at) = rest.find([':', ',', '!', '—', '–', '.']) {
        let sign = rest[at..].chars().next().map_or(1, char::len_utf8);
        if !is_correcting(&rest[..at]) || rest[..at].contains(['"', '`', '{', '[']) {
            break;
        }
        // `the age is wrong, age should be 35`: no verb of the correction stands before the sign.
        let next = &rest[at + sign..];
        rest = &next[next.len() - marks(next)..];
        led = true;
    }
    if !led {
        // `Actually the age is 35`
        let (first, next) = rest.split_once(' ').unwrap_or((rest, ""));
        let word = first.trim_matches(['*', '_']);
        if !next.is_empty() && is_correcting(word) {
            return (next.trim_start(), true);
        }
    }
    (rest, led)
}

/// Reads `the "age" field should be 35, not 34.` as a whole. `told` is whether words of correction stand before it.
fn is_worded(text: &str, told: bool, root: ValueRef<'_>) -> bool {
    let mut rest = text.trim().trim_end_matches(['.', '!']).trim_end();
    for _ in 0..=WORDS_BEFORE {
        if is_named(rest, told, root).is_some_and(|corrects| corrects) {
            return true;
        }
        match rest.split_once(' ') {
            Some((word, next)) if is_one_of(BEFORE_NAME, word.trim_matches(['*', '_'])) => {
                rest = next.trim_start();
            }
            _ => return false,
        }
    }
    false
}

/// Returns whether a text that begins with a name corrects the value. `None` if it is not a sentence of that form.
fn is_named(text: &str, told: bool, root: ValueRef<'_>) -> Option<bool> {
    let (name, rest) = name_at(text)?;
    let mut rest = rest.trim_start_matches(['*', '_', ' ']);
    if let Some((word, next)) = rest.split_once(' ')
        && is_one_of(BEHIND_NAME, word)
    {
        rest = next.trim_start();
    }
    // `age: should be 35`
    let behind = rest
        .strip_prefix(':')
        .map_or(rest, |rest| rest.trim_start_matches(['*', '_', ' ']));
    let (sure, rest) = verb_at(behind).or_else(|| verb_at(rest))?;
    let path = path_of(name);
    let present = member(root, &path);
    let (value, denied) = value_at(rest.trim_start(), told, present)?;
    // A word that is no name of the value may be any word.
    let named = present.is_some() || text.starts_with(['"', '`', '\'', '/']) || path.len() > 1;
    let corrects = named && (told || present.is_some() && (sure || denied));
    let same = present.is_some_and(|present| is_same(present, &value));
    Some(corrects && !same)
}

/// Returns the name at the beginning of a text: `age`, `"first name"`, `order.total`.
fn name_at(text: &str) -> Option<(&str, &str)> {
    let bare = text.trim_start_matches(['*', '_']);
    if let Some(quote) = quote_at(bare, 0).or_else(|| bare.starts_with('`').then_some('`')) {
        let open = quote.len_utf8();
        let end = bare[open..].find(|c| c == quote || closers(quote).contains(&c))?;
        let close = bare[open + end..].chars().next()?.len_utf8();
        return Some((&bare[open..open + end], &bare[open + end + close..]));
    }
    let part = |c: char| c.is_alphanumeric() || "_-./[]$".contains(c);
    let end = bare.find(|c| !part(c)).unwrap_or(bare.len());
    // `age->35`
    let end = bare[..end].strip_suffix('-').map_or(end, str::len);
    let name = &bare[..end];
    let begins = name.starts_with(|c: char| c.is_alphabetic() || "_/$".contains(c));
    begins.then(|| (name, &bare[end..]))
}

/// Returns whether the words at the beginning of a text correct by themselves, and what follows them.
fn verb_at(text: &str) -> Option<(bool, &str)> {
    VERBS.iter().find_map(|(verb, sure)| {
        let start = text.get(..verb.len())?;
        let rest = &text[verb.len()..];
        let word = verb.ends_with(|c: char| c.is_alphabetic());
        let apart = !word || rest.starts_with([' ', ':', '*']);
        (start.eq_ignore_ascii_case(verb) && apart)
            .then(|| (*sure, rest.trim_start_matches([':', ' ', '*'])))
    })
}

/// Returns the value that all of a text is, and whether another one is denied behind it: 35 of `35, not 34`.
fn value_at<'t>(
    text: &'t str,
    told: bool,
    present: Option<ValueRef<'_>>,
) -> Option<(Said<'t>, bool)> {
    let text = text.trim_end_matches(['*', ' ']);
    let (value, rest) = scalar_at(text)
        .or_else(|| listed(text))
        // A text without quotes, where the value is one.
        .or_else(|| {
            let plain = told && present.is_some_and(|present| present.kind() == Kind::String);
            let end = OLD_VALUES
                .iter()
                .filter_map(|old| text.find(&*alloc::format!(" {old} ")))
                .min();
            let end = end.unwrap_or(text.len());
            let value = text[..end].trim_end_matches([',', ' ', '(']);
            let short = !value.is_empty()
                && value.split(' ').count() <= 4
                && !value.contains(['"', '{', '[', ':']);
            (plain && short).then(|| (Said::Text(value), &text[end..]))
        })?;
    let rest = rest
        .trim_start_matches(['*', ' ', ',', '(', '—', '–'])
        .trim_end_matches([')', ' ']);
    if rest.is_empty() {
        return Some((value, false));
    }
    let old = OLD_VALUES
        .iter()
        .find_map(|old| rest.strip_prefix(old)?.strip_prefix(' '))?;
    let (_, rest) = scalar_at(old.trim_start()).or_else(|| {
        let short = old.split(' ').count() <= 4;
        short.then_some((Said::Json(""), ""))
    })?;
    rest.trim_matches(['.', ' '])
        .is_empty()
        .then_some((value, true))
}

/// Reads a scalar at the beginning of a text.
fn scalar_at(text: &str) -> Option<(Said<'_>, &str)> {
    let quote = quote_at(text, 0).or_else(|| text.starts_with('`').then_some('`'));
    if let Some(quote) = quote {
        let open = quote.len_utf8();
        let end = text[open..].find(|c| c == quote || closers(quote).contains(&c))?;
        let close = text[open + end..].chars().next()?.len_utf8();
        let (inner, rest) = (&text[open..open + end], &text[open + end + close..]);
        // `35` and `"Oslo"` between backticks are JSON.
        return Some(
            match scalar_at(inner).filter(|(_, rest)| quote == '`' && rest.is_empty()) {
                Some((value, _)) => (value, rest),
                None => (Said::Text(inner), rest),
            },
        );
    }
    let end = text
        .find(|c: char| c.is_whitespace() || ",;)*".contains(c))
        .unwrap_or(text.len());
    let word = text[..end].trim_end_matches('.');
    let keyword = ["true", "false", "null"]
        .into_iter()
        .find(|one| one.eq_ignore_ascii_case(word));
    let json = keyword.or_else(|| number::is_json(word).then_some(word))?;
    Some((Said::Json(json), &text[word.len()..]))
}

/// Reads a list that ends a text.
fn listed(text: &str) -> Option<(Said<'_>, &str)> {
    let whole = text.starts_with('[') && text.ends_with(']');
    whole.then_some((Said::Json(text), ""))
}

/// Returns the names and indices of a path: `order.items[0].qty`, `/order/items/0`.
fn path_of(name: &str) -> Vec<&str> {
    let signs: &[char] = if name.starts_with('/') {
        &['/']
    } else {
        &['.', '[', ']']
    };
    name.split(signs).filter(|part| !part.is_empty()).collect()
}

/// Returns what a path leads to. The whole of it may be one name.
fn member<'d>(root: ValueRef<'d>, path: &[&str]) -> Option<ValueRef<'d>> {
    path.iter()
        .try_fold(root, |value, step| match value.kind() {
            Kind::Array => value.item(step.parse().ok()?),
            _ => value.get(step),
        })
}

/// Returns whether a member has the value already.
fn is_same(present: ValueRef<'_>, said: &Said<'_>) -> bool {
    match said {
        Said::Text(text) => present.as_str().is_some_and(|one| one == *text),
        Said::Json(json) => match present.kind() {
            Kind::String => present.as_str().is_some_and(|one| one == *json),
            _ => present.to_json() == *json,
        },
    }
}

impl Reader<'_> {
    /// Finds the values that correct one before them: patches, and what a member should be.
    pub(crate) fn find_patches(&mut self, found: &mut ReplySearch) {
        let mut answer: Option<usize> = None;
        for at in 0..found.candidates.len() {
            let (before, rest) = found.candidates.split_at_mut(at);
            let one = &mut rest[0];
            let corrected = answer.map(|answer| &before[answer]);
            if let Some(corrected) = corrected.filter(|value| value.span.end <= one.span.start) {
                one.corrects = self.corrects(one, corrected, &found.zones.marks);
                // As an answer it counts only where a schema wants it.
                one.draft |= one.corrects != Corrects::Nothing;
            }
            let answers = one.complete && !one.thought && !one.shown;
            if answers && one.corrects == Corrects::Nothing && self.substantial(one.root) {
                answer = Some(at);
            }
        }
    }

    /// Returns what a value corrects of one before it.
    fn corrects(&self, one: &Reading, value: &Reading, marks: &[Mark]) -> Corrects {
        let (tape, text) = (&*self.tape, self.look.text);
        let root = ValueRef::new(tape, text, value.root);
        let patch = ValueRef::new(tape, text, one.root);
        if is_patch(tape, text, one.root) {
            return match is_patch(tape, text, value.root) {
                true => Corrects::Nothing,
                false => Corrects::Patch,
            };
        }
        let (start, end) = (one.span.start as usize, one.span.end as usize);
        let words = || {
            self.look
                .before_value(marks, value.span.end as usize, start)
        };
        match (root.kind(), patch.kind()) {
            (Kind::Object, Kind::Object) => {
                let known = || patch.members().any(|(name, _)| root.get(&name).is_some());
                let called = || words().words.last().has(&[Cue::Patch]);
                let fewer =
                    patch.len() < root.len() || patch.members().any(|(_, one)| one.is_null());
                match !patch.is_empty() && fewer && called() && known() {
                    true => Corrects::Patch,
                    false => Corrects::Nothing,
                }
            }
            (Kind::Object, Kind::Array) => {
                // A longer line is not a correction.
                let after = value.span.end as usize;
                let before = self.look.text_before(start).len().max(after);
                let near = text
                    .floor_char_boundary(before.saturating_sub(LINE_BYTES))
                    .max(after);
                let line = match text[near..before].rfind('\n') {
                    Some(line) => near + line + 1,
                    None if near == after => near,
                    None => return Corrects::Nothing,
                };
                self.look.charge(end - line);
                match corrections(&text[line..end], root).is_empty() {
                    true => Corrects::Nothing,
                    false => Corrects::Member,
                }
            }
            _ => Corrects::Nothing,
        }
    }
}
