//! Finds the `id` and `method` of messages in a stream, without parsing or buffering them.
//!
//! Recognizes brackets, strings, and the members `id`, `method`, `result` and `error` of messages,
//! single or in a batch. Only the values of `id` and `method` are stored, so a line may have any
//! length. The result for a line that is not JSON is unspecified.

use super::shared::Id;

/// Maximum length of an `id`, in bytes. A request with a longer one is not tracked.
const ID_BYTES_MAX: usize = 1_024;
/// Maximum length of a method name, in bytes. A longer one is treated as missing.
const METHOD_BYTES_MAX: usize = 128;
/// Length of the longest recognized member name, in bytes.
const NAME_BYTES_MAX: usize = "method".len();

/// The members of a message that identify it, as JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) id: Option<Vec<u8>>,
    pub(super) method: Option<Vec<u8>>,
    /// `true` if the message has a `result` or an `error`.
    pub(super) is_response: bool,
}

/// The state between two pieces of a line.
#[derive(Debug, Default)]
pub(super) struct Skim {
    depth: usize,
    /// The depth of the members of messages: 1, or 2 in a batch, or 0 before the first bracket.
    level: usize,
    in_message: bool,
    in_string: bool,
    /// `true` if the previous byte was a backslash that escapes the next one.
    escaped: bool,
    /// The token that is being read at `level`.
    place: MessagePart,
    text: BoundedText,
    head: Head,
    /// The first purpose found in a line that is not a batch.
    first: Option<Purpose>,
}

/// The purpose of a message: a request, notification or response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A request or a notification with this method, as JSON.
    Method(Vec<u8>),
    /// A response.
    Response,
}

/// A part of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum MessagePart {
    #[default]
    Name,
    Id,
    Method,
    Outcome,
    Other,
}

/// A name or value up to a maximum length.
#[derive(Debug, Default)]
struct BoundedText {
    bytes: Vec<u8>,
    too_long: bool,
}

impl Head {
    /// Returns the `id` of a request, or `None` for a notification or response.
    pub(super) fn request(&self) -> Option<Id> {
        self.method.as_ref()?;
        Id::read(self.id.as_deref()?)
    }

    /// Returns the `id` of a response, or `None` for any other message.
    pub(super) fn response(&self) -> Option<Id> {
        let is_response = self.method.is_none() && self.is_response;
        Id::read(self.id.as_deref()?).filter(|_| is_response)
    }
}

impl Skim {
    /// Reads the next piece of a line, without its line break. Calls `message` for each message that ends in
    /// the piece.
    pub(super) fn feed(&mut self, piece: &[u8], mut message: impl FnMut(Head)) {
        let mut rest = piece;
        while let Some((&byte, after)) = rest.split_first() {
            if self.in_string {
                rest = self.string(rest);
                continue;
            }
            rest = after;
            match byte {
                b'"' => self.open_string(),
                b'{' | b'[' => self.open(byte),
                b'}' | b']' => {
                    if let Some(head) = self.close() {
                        message(head);
                    }
                }
                _ if self.is_member() => self.punctuation(byte),
                _ => {}
            }
        }
    }

    /// Returns the purpose of a line that is not a batch, once known. It does not change until the
    /// end of the line.
    pub(super) fn purpose(&self) -> Option<&Purpose> {
        self.first.as_ref()
    }

    /// Returns the `id` of a message that has not ended, if already read.
    pub(super) fn id(&self) -> Option<Id> {
        Id::read(self.head.id.as_deref()?)
    }

    /// Returns `true` if the line is a batch.
    pub(super) fn is_batch(&self) -> bool {
        self.level == 2
    }

    /// Returns `true` if the current position is in a member of a message, not deeper.
    fn is_member(&self) -> bool {
        self.in_message && self.depth == self.level
    }

    /// Reads a part of a string up to the next quote or backslash. Returns the rest.
    fn string<'b>(&mut self, rest: &'b [u8]) -> &'b [u8] {
        let end = match self.escaped {
            true => 1,
            false => {
                let special = rest.iter().position(|byte| matches!(byte, b'"' | b'\\'));
                special.map_or(rest.len(), |at| at + 1)
            }
        };
        let (run, after) = rest.split_at(end);
        let last = run.last().copied();
        let special = !self.escaped && matches!(last, Some(b'"' | b'\\'));
        self.escaped = special && last == Some(b'\\');
        self.in_string = !(special && last == Some(b'"'));
        if self.is_member() {
            self.keep(run);
        }
        after
    }

    fn open_string(&mut self) {
        self.in_string = true;
        if self.is_member() {
            match self.place {
                MessagePart::Name => self.text.clear(),
                _ => self.keep(b"\""),
            }
        }
    }

    fn open(&mut self, bracket: u8) {
        if self.level == 0 {
            self.level = if bracket == b'{' { 1 } else { 2 };
        }
        self.depth += 1;
        if self.depth == self.level {
            self.in_message = bracket == b'{';
            self.place = MessagePart::Name;
            self.text.clear();
            self.head = Head::default();
        }
    }

    /// Closes a bracket. Returns the head of the message that ends there.
    fn close(&mut self) -> Option<Head> {
        let ends = self.is_member();
        if ends {
            self.end_value();
            self.in_message = false;
        }
        self.depth = self.depth.saturating_sub(1);
        ends.then(|| std::mem::take(&mut self.head))
    }

    fn punctuation(&mut self, byte: u8) {
        match (byte, self.place) {
            (b':', MessagePart::Name) => {
                // The text includes the closing quote.
                self.place = match self.text.get() {
                    Some(b"id\"") => MessagePart::Id,
                    Some(b"method\"") => MessagePart::Method,
                    Some(b"result\"" | b"error\"") => MessagePart::Outcome,
                    _ => MessagePart::Other,
                };
                if self.place == MessagePart::Outcome {
                    self.head.is_response = true;
                    self.decide(Some(Purpose::Response));
                }
                self.text.clear();
            }
            (b',', _) => self.end_value(),
            (b' ' | b'\t' | b'\r', _) => {}
            _ => self.keep(&[byte]),
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        match self.place {
            MessagePart::Name => self.text.push(bytes, NAME_BYTES_MAX + 1),
            MessagePart::Id => self.text.push(bytes, ID_BYTES_MAX),
            MessagePart::Method => self.text.push(bytes, METHOD_BYTES_MAX),
            MessagePart::Outcome | MessagePart::Other => {}
        }
    }

    fn decide(&mut self, purpose: Option<Purpose>) {
        if self.level == 1 && self.first.is_none() {
            self.first = purpose;
        }
    }

    fn end_value(&mut self) {
        let text = self.text.get().filter(|text| !text.is_empty());
        match self.place {
            MessagePart::Id => self.head.id = text.map(<[u8]>::to_vec),
            MessagePart::Method => {
                self.head.method = text.map(<[u8]>::to_vec);
                let method = self.head.method.clone();
                self.decide(method.map(Purpose::Method));
            }
            MessagePart::Name | MessagePart::Outcome | MessagePart::Other => {}
        }
        self.place = MessagePart::Name;
        self.text.clear();
    }
}

impl BoundedText {
    fn clear(&mut self) {
        self.bytes.clear();
        self.too_long = false;
    }

    fn push(&mut self, bytes: &[u8], longest: usize) {
        self.too_long |= self.bytes.len() + bytes.len() > longest;
        if !self.too_long {
            self.bytes.extend_from_slice(bytes);
        }
    }

    fn get(&self) -> Option<&[u8]> {
        (!self.too_long).then_some(self.bytes.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::{Head, Purpose, Skim};

    fn heads(line: &str, length: usize) -> Vec<String> {
        let mut skim = Skim::default();
        let mut heads = Vec::new();
        for piece in line.as_bytes().chunks(length) {
            skim.feed(piece, |head| heads.push(shown(&head)));
        }
        heads
    }

    fn shown(head: &Head) -> String {
        let text = |bytes: &Option<Vec<u8>>| match bytes {
            Some(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            None => "-".to_owned(),
        };
        let outcome = if head.is_response { " response" } else { "" };
        format!("{} {}{outcome}", text(&head.id), text(&head.method))
    }

    #[test]
    fn heads_do_not_depend_on_how_the_line_is_cut() {
        let long = format!(r#"{{"id":"{}","method":"m"}}"#, "x".repeat(2_000));
        let cases: &[(&str, &[&str])] = &[
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#,
                &[r#"1 "tools/call""#],
            ),
            (
                r#"{"result":{"id":7,"method":"no"},"id":"a\"b"}"#,
                &[r#""a\"b" - response"#],
            ),
            (
                r#"{"params":[{"method":"no"},"}"],"method" : "yes" , "id" : -2.5e3 }"#,
                &[r#"-2.5e3 "yes""#],
            ),
            (
                r#"[{"id":1,"error":{}},{"method":"n"},3,[{"id":4}]]"#,
                &["1 - response", r#"- "n""#],
            ),
            (r#"{"id":{"method":"no"},"method":null}"#, &["- null"]),
            (r#"{"identity":1,"methods":"no","i":2}"#, &["- -"]),
            (r#"{"id":1,"method":"tools/ca"#, &[]),
            ("}}]] not JSON, { at \"all", &[]),
            ("{}", &["- -"]),
            (&long, &[r#"- "m""#]),
        ];
        for (line, expected) in cases {
            for length in [1, 2, 3, 7, line.len().max(1)] {
                assert_eq!(
                    heads(line, length),
                    *expected,
                    "{line:.60} in pieces of {length}"
                );
            }
        }
    }

    #[test]
    fn purpose_is_known_before_the_line_ends_and_does_not_change() {
        let ping = Some(Purpose::Method(b"\"ping\"".to_vec()));
        for (first, rest, purpose) in [
            (&br#"{"id":1,"method":"ping""#[..], &b","[..], ping.clone()),
            (br#"{"id":1,"method":"ping""#, br#"}{"result":1}"#, ping),
            (br#"{"id":1,"result""#, b":", Some(Purpose::Response)),
            (
                br#"{"id":1,"error""#,
                br#":7,"method":"ping"}"#,
                Some(Purpose::Response),
            ),
            (br#"{"id":1,"results""#, br#":7}"#, None),
            (b"[", br#"{"method":"ping"},{"result":1}]"#, None),
        ] {
            let mut skim = Skim::default();
            skim.feed(first, |_| {});
            assert_eq!(skim.purpose(), None);
            skim.feed(rest, |_| {});
            assert_eq!(skim.purpose(), purpose.as_ref());
            skim.feed(br#","method":"pong"},{"method":"pong"}"#, |_| {});
            if purpose.is_some() {
                assert_eq!(skim.purpose(), purpose.as_ref());
            }
        }
    }
}
