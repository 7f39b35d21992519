//! Options of coercion.

use llmjson_syntax::{Class, Limits};

use crate::base::allowed_repairs::AllowedRepairs;
use crate::base::report::CoercionKind;

/// The options of [`coerce`](crate::coerce). The default allows every kind of change except the
/// opt-in ones ([`CoercionKind::is_opt_in`]).
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
    /// A bit for each kind in each class, at the kind's place in its declaration: set if changes of
    /// that kind which are as sure as that are made.
    allowed: [u64; CLASSES],
    pub(crate) limits: Limits,
    pub(crate) allowed_repairs: AllowedRepairs,
    pub(crate) containers_as_text: bool,
    pub(crate) wrappers: Vec<Box<str>>,
    /// The least and the greatest number of steps from the root to what may change.
    reach: (u32, u32),
    pub(crate) text_levels: u8,
    pub(crate) plain_fields: bool,
    pub(crate) zero_for_null: bool,
}

const _: () = assert!(CoercionKind::ALL.len() <= 64);

/// The number of classes.
const CLASSES: usize = Class::Guess as usize + 1;

/// Maximum number of times that JSON may have been written into a string of JSON.
const TEXT_LEVELS: u8 = 8;

impl CoerceOptions {
    /// The default, as a constant.
    pub const LENIENT: Self = Self::of([usual_kinds(); CLASSES]);

    /// Allows no changes; kinds are then added with [`with`](Self::with).
    #[must_use]
    pub const fn none() -> Self {
        Self::of([0; CLASSES])
    }

    const fn of(allowed: [u64; CLASSES]) -> Self {
        Self {
            allowed,
            limits: Limits::DEFAULT,
            allowed_repairs: AllowedRepairs::ALL,
            containers_as_text: false,
            wrappers: Vec::new(),
            reach: (0, u32::MAX),
            text_levels: TEXT_LEVELS,
            plain_fields: false,
            zero_for_null: false,
        }
    }

    /// Allows changes of this kind.
    #[must_use]
    pub fn with(mut self, kind: CoercionKind) -> Self {
        for allowed in &mut self.allowed {
            *allowed |= bit(kind);
        }
        self
    }

    /// Allows changes of this kind in this class.
    #[must_use]
    pub fn with_as(mut self, kind: CoercionKind, class: Class) -> Self {
        self.allowed[class as usize] |= bit(kind);
        self
    }

    /// Denies changes of this kind in this class.
    #[must_use]
    pub fn without_as(mut self, kind: CoercionKind, class: Class) -> Self {
        self.allowed[class as usize] &= !bit(kind);
        self
    }

    /// Denies changes of this kind.
    #[must_use]
    pub fn without(mut self, kind: CoercionKind) -> Self {
        for allowed in &mut self.allowed {
            *allowed &= !bit(kind);
        }
        self
    }

    /// Sets the limits for reading JSON inside strings, for depth and for the number of records.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the repairs that are allowed for JSON inside strings: a string that needs another one
    /// stays a string.
    #[must_use]
    pub fn with_allowed_repairs(mut self, allowed_repairs: AllowedRepairs) -> Self {
        self.allowed_repairs = allowed_repairs;
        self
    }

    /// Adds the name of an envelope to the usual ones (`arguments`, `data`, `result` and the like,
    /// the schema's title): the name of the tool or of the type that is expected.
    #[must_use]
    pub fn with_wrapper(mut self, name: &str) -> Self {
        self.wrappers.push(name.into());
        self
    }

    /// Removes the added names of envelopes.
    #[must_use]
    pub fn without_wrappers(mut self) -> Self {
        self.wrappers.clear();
        self
    }

    /// Writes an object or array as JSON text wherever a string is expected. Without this, only
    /// where the schema says that the string holds JSON (`contentMediaType`).
    #[must_use]
    pub fn with_containers_as_text(mut self) -> Self {
        self.containers_as_text = true;
        self
    }

    /// Writes an object or array as JSON text only where the schema says that the string holds
    /// JSON.
    #[must_use]
    pub fn without_containers_as_text(mut self) -> Self {
        self.containers_as_text = false;
        self
    }

    /// Changes only what is at least `first` and at most `last` steps below the root: with 1 and 1
    /// the members of the object at the root, but neither that object nor what is in its members.
    #[must_use]
    pub fn with_reach(mut self, first: u32, last: u32) -> Self {
        self.reach = (first, last);
        self
    }

    /// Returns `true` if values may change at any number of steps from the root: see
    /// [`with_reach`](Self::with_reach).
    #[must_use]
    pub const fn reaches_everywhere(&self) -> bool {
        self.reach.0 == 0 && self.reach.1 == u32::MAX
    }

    /// Sets how many times JSON may be nested in a string of JSON: 8 by default and at most.
    #[must_use]
    pub fn with_text_levels(mut self, levels: u8) -> Self {
        self.text_levels = levels.min(TEXT_LEVELS);
        self
    }

    /// Changes only plain fields: declared members, and none that could be one of several things.
    ///
    /// The values of maps and unions (other than with null) stay as they are. Nulls are dropped
    /// where a scalar is expected, single scalars put into lists of scalars, and strings read as
    /// JSON where a list is expected, but nowhere else.
    #[must_use]
    pub fn with_plain_fields(mut self) -> Self {
        self.plain_fields = true;
        self
    }

    /// Writes the zero of its type (`""`, `0`, `0.0`, `false`) in place of a null where a plain
    /// scalar is required; [`CoercionKind::DropNull`] is the record. Without this nothing is ever
    /// invented for a required member.
    #[must_use]
    pub fn with_zero_for_null(mut self) -> Self {
        self.zero_for_null = true;
        self
    }

    /// Returns `true` if a value at this depth may change. The root has depth 0.
    pub(crate) fn reaches(&self, depth: u32) -> bool {
        (self.reach.0..=self.reach.1).contains(&depth)
    }

    /// Returns `true` if something may be put into a value that fits.
    pub(crate) fn fills(&self) -> bool {
        self.allows(CoercionKind::Default)
    }

    /// Returns `true` if changes of this kind are allowed in their usual class.
    #[must_use]
    pub fn allows(&self, kind: CoercionKind) -> bool {
        self.allows_as(kind, kind.class())
    }

    /// Returns `true` if changes of this kind are allowed in this class.
    #[must_use]
    pub fn allows_as(&self, kind: CoercionKind, class: Class) -> bool {
        self.allowed[class as usize] & bit(kind) != 0
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
