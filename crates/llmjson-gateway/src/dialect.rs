//! The dialects of client requests: chat completions, Messages, Responses.
//!
//! Replies are treated only in [`crate::chat`]. The other dialects wrap it: a reply is converted to
//! a chat completion, and the changes made to that are applied to the original reply, or, if the
//! upstream supports only chat, the result is written in the dialect.
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

mod chunks;
mod messages;
mod responses;
mod stream;
mod wording;

use std::fmt::Debug;

use llmjson::syntax::{Document, Kind, ValueRef};

pub(crate) use chunks::{called, said};
use messages::Messages;
use responses::Responses;
pub use stream::Stream;
pub(crate) use stream::{Given, Kept};
pub(crate) use wording::{Element, Members, Part, Wording, content_of, message, moved_from};

use crate::chat::{self, Step, remove_policies};
use crate::json::{self, Node};
use crate::report::Outcome;
use crate::{Cache, Rejection, Treatment, Unknown};

/// A format of requests and replies.
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

/// The path for chat completions.
const CHAT: &str = "/chat/completions";

impl Dialect {
    /// All dialects.
    pub const ALL: [Self; 3] = [Self::Chat, Self::Messages, Self::Responses];

    /// Returns the dialect of requests posted to a path, if any.
    #[must_use]
    pub fn of_path(path: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|one| one.front_of(path).is_some())
    }

    /// Returns the prefix of a path before the dialect's own path, or `None` if the path ends
    /// differently.
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

    /// Returns an error body in this dialect for a status; `error` is the chat error body.
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

/// A request in a dialect, converted to chat.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    /// The request for a chat completion.
    pub(crate) chat: String,
    /// Members without a chat equivalent that were dropped, since nothing depends on them.
    pub(crate) dropped: Vec<String>,
}

/// A whole reply of an upstream that supports the dialect, and its chat form.
#[derive(Clone, Copy)]
pub(crate) struct Own<'d> {
    pub(crate) reply: ValueRef<'d>,
    pub(crate) given: ValueRef<'d>,
}

/// Converts between a dialect and the chat completions that the machine treats. It makes no
/// decisions itself.
///
/// Anything named `chunk` or `chat` is JSON text in the format of chat completions.
pub(crate) trait Codec: Debug + Send {
    /// Converts a request to chat. If the chat form is sent, everything in the request is
    /// converted, or treated as `unknown`; otherwise `messages` is empty and only tools, choices and
    /// formats are converted.
    fn request(&mut self, root: ValueRef<'_>, unknown: Option<Unknown>)
    -> Result<Asked, Rejection>;

    /// Adds chat messages to the client's own body.
    fn further(&self, body: &mut Node<'_>, messages: &[ValueRef<'_>]);

    /// Converts a whole reply to chat. Its usage is unchanged: numbers are added by name.
    fn given(&mut self, reply: ValueRef<'_>) -> String;

    /// Writes a treated whole reply: into the upstream's own reply, whose chat form is given too, or
    /// into a new one.
    fn written(&self, own: Option<Own<'_>>, treated: ValueRef<'_>) -> String;

    /// Converts an event of the dialect to chat.
    fn event(&mut self, name: Option<&[u8]>, data: &str) -> Given;

    /// Emits an event of the dialect with the treated chunk, or `None` if nothing is left of it.
    fn take(&mut self, event: Kept, chunk: Option<&str>, out: &mut Vec<u8>);

    /// Writes a chunk without a corresponding event: an addition, or a chunk of a chat upstream.
    fn add(&mut self, chunk: &str, out: &mut Vec<u8>);

    /// Writes a comment, with its blank line.
    fn comment(&mut self, bytes: &[u8], out: &mut Vec<u8>);

    /// Writes pending events, and the end of a chat upstream's reply.
    fn end(&mut self, out: &mut Vec<u8>);

    /// Writes an error, given in chat form, after pending events.
    fn fail(&mut self, error: &str, out: &mut Vec<u8>);

    /// Begins to read a further reply, which the client sees as part of the first.
    fn again(&mut self, out: &mut Vec<u8>);

    /// The number of bytes that were released and are pending here.
    fn held(&self) -> usize;
}

/// One request in any dialect, and the treatment of its reply.
#[derive(Debug)]
pub struct Exchange {
    chat: chat::Exchange,
    /// `None` for chat itself.
    way: Option<Way>,
}

/// The conversion between a dialect and chat.
#[derive(Debug)]
struct Way {
    dialect: Dialect,
    codec: Box<dyn Codec>,
    /// The body for an upstream that supports the dialect; `None` if it gets chat.
    native: Option<Vec<u8>>,
}

impl Way {
    /// Returns the next request, from the chat exchange's request.
    fn ask(&self, chat: Vec<u8>) -> Vec<u8> {
        let Some(native) = &self.native else {
            return chat;
        };
        let (asked, body) = (json::read(&chat), json::read(native));
        let asked = asked.as_ref().and_then(Document::root);
        let Some((asked, body)) = asked.zip(body.as_ref().and_then(Document::root)) else {
            return native.clone();
        };
        let messages: Vec<ValueRef<'_>> = json::items(asked, "messages").collect();
        let mut body = Node::of(body.document_text());
        self.codec.further(&mut body, &messages);
        body.into_bytes()
    }
}

impl Exchange {
    /// Reads a request. A request that needs no treatment passes unchanged.
    ///
    /// If the upstream supports only chat (`speaks_chat`), it is asked in chat; otherwise it gets
    /// the client's own body.
    ///
    /// # Errors
    ///
    /// See [`chat::Exchange::begin`]. Also if the request has no chat equivalent; the body is an
    /// error in the dialect.
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
            // The upstream rejects text that is not JSON.
            let chat = chat::Exchange::begin(request, treatment, cache)?;
            return Ok(Self {
                chat,
                way: Some(way),
            });
        };
        let is_sent = way.native.is_none();
        let asked = way
            .codec
            .request(root, is_sent.then_some(treatment.unknown))?;
        let mut chat = match is_sent {
            true => chat::Exchange::begin(asked.chat.as_bytes(), treatment, cache)?
                .translated(asked.dropped),
            false => {
                // An upstream that supports the dialect supports its tools.
                let treatment = treatment.clone().with_tools_in_prompt(None);
                chat::Exchange::begin(asked.chat.as_bytes(), &treatment, cache)?
            }
        };
        if json::member(root, "tools").is_some_and(|tools| tools.kind() != Kind::Array) {
            chat.leave_tools_unread();
        }
        if !is_sent {
            let mut body = Node::of(root.document_text());
            remove_policies(&mut body);
            way.native = Some(body.into_bytes());
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

    /// Returns the upstream's path for the client's path.
    #[must_use]
    pub fn path(&self, asked: &str) -> String {
        let way = self.way.as_ref().filter(|way| way.native.is_none());
        let front = way.and_then(|way| way.dialect.front_of(asked));
        front.map_or_else(|| asked.to_owned(), |front| format!("{front}/v1{CHAT}"))
    }

    /// Returns the reasons why calls are answered with an error because they cannot be checked.
    pub fn unchecked(&self) -> impl Iterator<Item = &str> {
        self.chat.unchecked()
    }

    /// Returns `true` if the upstream is asked in chat for a client with another dialect.
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

    /// Takes the body of a successful whole reply. If a chat upstream's reply cannot be read, it
    /// becomes an error in the dialect, with the outcome [`Outcome::Failed`].
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
                Some(root) => way.codec.written(None, root).into_bytes(),
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
                        let own = Own { reply: root, given };
                        body = way.codec.written(Some(own), treated).into_bytes();
                    }
                }
                Step::Answer { body, report }
            }
        }
    }

    /// Takes the last whole reply unchanged, because the retry failed: pass it to
    /// [`reply`](Self::reply) again.
    pub const fn give_up(&mut self) {
        self.chat.give_up();
    }

    /// Begins to read a streamed reply.
    #[must_use]
    pub fn stream(mut self) -> Stream {
        let native = self.way.as_mut().and_then(|way| way.native.as_mut());
        if let Some(native) = native.filter(|_| !self.chat.may_ask()) {
            *native = Vec::new();
        }
        Stream::new(self)
    }
}

/// Writes a refusal's error in a dialect.
fn in_dialect(dialect: Dialect, rejection: Rejection) -> Rejection {
    Rejection {
        body: dialect.error(rejection.status, &rejection.body),
        ..rejection
    }
}
