//! The dialects in which clients ask: chat completions, Messages, Responses.
//!
//! [`crate::chat`] is the one place where replies are treated. The other dialects are written around it: what a reply says
//! becomes a chat completion, and what became of that is put back into the reply as it came, or, where the upstream speaks
//! chat alone, written in the dialect.
//!
//! ```
//! use llmjson_gateway::chat::Step;
//! use llmjson_gateway::dialect::{Dialect, Exchange};
//! use llmjson_gateway::{Cache, Treatment};
//!
//! let request = br#"{"model":"small","max_tokens":9,"messages":[{"role":"user","content":"Oslo?"}],"tools":[
//!     {"name":"weather","input_schema":{"type":"object","properties":{"days":{"type":"integer"}}}}]}"#;
//! let (treatment, cache) = (Treatment::default(), Cache::new(16));
//! let mut exchange = Exchange::begin(Dialect::Messages, false, request, &treatment, &cache).expect("a request");
//! assert_eq!(exchange.request(), request);
//!
//! let reply = br#"{"type":"message","content":[{"type":"text","text":"[weather(days='3')]"}],"stop_reason":"end_turn"}"#;
//! let Step::Answer { body, .. } = exchange.reply(reply) else { unreachable!() };
//! let body = String::from_utf8(body).expect("JSON");
//! assert!(body.contains(r#""type":"tool_use""#) && body.contains(r#""input":{"days":3}"#));
//! assert!(body.contains(r#""stop_reason":"tool_use""#));
//! ```

mod messages;
mod responses;
mod stream;
mod wording;

use std::fmt::Debug;

use llmjson::syntax::{Document, Kind, ValueRef};

use messages::Messages;
use responses::Responses;
pub use stream::Stream;
pub(crate) use stream::{Given, Kept};
pub(crate) use wording::Wording;

use crate::chat::{self, Step};
use crate::json::{self, Splice};
use crate::report::Outcome;
use crate::{Cache, Rejection, Treatment};

/// A form of requests and replies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// Chat completions.
    Chat,
    /// Anthropic's Messages.
    Messages,
    /// OpenAI's Responses.
    Responses,
}

/// The path at which chat completions are asked for.
const CHAT: &str = "/chat/completions";

impl Dialect {
    /// All dialects.
    pub const ALL: [Self; 3] = [Self::Chat, Self::Messages, Self::Responses];

    /// Returns the dialect of the requests that are posted to a path, if there is one.
    #[must_use]
    pub fn of_path(path: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|one| one.front_of(path).is_some())
    }

    /// Returns the part of a path before the path of its requests; `None` if the path ends otherwise.
    fn front_of(self, path: &str) -> Option<&str> {
        let (versioned, bare) = match self {
            Self::Chat => return path.strip_suffix(CHAT),
            Self::Messages => ("/v1/messages", "/messages"),
            Self::Responses => ("/v1/responses", "/responses"),
        };
        // Other paths end in the same word: `/v1/threads/1/messages`.
        path.strip_suffix(versioned)
            .or_else(|| (path == bare).then_some(""))
    }

    /// Returns the body of an error with a status in this dialect; `error` is the body that it has in chat.
    #[must_use]
    pub fn error(self, status: u16, error: &[u8]) -> Vec<u8> {
        match self {
            Self::Chat => error.to_vec(),
            Self::Responses => responses::error(error),
            Self::Messages => messages::error(Some(status), error).into_bytes(),
        }
    }

    fn codec(self) -> Option<Box<dyn Codec>> {
        match self {
            Self::Chat => None,
            Self::Messages => Some(Box::<Messages>::default()),
            Self::Responses => Some(Box::<Responses>::default()),
        }
    }
}

/// A request of a dialect, in chat.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    /// The request for a chat completion.
    pub(crate) chat: String,
    /// The changes of the client's own body, which an upstream that has the dialect gets.
    pub(crate) splices: Vec<Splice>,
    /// The members that chat has no word for and that were left out, since nothing depends on them.
    pub(crate) dropped: Vec<String>,
}

/// The way in which a dialect writes what the machine for chat completions treats. It judges nothing itself.
///
/// All that is named `chunk` or `chat` is JSON text in the form of chat completions.
pub(crate) trait Codec: Debug + Send {
    /// Writes a request in chat. If that is what is sent, all of it is said, or refused by name; else `messages` is empty
    /// and it says what is asked for: tools, choices, formats.
    fn request(&mut self, root: ValueRef<'_>, is_sent: bool) -> Result<Asked, Rejection>;

    /// The changes that add messages of chat to the client's own body.
    fn further(&self, root: ValueRef<'_>, messages: &[ValueRef<'_>]) -> Vec<Splice>;

    /// Writes a whole reply of the dialect in chat. Its usage stays as it is: numbers are added by their names.
    fn given(&mut self, reply: ValueRef<'_>) -> String;

    /// The changes of a whole reply that was given so, and became another.
    fn changes(
        &self,
        reply: ValueRef<'_>,
        given: ValueRef<'_>,
        treated: ValueRef<'_>,
    ) -> Vec<Splice>;

    /// Writes a whole reply that came from an upstream that speaks chat.
    fn written(&self, treated: ValueRef<'_>) -> String;

    /// Says in chat what an event of the dialect says.
    fn event(&mut self, name: Option<&[u8]>, data: &str) -> Given;

    /// Lets an event of the dialect go out, with the chunk that became of it; `None` if nothing is left of it.
    fn take(&mut self, event: Kept, chunk: Option<&str>, out: &mut Vec<u8>);

    /// Writes a chunk for which there is no event: an addition, or one of an upstream that speaks chat.
    fn add(&mut self, chunk: &str, out: &mut Vec<u8>);

    /// Writes a comment, with its blank line.
    fn comment(&mut self, bytes: &[u8], out: &mut Vec<u8>);

    /// Writes what waits, and the end of a reply of an upstream that speaks chat.
    fn end(&mut self, out: &mut Vec<u8>);

    /// Writes an error, whose body is in the form of chat, after what waits.
    fn fail(&mut self, error: &str, out: &mut Vec<u8>);

    /// Begins to read a further reply, which the client sees as the same one.
    fn again(&mut self, out: &mut Vec<u8>);

    /// Number of bytes that were let go and wait here.
    fn held(&self) -> usize;
}

/// One request, in any dialect, and what becomes of its reply.
#[derive(Debug)]
pub struct Exchange {
    chat: chat::Exchange,
    /// `None` for chat itself.
    way: Option<Way>,
}

/// The way from a dialect to chat, and back.
#[derive(Debug)]
struct Way {
    dialect: Dialect,
    codec: Box<dyn Codec>,
    /// The body that an upstream that has the dialect gets; `None` if it gets chat.
    native: Option<Vec<u8>>,
}

impl Way {
    /// The next request, of what the chat exchange asks for.
    fn ask(&self, chat: Vec<u8>) -> Vec<u8> {
        let Some(native) = &self.native else {
            return chat;
        };
        let (asked, body) = (json::read(&chat), json::read(native));
        let roots = asked.as_ref().and_then(Document::root);
        let Some((asked, root)) = roots.zip(body.as_ref().and_then(Document::root)) else {
            return native.clone();
        };
        let messages = asked.get("messages").into_iter();
        let messages: Vec<ValueRef<'_>> = messages.flat_map(ValueRef::items).collect();
        let splices = self.codec.further(root, &messages);
        json::spliced(root.document_text(), splices).into_bytes()
    }
}

impl Exchange {
    /// Reads a request. What needs no treatment passes untouched.
    ///
    /// If the upstream `speaks_chat` and nothing else, it is asked in chat; else it gets the client's own body.
    ///
    /// # Errors
    ///
    /// As [`chat::Exchange::begin`], and for what cannot be said in chat; the body is an error of the dialect.
    pub fn begin(
        dialect: Dialect,
        speaks_chat: bool,
        request: &[u8],
        treatment: &Treatment,
        cache: &Cache,
    ) -> Result<Self, Rejection> {
        let Some(codec) = dialect.codec() else {
            let chat = chat::Exchange::begin(request, treatment, cache)?;
            return Ok(Self { chat, way: None });
        };
        let refused = |rejection| in_dialect(dialect, rejection);
        let way = Way {
            dialect,
            codec,
            native: (!speaks_chat).then(|| request.to_vec()),
        };
        Self::begin_on(way, request, treatment, cache).map_err(refused)
    }

    fn begin_on(
        mut way: Way,
        request: &[u8],
        treatment: &Treatment,
        cache: &Cache,
    ) -> Result<Self, Rejection> {
        let document = json::read(request);
        let Some(root) = document.as_ref().and_then(Document::root) else {
            if way.native.is_none() {
                let message = "The request is no JSON object, expected one in UTF-8.";
                return Err(Rejection::of_request("", "unreadable", message));
            }
            // Text that is not JSON is the upstream's to refuse.
            let chat = chat::Exchange::begin(request, treatment, cache)?;
            return Ok(Self {
                chat,
                way: Some(way),
            });
        };
        let is_sent = way.native.is_none();
        let asked = way.codec.request(root, is_sent)?;
        let mut chat = match is_sent {
            true => chat::Exchange::begin(asked.chat.as_bytes(), treatment, cache)?
                .translated(asked.dropped),
            false => {
                // An upstream that has the dialect has its tools.
                let treatment = treatment.clone().with_tools_in_prompt(None);
                chat::Exchange::begin(asked.chat.as_bytes(), &treatment, cache)?
            }
        };
        if json::member(root, "tools").is_some_and(|tools| tools.kind() != Kind::Array) {
            chat.leave_tools_unread();
        }
        if !is_sent && !asked.splices.is_empty() {
            way.native = Some(json::spliced(root.document_text(), asked.splices).into_bytes());
        }
        Ok(Self {
            chat,
            way: Some(way),
        })
    }

    /// Returns the body for the upstream: the client's bytes, unless something had to change.
    #[must_use]
    pub fn request(&self) -> &[u8] {
        let native = self.way.as_ref().and_then(|way| way.native.as_deref());
        native.unwrap_or_else(|| self.chat.request())
    }

    /// Returns the path at which the upstream is asked, of the one at which the client asks.
    #[must_use]
    pub fn path(&self, asked: &str) -> String {
        let way = self.way.as_ref().filter(|way| way.native.is_none());
        let front = way.and_then(|way| way.dialect.front_of(asked));
        front.map_or_else(|| asked.to_owned(), |front| format!("{front}/v1{CHAT}"))
    }

    /// Returns the reasons for which calls are answered with an error, since they cannot be checked.
    pub fn unchecked(&self) -> impl Iterator<Item = &str> {
        self.chat.unchecked()
    }

    /// Returns `true` if the upstream is asked in chat for a client that asks in another dialect.
    #[must_use]
    pub fn is_translated(&self) -> bool {
        self.way.as_ref().is_some_and(|way| way.native.is_none())
    }

    /// Returns the model that the request names.
    #[must_use]
    pub fn model(&self) -> Option<&str> {
        self.chat.model()
    }

    /// Returns `true` if the request asks for a streamed reply.
    #[must_use]
    pub const fn is_streamed(&self) -> bool {
        self.chat.is_streamed()
    }

    /// Takes the body of a successful whole reply. One of an upstream that speaks chat that cannot be read becomes an
    /// error of the dialect, and its outcome is [`Outcome::Failed`].
    pub fn reply(&mut self, body: &[u8]) -> Step {
        match (self.step(body), &self.way) {
            (Step::Refuse { rejection, report }, Some(way)) => Step::Refuse {
                rejection: in_dialect(way.dialect, rejection),
                report,
            },
            (step, _) => step,
        }
    }

    fn step(&mut self, body: &[u8]) -> Step {
        let Some(way) = &mut self.way else {
            return self.chat.reply(body);
        };
        if way.native.is_none() {
            let step = self.chat.reply(body);
            let Step::Answer { body, report } = step else {
                return step;
            };
            let document = json::read(&body);
            let root = document.as_ref().and_then(Document::root);
            let body = match root.filter(|_| report.outcome() != Outcome::Failed) {
                Some(root) => way.codec.written(root).into_bytes(),
                None => way.dialect.error(502, &body),
            };
            return Step::Answer { body, report };
        }
        let document = json::read(body).filter(|_| !self.chat.is_idle());
        let Some(root) = document.as_ref().and_then(Document::root) else {
            return self.chat.reply(body);
        };
        let given = way.codec.given(root);
        match self.chat.reply(given.as_bytes()) {
            Step::Refuse { rejection, report } => Step::Refuse { rejection, report },
            Step::Ask { body } => Step::Ask {
                body: way.ask(body),
            },
            Step::Answer {
                body: treated,
                report,
            } => {
                let mut body = body.to_vec();
                if treated != given.as_bytes() {
                    let (given, treated) = (json::read(given.as_bytes()), json::read(&treated));
                    let given = given.as_ref().and_then(Document::root);
                    let treated = treated.as_ref().and_then(Document::root);
                    if let Some((given, treated)) = given.zip(treated) {
                        let splices = way.codec.changes(root, given, treated);
                        body = json::spliced(root.document_text(), splices).into_bytes();
                    }
                }
                Step::Answer { body, report }
            }
        }
    }

    /// Lets the last whole reply stay as it can be had, since the next one failed: it goes to [`reply`](Self::reply) again.
    pub const fn give_up(&mut self) {
        self.chat.give_up();
    }

    /// Begins to take in a streamed reply.
    #[must_use]
    pub fn stream(self) -> Stream {
        Stream::new(self)
    }
}

/// Writes the error of a refusal in a dialect.
fn in_dialect(dialect: Dialect, rejection: Rejection) -> Rejection {
    Rejection {
        body: dialect.error(rejection.status, &rejection.body),
        ..rejection
    }
}
