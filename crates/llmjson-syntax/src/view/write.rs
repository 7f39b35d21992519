//! Prints values as JSON, with an explicit cursor, so depth costs no call stack.

use alloc::string::String;
use core::fmt::Write as _;

use crate::tape::{Tag, flag};
use crate::view::json::{JsonOut, ToJson};
use crate::view::{Key, Kind, ValueRef};

impl ValueRef<'_> {
    /// Returns the value as compact JSON, with member order and number text as parsed.
    #[must_use]
    pub fn to_json(self) -> String {
        JsonText::of(&self)
    }

    /// Returns the value as JSON over several lines, indented by two spaces.
    #[must_use]
    pub fn to_json_pretty(self) -> String {
        let mut out = String::new();
        self.put(&mut JsonText {
            depth: Some(0),
            ..JsonText::at_end_of(&mut out)
        });
        out
    }

    /// Appends the value as compact JSON.
    pub fn write_json(self, out: &mut String) {
        self.put(&mut JsonText::at_end_of(out));
    }
}

/// The quote as a string: without inlining, pushing a character takes the path for any UTF-8
/// length.
const QUOTE: &str = "\"";

/// The part of a value that was written last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    /// A key, or nothing yet: the next part follows directly.
    Name,
    Opener,
    Value,
}

/// JSON text that is being appended to a string.
#[derive(Debug)]
pub struct JsonText<'o> {
    out: &'o mut String,
    last: Last,
    /// The number of open containers in a pretty-printed text, indented by two spaces.
    depth: Option<usize>,
}

impl<'o> JsonText<'o> {
    /// Begins compact JSON at the end of `out`.
    pub fn at_end_of(out: &'o mut String) -> Self {
        let (last, depth) = (Last::Name, None);
        Self { out, last, depth }
    }

    /// Returns the compact JSON that `write` produces.
    #[must_use]
    pub fn written(write: impl FnOnce(&mut JsonText<'_>)) -> String {
        let mut out = String::new();
        write(&mut JsonText::at_end_of(&mut out));
        out
    }

    /// Returns a value as compact JSON.
    #[must_use]
    pub fn of(value: &(impl ToJson + ?Sized)) -> String {
        Self::written(|out| value.put(out))
    }

    /// Returns an object as compact JSON, with the members that `write` produces.
    #[must_use]
    pub fn object_of(write: impl FnOnce(&mut JsonText<'_>)) -> String {
        Self::written(|out| out.object(write))
    }

    /// Returns the previous state of the output, and sets the state for the part that begins now.
    #[inline(always)]
    fn next(&mut self, written: Last) -> Last {
        core::mem::replace(&mut self.last, written)
    }

    /// Writes the separator before a part, together with the part's first character.
    #[inline(always)]
    fn begin(&mut self, written: Last, [alone, behind]: [&str; 2]) {
        let last = self.next(written);
        if let Some(depth) = self.depth.filter(|_| last != Last::Name) {
            self.out
                .push_str(&behind[..usize::from(last == Last::Value)]);
            newline(self.out, depth);
            self.out.push_str(alone);
        } else {
            self.out
                .push_str(if last == Last::Value { behind } else { alone });
        }
    }
}

impl JsonOut for JsonText<'_> {
    #[inline(always)]
    fn json(&mut self, text: &str) {
        self.begin(Last::Value, ["", ","]);
        self.out.push_str(text);
    }

    #[inline]
    fn string(&mut self, text: &str) {
        self.begin(Last::Value, ["\"", ",\""]);
        write_inside(text, self.out);
        self.out.push_str(QUOTE);
    }

    #[inline]
    fn name(&mut self, name: &str) {
        self.begin(Last::Name, ["\"", ",\""]);
        write_inside(name, self.out);
        self.out.push_str(self.depth.map_or("\":", |_| "\": "));
    }

    #[inline]
    fn open(&mut self, kind: Kind) {
        let object = kind == Kind::Object;
        self.begin(Last::Opener, if object { ["{", ",{"] } else { ["[", ",["] });
        self.depth = self.depth.map(|depth| depth + 1);
    }

    #[inline]
    fn close(&mut self, kind: Kind) {
        self.depth = self.depth.map(|depth| depth.saturating_sub(1));
        let last = self.next(Last::Value);
        if let Some(depth) = self.depth.filter(|_| last != Last::Opener) {
            newline(self.out, depth);
        }
        self.out
            .push_str(if kind == Kind::Object { "}" } else { "]" });
    }
}

/// A container whose parts are being iterated, with the current position and the end.
struct PrintedContainer {
    at: u32,
    end: u32,
    kind: Kind,
}

/// The open containers; few values exceed the inline capacity.
type Open = smallvec::SmallVec<[PrintedContainer; 16]>;

impl ToJson for ValueRef<'_> {
    fn put<O: JsonOut>(&self, out: &mut O) {
        let (tape, text) = (self.tape, self.text);
        let mut open = Open::new();
        enter(*self, out, &mut open);
        while let Some(level) = open.last_mut() {
            while level.at < level.end && tape.node(level.at).has(flag::SHADOWED) {
                level.at = tape.after(level.at);
            }
            let (index, kind) = (level.at, level.kind);
            if index >= level.end {
                open.pop();
                out.close(kind);
                continue;
            }
            level.at = tape.after(index);
            let mut shown = index;
            if kind == Kind::Object {
                out.name(&Key::of(tape, text, index).decoded());
                if tape.node(index).has(flag::REPLACED) {
                    shown = tape.replacement(index);
                }
            }
            enter(ValueRef::new(tape, text, shown), out, &mut open);
        }
    }
}

#[inline]
fn enter<O: JsonOut>(value: ValueRef<'_>, out: &mut O, open: &mut Open) {
    match value.node().tag {
        Tag::Null => out.null(),
        Tag::False => out.boolean(false),
        Tag::True => out.boolean(true),
        Tag::Integer | Tag::Float => out.number(value.raw()),
        Tag::String => out.string(&value.decoded()),
        Tag::Array | Tag::Object => {
            let (at, end) = (value.index + 1, value.tape.after(value.index));
            let kind = value.kind();
            out.open(kind);
            open.push(PrintedContainer { at, end, kind });
        }
        Tag::Reference => unreachable!("a view never stands on a reference"),
    }
}

#[inline(never)]
fn newline(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(core::iter::repeat_n("  ", depth));
}

/// The bytes that are escaped, and those that may begin a line separator: one lookup per byte.
static MAY_BE_ESCAPED: [bool; 256] = {
    let mut escaped = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        escaped[byte] = byte < 0x20 || matches!(byte, 0x22 | 0x5C | 0xC2 | 0xE2);
        byte += 1;
    }
    escaped
};

/// Appends a text as a JSON string with the escapes that JSON requires, and also escapes the line
/// separators (U+0085, U+2028, U+2029) that would break a line of JSONL.
pub fn write_string(text: &str, out: &mut String) {
    out.push_str(QUOTE);
    write_inside(text, out);
    out.push_str(QUOTE);
}

fn write_inside(text: &str, out: &mut String) {
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        if !MAY_BE_ESCAPED[byte as usize] {
            continue;
        }
        let rest = &text.as_bytes()[at..];
        let (length, escape) = match byte {
            b'"' => (1, "\\\""),
            b'\\' => (1, "\\\\"),
            b'\n' => (1, "\\n"),
            b'\r' => (1, "\\r"),
            b'\t' => (1, "\\t"),
            8 => (1, "\\b"),
            12 => (1, "\\f"),
            0xC2 if rest.starts_with("\u{85}".as_bytes()) => (2, "\\u0085"),
            0xE2 if rest.starts_with("\u{2028}".as_bytes()) => (3, "\\u2028"),
            0xE2 if rest.starts_with("\u{2029}".as_bytes()) => (3, "\\u2029"),
            0xC2 | 0xE2 => continue,
            _ => (1, ""),
        };
        out.push_str(&text[from..at]);
        from = at + length;
        out.push_str(escape);
        if escape.is_empty() {
            write!(out, "\\u{byte:04x}").expect("writing to a string does not fail");
        }
    }
    out.push_str(&text[from..]);
}
