//! Options for reading a column.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use llmjson::Policy;

/// Options for reading a column: lenient, into typed columns, on all cores, unless set otherwise.
///
/// ```
/// use std::num::NonZeroUsize;
///
/// use llmjson::Policy;
/// use llmjson_arrow::{Options, Output};
///
/// let options = Options::default()
///     .with_policy(Policy::tool())
///     .with_output(Output::Json)
///     .with_threads(NonZeroUsize::MIN);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The changes to a text and its value that are allowed.
    pub policy: Policy,
    /// The content of the column `value`.
    pub output: Output,
    /// The maximum number of threads; `None` is one for each core.
    pub threads: Option<NonZeroUsize>,
    /// The flag that stops reading once it is true.
    pub cancel: Option<Arc<AtomicBool>>,
}

/// The content of the column `value`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Output {
    /// The values in the type that follows from the schema, null where `ok` is false.
    #[default]
    Struct,
    /// The types of `Struct`, with dates, times, decimals, UUIDs and enumerated strings as Arrow's own types: see the
    /// [types](crate#types).
    Typed,
    /// The JSON text of the best reading, also where `ok` is false.
    Json,
}

impl Options {
    /// Sets what changes to a text and its value are allowed. Observers of the policy are called on the
    /// threads that read.
    #[must_use]
    pub fn with_policy(self, policy: Policy) -> Self {
        Self { policy, ..self }
    }

    /// Sets what the column `value` holds.
    #[must_use]
    pub fn with_output(self, output: Output) -> Self {
        Self { output, ..self }
    }

    /// Sets the maximum number of threads that read; one is the caller's own.
    #[must_use]
    pub fn with_threads(self, threads: NonZeroUsize) -> Self {
        let threads = Some(threads);
        Self { threads, ..self }
    }

    /// Sets a flag that stops reading once it is true. It is looked at before each row.
    ///
    /// ```
    /// use std::sync::{Arc, atomic::{AtomicBool, Ordering}};
    ///
    /// use llmjson_arrow::{Error, Options, parse};
    ///
    /// let cancel = Arc::new(AtomicBool::new(false));
    /// let options = Options::default().with_cancel(Arc::clone(&cancel));
    /// cancel.store(true, Ordering::Relaxed); // usually on another thread
    /// let replies = arrow_array::StringArray::from(vec!["{}"]);
    /// assert!(matches!(parse(&replies, None, &options), Err(Error::Cancelled)));
    /// ```
    #[must_use]
    pub fn with_cancel(self, cancel: Arc<AtomicBool>) -> Self {
        let cancel = Some(cancel);
        Self { cancel, ..self }
    }

    pub(crate) fn thread_count(&self) -> usize {
        let threads = self
            .threads
            .or_else(|| thread::available_parallelism().ok());
        threads.map_or(1, NonZeroUsize::get)
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        (self.cancel.as_ref()).is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            policy: Policy::lenient(),
            output: Output::default(),
            threads: None,
            cancel: None,
        }
    }
}
