//! One session over a transport in which messages are sent one by one, such as Streamable HTTP.

use super::call::{self, Judged, batch_of};
use super::list::{self, Learned};
use super::shared::{Asked, Id, Shared};
use super::skim::{Head, Skim};
use super::unchecked;
use super::{answer, mirror};
use llmjson_reply::Policy;

/// The tools of one session, and the handling of its messages, which may be sent by several threads
/// at once.
///
/// ```
/// use llmjson_mcp::{Listed, Session, Treated};
/// use llmjson_reply::Policy;
///
/// let (session, mut notices) = (Session::new(Policy::tool()), Vec::new());
/// let call = br#"{"id":1,"method":"tools/call","params":{"name":"weather","arguments":{"days":"3"}}}"#;
/// // The tools are not known yet, so the server is asked for them first.
/// let request = session.request_for_list(call).expect("a call needs the list");
/// let reply = request.replace("\"method\"", r#""result":{"tools":[{"name":"weather","inputSchema":
///     {"properties":{"days":{"type":"integer"}}}}]},"x""#);
/// assert_eq!(session.listed(reply.as_bytes(), &mut notices), Listed::Done);
/// let Treated::Changed(sent) = session.send(call, &mut notices) else { panic!() };
/// assert!(sent.ends_with(r#""arguments":{"days":3}}}"#));
/// ```
#[derive(Clone, Debug)]
pub struct Session {
    shared: Shared,
    policy: Policy,
}

/// The handling of a client message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Treated {
    /// Forward the message unchanged.
    Unchanged,
    /// Forward this JSON instead.
    Changed(String),
    /// Forward nothing. The client gets this JSON, if there is anything to answer.
    Answered(Option<String>),
}

/// The result of reading a reply to the proxy's own request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Listed {
    /// The message is not a reply to this request.
    Other,
    /// Send the server this request for the next page.
    Ask(String),
    /// The request is answered: nothing more must be requested.
    Done,
}

impl Session {
    /// Creates a session without known tools, which repairs arguments as far as the policy allows.
    #[must_use]
    pub fn new(policy: Policy) -> Self {
        Self {
            shared: Shared::default(),
            policy,
        }
    }

    /// Returns the total size of the known tools, in bytes as listed by the server.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.shared.lock().tools_bytes()
    }

    /// Returns `true` if a message calls a tool and no list is known, or is still awaited, so that
    /// the message must wait for it.
    #[must_use]
    pub fn needs_list(&self, message: &[u8]) -> bool {
        let state = self.shared.lock();
        (state.knows_no_list() || state.awaits_own_list()) && call::mentions_call(message)
    }

    /// Returns a request for the tool list, if this message calls a tool and no list is known. The
    /// server must answer it before the message can be handled. Pass its answer to
    /// [`listed`](Self::listed); if there is none, [`not_listed`](Self::not_listed) makes the next
    /// call request it again.
    #[must_use]
    pub fn request_for_list(&self, message: &[u8]) -> Option<String> {
        let mut state = self.shared.lock();
        if !state.knows_no_list() || !call::mentions_call(message) {
            return None;
        }
        let mut request = state.ask_for_tools(call::meta(message));
        request.truncate(request.trim_end().len());
        Some(request)
    }

    /// Reads a server message that may be the reply to
    /// [`request_for_list`](Self::request_for_list).
    pub fn listed(&self, reply: &[u8], notices: &mut Vec<String>) -> Listed {
        match self.learn(reply, notices) {
            None => return Listed::Other,
            Some(Learned::More(next)) => {
                if let Some(request) = self.shared.lock().ask_for_next_page(&next) {
                    return Listed::Ask(request.trim_end().to_owned());
                }
                notices.extend(unchecked::endless(&self.shared, &self.policy));
            }
            Some(Learned::Nothing) => {
                notices.push(unchecked::not_listed(&self.shared, &self.policy));
            }
            Some(Learned::All) => {}
        }
        self.shared.lock().release();
        Listed::Done
    }

    /// Records that the request for the list got no reply.
    pub fn not_listed(&self) {
        let mut state = self.shared.lock();
        state.release();
        state.forget_own_list();
    }

    /// Returns `true` if a client message requests the tool list, so that its answer must be
    /// [received](Self::receive) before the client gets it.
    #[must_use]
    pub fn asks_for_list(&self, message: &[u8]) -> bool {
        let mut asks = false;
        Skim::default().feed(message, |head| {
            asks |= head
                .method
                .is_some_and(|method| method == b"\"tools/list\"" || method.contains(&b'\\'));
        });
        asks
    }

    /// Processes a client message.
    pub fn send(&self, message: &[u8], notices: &mut Vec<String>) -> Treated {
        let judged = call::judge_bytes(message, &self.shared, &self.policy, notices);
        self.shared.lock().keep_lists_alone();
        let Judged {
            instead,
            is_dropped,
            answers,
        } = judged;
        match (instead, answers.is_empty()) {
            (None, _) => Treated::Unchanged,
            (Some(_), true) if is_dropped => Treated::Answered(None),
            // Several messages without a batch, but a body holds only one.
            (Some(instead), true) if instead.contains('\n') && is_sequence(&instead) => {
                Treated::Answered(Some(refused(&instead, "it is not one message alone")))
            }
            (Some(instead), true) => Treated::Changed(instead),
            (Some(_), false) if is_dropped => Treated::Answered(Some(together(&answers))),
            (Some(instead), false) => {
                let reason = "another call that came with it cannot be used";
                let rest = refused(&instead, reason);
                Treated::Answered(Some(together(&[answers, vec![rest]].concat())))
            }
        }
    }

    /// Takes back a message that the server did not accept.
    pub fn failed(&self, message: &[u8]) {
        let mut state = self.shared.lock();
        Skim::default().feed(message, |head| {
            if let Some(id) = head.request() {
                state.answer(&id);
            }
        });
    }

    /// Reads a server message, and learns its tools if it lists any. The client may get it only
    /// after this has returned.
    pub fn receive(&self, message: &[u8], notices: &mut Vec<String>) {
        self.learn(message, notices);
    }

    /// Returns the HTTP headers that repeat parts of a message, with their values as text:
    /// `mcp-protocol-version`, `mcp-method`, `mcp-name` and argument headers (`mcp-param-…`), as
    /// far as the message and its tool have them.
    #[must_use]
    pub fn mirrored(&self, message: &[u8]) -> Vec<(String, String)> {
        mirror::headers(message, &self.shared)
    }

    /// Learns from all responses in a message, and returns the result of the last one with a tool
    /// list.
    fn learn(&self, message: &[u8], notices: &mut Vec<String>) -> Option<Learned> {
        let mut lists: Vec<(Id, Asked)> = Vec::new();
        Skim::default().feed(message, |head| {
            let asked = head
                .response()
                .and_then(|id| Some((self.shared.lock().answer(&id)?, id)));
            lists.extend(
                asked
                    .filter(|(asked, _)| *asked != Asked::Else)
                    .map(|(asked, id)| (id, asked)),
            );
        });
        let mut learned = None;
        for (id, asked) in lists {
            let (shared, policy) = (&self.shared, &self.policy);
            learned = Some(list::learn(
                Some(message),
                &id,
                asked,
                shared,
                policy,
                notices,
            ));
        }
        learned
    }
}

/// Returns `true` for consecutive messages.
fn is_sequence(text: &str) -> bool {
    let (mut count, mut skim) = (0, Skim::default());
    skim.feed(text.as_bytes(), |_| count += 1);
    count > 1 && !skim.is_batch()
}

/// Answers all requests of a text with an error, as a batch.
fn refused(text: &str, reason: &str) -> String {
    let mut answers = Vec::new();
    let requests = |head: Head| {
        answers.extend(head.request().map(|id| answer::unchecked(&id, reason)));
    };
    Skim::default().feed(text.as_bytes(), requests);
    batch_of(&answers)
}

/// Combines answers, single or in batches, into one answer.
fn together(answers: &[String]) -> String {
    if let [answer] = answers {
        return answer.clone();
    }
    let inner = answers.iter().map(|answer| {
        let batch = answer.strip_prefix('[');
        batch
            .and_then(|batch| batch.strip_suffix(']'))
            .unwrap_or(answer)
    });
    let inner: Vec<String> = inner
        .filter(|inner| !inner.is_empty())
        .map(str::to_owned)
        .collect();
    batch_of(&inner)
}
