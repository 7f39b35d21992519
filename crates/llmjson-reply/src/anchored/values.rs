//! The values between the delimiters of a notation.

use llmjson_syntax::{Class, Kind, ValueRef, parse};

use super::anchors::{AROUND, Anchor};
use super::delimiters::Delimiters;
use super::induced::{Induced, is_pair};
use super::items;
use super::key::without_marks;
use super::place::Place;
use super::scalars::{self, quoted, trimmed};
use super::tree::{Name, Part, Value};

impl<'s> Induced<'_, 's> {
    /// Returns the beginning of the value after a key.
    pub(super) fn value_start(&self, index: usize, signs: &Delimiters) -> usize {
        let Anchor {
            head, end, path, ..
        } = self.anchors[index];
        if path {
            let marks = |c: char| !c.is_alphanumeric() && !c.is_whitespace();
            return self.text[..head].trim_end_matches(marks).len();
        }
        let mut rest = &self.text[end..];
        let counted = rest
            .strip_prefix('[')
            .and_then(|rest| rest[..rest.floor_char_boundary(AROUND)].find(']'));
        if let Some(at) = counted.filter(|at| rest[1..1 + at].parse::<usize>().is_ok()) {
            rest = &rest[at + 2..];
        }
        let between = signs.between.trim_end();
        if let Some(more) = rest.strip_prefix(between).filter(|_| !between.is_empty()) {
            // Rules and leaders differ in their length.
            let rule = ["--", "==", "..", "~~"]
                .iter()
                .find(|rule| between.ends_with(**rule));
            let more = rule.map_or(more, |rule| more.trim_start_matches(&rule[..1]));
            let more = if rule.is_some() {
                more.trim_start_matches([' ', ':'])
            } else {
                more
            };
            return self.text.len() - more.len();
        }
        let closed = rest.trim_start_matches(['"', '\'', '`', '*', ']', '>', ')', '}', '/']);
        let sign = closed.trim_start_matches([' ', '\t']);
        let value = sign.trim_start_matches(['=', ':', '~', '>', '→', '⇒', '-']);
        self.text.len()
            - if value.len() < sign.len() {
                value.len()
            } else {
                closed.len()
            }
    }

    /// Returns the end of a value, unless it is the last one.
    pub(super) fn value_end(
        &self,
        (index, next): (usize, Option<usize>),
        (start, end): (usize, usize),
        signs: &Delimiters,
    ) -> Option<usize> {
        if self.anchors[index].sign.starts_with("/>") {
            return Some(start);
        }
        if let Some(close) = self.close(index, end) {
            let inner = self.text[start..close.head.max(start)].trim_end();
            let marks: &[char] = &['<', '[', '{', '(', '\\', '-', '=', ' '];
            let inner = match inner.strip_suffix('/') {
                Some(inner) => inner.trim_end_matches(&marks[..5]),
                // `END name`
                None => inner
                    .trim_end_matches(char::is_alphanumeric)
                    .trim_end_matches(marks),
            };
            return Some(start + inner.len());
        }
        let next = &self.anchors[next?];
        let value = &self.text[start.min(next.head)..next.head];
        let before = &*signs.before;
        // `Do it.[[ ## code ## ]]`: the key's own punctuation follows the value on its line.
        let is_glued = !next.leads()
            && !before.contains('\n')
            && before.trim().len() > 1
            && value.ends_with(before);
        if let Some(at) = value
            .rfind('\n')
            .filter(|_| next.lead.is_some() && !is_glued)
        {
            // The marks and numbers before a key need not be alike.
            let ends = before
                .rsplit_once('\n')
                .map_or("", |(ends, _)| ends.trim_end());
            let value = value[..at].trim_end();
            let value = value.strip_suffix(ends).unwrap_or(value);
            return Some(start + self.before_tag(value, signs).len());
        }
        let found = [(value, before), (value.trim_end(), before.trim())];
        let mut found = found.into_iter().filter(|(_, before)| !before.is_empty());
        let value = found
            .find_map(|(value, before)| value.strip_suffix(before))
            .unwrap_or_else(|| {
                value
                    .trim_end_matches(|c: char| !c.is_alphanumeric() && !")]}\"'`.!?».".contains(c))
            });
        Some(start + self.before_tag(value, signs).len())
    }

    /// Returns a value without the closing tag of another name at its end: `Ann</nme>` of
    /// `<name>Ann</nme>`.
    fn before_tag<'t>(&self, value: &'t str, signs: &Delimiters) -> &'t str {
        let name = |c: char| c.is_alphanumeric() || "_-:.".contains(c);
        let is_tagged = signs.between.trim_end() == ">";
        let bare = value.trim_end().strip_suffix('>').filter(|_| is_tagged);
        let Some((inner, tag)) = bare.and_then(|bare| bare.rsplit_once("</")) else {
            return value;
        };
        // `use <b>this</b>`: the tag belongs to the value. After a line break or another tag, it
        // closes an outer element.
        let is_own = inner.contains(&format!("<{tag}"));
        let is_outer = inner.ends_with(|c: char| c.is_whitespace() || c == '>');
        if is_own || is_outer || tag.is_empty() || !tag.chars().all(name) {
            return value;
        }
        self.doubtful.set(true);
        inner
    }

    /// Returns the part of the last value. It ends at the closing bracket of the object, or at the
    /// end of its line or paragraph.
    pub(super) fn last(&self, part: Part, place: Place<'s>, signs: &Delimiters) -> Part {
        let whole = &self.text[part.clone()];
        let inner = self.up_to_mark(balanced(whole), signs);
        let below = signs.between.contains('\n') && !signs.between.ends_with('>')
            || signs.sign.starts_with('\n');
        let end = match place.wants_scalar() && signs.inline && !below {
            true => self.line_end(
                &(part.start..part.start + inner.len()),
                part.end,
                place,
                signs,
            ),
            false => part.start + self.paragraphs_end(inner, &part, place, signs.inline && !below),
        };
        let closed = inner.len() < whole.len() && signs.after.starts_with([')', ']', '}']);
        let inner = self.before_tag(self.text[part.start..end].trim_end(), signs);
        let inner = match signs.after.is_empty() || closed {
            true => inner.trim_end_matches([',', ';']),
            false => inner.strip_suffix(&*signs.after).unwrap_or(inner),
        };
        part.start..part.start + inner.len()
    }

    /// Returns a text up to a mark that is written like a key and has no value, which ends the
    /// members: `[[ ## completed ## ]]`. Text below it is of other sections.
    fn up_to_mark<'t>(&self, inner: &'t str, signs: &Delimiters) -> &'t str {
        let lead = signs.before.rsplit('\n').next().unwrap_or_default().trim();
        let tail = signs.between.trim();
        if lead.is_empty() || tail.is_empty() {
            return inner;
        }
        let word = |c: char| c.is_alphanumeric() || c == '_';
        // The mark may follow the last value on its line.
        let mark = |line: &str| {
            let before = line.trim_end().strip_suffix(tail)?;
            let start = before.rfind(lead)?;
            let name = before[start + lead.len()..].trim();
            let begins = lead.len() > 1 || before[..start].trim().is_empty();
            (begins && !name.is_empty() && name.chars().all(word)).then_some(start)
        };
        let mut at = 0;
        for line in inner.split_inclusive('\n') {
            let end = at + line.len();
            if let Some(start) = mark(line).filter(|start| at + start > 0) {
                self.doubtful
                    .set(self.doubtful.get() || !inner[end..].trim().is_empty());
                return &inner[..at + start];
            }
            at = end;
        }
        inner
    }

    /// Returns the end of the line of a value, or the end of the lines over which a string continues.
    fn line_end(&self, part: &Part, stop: usize, place: Place<'s>, signs: &Delimiters) -> usize {
        let text = self.text;
        let begun = trimmed(text, part.clone()).start;
        let from = quoted(text, &(begun..part.end)).map_or(begun, |(_, end)| end);
        let Some(line) = text[from..part.end].find('\n').map(|at| from + at) else {
            return part.end;
        };
        // A block or a long string continues in deeper columns.
        let begin = text[..part.start].rfind('\n').map_or(0, |at| at + 1);
        let width = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
        let column = width(&text[begin..]);
        let block = scalars::block(text, &(begun..part.end)).is_some();
        let mut end = line;
        for next in text[line + 1..part.end].split('\n') {
            let blank = next.trim().is_empty();
            if !(blank && block || !blank && width(next) > column) {
                break;
            }
            end += 1 + next.len();
        }
        if end > line && from == begun && (block || matches!(&*signs.sign, ":" | "=")) {
            return end;
        }
        let more = text[line + 1..stop].trim_start_matches(['\r', ' ']);
        let goes_on = more.starts_with(char::is_alphanumeric) && !says_farewell(more);
        if !(goes_on && place.wants_text() && place.takes_any_text() && signs.before.contains('\n'))
        {
            return line;
        }
        self.doubtful.set(true);
        text[line..stop].find("\n\n").map_or(stop, |gap| line + gap)
    }

    /// Returns the length of a text up to a paragraph that does not belong to it.
    fn paragraphs_end(&self, inner: &str, part: &Part, place: Place<'s>, inline: bool) -> usize {
        let mut at = inner.len() - inner.trim_start().len();
        while let Some(gap) = inner[at..].find("\n\n") {
            let rest = inner[at + gap..].trim_start();
            let start = part.start + inner.len() - rest.len();
            let named = self.anchors.partition_point(|one| one.start < start);
            let named = self
                .anchors
                .get(named)
                .is_some_and(|one| one.start < part.end);
            let prose = rest.starts_with(char::is_alphabetic) && !named;
            if prose && (!place.wants_text() || inline || says_farewell(rest)) {
                return at + gap;
            }
            at = inner.len() - rest.len();
        }
        inner.len()
    }

    /// Reads the value of a member.
    pub(super) fn value(
        &self,
        whole: Part,
        place: Place<'s>,
        signs: &Delimiters,
        depth: usize,
    ) -> Option<Value> {
        let part = trimmed(self.text, whole.clone());
        let inner = &self.text[part.clone()];
        self.places.charge(2 * inner.len());
        let begins = inner.starts_with(['{', '[']);
        if begins && !place.wants_scalar() && self.is_json(&part, place) {
            return Some(Value::Json(part));
        }
        if place.takes(Kind::Object) && place.has_members() {
            let found = self.object(&part, place, Some(signs), depth);
            if found.is_some() || place.wants_object() {
                return found.map(|(value, _)| value);
            }
        }
        if !place.wants_list() {
            return match place.wants_object() {
                true => self.map(part, signs),
                false => self.scalar(if place.wants_text() { whole } else { part }, signs),
            };
        }
        let item = place.item();
        if !(item.takes(Kind::Object) && item.has_members()) {
            return items::list(self, part, signs);
        }
        if !inner.contains(char::is_alphanumeric) {
            return Some(Value::List(Vec::new()));
        }
        let (items, _) = self.records(&part, item, Some(signs), depth)?;
        Some(Value::List(items))
    }

    /// Returns `true` if a part is JSON with keys of the schema.
    fn is_json(&self, part: &Part, place: Place<'s>) -> bool {
        let read = parse(&self.text[part.clone()]);
        let sure = read.is_complete() && read.certainty() < Class::Guess;
        let fits = |one: ValueRef<'_>, place: Place<'s>| {
            let known = one
                .members()
                .all(|(name, _)| self.places.find(place, &name).is_some());
            place.is_open() || known && one.kind() == Kind::Object
        };
        read.root().is_some_and(|root| match root.kind() {
            Kind::Array => sure && root.items().all(|item| fits(item, place.item())),
            Kind::Object => sure && fits(root, place) && !place.wants_list(),
            _ => false,
        })
    }

    /// Reads the members of an object whose keys the schema does not declare.
    fn map(&self, part: Part, signs: &Delimiters) -> Option<Value> {
        let part = items::unwrapped(self.text, part);
        let inner = &self.text[part.clone()];
        let sign = signs.sign.trim_matches(|c: char| "\"')]}>".contains(c));
        let sign = if sign.is_empty() { &*signs.sign } else { sign };
        let lines: &[char] = if inner.contains('\n') {
            &['\n']
        } else {
            &[',', ';']
        };
        let (mut members, mut at) = (Vec::new(), part.start);
        for piece in inner.split(lines) {
            let start = at;
            at += piece.len() + 1;
            if !piece.contains(char::is_alphanumeric) {
                continue;
            }
            let (key, value) = piece.split_once(sign)?;
            let name = key.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '_');
            let start = start + key.len() - name.len();
            let name = name.trim_end_matches(['"', '\'', '`', '*', ' ', ']', '>']);
            let value = value.trim_end_matches([',', ';']);
            let from = at - 1 - (piece.len() - key.len() - sign.len());
            let value = self.scalar(from..from + value.len(), signs)?;
            members.push((Name::at(start..start + name.len(), None), value));
        }
        Some(Value::Object(members))
    }

    /// Reads a string, number or word; `None` if delimiters remain in it.
    fn scalar(&self, part: Part, signs: &Delimiters) -> Option<Value> {
        let text = self.text;
        let bare = trimmed(text, part.clone());
        let commented = signs.sign == ":" || signs.sign == "=";
        if let Some(block) = scalars::block(text, &part).filter(|_| commented) {
            return Some(block);
        }
        let data = text[bare.clone()].strip_prefix("<![CDATA[");
        if let Some(data) = data.and_then(|rest| rest.strip_suffix("]]>")) {
            let start = bare.end - "]]>".len() - data.len();
            return Some(Value::Text(start..start + data.len()));
        }
        if let Some(value) = items::quoted_within(text, &bare) {
            return Some(value);
        }
        let unmarked = without_marks(text, bare.clone());
        if let Some((value, _)) = quoted(text, &unmarked).filter(|(_, end)| *end == unmarked.end) {
            return Some(value);
        }
        let mut part = match unmarked == bare {
            true => with_indent(text, part, signs),
            false => unmarked,
        };
        let inner = &text[part.clone()];
        let lines = inner.contains('\n');
        if commented
            && !lines
            && inner.contains('#')
            && let Some(at) = inner.find(" # ")
        {
            part.end = part.start + inner[..at].trim_end().len();
        }
        let inner = &text[part.clone()];
        if !is_clean(inner) || self.holds_member(&part, signs) {
            return None;
        }
        let mut later = inner.lines().skip(1);
        if commented && later.clone().any(|line| is_pair(line, &signs.sign)) {
            return None;
        }
        Some(match inner.is_empty() {
            true => Value::Made(String::new()),
            // A long string that continues in deeper columns.
            false if commented && lines && later.all(|line| line.starts_with([' ', '\t'])) => {
                Value::Made(scalars::folded(inner))
            }
            false if signs.sign.starts_with('>') => items::unescaped_in(text, part),
            // `city=New%20York&days=3`: the query of an address.
            false if signs.before == "&" && inner.contains(['%', '+']) => {
                Value::Made(scalars::of_query(inner))
            }
            false => Value::Plain(part),
        })
    }

    /// Returns `true` if a part has a key with the delimiters of a member.
    fn holds_member(&self, part: &Part, signs: &Delimiters) -> bool {
        let from = self.anchors.partition_point(|one| one.start < part.start);
        let inside = self.anchors[from..]
            .iter()
            .take_while(|one| one.end <= part.end);
        let before = &*signs.before;
        let apart =
            |one: &Anchor| !before.trim().is_empty() && self.text[..one.head].ends_with(before);
        let mut alike = inside.filter(|one| *one.sign == *signs.sign);
        !signs.sign.trim().is_empty() && alike.any(|one| one.leads() || apart(one))
    }
}

/// The beginnings of the paragraph with which models end a reply, in lower case.
const FAREWELLS: &[&str] = &[
    "feel free",
    "hope ",
    "i hope",
    "if you",
    "is there",
    "let me know",
    "note",
    "please let",
    "please note",
    "would you",
];

/// Returns `true` if a line begins the paragraph with which models end a reply.
fn says_farewell(line: &str) -> bool {
    let line = line[..line.floor_char_boundary(AROUND)].to_lowercase();
    FAREWELLS.iter().any(|begin| line.starts_with(begin))
}

/// Returns a part without the blank lines around it; a string that begins below its key keeps the
/// space before its first line.
fn with_indent(text: &str, part: Part, signs: &Delimiters) -> Part {
    let bare = trimmed(text, part.clone());
    let line = text[part.start..bare.start]
        .rfind('\n')
        .map(|at| part.start + at + 1);
    let kept = line.filter(|_| !signs.before.ends_with(' ') && text[bare.clone()].contains('\n'));
    kept.unwrap_or(bare.start)..bare.end
}

/// Returns a text up to the first bracket that closes more than was opened.
pub(super) fn balanced(text: &str) -> &str {
    if !text.bytes().any(|byte| matches!(byte, b')' | b']' | b'}')) {
        return text;
    }
    let (mut depth, mut quote, mut before) = (0_usize, None, ' ');
    let mut chars = text.char_indices();
    while let Some((at, mark)) = chars.next() {
        match mark {
            '\\' if quote.is_some() => drop(chars.next()),
            _ if quote.is_some() => quote = quote.filter(|quote| *quote != mark),
            '"' | '`' if !before.is_alphanumeric() => quote = Some(mark),
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return &text[..at],
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        before = mark;
    }
    text
}

/// Returns `true` if nothing of a notation is left in a string: its brackets, quotes and tags are
/// balanced, and no sign is at its ends.
fn is_clean(text: &str) -> bool {
    if !text.bytes().any(|byte| byte.is_ascii_punctuation()) {
        return true;
    }
    let count = |mark: char| text.matches(mark).count();
    let tags = |begin: fn(char) -> bool| {
        let tags = text.split('<').skip(1);
        tags.filter(|tag| tag.starts_with(begin)).count()
    };
    let paired = [('(', ')'), ('[', ']'), ('{', '}')];
    paired
        .iter()
        .all(|(open, close)| count(*open) == count(*close))
        && balanced(text).len() == text.len()
        && tags(|c| c == '/') <= tags(char::is_alphabetic)
        && count('"') % 2 == 0
        && !(text.starts_with('"') && count('"') > 2)
        && !text.starts_with(['=', ':', ',', ';', '|', '>'])
        && !text.ends_with(['=', ':', ',', ';', '|', '<', '\\'])
}
