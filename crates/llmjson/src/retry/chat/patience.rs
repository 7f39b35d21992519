//! Decides whether and when a failed request is retried.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use llmjson_wire::client::ClientError;

use crate::retry::chat::error::ChatError;

/// The number of times a failed request is retried, and the wait before each attempt.
///
/// Only transient failures are retried: status 408, 409, 429 and 5xx, a lost connection, a
/// truncated or unreadable stream, and a timeout. The server may ask for a wait; otherwise it
/// doubles each time, plus up to a quarter at random so that clients don't all return at once.
///
/// ```
/// use std::time::Duration;
/// use llmjson::retry::Backoff;
///
/// let patience = Backoff::default().with_retries(4).with_first_wait(Duration::from_secs(1));
/// assert_eq!(patience.retries(), 4);
/// assert_eq!(Backoff::none().retries(), 0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backoff {
    retries: u32,
    first_wait: Duration,
    wait_max: Duration,
}

impl Default for Backoff {
    /// Two retries, after half a second and after one second; servers that ask for more than a
    /// minute are not asked again.
    fn default() -> Self {
        Self {
            retries: 2,
            first_wait: Duration::from_millis(500),
            wait_max: Duration::from_secs(60),
        }
    }
}

impl Backoff {
    /// Creates a setting without retries.
    #[must_use]
    pub fn none() -> Self {
        Self::default().with_retries(0)
    }

    /// Sets how many times a request is retried.
    #[must_use]
    pub fn with_retries(mut self, retries: u32) -> Self {
        self.retries = retries;
        self
    }

    /// Sets the first wait, used if the server does not specify one.
    #[must_use]
    pub fn with_first_wait(mut self, wait: Duration) -> Self {
        self.first_wait = wait;
        self
    }

    /// Sets the longest wait. If the server asks for a longer one, the request is not retried.
    #[must_use]
    pub fn with_wait_max(mut self, wait: Duration) -> Self {
        self.wait_max = wait;
        self
    }

    /// Returns the maximum number of retries.
    #[must_use]
    pub const fn retries(&self) -> u32 {
        self.retries
    }

    /// Returns the time to wait after an error that followed `tries` retries, or `None` if the
    /// request is not sent again.
    pub(super) fn wait(&self, tries: u32, error: &ChatError) -> Option<Duration> {
        if tries >= self.retries || !may_pass(error) {
            return None;
        }
        let asked = match error {
            ChatError::Client(ClientError::Refused(refusal)) => refusal.retry_after(),
            _ => None,
        };
        let doubled = self.first_wait.saturating_mul(1 << tries.min(20));
        let base = match asked {
            Some(asked) if asked > self.wait_max => return None,
            Some(asked) => asked,
            None => doubled.min(self.wait_max),
        };
        // The state of a hasher is the standard library's source of randomness.
        let chance = RandomState::new().hash_one(tries) % 1000;
        Some(base + base.mul_f64(chance as f64 / 4000.0))
    }
}

/// Returns `true` if the same request may succeed later.
fn may_pass(error: &ChatError) -> bool {
    match error {
        ChatError::CutOff | ChatError::NoAnswer => true,
        ChatError::Stream(error) => error.status.is_none_or(passes),
        ChatError::Client(error) => match error {
            ClientError::Refused(refusal) => refusal.error.status.is_none_or(passes),
            ClientError::Timeout(_)
            | ClientError::Connect(_)
            | ClientError::Transport(_)
            | ClientError::Sse(_) => true,
            _ => false,
        },
        ChatError::Declined(_) | ChatError::CallsTools(_) => false,
    }
}

const fn passes(status: u16) -> bool {
    // 501 says that the server does not support that at all.
    matches!(status, 200 | 408 | 409 | 429 | 500 | 502..=599)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_doubles_and_ends() {
        let patience = Backoff::default().with_retries(3);
        for (tries, least) in [(0, 500), (1, 1000), (2, 2000)] {
            let wait = patience.wait(tries, &ChatError::CutOff).unwrap();
            let least = Duration::from_millis(least);
            assert!(wait >= least && wait < least.mul_f64(1.26), "{wait:?}");
        }
        assert_eq!(patience.wait(3, &ChatError::CutOff), None);
        assert_eq!(patience.wait(0, &ChatError::Declined(String::new())), None);
    }
}
