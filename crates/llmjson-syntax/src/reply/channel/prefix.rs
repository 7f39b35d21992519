//! Prefixes of lines: times, levels, services and numbers, as logs, terminals and editors put them before each.

use alloc::vec::Vec;

use smallvec::SmallVec;

use crate::base::repair::RepairKind;
use crate::reply::channel::decoded::DecodedText;
use crate::reply::channel::parts::is_cut;

/// The most items of a prefix.
const ITEMS_MAX: usize = 10;

/// The longest item.
const ITEM_BYTES: usize = 48;

const LEVELS: &[&str] = &[
    "trace", "debug", "info", "notice", "warn", "warning", "error", "critical", "fatal",
];

const MONTHS: &[&str] = &[
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// The kind of an item of a prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A date or time.
    Time,
    /// The gravity of a message.
    Level,
    /// Words in brackets: `[web]`, `(out)`.
    Tag,
    /// The name of a service, a stream or a file, with the sign behind it.
    Name,
    /// The number of the line.
    Number(u32),
    /// A word between other items.
    Word,
    /// A dash or bar between items.
    Sign,
}

/// An item of a prefix.
#[derive(Clone, Copy, Debug)]
struct Item<'t> {
    kind: Kind,
    /// The text, where it has to be the same in each line.
    text: &'t str,
    /// The offset in the line at which it ends.
    end: usize,
}

impl Item<'_> {
    /// Returns whether the same item of the line `further` below this one may be `other`.
    fn goes_on(&self, other: &Self, further: u32) -> bool {
        match (self.kind, other.kind) {
            (Kind::Number(one), Kind::Number(two)) => one.checked_add(further) == Some(two),
            (one, two) => one == two && self.text == other.text,
        }
    }
}

type Items<'t> = SmallVec<[Item<'t>; ITEMS_MAX]>;

/// Takes the prefixes off each block of lines that all have the same.
pub(crate) fn prefixes(text: &str) -> Option<DecodedText> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut taken = DecodedText::of(RepairKind::LineMarks);
    let (mut at, mut line, mut any) = (0, 0, false);
    while line < lines.len() {
        let (last, mut items) = block(&lines[line..]);
        let own = &lines[line..line + last];
        // Below a block that is all of what it was put before, nothing is open: `1) A: {…}` and `2) B: {` are items of a list.
        let goes_on = || line + last < lines.len() && is_cut(&own.concat());
        let is_list = || {
            items
                .iter()
                .all(|item| matches!(item.kind, Kind::Number(_)))
        };
        if goes_on() || is_list() && !own.iter().any(|line| is_cut(line)) {
            items.clear();
        }
        for one in own {
            let length = length_in(one, items.len());
            any |= length > 0;
            taken.push(at + length, &one[length..]);
            at += one.len();
        }
        line += last;
    }
    taken.end(text.len());
    any.then_some(taken)
}

/// Returns the number of lines of a block, and the items that each of its lines begins with; one line and none where
/// no block begins.
fn block<'t>(lines: &[&'t str]) -> (usize, Items<'t>) {
    let mut shared = items(lines[0]);
    if shared.is_empty() {
        return (1, shared);
    }
    let (mut count, mut prefixed) = (1, 1);
    for (at, line) in lines.iter().enumerate().skip(1) {
        if line.trim().is_empty() {
            continue;
        }
        let own = items(line);
        let pairs = shared.iter().zip(&own);
        let same = pairs
            .take_while(|(one, two)| one.goes_on(two, at as u32))
            .count();
        let tells = |item: &Item<'_>| !matches!(item.kind, Kind::Word | Kind::Sign);
        let tells = |item: &Item<'_>| tells(item) || item.text == ">";
        if !shared[..same].iter().any(tells) {
            break;
        }
        shared.truncate(same);
        (count, prefixed) = (at + 1, prefixed + 1);
    }
    match prefixed {
        1 => (1, Items::new()),
        _ => (count, shared),
    }
}

/// Returns the length of a prefix of that number of items, with one space behind it.
fn length_in(line: &str, count: usize) -> usize {
    let end = match count.checked_sub(1) {
        Some(last) => items(line).get(last).map_or(0, |item| item.end),
        None => return 0,
    };
    end + usize::from(end > 0 && line.as_bytes().get(end) == Some(&b' '))
}

/// Reads the items that a line begins with.
fn items(line: &str) -> Items<'_> {
    let mut items = Items::new();
    let mut at = 0;
    // Most lines begin with a sign of JSON, and with no prefix.
    if line.trim_start().starts_with(['"', '{', '}', ']', ',']) {
        return items;
    }
    while items.len() < ITEMS_MAX {
        let rest = &line[at..];
        let space = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let Some((kind, text, length)) = item(&rest[space..], &items) else {
            break;
        };
        at += space + length;
        items.push(Item {
            kind,
            text,
            end: at,
        });
    }
    items
}

/// Reads one item: its kind, what has to be the same in each line, and its length.
fn item<'t>(rest: &'t str, before: &[Item<'_>]) -> Option<(Kind, &'t str, usize)> {
    let ends = |sign: char| sign.is_whitespace() || matches!(sign, '|' | '│' | '→');
    let mut limit = rest.len().min(ITEM_BYTES);
    while !rest.is_char_boundary(limit) {
        limit -= 1;
    }
    let near = &rest[..limit];
    let word = &near[..near.find(ends).unwrap_or(near.len())];
    if let Some(found) = tag(near)
        .or_else(|| time(near, word))
        .or_else(|| number(near))
    {
        return Some(found);
    }
    let bare = word.trim_end_matches([':', ',']);
    let colon = bare.find(':').map_or(bare, |colon| &bare[..colon]);
    if LEVELS.iter().any(|level| level.eq_ignore_ascii_case(colon)) {
        let sign = near[colon.len()..].starts_with(':');
        return Some((Kind::Level, "", colon.len() + usize::from(sign)));
    }
    let is_name = |sign: char| sign.is_alphanumeric() || "_.@/-".contains(sign);
    let length = near.find(|sign| !is_name(sign)).unwrap_or(near.len());
    if length == 0 {
        let sign = ['|', '│', '→', '»', '>', ':']
            .into_iter()
            .find(|sign| near.starts_with(*sign));
        // `>` quotes a line by itself.
        let sign = sign.filter(|sign| *sign == '>' || !before.is_empty())?;
        return Some((Kind::Sign, &near[..sign.len_utf8()], sign.len_utf8()));
    }
    let name = &near[..length];
    let mut behind = &near[length..];
    // `app[4711]:`
    if let Some(process) = behind.strip_prefix('[') {
        let digits = process.trim_start_matches(|sign: char| sign.is_ascii_digit());
        behind = digits.strip_prefix(']').unwrap_or(behind);
    }
    let spaced = behind.trim_start_matches(' ');
    let end = |rest: &str, sign: usize| limit - rest.len() + sign;
    if name.trim_matches('-').is_empty() {
        return (!before.is_empty()).then_some((Kind::Sign, "", length));
    }
    if let Some(sign) = ['|', '│']
        .into_iter()
        .find(|sign| spaced.starts_with(*sign))
    {
        return Some((Kind::Name, name, end(spaced, sign.len_utf8())));
    }
    if behind.starts_with(':') {
        return Some((Kind::Name, name, end(behind, 1)));
    }
    (!before.is_empty() && behind.starts_with(' ')).then_some((Kind::Word, name, length))
}

/// Reads words in brackets: `[INFO]`, `[12:00:01]`, `(node:12)`.
fn tag(near: &str) -> Option<(Kind, &str, usize)> {
    let closer = match near.as_bytes().first()? {
        b'[' => ']',
        b'(' => ')',
        b'<' => '>',
        _ => return None,
    };
    let end = near.find(closer)?;
    let inside = near[1..end].trim();
    let odd = |sign: char| "\"'{}[]()<>,\n".contains(sign) && sign != ',';
    let number = inside
        .bytes()
        .all(|byte| byte.is_ascii_digit() || b", -".contains(&byte));
    let words = inside.starts_with(|sign: char| sign.is_alphanumeric()) && !inside.contains(odd);
    let values = ["true", "false", "null"].contains(&inside) || inside.contains(", ");
    (words && !number && !values).then_some((Kind::Tag, "", end + 1))
}

/// Reads a date or time: `2024-05-01T12:00:00Z`, `12:00:01.5`, `May  1`.
fn time<'t>(near: &'t str, word: &'t str) -> Option<(Kind, &'t str, usize)> {
    if MONTHS.contains(&word) {
        let rest = near[3..].trim_start_matches(' ');
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let length = near.len() - rest.len() + digits;
        return (digits > 0).then_some((Kind::Time, "", length));
    }
    let bare = word.trim_end_matches([':', ',']);
    let sign = |byte: u8| byte.is_ascii_digit() || b"-:/.,TZ+".contains(&byte);
    let count = |sign: u8| bare.bytes().filter(|byte| *byte == sign).count();
    let parts = count(b':') >= 2 || count(b'-') >= 2 || count(b'/') == 2;
    let clock = bare.len() == 5 && bare.as_bytes()[2] == b':';
    let begins = bare.starts_with(|sign: char| sign.is_ascii_digit());
    (begins && bare.bytes().all(sign) && (parts || clock)).then_some((Kind::Time, "", word.len()))
}

/// Reads the number of a line, with the sign behind it.
fn number(near: &str) -> Option<(Kind, &str, usize)> {
    let digits = near.bytes().take_while(u8::is_ascii_digit).count();
    let number = near[..digits].parse().ok()?;
    let behind = &near[digits..];
    let spaced = behind.trim_start_matches(' ');
    let sign = [':', '|', '│', '→', '.', ')', '-', '\t']
        .into_iter()
        .find(|sign| spaced.starts_with(*sign));
    let length = near.len() - spaced.len();
    match sign {
        Some(sign) => Some((Kind::Number(number), "", length + sign.len_utf8())),
        None => behind
            .starts_with([' ', '\n', '\r'])
            .then_some((Kind::Number(number), "", digits)),
    }
}
