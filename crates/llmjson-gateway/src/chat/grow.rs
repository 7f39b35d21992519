//! JSON text that grows with a streamed value.

use std::borrow::Cow;

use llmjson::stream::Stream;
use llmjson::syntax::{Change, Event, Kind, write_string};
use llmjson::{Policy, Schema};

/// The JSON text of a streamed value, next to the model's text. The model's text is used as long as
/// both are equal except for white space.
#[derive(Debug)]
pub(super) struct Grow {
    stream: Stream,
    writer: Writer,
    /// The number of bytes kept from the model's text.
    pub(super) kept: usize,
    /// The number of bytes of JSON text that they correspond to, or that were taken.
    matched: usize,
    in_string: bool,
    /// `true` if the JSON text is sent instead of the model's.
    pub(super) is_other: bool,
}

impl Grow {
    pub(super) fn new(schema: Option<&Schema>, policy: &Policy) -> Self {
        Self {
            stream: Stream::new(schema).with_policy(policy.clone()),
            writer: Writer::default(),
            kept: 0,
            matched: 0,
            in_string: false,
            is_other: false,
        }
    }

    /// Takes the next piece, at the end of the model's text.
    pub(super) fn push(&mut self, piece: &str, text: &str) {
        self.stream.push(piece);
        let events = self.stream.events();
        self.writer.take(&events);
        self.compare(text);
    }

    /// Returns the new JSON text, if it is sent instead of the model's.
    pub(super) fn fresh(&mut self) -> String {
        if !self.is_other {
            return String::new();
        }
        let fresh = self.writer.json[self.matched..].to_owned();
        self.matched = self.writer.json.len();
        fresh
    }

    /// Ends the text. `whole` is the client's text, unless the model's is used. Returns `true` if
    /// the client has received another text.
    pub(super) fn finish(&mut self, text: &str, whole: Option<&str>) -> bool {
        let Some(whole) = whole else {
            self.kept = if self.is_other { self.kept } else { text.len() };
            return self.is_other;
        };
        self.is_other = true;
        if !whole.starts_with(self.said()) {
            return true;
        }
        whole.clone_into(&mut self.writer.json);
        false
    }

    /// Returns the JSON text that the client has received.
    pub(super) fn said(&self) -> &str {
        &self.writer.json[..self.matched]
    }

    /// Advances both texts as long as they are equivalent.
    fn compare(&mut self, text: &str) {
        let mut at = self.kept;
        while !self.is_other && at < text.len() {
            let rest = &text[at..];
            let left = &self.writer.json[self.matched..];
            let same = same_length(rest, left, self.in_string);
            if same > 0 {
                at += same;
                self.matched += same;
                self.kept = at;
                continue;
            }
            let Some((length, unit)) = unit(rest, self.in_string) else {
                // The model's text may continue.
                return;
            };
            if !left.starts_with(&*unit) {
                self.is_other = !unit.starts_with(left);
                return;
            }
            at += length;
            self.matched += unit.len();
            self.in_string ^= unit == "\"";
            // White space before the value is sent with its beginning.
            if self.matched > 0 {
                self.kept = at;
            }
        }
    }
}

/// Returns the length of the common beginning of two JSON texts, up to the first character that is
/// written in several ways or that begins or ends a string.
fn same_length(rest: &str, left: &str, in_string: bool) -> usize {
    let is_plain = |byte: u8| match byte {
        b'"' | b'\\' => false,
        b' ' => in_string,
        _ => byte.is_ascii_graphic(),
    };
    let both = rest.bytes().zip(left.bytes());
    both.take_while(|(one, other)| one == other && is_plain(*one))
        .count()
}

/// Returns the length of the first token of a JSON text, and the token as the library writes it;
/// `None` if it may continue.
fn unit(rest: &str, in_string: bool) -> Option<(usize, Cow<'_, str>)> {
    let first = rest.chars().next()?;
    let length = first.len_utf8();
    if !in_string {
        let is_space = matches!(first, ' ' | '\n' | '\r' | '\t');
        return Some((length, rest[..if is_space { 0 } else { length }].into()));
    }
    if first == '"' {
        return Some((length, "\"".into()));
    }
    let length = if first == '\\' {
        escape_length(rest)?
    } else {
        length
    };
    let quoted = format!("\"{}\"", &rest[..length]);
    // A token that is not JSON equals nothing that the library writes.
    let decoded: String = serde_json::from_str(&quoted).unwrap_or_else(|_| "\u{0}\u{0}".to_owned());
    let mut written = String::new();
    write_string(&decoded, &mut written);
    Some((length, written[1..written.len() - 1].to_owned().into()))
}

/// The length of an escape, or of both escapes of a surrogate pair; `None` if it may continue.
fn escape_length(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    if *bytes.get(1)? != b'u' {
        return rest.is_char_boundary(2).then_some(2).or(Some(1));
    }
    let digits = rest.get(2..6).filter(|_| bytes.len() >= 6);
    let Some(digits) = digits else {
        return if bytes.len() < 6 { None } else { Some(1) };
    };
    let is_high =
        u16::from_str_radix(digits, 16).is_ok_and(|code| (0xd800..0xdc00).contains(&code));
    match is_high {
        false => Some(6),
        true if bytes.len() < 12 && b"\\uxxxx".starts_with(&bytes[6..bytes.len().min(8)]) => None,
        true => Some(
            if rest.is_char_boundary(12) && rest[6..].starts_with("\\u") {
                12
            } else {
                6
            },
        ),
    }
}

/// Writes the JSON text of a value from its changes.
#[derive(Debug, Default)]
struct Writer {
    open: Vec<Open>,
    json: String,
    /// `true` if the changes retract written text.
    is_broken: bool,
}

#[derive(Debug)]
struct Open {
    path: String,
    closer: char,
    is_filled: bool,
}

impl Writer {
    fn take(&mut self, events: &[Event]) {
        for event in events {
            if !self.is_broken {
                self.event(event);
            }
        }
    }

    fn event(&mut self, event: &Event) {
        let path = || event.path.to_string();
        match &event.change {
            Change::Opened(kind) => {
                let path = path();
                self.begin(&path);
                let (opener, closer) = match kind {
                    Kind::Object => ('{', '}'),
                    Kind::Array => ('[', ']'),
                    _ => ('"', '"'),
                };
                if !self.is_broken {
                    self.json.push(opener);
                    self.open.push(Open {
                        path,
                        closer,
                        is_filled: false,
                    });
                }
            }
            Change::Appended(text) => {
                let mut written = String::new();
                write_string(text, &mut written);
                self.json.push_str(&written[1..written.len() - 1]);
            }
            Change::Value(json) => {
                self.begin(&path());
                if !self.is_broken {
                    self.json.push_str(json);
                }
            }
            Change::Closed | Change::Settled => self.close(&path()),
            Change::Superseded => self.is_broken = true,
            _ => {}
        }
    }

    /// Closes everything open at a path or below it.
    fn close(&mut self, path: &str) {
        while let Some(last) = self.open.last() {
            let inner = last.path.strip_prefix(path);
            if !inner.is_some_and(|inner| inner.is_empty() || inner.starts_with('/')) {
                return;
            }
            self.json.push(last.closer);
            self.open.pop();
        }
    }

    fn begin(&mut self, path: &str) {
        let Some((above, name)) = path.rsplit_once('/') else {
            self.is_broken |= !self.json.is_empty();
            return;
        };
        while self.open.last().is_some_and(|last| last.path != above) {
            self.json.extend(self.open.pop().map(|last| last.closer));
        }
        let Some(parent) = self.open.last_mut() else {
            self.is_broken = true;
            return;
        };
        if std::mem::replace(&mut parent.is_filled, true) {
            self.json.push(',');
        }
        if parent.closer == '}' {
            let name = name.replace("~1", "/").replace("~0", "~");
            write_string(&name, &mut self.json);
            self.json.push(':');
        }
    }
}
