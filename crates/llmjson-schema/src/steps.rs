//! A counter of the questions about a value and a shape, so that tests can say how the work grows
//! without looking at a clock.

use std::cell::Cell;

thread_local! {
    static STEPS: Cell<usize> = const { Cell::new(0) };
}

/// Counts one question.
pub(crate) fn count() {
    STEPS.with(|steps| steps.set(steps.get() + 1));
}

/// Returns the number of questions that are asked while something is done.
pub(crate) fn of(work: impl FnOnce()) -> usize {
    let before = STEPS.with(Cell::get);
    work();
    STEPS.with(Cell::get) - before
}
