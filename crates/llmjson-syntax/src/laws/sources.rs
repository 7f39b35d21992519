//! Replies encoded for a web page, a terminal, a log, a protocol or a shell.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;

use super::{
    printed_value_reads_back, reading_is_deterministic, spans_lie_in_the_text,
    the_order_of_sources_changes_nothing, values_lie_within_each_other, work::for_each_piece,
    work_is_bounded,
};
use crate::reply::sources::SOURCES;
use crate::{Class, RepairKind, Stream, parse};

/// Writes a text in a transport encoding.
pub type Encoder = fn(&str) -> String;

/// Returns the text that the sources of this name make of a reply.
#[must_use]
pub fn made(name: &str, reply: &str) -> Option<String> {
    let mut sources = SOURCES.iter().filter(|source| source.name == name);
    let made = sources.find_map(|source| (source.make)(reply))?;
    Some(made.text)
}

/// Transport encodings with their names.
pub const ENCODERS: &[(&str, Encoder)] = &[
    ("lines of data:", data_lines),
    ("quotation", |text| before_lines(text, "> ")),
    // A value on a single comment line is a remark of the model.
    ("comment", |text| {
        match text.contains("{\n") || text.contains("[\n") {
            true => before_lines(text, "// "),
            false => text.to_owned(),
        }
    }),
    ("quotes as \\u0022", |text| text.replace('"', "\\u0022")),
    ("escaped for a script", escaped_for_script),
    ("quotes as \\x22", |text| {
        text.replace('\\', "\\x5C").replace('"', "\\x22")
    }),
    ("percent-encoded", percent),
    ("form-encoded", |text| percent(text).replace("%20", "+")),
    ("quoted-printable", quoted_printable),
    ("tokens of bytes", byte_tokens),
    ("tokens with bars", |text| {
        text.replace(' ', "▁").replace('\n', "<0x0A>")
    }),
    ("read as Windows-1252", |text| windows(&curly(text))),
    ("entities", entities),
    ("entities twice", |text| entities(&entities(text))),
    ("entities by name", named_entities),
    ("highlighted page", highlighted),
    ("lines of a page", |text| {
        entities(text)
            .replace('\n', "<br>\n")
            .replace("  ", "&nbsp;&nbsp;")
    }),
    ("single quotes of a shell", |text| {
        format!("echo '{}'", text.replace('\'', "'\\''"))
    }),
    ("PowerShell", |text| {
        text.replace('`', "``").replace('"', "`\"")
    }),
    ("escapes of Markdown", markdown),
    ("full-width signs", full_width),
    ("other punctuation", other_punctuation),
    ("colours", colours),
    ("literals of a program", literals),
    ("field of CSV", |text| {
        format!("7,\"{}\",x", text.replace('"', "\"\""))
    }),
    ("16-bit characters", |text| {
        text.chars().flat_map(|c| ['\0', c]).collect()
    }),
    ("escaped as a whole", |text| {
        text.replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace('\n', "\\n")
    }),
    ("wrapped at a column", |text| wrapped(text, 40)),
];

/// Checks the laws for replies in transport encodings: records lie in the reply, work is bounded,
/// and pieces make no difference at the end. Text that needs no repair is read unchanged, even if
/// it contains traces of an encoding.
///
/// # Panics
///
/// If one of the laws does not hold.
pub fn encoded_replies_keep_the_laws(text: &str, mut lengths: impl FnMut() -> usize) {
    let document = parse(text);
    let around = [RepairKind::CodeFence, RepairKind::SurroundingText];
    let mut repairs = document.repairs().iter();
    if document.is_complete()
        && repairs.all(|one| around.contains(&one.kind) && one.class == Class::Certain)
    {
        assert!(document.readings.source.is_none(), "{text:?} is as written");
    }
    spans_lie_in_the_text(text);
    values_lie_within_each_other(text);
    printed_value_reads_back(text);
    reading_is_deterministic(text);
    the_order_of_sources_changes_nothing(text);
    work_is_bounded(text);
    let mut stream = Stream::new();
    for_each_piece(text, &mut lengths, |piece| {
        stream.push_bytes(piece).expect("parts of a text");
    });
    let streamed = stream.finish().document;
    assert_eq!(streamed.to_json(), document.to_json(), "{text:?}");
    assert_eq!(streamed.repairs(), document.repairs(), "{text:?}");
}

/// Returns the number of encodings that change JSON, and the names of those from which another value
/// is read.
#[must_use]
pub fn misread_encodings(json: &str) -> (usize, Vec<&'static str>) {
    let value = parse(json).to_json();
    let encoded = ENCODERS.iter().map(|(name, encode)| (*name, encode(json)));
    // An encoding that changes only strings leaves JSON.
    let changed = encoded.filter(|(_, text)| text != json && !parse(text).repairs().is_empty());
    let changed: Vec<_> = changed.collect();
    let misread = changed
        .iter()
        .filter(|(_, text)| parse(text).to_json() != value);
    (changed.len(), misread.map(|(name, _)| *name).collect())
}

/// Wraps the lines of a text at a column.
#[must_use]
pub fn wrapped(text: &str, width: usize) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let signs: Vec<char> = line.chars().collect();
        for part in signs.chunks(width) {
            out.extend(part);
            out.push('\n');
        }
        if signs.is_empty() {
            out.push('\n');
        }
    }
    out
}

fn before_lines(text: &str, prefix: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("{prefix}{line}")).collect();
    lines.join("\n")
}

/// Literals that a program concatenates.
fn literals(text: &str) -> String {
    let signs: Vec<char> = text.chars().collect();
    let literal = |part: &[char]| {
        let part: String = part.iter().collect();
        let part = part.replace('\\', "\\\\").replace('\'', "\\'");
        format!("'{}'", part.replace('\n', "\\n"))
    };
    let parts: Vec<String> = signs.chunks(30).map(literal).collect();
    format!("reply = {};", parts.join(" +\n  "))
}

fn data_lines(text: &str) -> String {
    before_lines(text, "data: ") + "\n\n"
}

fn escaped_for_script(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('\n', "\\n");
    let escaped = escaped.replace('"', "\\u0022").replace('<', "\\u003C");
    escaped.replace('&', "\\u0026").replace('\'', "\\u0027")
}

fn percent(text: &str) -> String {
    text.bytes().fold(String::new(), |mut out, byte| {
        match byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            true => out.push(byte as char),
            false => _ = write!(out, "%{byte:02X}"),
        }
        out
    })
}

fn quoted_printable(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let mut length = 0;
        for byte in line.bytes() {
            let plain = (b' '..=b'~').contains(&byte) && byte != b'=';
            if length > 72 {
                out.push_str("=\n");
                length = 0;
            }
            match plain {
                true => out.push(byte as char),
                false => _ = write!(out, "={byte:02X}"),
            }
            length += if plain { 1 } else { 3 };
        }
        out.push('\n');
    }
    out
}

fn byte_tokens(text: &str) -> String {
    let plain = |byte: u8| matches!(byte, 33..=126 | 161..=172 | 174..=255);
    let odd: Vec<u8> = (0..=255).filter(|byte| !plain(*byte)).collect();
    let sign = |byte: u8| match odd.iter().position(|one| *one == byte) {
        Some(at) => char::from_u32(256 + at as u32).expect("a letter"),
        None => char::from(byte),
    };
    text.bytes().map(sign).collect()
}

fn curly(text: &str) -> String {
    // A web page had made the quotes around keys and strings typographic.
    let mut open = false;
    let mut escaped = false;
    let quote = |sign: char| {
        if sign == '"' && !escaped {
            open = !open;
            return if open { '“' } else { '”' };
        }
        escaped = sign == '\\' && !escaped;
        sign
    };
    text.chars().map(quote).collect()
}

fn windows(text: &str) -> String {
    const HIGH: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž',
        '\u{8f}', '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}',
        'ž', 'Ÿ',
    ];
    let sign = |byte: u8| match byte {
        0x80..=0x9f => HIGH[usize::from(byte - 0x80)],
        byte => char::from(byte),
    };
    text.bytes().map(sign).collect()
}

fn entities(text: &str) -> String {
    let text = text
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\'', "&#39;")
}

fn named_entities(text: &str) -> String {
    let text = entities(text)
        .replace('{', "&lbrace;")
        .replace('}', "&rbrace;");
    let text = text
        .replace('[', "&lbrack;")
        .replace(']', "&rbrack;")
        .replace('é', "&eacute;");
    text.replace('ö', "&ouml;")
        .replace('ü', "&uuml;")
        .replace('—', "&mdash;")
}

fn highlighted(text: &str) -> String {
    let text = entities(text);
    let mut out = String::from("<pre><code class=\"language-json\">");
    let mut rest = text.as_str();
    while let Some(at) = rest.find("&quot;") {
        let end = rest[at + 6..]
            .find("&quot;")
            .map_or(rest.len(), |end| at + end + 12);
        let _ = write!(
            out,
            "{}<span class=\"hljs-string\">{}</span>",
            &rest[..at],
            &rest[at..end]
        );
        rest = &rest[end..];
    }
    out + rest + "</code></pre>"
}

fn markdown(text: &str) -> String {
    let text = text.replace('\\', "\\\\");
    "_*[]{}#"
        .chars()
        .fold(text, |text, sign| text.replace(sign, &format!("\\{sign}")))
}

/// The value in a text with other punctuation than JSON's.
fn other_punctuation(text: &str) -> String {
    let start = text.find(['{', '[']).unwrap_or(text.len());
    let end = text.rfind(['}', ']']).map_or(start, |end| end + 1);
    let (mut quoted, mut escaped) = (false, false);
    let other = |sign: char| {
        let is_escaped = escaped;
        escaped = sign == '\\' && !escaped;
        match (sign, quoted) {
            ('"', _) if !is_escaped => {
                quoted = !quoted;
                if quoted { '⟨' } else { '⟩' }
            }
            (':', false) => '→',
            (',', false) => '¦',
            _ => sign,
        }
    };
    let inside: String = text[start..end].chars().map(other).collect();
    // The source asks for punctuation that occurs twice.
    if ['→', '¦']
        .iter()
        .any(|sign| inside.matches(*sign).count() < 2)
    {
        return text.to_owned();
    }
    format!("{}{inside}{}", &text[..start], &text[end..])
}

fn full_width(text: &str) -> String {
    let (mut open, mut escaped) = (false, false);
    let mut wide = |sign: char| {
        let quote = sign == '"' && !escaped;
        escaped = open && sign == '\\' && !escaped;
        if quote {
            open = !open;
        }
        let to_wide = quote || !open && sign.is_ascii_graphic();
        match to_wide {
            true => char::from_u32(sign as u32 + 0xFEE0).expect("a full-width sign"),
            false => sign,
        }
    };
    match text.find(['{', '[']).filter(|_| !text.contains("```")) {
        Some(at) => text[..at].to_owned() + &text[at..].chars().map(&mut wide).collect::<String>(),
        None => text.to_owned(),
    }
}

fn colours(text: &str) -> String {
    let mut out = String::from("\u{1b}[0m");
    let (mut open, mut escaped) = (false, false);
    for sign in text.chars() {
        let quote = sign == '"' && !escaped;
        escaped = open && sign == '\\' && !escaped;
        if quote && !open {
            out.push_str("\u{1b}[38;5;114m");
        }
        out.push(sign);
        if quote && open {
            out.push_str("\u{1b}[39m");
        }
        open ^= quote;
        if !open && matches!(sign, '{' | '[' | ',' | '\n') {
            out.push_str("\u{1b}[1;39m");
        }
    }
    out + "\u{1b}[0m"
}
