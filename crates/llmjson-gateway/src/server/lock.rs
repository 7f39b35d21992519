//! A lock for state that a panic cannot leave inconsistent.

use std::sync::{Mutex, MutexGuard, PoisonError};

#[derive(Debug, Default)]
pub(super) struct Lock<T>(Mutex<T>);

impl<T> Lock<T> {
    pub(super) const fn new(state: T) -> Self {
        Self(Mutex::new(state))
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
