//! Printing values as JSON. On an explicit cursor, so depth costs no stack.

use alloc::string::String;
use core::fmt::Write as _;

use crate::tape::{Tag, flag};
use crate::view::{Key, ValueRef};

impl ValueRef<'_> {
    /// Returns the value as compact JSON: order of members and text of numbers as they were read.
    #[must_use]
    pub fn to_json(self) -> String {
        let mut out = String::new();
        self.write_json(&mut out);
        out
    }

    /// Returns the value as JSON over several lines, indented by two spaces.
    #[must_use]
    pub fn to_json_pretty(self) -> String {
        let mut out = String::new();
        write(self, &mut out, JsonLayout::Lines);
        out
    }

    /// Appends the value as compact JSON.
    pub fn write_json(self, out: &mut String) {
        write(self, out, JsonLayout::Compact);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum JsonLayout {
    Compact,
    /// Over several lines, indented by two spaces.
    Lines,
}

/// A container that is being printed: where it goes on and where it ends.
struct PrintedContainer {
    at: u32,
    end: u32,
    object: bool,
    first: bool,
}

fn write(root: ValueRef<'_>, out: &mut String, layout: JsonLayout) {
    let (tape, text) = (root.tape, root.text);
    let mut open: smallvec::SmallVec<[PrintedContainer; 16]> = smallvec::SmallVec::new();
    enter(root, out, &mut open);
    while let Some(level) = open.last_mut() {
        while level.at < level.end && tape.node(level.at).has(flag::SHADOWED) {
            level.at = tape.after(level.at);
        }
        if level.at >= level.end {
            let PrintedContainer { object, first, .. } = *level;
            open.pop();
            if layout == JsonLayout::Lines && !first {
                newline(out, open.len());
            }
            out.push(if object { '}' } else { ']' });
            continue;
        }
        let index = level.at;
        level.at = tape.after(index);
        let (object, first) = (level.object, level.first);
        level.first = false;
        if !first {
            out.push(',');
        }
        if layout == JsonLayout::Lines {
            newline(out, open.len());
        }
        let mut shown = index;
        if object {
            write_string(&Key::of(tape, text, index).decoded(), out);
            out.push_str(match layout {
                JsonLayout::Lines => ": ",
                JsonLayout::Compact => ":",
            });
            if tape.node(index).has(flag::REPLACED) {
                shown = tape.replacement(index);
            }
        }
        enter(ValueRef::new(tape, text, shown), out, &mut open);
    }
}

fn enter(
    value: ValueRef<'_>,
    out: &mut String,
    open: &mut smallvec::SmallVec<[PrintedContainer; 16]>,
) {
    match value.node().tag {
        Tag::Null => out.push_str("null"),
        Tag::False => out.push_str("false"),
        Tag::True => out.push_str("true"),
        Tag::Integer | Tag::Float => out.push_str(value.raw()),
        Tag::String => write_string(&value.as_str().unwrap_or_default(), out),
        tag @ (Tag::Array | Tag::Object) => {
            let object = tag == Tag::Object;
            out.push(if object { '{' } else { '[' });
            let end = value.tape.after(value.index);
            open.push(PrintedContainer {
                at: value.index + 1,
                end,
                object,
                first: true,
            });
        }
        Tag::Reference => unreachable!("a view never stands on a reference"),
    }
}

fn newline(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(core::iter::repeat_n("  ", depth));
}

/// Appends a text as a JSON string with the escapes that JSON asks for, and with those line
/// separators escaped (U+0085, U+2028, U+2029) that would tear a line of JSONL apart.
pub fn write_string(text: &str, out: &mut String) {
    out.push('"');
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte >= b' ' && byte != b'"' && byte != b'\\' && byte != 0xC2 && byte != 0xE2 {
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
    out.push('"');
}
