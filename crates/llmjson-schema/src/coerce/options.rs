//! What coercion may do.

use llmjson_syntax::Limits;

use crate::liberties::Liberties;
use crate::report::CoercionKind;

/// What [`coerce`](crate::coerce) may do. The default is lenient: every kind of change, but for
/// those that somebody has to ask for ([`CoercionKind::is_opt_in`]).
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
    pub(crate) liberties: Liberties,
    pub(crate) containers_as_text: bool,
    pub(crate) wrappers: Vec<Box<str>>,
}

const _: () = assert!(CoercionKind::ALL.len() <= 64);

impl CoerceOptions {
    /// What the default is, as a constant.
    pub const LENIENT: Self = Self::of(usual_kinds());

    /// Allows no change at all; kinds are then added with [`with`](Self::with).
    #[must_use]
    pub const fn none() -> Self {
        Self::of(0)
    }

    const fn of(allowed: u64) -> Self {
        Self {
            allowed,
            limits: Limits::DEFAULT,
            liberties: Liberties::ALL,
            containers_as_text: false,
            wrappers: Vec::new(),
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

    /// Sets how JSON inside strings may be read: what takes another liberty stays a string.
    #[must_use]
    pub fn with_liberties(mut self, liberties: Liberties) -> Self {
        self.liberties = liberties;
        self
    }

    /// Names a further envelope beside `arguments`, `parameters`, `input` and `properties`: the
    /// name of the tool or of the type that is asked for.
    #[must_use]
    pub fn with_wrapper(mut self, name: &str) -> Self {
        self.wrappers.push(name.into());
        self
    }

    /// Also writes an object or array as JSON text wherever a string is asked for. Without this
    /// only where the schema says that the string holds JSON (`contentMediaType`).
    #[must_use]
    pub fn with_containers_as_text(mut self) -> Self {
        self.containers_as_text = true;
        self
    }

    /// Whether something may be put into a value that fits.
    pub(crate) fn fills(&self) -> bool {
        self.allows(CoercionKind::Default)
    }

    /// Whether changes of this kind may be made.
    #[must_use]
    pub fn allows(&self, kind: CoercionKind) -> bool {
        self.allowed & bit(kind) != 0
    }
}

impl Default for CoerceOptions {
    fn default() -> Self {
        Self::LENIENT
    }
}

const fn bit(kind: CoercionKind) -> u64 {
    1 << (kind as u64)
}

const fn usual_kinds() -> u64 {
    let (mut kinds, mut at) = (0, 0);
    while at < CoercionKind::ALL.len() {
        let kind = CoercionKind::ALL[at];
        if !kind.is_opt_in() {
            kinds |= bit(kind);
        }
        at += 1;
    }
    kinds
}
