//! Counts checks of a value against a shape, so that tests can measure how work grows without a
//! clock.

use std::cell::Cell;

thread_local! {
    static STEPS: Cell<usize> = const { Cell::new(0) };
}

/// Counts one question.
pub(crate) fn count() {
    STEPS.with(|steps| steps.set(steps.get() + 1));
}

/// Returns the number of questions asked during an operation.
pub(crate) fn of(work: impl FnOnce()) -> usize {
    let before = STEPS.with(Cell::get);
    work();
    STEPS.with(Cell::get) - before
}
