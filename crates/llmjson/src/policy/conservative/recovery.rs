//! Recovery from the one kind of truncation that is repaired here: inside a string that
//! is a member's value of the outermost object.
//!
//! Closing anything deeper would make a record of which nobody knows whether it was whole.

use std::ops::Range;

use llmjson_syntax::{Document, Parser, RepairKind};

/// Reads a reply that broke off inside a string of its outermost object, and nothing else that is
/// cut: the string and the object are closed.
///
/// Escaped line breaks at the end of the string go, because models that are about to be cut off
/// often write many; any other text stays, and so do raw line breaks and spaces. Half an escape,
/// half a surrogate pair and, in bytes, half a character go too. The rest has to be strict JSON.
///
/// Returns `None` for any other reply: one that ended outside of a string, in a name or in a string
/// that stands deeper, or one that is not an object.
///
/// ```
/// use llmjson::policy::conservative::recover;
///
/// let document = recover(r#"{"page": "the end\n\n\n"#).expect("it broke off in a string");
/// assert_eq!(document.to_json().as_deref(), Some(r#"{"page":"the end"}"#));
/// assert!(!document.is_complete());
/// assert!(recover(r#"{"page": {"text": "the e"#).is_none());
/// ```
#[must_use]
pub fn recover<'t>(reply: &'t (impl AsRef<[u8]> + ?Sized)) -> Option<Document<'t>> {
    let bytes = reply.as_ref();
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) if error.error_len().is_some() => return None,
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).ok()?,
    };
    let start = text.len() - text.trim_start().len();
    recover_part(&mut Parser::new(), text, start..text.len())
}

/// The same for a part of a reply, after which nothing follows that belongs to it.
pub(crate) fn recover_part<'t>(
    parser: &mut Parser,
    text: &'t str,
    part: Range<usize>,
) -> Option<Document<'t>> {
    let broken = Broken::find(&text[part.clone()])?;
    let cut = part.start + broken.cut;
    let document = parser.parse_cut(text, part.start, cut);
    document.root()?;
    // Strict JSON has no raw line breaks in strings; at the end they may be the place of the cut.
    let solid = text[..cut].trim_end().len();
    let mut repairs = document.repairs().iter();
    let raw_inside = repairs.any(|one| {
        let string = one.span.start as usize..(one.span.end as usize).min(solid);
        let inside = text.as_bytes().get(string).unwrap_or_default();
        one.kind == RepairKind::ControlCharacter && inside.iter().any(|byte| *byte < 0x20)
    });
    (!raw_inside).then_some(document)
}

/// A text that ends inside a string of its outermost object.
struct Broken {
    /// Where what is kept of the string ends.
    cut: usize,
}

impl Broken {
    fn find(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        if bytes.first() != Some(&b'{') {
            return None;
        }
        let (mut depth, mut at) = (0u32, 0);
        while at < bytes.len() {
            match bytes[at] {
                b'{' | b'[' => depth += 1,
                // Which bracket it is shows when the text is read.
                b'}' | b']' => depth = depth.saturating_sub(1),
                b'"' => match string_end(bytes, at + 1) {
                    End::Quote(end) => at = end,
                    End::Text { cut } => return (depth == 1).then_some(Self { cut }),
                },
                _ => {}
            }
            at += 1;
        }
        None
    }
}

/// How a string ends.
enum End {
    /// At this quote.
    Quote(usize),
    /// With the text; this is where what is kept of it ends.
    Text { cut: usize },
}

fn string_end(bytes: &[u8], start: usize) -> End {
    let (mut at, mut cut) = (start, start);
    while at < bytes.len() {
        match bytes[at] {
            b'"' => return End::Quote(at),
            b'\\' => match escape(&bytes[at..]) {
                Escape::Cut => return End::Text { cut },
                Escape::LineBreak => at += 2,
                Escape::Content(length) => {
                    at += length;
                    cut = at;
                }
            },
            _ => {
                at += 1;
                cut = at;
            }
        }
    }
    End::Text { cut }
}

enum Escape {
    /// The text ends before it does, or between the halves of a pair.
    Cut,
    /// `\n` or `\r`.
    LineBreak,
    /// Anything else, with its length.
    Content(usize),
}

/// The escape at the beginning of `bytes`.
fn escape(bytes: &[u8]) -> Escape {
    match bytes.get(1) {
        None => Escape::Cut,
        Some(b'n' | b'r') => Escape::LineBreak,
        Some(b'u') => match unit(bytes) {
            Unit::Cut => Escape::Cut,
            Unit::Code(0xD800..0xDC00) => match unit(&bytes[6..]) {
                Unit::Cut => Escape::Cut,
                Unit::Code(0xDC00..0xE000) => Escape::Content(12),
                _ => Escape::Content(6),
            },
            Unit::Code(_) => Escape::Content(6),
            Unit::None => Escape::Content(2),
        },
        Some(_) => Escape::Content(2),
    }
}

enum Unit {
    Code(u32),
    /// What there is could be the beginning of one.
    Cut,
    None,
}

/// The `\uXXXX` at the beginning of `bytes`.
fn unit(bytes: &[u8]) -> Unit {
    let mut code = 0;
    for at in 0..6 {
        let digit = match (at, bytes.get(at)) {
            (_, None) => return Unit::Cut,
            (0, Some(b'\\')) | (1, Some(b'u')) => 0,
            (0 | 1, Some(_)) => return Unit::None,
            (_, Some(byte)) => match char::from(*byte).to_digit(16) {
                Some(digit) => digit,
                None => return Unit::None,
            },
        };
        code = code * 16 + digit;
    }
    Unit::Code(code)
}
