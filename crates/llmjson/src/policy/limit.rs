//! How long a text may be, from somebody's settings.

use std::fmt;

use super::Policy;

/// The longest text that can be read at all.
const INPUT_BYTES_MAX: u64 = u32::MAX as u64 - 1;

impl Policy {
    /// Sets how many bytes a text may have; a longer one is not looked at. This is for limits that
    /// come from settings: [`with_limits`](Self::with_limits) takes what a program knows.
    ///
    /// # Errors
    ///
    /// If the limit is 0, or beyond what can be read at all (4 GiB).
    ///
    /// ```
    /// use llmjson::Policy;
    ///
    /// let policy = Policy::lenient().with_input_bytes(10)?;
    /// let failure = llmjson::parse_with("[1, 2, 3, 4]", None, &policy).into_result().unwrap_err();
    /// assert_eq!(failure.code(), "input_too_large");
    /// assert!(Policy::lenient().with_input_bytes(0).is_err());
    /// # Ok::<(), llmjson::policy::LimitError>(())
    /// ```
    pub fn with_input_bytes(self, bytes: u64) -> Result<Self, LimitError> {
        if !(1..=INPUT_BYTES_MAX).contains(&bytes) {
            return Err(LimitError { bytes });
        }
        let limits = self.limits.with_input_bytes(bytes as u32);
        Ok(self.with_limits(limits))
    }
}

/// A limit on the length of texts that makes no sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitError {
    bytes: u64,
}

impl fmt::Display for LimitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.bytes;
        write!(
            f,
            "a text may be limited to 1 to {INPUT_BYTES_MAX} bytes, not to {bytes}"
        )
    }
}

impl std::error::Error for LimitError {}
