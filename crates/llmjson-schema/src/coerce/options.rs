//! What coercion may do.

use std::sync::Arc;

use llmjson_syntax::Limits;

use crate::report::CoercionKind;

/// What [`coerce`](crate::coerce) may do. The default is lenient: every kind of change.
///
/// ```
/// use llmjson_schema::{CoerceOptions, CoercionKind};
///
/// let careful = CoerceOptions::default()
///     .without(CoercionKind::WordToBoolean)
///     .without(CoercionKind::GroupedNumberGuess);
/// assert!(!careful.allows(CoercionKind::WordToBoolean));
/// assert!(careful.allows(CoercionKind::TextToNumber));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CoerceOptions {
    /// One bit per kind, at the kind's place in its declaration.
    allowed: u64,
    pub(crate) limits: Limits,
    pub(crate) containers_as_text: bool,
    pub(crate) wrappers: Arc<[Box<str>]>,
}

const _: () = assert!(CoercionKind::ALL.len() <= 64);

impl CoerceOptions {
    /// Allows no change at all; kinds are then added with [`with`](Self::with).
    #[must_use]
    pub fn none() -> Self {
        Self {
            allowed: 0,
            limits: Limits::DEFAULT,
            containers_as_text: false,
            wrappers: Arc::default(),
        }
    }

    /// Allows one more kind of change.
    #[must_use]
    pub fn with(mut self, kind: CoercionKind) -> Self {
        self.allowed |= bit(kind);
        self
    }

    /// Allows one kind of change less.
    #[must_use]
    pub fn without(mut self, kind: CoercionKind) -> Self {
        self.allowed &= !bit(kind);
        self
    }

    /// Sets the limits for reading JSON inside strings, for depth and for the number of records.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Names a further envelope beside `arguments`, `parameters`, `input` and `properties`: the
    /// name of the tool or of the type that is asked for.
    #[must_use]
    pub fn with_wrapper(mut self, name: &str) -> Self {
        let names = self.wrappers.iter().cloned().chain([Box::from(name)]);
        self.wrappers = names.collect();
        self
    }

    /// Also writes an object or array as JSON text wherever a string is asked for. Without this
    /// only where the schema says that the string holds JSON (`contentMediaType`).
    #[must_use]
    pub fn with_containers_as_text(mut self) -> Self {
        self.containers_as_text = true;
        self
    }

    /// Whether changes of this kind may be made.
    #[must_use]
    pub fn allows(&self, kind: CoercionKind) -> bool {
        self.allowed & bit(kind) != 0
    }
}

impl Default for CoerceOptions {
    fn default() -> Self {
        CoercionKind::ALL
            .iter()
            .fold(Self::none(), |options, kind| options.with(*kind))
    }
}

fn bit(kind: CoercionKind) -> u64 {
    1 << (kind as u64)
}
