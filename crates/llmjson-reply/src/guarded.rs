//! Calls into foreign code, which may panic.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Calls foreign code, such as an extension, and catches its panics.
///
/// # Errors
///
/// The panic message, if it panics.
pub fn guarded<R>(call: impl FnOnce() -> R) -> Result<R, String> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|payload| {
        let text = payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        text.unwrap_or_else(|| "a panic without a message".to_owned())
    })
}
