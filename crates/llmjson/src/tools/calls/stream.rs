//! Calls in a text that is still coming.

use llmjson_syntax::{InvalidUtf8, Work, steps_of_search};

use super::super::registry::Registry;
use super::families::Families;
use super::json;
use super::reader::{Reader, Saved, steps_per_byte};
use super::{Draft, Looks, TextCalls, next_marker};

/// So many bytes at the end of a text may be the beginning of a marker.
pub(super) const MARKER_BYTES_MAX: usize = 48;

/// What calls may cost that are read again while they go on: so many steps for each piece, besides half
/// of what a whole text is allowed.
const STEPS_PER_PIECE: u64 = 128;

/// Finds calls in a text that comes in pieces.
///
/// A call is announced as soon as its name is settled, and its arguments are shown as they grow. Nothing
/// that was shown is taken back, however the text is cut into pieces. [`finish`](Self::finish) binds the
/// calls.
///
/// The calls are those of [`calls_in`](super::calls_in), but for one case: where reasoning ends that has no
/// beginning, calls before it are drafts, which a stream has announced already. They stay. Without a
/// marker, a call is announced when it is whole; `Action:` is looked for when the text is.
///
/// ```
/// use llmjson::tools::{CallEvent, CallReader, Registry};
///
/// let registry = Registry::builder().build()?;
/// let mut stream = CallReader::new(&registry).stream();
/// stream.push("Let me see.\n<tool_call>\n{\"name\": \"search\", \"argum");
/// assert!(stream.events().is_empty());
/// stream.push("ents\": {\"query\": \"tea in Oslo, and where to sit by the water while drinking it");
/// let events = stream.events();
/// assert_eq!(events[0], CallEvent::Started { call: 0, name: "search".to_owned() });
/// stream.push("\"}}\n</tool_call>");
/// let finished = stream.finish();
/// assert_eq!(finished.calls()[0].arguments(), r#"{"query":"tea in Oslo, and where to sit by the water while drinking it"}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TextCallStream<'r> {
    registry: &'r Registry,
    only: Option<Families>,
    text: String,
    /// The first bytes of a character.
    cut: Vec<u8>,
    saved: Saved,
    /// The length of the text at the last look.
    looked: usize,
    pieces: u64,
    /// What looks at calls have cost that were not whole.
    tries: u64,
    /// What the next such look will cost, about.
    next_try: u64,
    shown: Vec<Shown>,
    /// How many calls have ended.
    ended: usize,
    events: Vec<CallEvent>,
}

/// What changed about the calls in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallEvent {
    /// A call began.
    Started {
        /// The place of the call among all calls of the text.
        call: usize,
        /// The name of the tool, as it was written.
        name: String,
    },
    /// The arguments of a call grew.
    Arguments {
        /// The place of the call.
        call: usize,
        /// What is new. All pieces together are the arguments as JSON, as the model wrote them.
        text: String,
    },
    /// A call ended.
    Finished {
        /// The place of the call.
        call: usize,
    },
}

/// What was shown of a call.
struct Shown {
    arguments: String,
    finished: bool,
}

impl<'r> TextCallStream<'r> {
    pub(super) fn new(registry: &'r Registry, only: Option<Families>) -> Self {
        Self {
            registry,
            only,
            text: String::new(),
            cut: Vec::new(),
            saved: Saved::default(),
            looked: 0,
            pieces: 0,
            tries: 0,
            next_try: 0,
            shown: Vec::new(),
            ended: 0,
            events: Vec::new(),
        }
    }

    /// Takes the next piece of the text.
    pub fn push(&mut self, piece: &str) {
        self.text.push_str(piece);
        self.pieces += 1;
        // A call that goes on is looked at again when it has grown by an eighth, as far as that is
        // allowed.
        let open = self.text.len() - self.saved.at.min(self.text.len());
        let grown = self.text.len() - self.looked;
        let allowed = self.allowed();
        if grown > open / 8 && allowed > self.next_try {
            self.look(allowed);
        }
    }

    /// Returns what looks at calls that are not whole may still cost.
    fn allowed(&self) -> u64 {
        let per_byte = steps_per_byte(self.registry) / 2;
        let of_text = Work::for_bytes(per_byte, self.text.len()).left();
        (of_text + STEPS_PER_PIECE * self.pieces).saturating_sub(self.tries)
    }

    /// Returns the work of all looks so far, in steps.
    #[doc(hidden)]
    #[must_use]
    pub fn work(&self) -> u64 {
        self.saved.spent + self.tries
    }

    /// Takes the next bytes of the text, which may end within a character.
    ///
    /// # Errors
    ///
    /// Bytes that are not UTF-8, by the offset in the text. What stands before them was taken.
    pub fn push_bytes(&mut self, piece: &[u8]) -> Result<(), InvalidUtf8> {
        let mut bytes = std::mem::take(&mut self.cut);
        bytes.extend_from_slice(piece);
        let offset = self.text.len();
        match std::str::from_utf8(&bytes) {
            Ok(text) => self.push(text),
            Err(error) => {
                let valid = &bytes[..error.valid_up_to()];
                self.push(std::str::from_utf8(valid).unwrap_or_default());
                if error.error_len().is_some() {
                    let offset = offset + error.valid_up_to();
                    return Err(InvalidUtf8 { offset });
                }
                self.cut = bytes.split_off(error.valid_up_to());
            }
        }
        Ok(())
    }

    /// Returns what changed since the last call.
    pub fn events(&mut self) -> Vec<CallEvent> {
        std::mem::take(&mut self.events)
    }

    /// Ends the text, and binds its calls. The events of what was settled only now are lost; take them
    /// with [`finish_with_events`](Self::finish_with_events).
    #[must_use]
    pub fn finish(self) -> TextCalls {
        self.finish_with_events().0
    }

    /// Ends the text, binds its calls, and returns the last events besides.
    #[must_use]
    pub fn finish_with_events(mut self) -> (TextCalls, Vec<CallEvent>) {
        let saved = std::mem::take(&mut self.saved);
        let led = saved.is_led();
        let text = std::mem::take(&mut self.text);
        let mut reader = Reader::resume(&text, self.registry, self.only, saved);
        reader.forgets = false;
        let found = reader.read(led);
        for (call, draft) in found.calls.iter().enumerate() {
            self.show(call, draft, &whole(&text, draft));
            self.end(call);
        }
        let mut found = TextCalls::of(found, self.registry, &text);
        found.work += self.tries;
        (found, self.events)
    }

    fn look(&mut self, allowed: u64) {
        self.looked = self.text.len();
        let saved = std::mem::take(&mut self.saved);
        let led = saved.is_led();
        let text = std::mem::take(&mut self.text);
        let mut reader = Reader::resume(&text, self.registry, self.only, saved);
        reader.forgets = false;
        let progress = reader.advance(led, allowed);
        let (saved, tried) = (progress.saved, progress.tried);
        let settled = saved.calls.len();
        for call in self.ended..settled {
            let draft = &saved.calls[call];
            self.show(call, draft, &whole(&text, draft));
            self.end(call);
        }
        self.ended = settled;
        let mut looks = Looks::new(u32::MAX, text.len(), progress.spent);
        for (place, draft) in tried.iter().enumerate() {
            match so_far(&text, draft, &mut looks) {
                Some(arguments) => self.show(settled + place, draft, &arguments),
                // What comes behind waits too.
                None => break,
            }
        }
        self.tries += looks.spent();
        // What was put off for its cost would cost more.
        self.next_try = looks.spent() * if progress.is_short { 2 } else { 1 };
        self.saved = saved;
        self.text = text;
    }

    /// Shows a call, and what is new of its arguments.
    fn show(&mut self, call: usize, draft: &Draft, arguments: &str) {
        if self.shown.len() <= call {
            let name = draft.name.clone();
            self.events.push(CallEvent::Started { call, name });
            self.shown.push(Shown {
                arguments: String::new(),
                finished: false,
            });
        }
        let shown = &mut self.shown[call].arguments;
        if let Some(text) = arguments
            .strip_prefix(&**shown)
            .filter(|new| !new.is_empty())
        {
            shown.push_str(text);
            let text = text.to_owned();
            self.events.push(CallEvent::Arguments { call, text });
        }
    }

    fn end(&mut self, call: usize) {
        if !std::mem::replace(&mut self.shown[call].finished, true) {
            self.events.push(CallEvent::Finished { call });
        }
    }
}

impl std::fmt::Debug for TextCallStream<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TextCallStream")
            .field("text", &self.text)
            .field("calls", &self.shown.len())
            .finish_non_exhaustive()
    }
}

/// Returns the arguments of a call that is whole, as the model wrote them.
fn whole(text: &str, draft: &Draft) -> String {
    match draft.source {
        Some((from, to)) => text[from..to].to_owned(),
        None => draft.arguments.clone(),
    }
}

/// Returns what is settled of the arguments of a call that may go on; `None` while its name may.
fn so_far(text: &str, draft: &Draft, looks: &mut Looks) -> Option<String> {
    if draft.is_name_open {
        return None;
    }
    let Some((from, _)) = draft.source else {
        return match draft.settled {
            0 => draft.arguments.is_empty().then(String::new),
            settled => Some(draft.arguments[..settled].to_owned()),
        };
    };
    let end = json::extent(text, from, looks);
    let end = end.unwrap_or_else(|| {
        let stop = next_marker(text, from, looks).unwrap_or(text.len());
        let tail = text.floor_char_boundary(stop.saturating_sub(MARKER_BYTES_MAX).max(from));
        let open = text[tail..stop].find(['<', '[']);
        open.map_or(stop, |at| tail + at)
    });
    // It is copied, and compared with what was shown.
    looks.charge(2 * steps_of_search(end - from));
    Some(text[from..end].to_owned())
}
