//! The errors of conversations.

use std::fmt;

use llmjson_schema::{Failure, Reason};

use crate::retry::reply::Reply;

/// The error of a conversation in which no reply could be used.
#[derive(Clone, Debug)]
pub struct RetryError {
    pub(super) cause: Cause,
    pub(super) attempts: u32,
    pub(super) failure: Failure<'static>,
    pub(super) reply: Reply,
}

/// The reason why the model is not asked again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cause {
    /// The maximum number of retries was reached.
    MaxRetriesReached,
    /// A reply was cut off, and [`Cut::Fail`](crate::retry::Cut::Fail) is set.
    Truncated,
}

impl RetryError {
    /// Returns the stable name of the cause: `max_retries_reached` or `truncated`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self.cause {
            Cause::MaxRetriesReached => "max_retries_reached",
            Cause::Truncated => "truncated",
        }
    }

    /// Returns why the model is not asked again.
    #[must_use]
    pub const fn cause(&self) -> Cause {
        self.cause
    }

    /// Returns the number of replies.
    #[must_use]
    pub const fn attempts(&self) -> u32 {
        self.attempts
    }

    /// Returns what is wrong with the last reply.
    #[must_use]
    pub const fn failure(&self) -> &Failure<'static> {
        &self.failure
    }

    /// Returns the last reply.
    #[must_use]
    pub const fn reply(&self) -> &Reply {
        &self.reply
    }
}

impl fmt::Display for RetryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (code, attempts, failure) = (self.code(), self.attempts, &self.failure);
        let replies = if attempts == 1 { "reply" } else { "replies" };
        write!(f, "{code} after {attempts} {replies}: {failure}")
    }
}

impl std::error::Error for RetryError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.failure)
    }
}

/// The error of [`Retry::run`](crate::retry::Retry::run) and [`Retry::run_async`](crate::retry::Retry::run_async).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum RunError<E> {
    /// The model could not be asked, or gave no reply.
    Model(E),
    /// The error of a conversation in which no reply could be used.
    Retry(Box<RetryError>),
}

impl<E> RunError<E> {
    /// Returns the stable name: `llm_call_failed`, or that of the [`RetryError`].
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Model(_) => "llm_call_failed",
            Self::Retry(error) => error.code(),
        }
    }
}

impl<E: fmt::Display> fmt::Display for RunError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model(error) => write!(f, "llm_call_failed: {error}"),
            Self::Retry(error) => error.fmt(f),
        }
    }
}

impl<E: std::error::Error + 'static> std::error::Error for RunError<E> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Model(error) => Some(error),
            Self::Retry(error) => Some(&**error),
        }
    }
}

/// The stable name of what is wrong with a reply: `no_value`, `limit`, `violations`, or what the
/// policy does not allow.
pub(super) fn reason_name(failure: &Failure<'_>) -> &'static str {
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

/// Returns `true` if the reply was refused because it was cut off.
pub(super) fn is_cut(failure: &Failure<'_>) -> bool {
    let mut refusals = failure.refusals().iter();
    refusals.any(|refusal| refusal.name() == "truncated")
}
