//! Frames: the texts that logs, listings, comments, tables, boxes and diffs add to each line of a
//! reply.

use alloc::vec::Vec;

use memchr::memmem;

use crate::reply::sources::map::Derived;
use crate::reply::sources::state::{State, is_cut};
use crate::scan::lines;

/// Maximum length of a frame on one side of a line.
const FRAME_BYTES: usize = 160;

/// Maximum length of the mark of a list, with the blanks after it.
const BULLET_BYTES: usize = 12;

/// Removes the text before the first bracket of a value whose form repeats before each line below,
/// and the text that repeats at the end of all these lines.
pub(crate) fn framed(text: &str) -> Option<Derived> {
    let mut at = 0;
    while let Some(open) = memchr::memchr2(b'{', b'[', &text.as_bytes()[at..]) {
        let start = line_start(text, at + open);
        let line = lines(&text[start..]).next()?;
        at = start + line.len();
        let Some(open) = opener(line) else {
            continue;
        };
        // An array of complete values has no frame.
        if !is_cut(&line[open..]) && open > 0 {
            continue;
        }
        let frame = &line[..open];
        let lines = lines(&text[start..]);
        let lines = lines.map_while(|line| Some((line, frame_of(frame, line)?)));
        let derived = without_frame(text, start, frame, lines.clone());
        // A value without a frame is already as written.
        if derived.is_some() || open == 0 {
            return derived;
        }
        at = at.max(start + lines.map(|(line, _)| line.len()).sum::<usize>());
    }
    None
}

fn line_start(text: &str, at: usize) -> usize {
    memchr::memrchr(b'\n', &text.as_bytes()[..at]).map_or(0, |at| at + 1)
}

/// Returns the place of the bracket that opens the value of a line, which is not part of the line's
/// frame: `[INFO] {`.
fn opener(line: &str) -> Option<usize> {
    let near = &line.as_bytes()[..line.len().min(FRAME_BYTES)];
    memchr::memchr2_iter(b'{', b'[', near).find(|at| {
        let rest = line[at + 1..].trim_start();
        let begins = rest.is_empty() || rest.starts_with(['"', '{', '[', '}', ']', '\'']);
        begins || near[*at] == b'{' && !rest.starts_with(char::is_alphanumeric)
    })
}

/// Removes a frame from these lines, and the text with which all of them end.
fn without_frame<'t>(
    text: &'t str,
    start: usize,
    frame: &str,
    lines: impl Iterator<Item = (&'t str, usize)> + Clone,
) -> Option<Derived> {
    let is_blank = frame.trim().is_empty();
    let behind = closing_frame(common_end_of(lines.clone())?);
    let least = if is_blank { 3 } else { 2 };
    if is_blank && behind.is_empty() || lines.clone().nth(least - 1).is_none() {
        return None;
    }
    let mut derived = Derived::default();
    let above = &text[..start];
    let comment = above.trim_end().strip_suffix("/*");
    derived.push(0, comment.filter(|_| frame.trim() == "*").unwrap_or(above));
    let mut at = start;
    for (line, before) in lines {
        let inside = line.trim_end().get(before..).unwrap_or_default();
        let inside = inside.strip_suffix(behind).unwrap_or(inside);
        let end = &line[line.trim_end_matches(['\n', '\r']).len()..];
        // Boxes pad their lines with blanks.
        derived.push(at + before, inside.trim_end());
        derived.push(at + line.len() - end.len(), end);
        at += line.len();
    }
    Some(derived.finish(text, at))
}

/// Returns the common suffix of the lines after their frames, except for blank ones.
fn common_end_of<'t>(lines: impl Iterator<Item = (&'t str, usize)>) -> Option<&'t str> {
    let insides = lines.map(|(line, before)| line.trim_end().get(before..).unwrap_or_default());
    let mut ends = insides.filter(|line| !line.trim().is_empty());
    let mut common = ends.next()?;
    for end in ends {
        common = common_end(common, end);
        if common.is_empty() {
            break;
        }
    }
    Some(common)
}

/// Returns `true` if each line from the value at `start` up to `end` begins with the frame of its
/// first line, even inside a string: `> {"a": "one` and `> two"}`. List markers are part of the
/// text, and so are words that only one line repeats.
pub(crate) fn in_frames(text: &str, start: usize, end: usize) -> bool {
    let (frame, value) = (&text[line_start(text, start)..start], &text[start..end]);
    let number = |sign: char| sign.is_ascii_digit() || matches!(sign, '.' | ')');
    let marker = matches!(
        frame.trim().trim_matches(number),
        "" | "-" | "*" | "+" | "•"
    );
    let mut lines = value.lines().skip(1);
    let most = if frame.contains(char::is_alphabetic) {
        2
    } else {
        1
    };
    let shown = frame.len() <= FRAME_BYTES && !marker && lines.clone().nth(most - 1).is_some();
    shown && lines.all(|line| frame_of(frame, line).is_some())
}

/// Returns `true` if the first line of a reply opens its value after a frame with which all other
/// lines begin.
pub(crate) fn are_evident(text: &str) -> bool {
    let line = text.split('\n').next().unwrap_or_default();
    opener(line).is_some_and(|open| in_frames(text, open, text.trim_end().len()))
}

/// Returns the length of a line's frame if it has the form of this one: numbers may differ,
/// identifiers of one length with digits, capitals such as log levels, and the blanks
/// after them.
fn frame_of(frame: &str, line: &str) -> Option<usize> {
    if frame.is_empty() {
        return Some(0);
    }
    let (one, two) = (frame.as_bytes(), line.trim_end().as_bytes());
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let (mut here, mut there) = (0, 0);
    while here < one.len() {
        let (first, second) = (run(one, here, blank), run(two, there, blank));
        let last = run(one, first, u8::is_ascii_alphanumeric);
        let end = run(two, second, u8::is_ascii_alphanumeric);
        let words = [&one[first..last], &two[second..end]];
        let all = |is_one: fn(&u8) -> bool| words.iter().all(|word| word.iter().all(is_one));
        let named = || words.iter().any(|word| word.iter().any(u8::is_ascii_digit));
        let [word, other] = words.map(<[u8]>::len);
        let alike =
            || all(u8::is_ascii_digit) || all(u8::is_ascii_uppercase) && word > 2 && other > 2;
        if word > 0 && other > 0 && (alike() || word == other && named()) {
            // Columns are filled with blanks.
            let filled = run(one, last, blank);
            let blanks = (filled - first)
                .saturating_sub(other)
                .max(usize::from(filled > last));
            (here, there) = (filled, run(two, end, blank).min(end + blanks));
        } else if there == two.len() {
            // Trailing blanks of a frame are lost on otherwise empty lines.
            return frame[here..].trim().is_empty().then_some(there);
        } else if one[here] == two[there] {
            (here, there) = (here + 1, there + 1);
        } else {
            return None;
        }
    }
    line.is_char_boundary(there).then_some(there)
}

/// Returns the end of the bytes of one kind from `at` on.
fn run(bytes: &[u8], at: usize, is_one: impl Fn(&u8) -> bool) -> usize {
    at + bytes[at..].iter().take_while(|byte| is_one(byte)).count()
}

/// Returns the common suffix of two texts.
pub(crate) fn common_end<'t>(one: &'t str, two: &str) -> &'t str {
    let pairs = one.bytes().rev().zip(two.bytes().rev());
    let start = one.len() - pairs.take_while(|(one, two)| one == two).count();
    &one[one.ceil_char_boundary(start)..]
}

/// Returns the end of all lines if it can be a frame: no punctuation of a value.
fn closing_frame(end: &str) -> &str {
    let end = end.trim();
    let begins = end.starts_with(|sign: char| !sign.is_alphanumeric() && sign != '.');
    let is_value = end.contains(['{', '}', ']', '"', ',', ':']);
    if begins && !is_value && end.len() <= FRAME_BYTES {
        end
    } else {
        ""
    }
}

/// Removes the marks of a list from the lines of a value: `• "a": 1`, `2. {`.
pub(crate) fn bullets(text: &str) -> Option<Derived> {
    let is_marked = |at: usize| bullet(text[at + 1..].trim_start_matches([' ', '\t'])).is_some();
    if !memchr::memchr_iter(b'\n', text.as_bytes()).any(is_marked) {
        return None;
    }
    let is_other = |line: &str| !line.trim().is_empty() && !is_token(line);
    let mut derived = Derived::default();
    let mut state = State::default();
    let (mut at, mut marked, mut mark) = (0, 0, None);
    for line in lines(text) {
        let inside = line.trim_start_matches([' ', '\t']);
        let indent = line.len() - inside.len();
        let length = match mark {
            // The marks of several values are not part of any.
            _ if state.depth == 0 || state.quoted => None,
            None => bullet(inside),
            Some(mark) => frame_of(mark, inside).filter(|length| is_token(&inside[*length..])),
        };
        derived.push(at, &line[..indent]);
        let inside = match length {
            Some(length) => {
                mark = mark.or(Some(&inside[..length]));
                marked += 1;
                &inside[length..]
            }
            // The lines of a string, or of a comment.
            None if mark.is_some() && state.depth > 0 && is_other(inside) => return None,
            None => inside,
        };
        at += line.len();
        derived.push(at - inside.len(), inside);
        state.pass(inside);
        state.comment = false;
    }
    (marked > 1).then(|| derived.finish(text, at))
}

/// Returns the length of the mark of a list with which a line begins, and of the blanks after it.
fn bullet(line: &str) -> Option<usize> {
    if is_token(line) {
        return None;
    }
    let is_mark = |sign: char| {
        !sign.is_alphanumeric() && !sign.is_whitespace() && !"/#,:;()<=|&".contains(sign)
    };
    let digits = line.trim_start_matches(|sign: char| sign.is_ascii_digit());
    let rest = match digits.len() < line.len() {
        true => digits.strip_prefix(['.', ')'])?,
        false => line.trim_start_matches(is_mark),
    };
    let bare = rest.trim_start_matches(' ');
    let length = line.len() - bare.len();
    let is_bullet = bare.len() < rest.len() && length <= BULLET_BYTES;
    (is_bullet && is_token(bare)).then_some(length)
}

/// Returns `true` if a line begins with a string or a bracket.
fn is_token(line: &str) -> bool {
    line.starts_with(['"', '\'', '{', '[', '}', ']'])
}

/// Removes the markers of a diff from its lines, and its removed lines. A removed member that no
/// added line replaces may belong to the value.
pub(crate) fn changes(text: &str) -> Option<Derived> {
    let marked = |line: &str, mark: char| {
        let inside = line.strip_prefix(mark);
        inside.is_some_and(|inside| {
            !inside.starts_with(|sign: char| sign.is_ascii_digit() || sign == mark)
        })
    };
    let begins = |mark: u8| {
        text.as_bytes().first() == Some(&mark)
            || memmem::find(text.as_bytes(), &[b'\n', mark]).is_some()
    };
    if !begins(b'+') && !begins(b'-') {
        return None;
    }
    let adds = text.lines().any(|line| marked(line, '+'));
    let mut derived = Derived::default();
    let (mut at, mut any) = (0, false);
    let (mut removed, mut added): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    for line in lines(text) {
        // Markdown lists have a dash before each line, but no removed lines.
        let marks = (marked(line, '+'), marked(line, '-'));
        let mark = usize::from(marks.0 || marks.1);
        any |= mark > 0;
        match marks {
            _ if line.starts_with("@@ ") => {}
            (_, true) if adds => removed.extend(name_of(&line[mark..])),
            _ => {
                if marks.0 {
                    added.extend(name_of(&line[mark..]));
                }
                derived.push(at + mark, &line[mark..]);
            }
        }
        at += line.len();
    }
    added.sort_unstable();
    derived.is_guess = removed
        .iter()
        .any(|name| added.binary_search(name).is_err());
    any.then(|| derived.finish(text, at))
}

/// Returns the key of a line with a member.
fn name_of(line: &str) -> Option<&str> {
    let (name, _) = line.split_once(':')?;
    Some(name.trim().trim_matches(['"', '\'']))
}
