//! The maximum input length, as read from a configuration.

use std::fmt;

/// Maximum length of a text that can be read at all.
const INPUT_BYTES_MAX: u64 = u32::MAX as u64 - 1;

/// Returns a valid limit in the form of [`Limits`](super::Limits).
pub(super) fn input_bytes(bytes: u64) -> Result<u32, LimitError> {
    if !(1..=INPUT_BYTES_MAX).contains(&bytes) {
        return Err(LimitError { bytes });
    }
    Ok(bytes as u32)
}

/// An invalid limit on the input length: 0 or too large.
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
