//! A cache of compiled schemas and tools by their text: most batches have only a few.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The maximum number of entries; older ones are removed first.
const ENTRIES_MAX: usize = 1_024;
/// The maximum length of all texts together.
const BYTES_MAX: usize = 16_000_000;

/// A bounded cache, shared between threads, of values that are cheap to clone.
pub(super) struct Cache<T> {
    kept: Mutex<Kept<T>>,
}

struct Kept<T> {
    compiled: HashMap<Arc<str>, T>,
    /// Oldest first.
    order: VecDeque<Arc<str>>,
    bytes: usize,
}

impl<T: Clone> Cache<T> {
    /// Returns the entry of a text, which is made if there is none.
    pub(super) fn get_or_make(&self, text: &str, make: impl FnOnce() -> T) -> T {
        if let Some(compiled) = locked(&self.kept).compiled.get(text) {
            return compiled.clone();
        }
        // Outside of the lock: others need not wait. Two threads may do the same work once.
        let compiled = make();
        self.keep(text, compiled.clone());
        compiled
    }

    /// Adds an entry that was made elsewhere.
    pub(super) fn keep(&self, text: &str, compiled: T) {
        locked(&self.kept).insert(text, compiled);
    }
}

impl<T> Default for Cache<T> {
    fn default() -> Self {
        let kept = Kept {
            compiled: HashMap::new(),
            order: VecDeque::new(),
            bytes: 0,
        };
        Self {
            kept: Mutex::new(kept),
        }
    }
}

impl<T> Kept<T> {
    fn insert(&mut self, text: &str, compiled: T) {
        let key: Arc<str> = text.into();
        if self.compiled.insert(Arc::clone(&key), compiled).is_some() {
            return;
        }
        self.bytes += key.len();
        self.order.push_back(key);
        while self.order.len() > ENTRIES_MAX || self.bytes > BYTES_MAX {
            let Some(oldest) = self.order.pop_front() else {
                return;
            };
            self.bytes -= oldest.len();
            self.compiled.remove(&oldest);
        }
    }
}

/// Locks a mutex. The guarded data stays valid even if its holder panics.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_stays_bounded() {
        let cache = Cache::default();
        for number in 0..ENTRIES_MAX + 10 {
            assert_eq!(cache.get_or_make(&number.to_string(), || number), number);
        }
        let last = (ENTRIES_MAX + 9).to_string();
        assert_eq!(cache.get_or_make(&last, || 0), ENTRIES_MAX + 9);
        assert_eq!(cache.get_or_make("0", || 7), 7);
        let kept = locked(&cache.kept);
        assert_eq!(
            (kept.order.len(), kept.compiled.len()),
            (ENTRIES_MAX, ENTRIES_MAX)
        );
    }

    #[test]
    fn long_texts_are_let_go_earlier() {
        let cache = Cache::default();
        for number in 0..9 {
            cache.keep(&format!("{number}{}", " ".repeat(2_000_000)), number);
        }
        let kept = locked(&cache.kept);
        assert!(kept.bytes <= BYTES_MAX && !kept.compiled.is_empty());
    }
}
