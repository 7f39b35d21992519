//! Work: the cost of processing a text, a schema or an array beyond a single pass.
//!
//! A reader steps through its text once. All other accesses (lookahead, a trial, a walk over open
//! containers, a step of the search) are charged to one work budget, whether or not they succeed. A
//! bound on a count can be checked exactly, on every machine and for every input, unlike a bound on
//! time: `laws::work_is_bounded` compares the count with the length of the text.

use core::sync::atomic::{AtomicBool, Ordering};

/// Bytes added to every work budget, so that short inputs can afford the same repairs as long ones.
const FREE_BYTES: u64 = 1024;

/// A work budget: how many steps were spent, and how many are allowed.
///
/// One step is a byte, node or item that is accessed by itself, or sixteen bytes of a search that
/// scans many bytes at once.
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

/// A flag that stops reading: once it is set, budgets that carry it count as exhausted, so the
/// current value is read without lookahead, which is fast, and no further value is looked for. The
/// result is then worthless.
///
/// Use it if a caller may lose interest, for example because it was interrupted.
#[derive(Clone, Copy, Debug)]
pub struct Stop(&'static AtomicBool);

impl Stop {
    /// Creates a stop that is requested by setting the flag.
    #[must_use]
    pub const fn new(flag: &'static AtomicBool) -> Self {
        Self(flag)
    }

    pub(crate) fn is_set(self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Two handles are equal if they share the flag.
impl PartialEq for Stop {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self.0, other.0)
    }
}

impl Eq for Stop {}

impl Work {
    /// Creates a budget for an input of `bytes` bytes: `per_byte` steps for each byte, with 1,024
    /// added to their number.
    #[must_use]
    pub const fn for_bytes(per_byte: u32, bytes: usize) -> Self {
        Self {
            spent: 0,
            allowed: per_byte as u64 * (bytes as u64 + FREE_BYTES),
            stop: None,
        }
    }

    /// Returns the same budget with a flag that may end it.
    #[must_use]
    pub const fn with_stop(self, stop: Option<Stop>) -> Self {
        Self { stop, ..self }
    }

    /// Returns the same budget for an input that has grown to `bytes` bytes.
    #[must_use]
    pub const fn grown_to(self, per_byte: u32, bytes: usize) -> Self {
        let Self { spent, stop, .. } = self;
        Self {
            spent,
            stop,
            ..Self::for_bytes(per_byte, bytes)
        }
    }

    /// Returns the work budget for several texts of `bytes` bytes in total, each of which is read
    /// while it arrives and once more at its end.
    pub(crate) const fn of_several(self, per_byte: u32, bytes: usize) -> Self {
        self.grown_to(per_byte.saturating_mul(2), bytes)
    }

    /// Returns the length of an input, in bytes, for which the steps spent so far would be within
    /// budget.
    #[must_use]
    pub fn bytes_needed(self, per_byte: u32) -> usize {
        let bytes = self.spent.checked_div(u64::from(per_byte));
        let bytes = bytes.map_or(u64::MAX, |bytes| (bytes + 1).saturating_sub(FREE_BYTES));
        usize::try_from(bytes).unwrap_or(usize::MAX)
    }

    /// Returns the number of bytes at which [`of_several`](Self::of_several) allows the work done
    /// so far.
    pub(crate) fn bytes_of_several(self, per_byte: u32) -> usize {
        self.bytes_needed(per_byte.saturating_mul(2))
    }

    /// Returns a budget of one of several equal parts of this one, or of the steps that it has left.
    pub(crate) fn part(&self, parts: u64) -> Self {
        let allowed = self.left().min(self.allowed / parts);
        Self {
            spent: 0,
            allowed,
            stop: self.stop,
        }
    }

    /// Takes `steps` from the budget. It may be exceeded: an access of unknown length is charged
    /// afterwards, and the caller checks [`is_used_up`](Self::is_used_up) before the next one.
    #[inline]
    pub const fn charge(&mut self, steps: usize) {
        self.spent += steps as u64;
    }

    /// Sets the total allowed to another budget's total, if that is larger.
    pub const fn raise(&mut self, to: Self) {
        if self.allowed < to.allowed {
            self.allowed = to.allowed;
        }
    }

    /// Returns `true` if the budget is exceeded, or if a flag has ended it.
    #[inline]
    #[must_use]
    pub fn is_used_up(&self) -> bool {
        self.spent > self.allowed || self.is_stopped()
    }

    /// Returns `true` if a flag has ended the budget: nobody waits for the result.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.is_some_and(Stop::is_set)
    }

    /// Returns the flag that may end the budget.
    pub(crate) const fn stop(&self) -> Option<Stop> {
        self.stop
    }

    /// Returns the number of steps spent.
    #[inline]
    #[must_use]
    pub const fn spent(&self) -> u64 {
        self.spent
    }

    /// Returns the number of steps left; 0 if a flag has ended the budget.
    #[inline]
    #[must_use]
    pub fn left(&self) -> u64 {
        match self.is_stopped() {
            true => 0,
            false => self.allowed.saturating_sub(self.spent),
        }
    }
}

/// Returns the number of steps charged for a search over `bytes` bytes, which scans several bytes
/// per step.
#[inline]
#[must_use]
pub const fn steps_of_search(bytes: usize) -> usize {
    bytes / 16 + 1
}
