//! Raw line breaks in strings, written by the author or inserted by something else.

use crate::scan::tag::holds_special_token;

/// Minimum number of lines whose lengths show whether a string was wrapped at a fixed width.
const LINES_MIN: usize = 4;

/// Returns `true` if a raw line break in a string may not belong to it, or the string may contain
/// too much: an email client or a terminal split a word, a number or a sentence, as in `hel\nlo`,
/// or a fence, a special token or `", (` shows that the content extends past the string.
pub(crate) fn is_doubtful(inside: &str) -> bool {
    if !inside.contains(['\n', '\r']) {
        return false;
    }
    // `"\none"`: a single line needs no break before it.
    if inside.starts_with(['\n', '\r']) && !inside.trim().contains(['\n', '\r']) {
        return true;
    }
    let fence = |line: &str| ["```", "~~~"].iter().any(|sign| line.starts_with(sign));
    let mut lines = inside.lines().map(|line| line.trim_start());
    if lines.any(fence) || holds_special_token(inside) || inside.contains("\", (") {
        return true;
    }
    let laid_out = is_laid_out(inside);
    let breaks = inside.lines().zip(inside.lines().skip(1));
    // A backslash before the break makes its meaning clear.
    let mut breaks = breaks.filter(|(before, _)| !before.ends_with('\\'));
    breaks.any(|(before, behind)| {
        // Quoted-printable text continues a line with a trailing `=`; `==` underlines a heading.
        let sign = before.trim_end_matches(' ');
        let soft = sign.ends_with('=') && !sign.ends_with("==");
        soft || !laid_out && parts_word(before, behind)
    })
}

/// Returns `true` if the line breaks of a string are intentional: a line is empty, indented or
/// begins with punctuation, or the lengths differ too much for text wrapped at a fixed width.
fn is_laid_out(text: &str) -> bool {
    let made = |line: &str| {
        let mut signs = line.chars();
        match signs.next() {
            Some(' ') => line.starts_with("  "),
            Some(first) => !(first.is_alphanumeric() || "\"'(.,;:!?)".contains(first)),
            None => true,
        }
    };
    if text.lines().skip(1).any(made) {
        return true;
    }
    let count = text.lines().count();
    // The first line may begin anywhere, and the last one may end anywhere.
    let inner = || (text.lines().take(count - 1).skip(1)).map(str::len);
    let (least, most) = (inner().min().unwrap_or(0), inner().max().unwrap_or(0));
    count >= LINES_MIN && 4 * least < 3 * most
}

/// Returns `true` if a line break splits a word, a number or a sentence: between `hel` and `lo`,
/// `quick` and ` fox`, `12` and `34`, but not between `one.` and `Two`.
fn parts_word(before: &str, behind: &str) -> bool {
    let (last, first) = match (before.strip_suffix(' '), behind.strip_prefix(' ')) {
        (Some(before), None) => (before, behind),
        (None, Some(behind)) => (before, behind),
        _ => (before, behind),
    };
    let mut ends = last.chars().rev();
    let (Some(last), Some(first)) = (ends.next(), first.chars().next()) else {
        return false;
    };
    let goes_on = first.is_alphabetic() && !first.is_uppercase();
    if ",.;:!?)".contains(first) {
        return last.is_alphanumeric();
    }
    match last {
        // `infor-` and `mation`
        '-' => goes_on && ends.next().is_some_and(char::is_alphabetic),
        _ if last.is_alphabetic() => goes_on,
        _ => last.is_ascii_digit() && first.is_ascii_digit(),
    }
}
