//! Member names, which repeat: each is converted to a Python string once.

use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3::types::PyString;

/// The number of cached names.
const SLOTS: usize = 1_024;
/// The maximum length in bytes of a cached name.
const NAME_BYTES_MAX: usize = 48;

/// The names seen, each in the slot of its hash.
pub(crate) struct Keys {
    slots: Box<[Option<Slot>]>,
}

struct Slot {
    ends: Ends,
    name: Box<[u8]>,
    key: Py<PyString>,
}

/// The first bytes, last bytes and length of a name, which determine a short name completely.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Ends {
    first: u64,
    last: u64,
    length: usize,
}

/// The maximum length in bytes of a name that its ends determine completely.
const WHOLE_BYTES: usize = 2 * size_of::<u64>();

/// The names of earlier values, unless they are in use.
static KEPT: Mutex<Option<Keys>> = Mutex::new(None);

impl Keys {
    /// Takes the names of earlier values. A concurrent call begins without any.
    pub(crate) fn take() -> Self {
        let kept = KEPT.try_lock().ok().and_then(|mut kept| kept.take());
        kept.unwrap_or_else(|| Self {
            slots: std::iter::repeat_with(|| None).take(SLOTS).collect(),
        })
    }

    /// Keeps the names for the next value.
    pub(crate) fn give_back(self) {
        if let Ok(mut kept) = KEPT.try_lock() {
            *kept = Some(self);
        }
    }

    /// Returns the name as a Python string.
    #[inline]
    pub(crate) fn get<'py>(&mut self, py: Python<'py>, name: &[u8]) -> Bound<'py, PyString> {
        let ends = Ends::of(name);
        if let Some(Some(slot)) = self.slots.get(ends.slot())
            && slot.ends == ends
            && (name.len() <= WHOLE_BYTES || *slot.name == *name)
        {
            return slot.key.bind(py).clone();
        }
        self.put(py, name, ends)
    }

    #[cold]
    fn put<'py>(&mut self, py: Python<'py>, name: &[u8], ends: Ends) -> Bound<'py, PyString> {
        let key = PyString::new(py, std::str::from_utf8(name).unwrap_or_default());
        if name.len() <= NAME_BYTES_MAX
            && let Some(slot) = self.slots.get_mut(ends.slot())
        {
            let (name, key) = (name.into(), key.clone().unbind());
            *slot = Some(Slot { ends, name, key });
        }
        key
    }
}

impl Ends {
    #[inline]
    fn of(name: &[u8]) -> Self {
        let (first, last) = match (name.first_chunk(), name.last_chunk()) {
            (Some(first), Some(last)) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
            _ => short_ends(name),
        };
        let length = name.len();
        Self {
            first,
            last,
            length,
        }
    }

    /// A cheap hash.
    #[inline]
    fn slot(self) -> usize {
        let mixed = self.first ^ self.last.rotate_left(29) ^ self.length as u64;
        let hash = mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        usize::try_from(hash >> 40).unwrap_or_default() % SLOTS
    }
}

/// Returns the ends of a name of fewer than eight bytes, which overlap.
#[inline]
fn short_ends(name: &[u8]) -> (u64, u64) {
    if let (Some(first), Some(last)) = (name.first_chunk(), name.last_chunk()) {
        return (
            u32::from_le_bytes(*first).into(),
            u32::from_le_bytes(*last).into(),
        );
    }
    let at = |place: usize| name.get(place).copied().map_or(0, u64::from);
    ((at(1) << 8) | at(0), at(2))
}
