//! Limits of parsing. Exceeding one is a named outcome, never a crash.

use core::cell::Cell;
use core::fmt;

use crate::base::span::Span;
use crate::base::work::{Stop, Work};

/// Limits on a text and on the work to parse it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The maximum length of a text, in bytes: at most 4 GiB minus one.
    pub input_bytes: u32,
    /// The maximum nesting of containers.
    pub depth: u32,
    /// The maximum number of places in a reply that are tried as the beginning of a value, and
    /// separately of places in reasoning and quotations. If there are more, the middle ones are
    /// skipped, and a `candidates_capped` repair says so.
    pub candidates: u32,
    /// The work budget in steps per input byte, with 1,024 bytes added to the length: lookahead,
    /// lookbehind and every step of the recovery search, beyond the single pass that reads the text
    /// ([`Work`](crate::Work)). If the budget runs out, the value ends where the cheapest candidate
    /// has got to, and a `work_capped` repair marks the position.
    pub work: u32,
    /// The maximum number of repairs and notes that are recorded individually.
    pub records: u32,
    /// The maximum number of digits of a number, including its exponent, where a schema checks its
    /// size, whether it is an integer, or whether it is a multiple. A longer number keeps its text,
    /// but satisfies none of these rules (the violation's keyword is `digits`), and a longer string
    /// is not converted to a number. The minimum is 40.
    pub digits: u32,
    /// The maximum length of feedback in bytes, unless the caller sets another one. Violations
    /// beyond it are counted. It does not affect parsing.
    pub feedback_bytes: u32,
    /// The flag that stops lookahead.
    pub(crate) stop: Option<Stop>,
}

impl Limits {
    /// The defaults: 10,000,000 bytes, depth 512, 64 candidates, 24 work steps per byte, 10,000
    /// records, numbers of 4,096 digits, feedback of 1,000,000 bytes.
    pub const DEFAULT: Self = Self {
        input_bytes: 10_000_000,
        depth: 512,
        candidates: 64,
        work: 24,
        records: 10_000,
        digits: 4_096,
        feedback_bytes: 1_000_000,
        stop: None,
    };

    /// Sets [`input_bytes`](Self::input_bytes).
    #[must_use]
    pub const fn with_input_bytes(self, input_bytes: u32) -> Self {
        Self {
            input_bytes,
            ..self
        }
    }

    /// Sets [`depth`](Self::depth).
    #[must_use]
    pub const fn with_depth(self, depth: u32) -> Self {
        Self { depth, ..self }
    }

    /// Sets [`candidates`](Self::candidates).
    #[must_use]
    pub const fn with_candidates(self, candidates: u32) -> Self {
        Self { candidates, ..self }
    }

    /// Sets [`work`](Self::work).
    #[must_use]
    pub const fn with_work(self, work: u32) -> Self {
        Self { work, ..self }
    }

    /// Lets a flag exhaust the [`work`](Self::work) budget early.
    #[must_use]
    pub const fn with_stop(self, stop: Stop) -> Self {
        let stop = Some(stop);
        Self { stop, ..self }
    }

    /// Sets [`records`](Self::records).
    #[must_use]
    pub const fn with_records(self, records: u32) -> Self {
        Self { records, ..self }
    }

    /// Sets [`digits`](Self::digits).
    #[must_use]
    pub const fn with_digits(self, digits: u32) -> Self {
        Self { digits, ..self }
    }

    /// Sets [`feedback_bytes`](Self::feedback_bytes).
    #[must_use]
    pub const fn with_feedback_bytes(self, feedback_bytes: u32) -> Self {
        Self {
            feedback_bytes,
            ..self
        }
    }
}

/// Minimum of [`Limits::digits`]: numbers of 128 bits have fewer digits.
const DIGITS_MIN: u32 = 40;

impl Limits {
    /// Returns the work budget for a text of `bytes` bytes, shared by all readings of it.
    pub(crate) const fn account(&self, bytes: usize) -> Cell<Work> {
        Cell::new(Work::for_bytes(self.work, bytes).with_stop(self.stop))
    }

    /// Returns the number of digits that are compared under a limit.
    pub(crate) fn digits_compared(digits: u32) -> u32 {
        digits.max(DIGITS_MIN)
    }

    /// Returns `true` if a number has more digits than [`digits`](Self::digits) allows.
    #[must_use]
    pub(crate) fn are_too_many(digits: u32, number: &str) -> bool {
        let most = Self::digits_compared(digits) as usize;
        // Apart from digits, a number has at most two minus or plus characters, a point and a
        // letter.
        number.len() > most
            && (number.len() > most + 4 || number.bytes().filter(u8::is_ascii_digit).count() > most)
    }

    /// Returns `true` if a text has too many digits to be parsed as a number.
    #[must_use]
    pub fn has_too_many_digits(&self, text: &str) -> bool {
        text.len() > self.digits as usize
            && text.bytes().filter(u8::is_ascii_digit).count()
                > self.digits.max(DIGITS_MIN) as usize
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The limit that was exceeded before there was a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LimitReached {
    /// The text is longer than the limit.
    InputBytes {
        /// The length of the text in bytes.
        size: usize,
        /// The limit.
        limit: u32,
    },
    /// Containers are nested deeper than the limit.
    Depth {
        /// The limit.
        limit: u32,
        /// The opening bracket that exceeds it.
        span: Span,
    },
    /// None of the places tried holds a usable value, and there are more places.
    Candidates {
        /// The limit.
        limit: u32,
    },
}

impl LimitReached {
    /// Returns the name of the limit, which is a field of [`Limits`].
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::InputBytes { .. } => "input_bytes",
            Self::Depth { .. } => "depth",
            Self::Candidates { .. } => "candidates",
        }
    }
}

impl fmt::Display for LimitReached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InputBytes { size, limit } => {
                write!(
                    f,
                    "the text has {size} bytes, more than the limit of {limit}"
                )
            }
            Self::Depth { limit, span } => {
                write!(
                    f,
                    "containers nest deeper than {limit} at byte {}",
                    span.start
                )
            }
            Self::Candidates { limit } => {
                write!(
                    f,
                    "there is no usable value at the first {limit} places that may hold one"
                )
            }
        }
    }
}
