//! Windows paths in strings, whose backslashes look like escapes.

/// Maximum number of bytes between the root of a path and a backslash; names of computers are
/// shorter, too.
pub(super) const PATH_MAX: usize = 128;

/// Maximum number of spaces in a name of a path; with more it is a sentence.
const NAME_SPACES_MAX: usize = 2;

/// Returns `true` if the backslash at `at` separates the names of a path. The path either begins
/// the string or has a drive, contains no white space and follows none, and does not end in
/// sentence punctuation.
pub(crate) fn in_path(inside: &str, at: usize) -> bool {
    let bytes = inside.as_bytes();
    if begins_path(bytes) {
        return true;
    }
    let ends = |byte: u8| b".,;!?)".contains(&byte);
    if at > 0 && ends(bytes[at - 1]) {
        return false;
    }
    let near = &bytes[at.saturating_sub(PATH_MAX)..at];
    let mut drives = memchr::memchr_iter(b':', near);
    if !drives.any(|colon| near.get(colon + 1).or(bytes.get(at)) == Some(&b'\\')) {
        return false;
    }
    let word = near
        .iter()
        .rev()
        .take_while(|byte| !byte.is_ascii_whitespace());
    let from = at - word.count();
    memchr::memchr_iter(b':', &bytes[from..at]).any(|colon| {
        let colon = from + colon;
        let drive = colon.checked_sub(1);
        let Some(drive) = drive.filter(|&drive| bytes[drive].is_ascii_alphabetic()) else {
            return false;
        };
        let before = &inside[..drive];
        let last = before.chars().next_back();
        // `tiết:\n`: a script with case has a space before a path, Chinese may not.
        let part = |c: char| c.is_ascii_alphanumeric() || c.is_lowercase() || c.is_uppercase();
        let apart =
            !last.is_some_and(part) || matches!(before.as_bytes(), [.., b'\\', b'n' | b't' | b'r']);
        apart && bytes.get(colon + 1) == Some(&b'\\') && begins_name(&bytes[colon + 2..])
    })
}

/// Returns `true` if a name follows the backslash after a drive.
fn begins_name(rest: &[u8]) -> bool {
    let named = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    rest.first().is_some_and(|&byte| named(byte)) && !begins_line(rest)
}

/// Returns `true` if a colon and a backslash end a line of code, which continues after white space:
/// `if x:\n    y()`.
fn begins_line(rest: &[u8]) -> bool {
    matches!(rest, [b'n' | b'r', b' ' | b'\t' | b'\\' | b'\n', ..])
}

/// Returns `true` if a string begins like a path: `C:\`, `\\host\`, `..\`, `%TEMP%\`.
fn begins_path(bytes: &[u8]) -> bool {
    match bytes {
        [drive, b':', b'\\', rest @ ..] => drive.is_ascii_alphabetic() && !begins_line(rest),
        [b'.' | b'~', b'\\', ..] | [b'.', b'.', b'\\', ..] => true,
        [b'\\', b'\\', ..] => begins_network_path(bytes) == Some(true),
        [b'%', rest @ ..] => {
            let name = rest.iter().take(PATH_MAX);
            let length = name.take_while(|&&b| b.is_ascii_alphanumeric() || b == b'_');
            matches!(rest[length.count()..], [b'%', b'\\', ..])
        }
        _ => false,
    }
}

/// Returns the offset of the first decoded escape of a string that as a whole looks like a path
/// with a drive, where a name would begin: 2 of `C:\temp\new`, but not of `A:\nYes`.
pub(crate) fn decoded_in_path(inside: &str) -> Option<usize> {
    let bytes = inside.as_bytes();
    let [drive, b':', b'\\', ..] = bytes else {
        return None;
    };
    let (mut at, mut found, mut names) = (2, None, 0);
    while at < bytes.len() {
        let begin = match bytes.get(at + 1)? {
            b'\\' => at + 2,
            b'b' | b'f' | b'n' | b'r' | b't' => {
                found = found.or(Some(at));
                at + 1
            }
            _ => return None,
        };
        let rest = &inside[begin..];
        let name = &rest[..memchr::memchr(b'\\', rest.as_bytes()).unwrap_or(rest.len())];
        let part = |c: char| c.is_alphanumeric() || " ._-()$~#&+@'".contains(c);
        if !name.chars().all(part) || name.matches(' ').count() > NAME_SPACES_MAX {
            return None;
        }
        names += 1;
        at = begin + name.len();
    }
    // `Q:\n` and `A:\n` precede questions and answers more often than names.
    let line = bytes[3] == b'n' && bytes.get(4).is_some_and(u8::is_ascii_uppercase);
    let label = line || names == 1 && matches!(drive | 0x20, b'a' | b'q');
    found.filter(|_| drive.is_ascii_alphabetic() && !label)
}

/// Returns whether a string begins with two backslashes, the name of a computer and one backslash.
/// Returns `None` if the text is too short to decide.
pub(super) fn begins_network_path(bytes: &[u8]) -> Option<bool> {
    let name = bytes.strip_prefix(b"\\\\").unwrap_or_default();
    let part = |b: &&u8| b.is_ascii_alphanumeric() || b"._-$".contains(b);
    let length = name.iter().take(PATH_MAX).take_while(part).count();
    match name[length..] {
        [] if length < PATH_MAX => None,
        [b'\\'] => None,
        [b'\\', next, ..] => Some(length > 0 && next != b'\\' && next != b'"'),
        _ => Some(false),
    }
}

#[cfg(test)]
mod tests {
    use super::decoded_in_path;

    #[test]
    fn paths_may_hold_escapes() {
        for (inside, at) in [
            (r"C:\temp\new", Some(2)),
            (r"C:\new", Some(2)),
            (r"d:\\temp\new file (1).txt", Some(8)),
            (r"C:\\Users\\new", None),
            (r"C:\temp\Users", None),
            (r"C:\temp\u00e9", None),
            (r"A:\nYes", None),
            (r"A:\new\file", Some(2)),
            (r"B:\nThis is a sentence of words", None),
            (r"Note:\nx", None),
            (r"1:\new", None),
            (r"C:", None),
        ] {
            assert_eq!(decoded_in_path(inside), at, "{inside}");
        }
    }
}
