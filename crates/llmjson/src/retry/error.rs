//! Errors of conversations.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use llmjson_schema::{Failure, Reason};

use crate::retry::reply::Reply;

/// The error of a conversation that ended without a value: no reply could be used, or the model
/// gave none.
///
/// [`code`](Self::code) gives the cause: `max_retries_reached`, `truncated` (a reply was truncated,
/// and [`OnTruncation::Fail`](crate::retry::OnTruncation::Fail) is set), `stopped` or
/// `deadline_passed` (the caller's [condition](crate::retry::Retry::stopping_when) or
/// [deadline](crate::retry::Retry::with_deadline)), or `llm_call_failed`.
#[derive(Clone, Debug)]
pub struct RetryError(Box<Details>);

#[derive(Clone, Debug)]
struct Details {
    code: &'static str,
    attempts: u32,
    cause: Cause,
}

#[derive(Clone, Debug)]
enum Cause {
    Model(Arc<dyn Error + Send + Sync>),
    Reply(Failure, Reply),
}

impl RetryError {
    pub(super) fn of_model(error: impl Into<Box<dyn Error + Send + Sync>>, attempts: u32) -> Self {
        Self(Box::new(Details {
            code: "llm_call_failed",
            attempts,
            cause: Cause::Model(error.into().into()),
        }))
    }

    pub(super) fn of_reply(
        code: &'static str,
        attempts: u32,
        failure: Failure,
        reply: Reply,
    ) -> Self {
        Self(Box::new(Details {
            code,
            attempts,
            cause: Cause::Reply(failure, reply),
        }))
    }

    /// Returns the cause as a stable code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        self.0.code
    }

    /// Returns the number of replies read.
    #[must_use]
    pub const fn attempts(&self) -> u32 {
        self.0.attempts
    }

    /// Returns what is wrong with the last reply, or `None` if the model gave none.
    #[must_use]
    pub fn failure(&self) -> Option<&Failure> {
        match &self.0.cause {
            Cause::Reply(failure, _) => Some(failure),
            Cause::Model(_) => None,
        }
    }

    /// Returns the last reply, or `None` if the model gave none.
    #[must_use]
    pub fn reply(&self) -> Option<&Reply> {
        match &self.0.cause {
            Cause::Reply(_, reply) => Some(reply),
            Cause::Model(_) => None,
        }
    }

    /// Returns the error of the last call to the model, as the caller's function returned it:
    /// `error.model_error::<ChatError>()`.
    #[must_use]
    pub fn model_error<E: Error + 'static>(&self) -> Option<&E> {
        match &self.0.cause {
            Cause::Model(error) => error.downcast_ref(),
            Cause::Reply(..) => None,
        }
    }
}

impl fmt::Display for RetryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (code, attempts) = (self.code(), self.attempts());
        match &self.0.cause {
            Cause::Model(error) => write!(f, "{code}: {error}"),
            Cause::Reply(failure, _) => {
                let replies = if attempts == 1 { "reply" } else { "replies" };
                write!(f, "{code} after {attempts} {replies}: {failure}")
            }
        }
    }
}

impl Error for RetryError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.0.cause {
            Cause::Model(error) => Some(&**error),
            Cause::Reply(failure, _) => Some(failure),
        }
    }
}

/// The stable name of a reply's problem: `no_value`, `limit`, `violations`, or the name of the
/// first refusal.
pub(super) fn reason_name(failure: &Failure) -> &'static str {
    if is_cut(failure) {
        return "truncated";
    }
    match failure.reason() {
        Reason::NoValue => "no_value",
        Reason::Limit(_) => "limit",
        Reason::Violations => "violations",
        Reason::Refused(refusal) => refusal.name(),
        _ => "other",
    }
}

/// Returns `true` if the reply was refused because it was truncated.
pub(super) fn is_cut(failure: &Failure) -> bool {
    let mut refusals = failure.refusals().iter();
    refusals.any(|refusal| refusal.name() == "truncated")
}
