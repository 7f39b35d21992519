//! Values that JavaScript holds by a number.

use std::cell::RefCell;
use std::thread::LocalKey;

/// Values by number, starting at 1. The number of a removed value is reused.
pub(crate) struct Kept<T> {
    places: Vec<Option<T>>,
    free: Vec<usize>,
}

impl<T> Kept<T> {
    pub(crate) const fn new() -> Self {
        Self {
            places: Vec::new(),
            free: Vec::new(),
        }
    }

    fn put(&mut self, value: T) -> u32 {
        let at = self.free.pop().unwrap_or(self.places.len());
        match self.places.get_mut(at) {
            Some(place) => *place = Some(value),
            None => self.places.push(Some(value)),
        }
        at as u32 + 1
    }

    fn at(&mut self, number: u32) -> Option<&mut Option<T>> {
        self.places.get_mut((number as usize).checked_sub(1)?)
    }

    fn take(&mut self, number: u32) -> Option<T> {
        let value = self.at(number)?.take()?;
        self.free.push(number as usize - 1);
        Some(value)
    }
}

pub(crate) type Store<T> = LocalKey<RefCell<Kept<T>>>;

/// Stores a value and returns its number.
pub(crate) fn keep<T>(store: &'static Store<T>, value: T) -> u32 {
    store.with_borrow_mut(|kept| kept.put(value))
}

/// Removes a value.
pub(crate) fn take<T>(store: &'static Store<T>, number: u32) -> Option<T> {
    store.with_borrow_mut(|kept| kept.take(number))
}

/// Calls a function with a value.
pub(crate) fn with<T, R>(
    store: &'static Store<T>,
    number: u32,
    act: impl FnOnce(&mut T) -> R,
) -> Option<R> {
    store.with_borrow_mut(|kept| kept.at(number)?.as_mut().map(act))
}
