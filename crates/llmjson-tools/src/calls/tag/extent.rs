//! The ends of tags written in unusual ways.

use crate::calls::json::is_part;

/// Returns the end, before its bracket, of a token whose words were decoded with spaces between
/// them: `｜tool call begin｜`.
pub(super) fn spaced_token(inner: &str) -> Option<usize> {
    let bar = inner.chars().next().filter(|one| "|｜".contains(*one))?;
    let end = inner[bar.len_utf8()..].find(bar)? + 2 * bar.len_utf8();
    let is_word = |one: char| one == ' ' || one == '_' || one == '▁' || one.is_alphanumeric();
    let name = &inner[bar.len_utf8()..end - bar.len_utf8()];
    let is_token = name.contains(' ') && name.chars().all(is_word);
    (is_token && inner[end..].starts_with('>')).then_some(end)
}

/// Returns the position of the bracket that closes a tag with markup around its value:
/// `=<b>name</b>>`.
pub(super) fn marked_up(rest: &str) -> Option<usize> {
    let (_, inner) = rest.strip_prefix("=<")?.split_once('>')?;
    let (name, closer) = inner.split_once("</")?;
    let stop = rest.len() - closer.len() + closer.find('>')? + 1;
    let is_plain = !name.contains(['<', '>', '\n']);
    (is_plain && rest[stop..].starts_with('>')).then_some(stop)
}

/// Returns the position of the bracket that closes a tag, outside its quotes. If it is missing, the
/// tag ends with the line. Text that contains another tag is not a tag: `<b and so on</parameter>`.
pub(super) fn closing_bracket(rest: &str) -> Option<usize> {
    extent(rest)?.ok()
}

/// Returns `true` if the text after the name of a tag continues the tag up to the end of the text.
pub(super) fn may_close(rest: &str) -> bool {
    extent(rest) == Some(Err(()))
}

/// Returns where a tag ends, `Err` if the text ends before the tag does, or `None` if there is no tag.
fn extent(rest: &str) -> Option<Result<usize, ()>> {
    let mut quote = None;
    let mut begin = 0;
    for (at, one) in rest.char_indices() {
        match (one, quote) {
            // `<parameter name="city>`: a quote was lost.
            ('>', Some('"')) if at > begin && rest[begin..at].chars().all(is_part) => {
                return Some(Ok(at));
            }
            // `<invoke name=weather">`
            ('"', None) if rest[at + 1..].starts_with('>') && !rest[..at].ends_with('=') => {}
            ('>' | '{', None) => return Some(Ok(at)),
            ('<', None) => return None,
            ('\n', open) => {
                let is_tag = open.is_none() || !rest[..at].contains(['<', '>']);
                return is_tag.then_some(Ok(at));
            }
            ('"' | '\'', None) => (quote, begin) = (Some(one), at + 1),
            (one, Some(open)) if one == open => quote = None,
            _ => {}
        }
    }
    Some(Err(()))
}
