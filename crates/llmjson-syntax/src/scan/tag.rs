//! Tags and special tokens.

use alloc::format;
use alloc::string::String;

use crate::scan::WordList;

/// Maximum length of a tag.
const TAG_MAX: usize = 200;

/// Maximum length of a special token's name, plus one.
const SPECIAL_MAX: usize = 80;

/// HTML elements around text on web pages, elements that begin or end a line, and others.
pub(crate) static INLINE: WordList = WordList::new(
    "span code pre b i em strong font a u s mark samp tt kbd var button svg path wbr",
);
pub(crate) static BLOCKS: WordList = WordList::new(
    "br p div tr li ul ol table tbody section article body html figure blockquote \
    h1 h2 h3",
);
static OTHER_ELEMENTS: WordList = WordList::new(
    "td th thead tfoot caption dl dt dd sub sup small h4 h5 h6 head header \
    footer nav main aside title style script form fieldset legend label select option textarea details \
    summary abbr cite del ins video audio canvas iframe noscript dialog address",
);

/// Returns the tag or special token at `at`, with its name, its end, and whether it closes.
#[must_use]
pub fn tag(text: &str, at: usize) -> Option<(bool, &str, usize)> {
    let rest = text.get(at..)?.strip_prefix('<')?;
    if let Some(special) = rest.strip_prefix('|').or_else(|| rest.strip_prefix('｜')) {
        let window = &special.as_bytes()[..special.len().min(SPECIAL_MAX)];
        let end = memchr::memchr(b'>', window)?;
        return Some((
            false,
            &special[..end],
            at + (rest.len() - special.len()) + 1 + end + 1,
        ));
    }
    let (closing, rest) = match rest.strip_prefix('/') {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let near = &rest.as_bytes()[..rest.len().min(TAG_MAX)];
    if !near.first()?.is_ascii_alphabetic() {
        return None;
    }
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_-:.".contains(&byte);
    let name_end = near.iter().position(|byte| !is_name(*byte))?;
    let mut behind = near[name_end..].iter();
    let length = behind.position(|byte| matches!(byte, b'>' | b'<' | b'{' | b'\n'))?;
    let end = name_end + length;
    if near[end] != b'>' {
        return None;
    }
    Some((
        closing,
        &rest[..name_end],
        at + 1 + usize::from(closing) + end + 1,
    ))
}

/// Returns `true` for the name of an element of HTML.
pub(crate) fn is_element(name: &str) -> bool {
    [&INLINE, &BLOCKS, &OTHER_ELEMENTS]
        .iter()
        .any(|names| names.has(name))
}

/// The special token that replaces a quote.
pub(crate) const QUOTE_TOKEN: &str = "<|\"|>";

/// The names of special tokens that are written as tags, without the usual bars.
pub(crate) const TOKENS: [&str; 9] = [
    "<pad>",
    "<eos>",
    "<bos>",
    "<unk>",
    "</s>",
    "<end_of_turn>",
    "<start_of_turn>",
    "[INST]",
    "[/INST]",
];

/// Returns the end of the special chat-template token that begins at `at`: 10 for `<|im_end|>`, 4
/// for `</s>`.
pub(crate) fn special_token(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    if rest.starts_with("<|") || rest.starts_with("<｜") {
        let (_, name, end) = tag(text, at)?;
        let quote = rest.starts_with(QUOTE_TOKEN);
        return (name.ends_with(['|', '｜']) && !quote).then_some(end);
    }
    let is = |token: &&&str| {
        let same = rest.as_bytes().get(..token.len());
        same.is_some_and(|same| same.eq_ignore_ascii_case(token.as_bytes()))
    };
    let token = TOKENS.iter().find(is)?;
    Some(at + token.len())
}

/// Returns `true` if a text contains a special token.
pub(crate) fn holds_special_token(text: &str) -> bool {
    let mut signs = memchr::memchr2_iter(b'<', b'[', text.as_bytes());
    signs.any(|at| special_token(text, at).is_some())
}

/// Returns the closing counterpart of a tag: `</think>` for `<think>`, `<|end_of_thought|>` for
/// `<|begin_of_thought|>`.
pub(crate) fn closer_of(raw: &str) -> Option<String> {
    let inner = raw.strip_prefix(['<', '['])?;
    let closer = match () {
        () if inner.contains("begin") => raw.replace("begin", "end"),
        () if inner.contains("start") => raw.replace("start", "end"),
        () if inner.contains("START") => raw.replace("START", "END"),
        () if inner.starts_with('|') && inner.ends_with("|>") => format!("<|/{}", &inner[1..]),
        () if inner.starts_with('|') => {
            format!("<{}|>", inner.trim_matches(['|', '>']))
        }
        () => {
            let name = inner.split([' ', '>', ']']).next().unwrap_or_default();
            let (open, close) = if raw.starts_with('<') {
                ("</", ">")
            } else {
                ("[/", "]")
            };
            let name = if raw.starts_with('[') {
                &inner[..inner.len() - 1]
            } else {
                name
            };
            format!("{open}{name}{close}")
        }
    };
    Some(closer)
}
