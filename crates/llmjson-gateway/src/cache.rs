//! Compiled tools and schemas of earlier requests.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::chat::{Format, Tools};

/// The maximum size of a cached tool list or schema, in bytes.
const KEY_BYTES_MAX: usize = 1 << 20;

/// Compiled tools and schemas of earlier requests, keyed by their bytes. Bounded, and shared by
/// threads.
#[derive(Debug)]
pub struct Cache {
    pub(crate) tools: Shelf<Tools>,
    pub(crate) formats: Shelf<Format>,
    entries: usize,
}

impl Cache {
    /// The default of [`with_bytes`](Self::with_bytes).
    pub const BYTES: usize = 16 << 20;

    /// Creates a cache for at most this many tool lists and as many schemas.
    #[must_use]
    pub fn new(entries: usize) -> Self {
        Self {
            tools: Shelf::new(entries),
            formats: Shelf::new(entries),
            entries,
        }
    }

    /// Sets the maximum total size of the tool lists and schemas, in bytes of their source; the
    /// default is [`BYTES`](Self::BYTES).
    #[must_use]
    pub const fn with_bytes(mut self, bytes: usize) -> Self {
        self.tools.bytes_max = bytes;
        self.formats.bytes_max = bytes;
        self
    }

    /// Returns the total size of the cached lists and schemas, in bytes of their source.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.tools.kept().bytes + self.formats.kept().bytes
    }

    /// Returns the maximum number of lists and of schemas.
    #[must_use]
    pub const fn entries(&self) -> usize {
        self.entries
    }
}

/// Values keyed by their source bytes and treatment.
#[derive(Debug)]
pub(crate) struct Shelf<T> {
    kept: Mutex<Kept<T>>,
    entries: usize,
    bytes_max: usize,
}

#[derive(Debug)]
struct Kept<T> {
    values: HashMap<Key, Used<T>>,
    /// The sum of the lengths of the keys.
    bytes: usize,
    uses: u64,
}

/// The id of the treatment, and the bytes.
type Key = (u64, Box<[u8]>);

/// The time of the last use, and the value.
type Used<T> = (u64, Arc<T>);

impl<T> Shelf<T> {
    fn new(entries: usize) -> Self {
        let kept = Kept {
            values: HashMap::new(),
            bytes: 0,
            uses: 0,
        };
        Self {
            kept: Mutex::new(kept),
            entries,
            bytes_max: Cache::BYTES,
        }
    }

    fn kept(&self) -> MutexGuard<'_, Kept<T>> {
        // A panic cannot leave the map inconsistent.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the value for these bytes, computing it if it is absent. Computing it does not block
    /// other threads.
    pub(crate) fn get(&self, treatment: u64, bytes: &[u8], make: impl FnOnce() -> T) -> Arc<T> {
        let key = (treatment, bytes.into());
        {
            let mut kept = self.kept();
            kept.uses += 1;
            let uses = kept.uses;
            if let Some((used, value)) = kept.values.get_mut(&key) {
                *used = uses;
                return Arc::clone(value);
            }
        }
        let value = Arc::new(make());
        if bytes.len() > KEY_BYTES_MAX.min(self.bytes_max) || self.entries == 0 {
            return value;
        }
        let mut kept = self.kept();
        let before = kept.values.remove(&key);
        kept.bytes -= before.map_or(0, |_| bytes.len());
        while kept.values.len() >= self.entries || kept.bytes + bytes.len() > self.bytes_max {
            let oldest = kept.values.iter().min_by_key(|(_, (used, _))| *used);
            let Some(oldest) = oldest.map(|(key, _)| key.clone()) else {
                break;
            };
            kept.values.remove(&oldest);
            kept.bytes -= oldest.1.len();
        }
        let uses = kept.uses;
        kept.bytes += bytes.len();
        kept.values.insert(key, (uses, Arc::clone(&value)));
        value
    }
}
