//! The part of a text that can no longer be part of a call.

use llmjson::internal::begun_fence;
use llmjson::tools::Registry;

/// The maximum number of bytes between the beginning of a call and its tool's name.
const LEAD_BYTES_MAX: usize = 256;

/// Words before a bracket that begin a call.
const LEADS: &[&str] = &[
    ">>>",
    "functools",
    "tool_call>",
    "Action",
    "commentary",
    "assistantcommentary",
    "to=functions.",
    "TOOL_CALLS]",
    "_CALLS]",
    "CALLS]",
];

/// Keys whose arguments may precede the call's name.
const ARGUMENTS: &[&str] = &["arg", "param", "input"];

/// Returns the length of the prefix of a text that is not part of a call, whatever follows. Calls
/// were searched up to `searched`, and the text before `from` is already decided.
pub(super) fn released(text: &str, from: usize, searched: usize, registry: &Registry) -> usize {
    let mut end = text.len();
    let mut at = searched.max(from);
    while let Some(found) = memchr::memchr3(
        b'<',
        b'[',
        b'{',
        text.as_bytes().get(at..).unwrap_or_default(),
    ) {
        at += found;
        if may_begin(&text[at..]) {
            end = at;
            break;
        }
        at += 1;
    }
    let near = text
        .ceil_char_boundary(end.saturating_sub(LEAD_BYTES_MAX))
        .max(from);
    end = begun_fence(&text[near..end]).map_or(end, |fence| near + fence);
    end = before_lead(text, from, end);
    before_word(text, from, end, registry)
}

/// Returns `true` if a bracket, with the text after it, may begin a call.
fn may_begin(rest: &str) -> bool {
    let bytes = rest.as_bytes();
    let Some(second) = bytes.get(1) else {
        return true;
    };
    let is_dead = match bytes[0] {
        b'<' => second.is_ascii_digit() || b" =-\n".contains(second),
        b'[' => second.is_ascii_digit() || b"] ".contains(second),
        _ => second.is_ascii_digit() || *second == b'}',
    };
    if is_dead {
        return false;
    }
    if rest.len() <= LEAD_BYTES_MAX {
        return true;
    }
    // `{"arguments": {…}, "name": …`
    let first = rest.trim_start_matches(['{', '[', '"', '\'', ' ', '\n']);
    let first: String = first.chars().take(16).collect();
    bytes[0] != b'<' && ARGUMENTS.iter().any(|word| first.contains(word))
}

/// Returns the beginning of the first word that may belong to a call after it.
fn before_lead(text: &str, from: usize, end: usize) -> usize {
    let near = text
        .floor_char_boundary(end.saturating_sub(LEAD_BYTES_MAX / 2))
        .max(from);
    let part = &text[near..end];
    let begins_line = |at: usize| {
        let before = text[..at].trim_end_matches(['*', ' ', '#']);
        before.is_empty() || before.ends_with('\n')
    };
    let found = LEADS.iter().filter_map(|lead| {
        let at = near + memchr::memmem::find(part.as_bytes(), lead.as_bytes())?;
        (*lead != "Action" || begins_line(at)).then_some(at)
    });
    let found = found.min().unwrap_or(end);
    // An incomplete word.
    let begun = LEADS.iter().filter_map(|lead| {
        let lengths = (1..lead.len()).rev();
        let mut starts = lengths.filter_map(|length| {
            let start = found.checked_sub(length).filter(|start| *start >= from)?;
            (text.is_char_boundary(start) && text[start..found] == lead[..length]).then_some(start)
        });
        let is_own = |start: usize| {
            let before = text[..start].chars().next_back();
            !before.is_some_and(char::is_alphanumeric)
        };
        starts.find(|start| is_own(*start) && (*lead != "Action" || begins_line(*start)))
    });
    begun.min().unwrap_or(found)
}

/// Returns the beginning of a tool's name that ends a text or makes up the whole text, or of text
/// that may become one.
fn before_word(text: &str, from: usize, end: usize, registry: &Registry) -> usize {
    let is_part = |one: char| one.is_alphanumeric() || "_-.".contains(one);
    let part = &text[from..end];
    let head = part.trim_end();
    let word = head.rfind(|one| !is_part(one)).map_or(0, |at| {
        at + head[at..].chars().next().map_or(1, char::len_utf8)
    });
    let name = &head[word..];
    if name.is_empty() || name.len() > 64 {
        return end;
    }
    let is_all =
        text[..from + word].trim().is_empty() || text[..from + word].trim_end().ends_with('>');
    let is_at_end = head.len() == part.len();
    let written = letters(name);
    let mut names = registry
        .contracts()
        .map(|contract| letters(contract.name()));
    let may_be = names.any(|known| known == written || is_at_end && known.starts_with(&written));
    // Elsewhere in the text, a bracket must follow immediately.
    match may_be && (is_all || is_at_end) {
        true => from + word,
        false => end,
    }
}

fn letters(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|one| one.to_ascii_lowercase()).collect()
}
