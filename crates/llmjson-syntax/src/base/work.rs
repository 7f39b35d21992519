//! Work: what reading a text, a schema or a list costs beyond its own steps.
//!
//! A reader steps through its text once. Whatever it looks at besides (a look-ahead, a trial, a walk
//! over open containers, a step of the search) is charged to one account, also when it finds what it
//! looked for. A bound that is a count can be checked exactly, on every machine and for every input,
//! which a clock cannot do: `laws::work_is_bounded` compares the count with the length of the text.

use core::sync::atomic::{AtomicBool, Ordering};

/// Bytes that every account is given besides those of its input, so that short inputs can afford
/// what long ones can.
const FREE_BYTES: u64 = 1024;

/// An account of work: how much was spent, and how much may be.
///
/// The unit is one step: a byte, node or item that is looked at by itself, or sixteen bytes of a search
/// that looks at many bytes at once.
///
/// ```
/// use llmjson_syntax::Work;
///
/// let mut work = Work::for_bytes(16, 100);
/// work.charge(1_000);
/// assert_eq!(work.spent(), 1_000);
/// assert!(!work.is_used_up());
/// work.charge(16 * (100 + 1024));
/// assert!(work.is_used_up());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    spent: u64,
    allowed: u64,
    stop: Option<Stop>,
}

/// A flag that ends looking: once it is set, accounts that carry it count as used up, so that what is left
/// of a text is read without looking, which is fast. What is read then is worth nothing.
///
/// For callers that may lose interest, such as one that is interrupted.
#[derive(Clone, Copy, Debug)]
pub struct Stop(&'static AtomicBool);

impl Stop {
    /// Creates a stop that is asked for by setting the flag.
    #[must_use]
    pub const fn new(flag: &'static AtomicBool) -> Self {
        Self(flag)
    }

    fn is_set(self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The same flag.
impl PartialEq for Stop {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self.0, other.0)
    }
}

impl Eq for Stop {}

impl Work {
    /// Creates an account for an input of `bytes` bytes: `per_byte` steps for each of them, and for
    /// 1,024 bytes besides.
    #[must_use]
    pub const fn for_bytes(per_byte: u32, bytes: usize) -> Self {
        Self {
            spent: 0,
            allowed: per_byte as u64 * (bytes as u64 + FREE_BYTES),
            stop: None,
        }
    }

    /// Returns the same account, which a flag may end.
    #[must_use]
    pub const fn with_stop(self, stop: Option<Stop>) -> Self {
        Self { stop, ..self }
    }

    /// Returns the same account for an input that has grown to `bytes` bytes.
    #[must_use]
    pub const fn grown_to(self, per_byte: u32, bytes: usize) -> Self {
        let Self { spent, stop, .. } = self;
        Self {
            spent,
            stop,
            ..Self::for_bytes(per_byte, bytes)
        }
    }

    /// Returns the same account for several texts of `bytes` bytes together, each of which is read while it
    /// comes and once more at its end.
    pub(crate) const fn of_several(self, per_byte: u32, bytes: usize) -> Self {
        self.grown_to(per_byte.saturating_mul(2), bytes)
    }

    /// Returns how many bytes an input must have for what was spent to be allowed.
    #[must_use]
    pub fn bytes_needed(self, per_byte: u32) -> usize {
        let bytes = self.spent.checked_div(u64::from(per_byte));
        let bytes = bytes.map_or(u64::MAX, |bytes| (bytes + 1).saturating_sub(FREE_BYTES));
        usize::try_from(bytes).unwrap_or(usize::MAX)
    }

    /// The same for [`of_several`](Self::of_several).
    pub(crate) fn bytes_of_several(self, per_byte: u32) -> usize {
        self.bytes_needed(per_byte.saturating_mul(2))
    }

    /// Takes `steps` from the account. It may be overdrawn: a look at something of unknown length
    /// charges it afterwards and asks [`is_used_up`](Self::is_used_up) before the
    /// next look.
    #[inline]
    pub const fn charge(&mut self, steps: usize) {
        self.spent += steps as u64;
    }

    /// Allows as much as another account does in all, if this one allows less.
    pub const fn raise(&mut self, to: Self) {
        if self.allowed < to.allowed {
            self.allowed = to.allowed;
        }
    }

    /// Returns `true` if more was spent than is allowed, or a flag has ended looking.
    #[inline]
    #[must_use]
    pub fn is_used_up(&self) -> bool {
        self.spent > self.allowed || self.stop.is_some_and(Stop::is_set)
    }

    /// Returns the number of steps that were spent.
    #[inline]
    #[must_use]
    pub const fn spent(&self) -> u64 {
        self.spent
    }

    /// Returns the number of steps that may be spent before the account is used up.
    #[inline]
    #[must_use]
    pub const fn left(&self) -> u64 {
        self.allowed.saturating_sub(self.spent)
    }
}

/// Returns the number of steps that a search over `bytes` bytes costs. It looks at several bytes in a step.
#[inline]
#[must_use]
pub const fn steps_of_search(bytes: usize) -> usize {
    bytes / 16 + 1
}
