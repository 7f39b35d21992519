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
    /// A bit for each kind in each class, at the kind's index in its declaration: set if changes of
    /// that kind and class are made.
    allowed: [u64; CLASSES],
    pub(crate) limits: Limits,
    pub(crate) allowed_repairs: AllowedRepairs,
    pub(crate) containers_as_text: bool,
    pub(crate) wrappers: Vec<Box<str>>,
    /// The minimum and maximum number of steps from the root at which values may change.
    reach: (u32, u32),
    pub(crate) text_levels: u8,
    pub(crate) plain_fields: bool,
    pub(crate) zero_for_null: bool,
}

const _: () = assert!(CoercionKind::ALL.len() < 64);

/// The class at which the bits of changes of fitting values are set.
const USUAL: usize = CoercionKind::Default.class() as usize;

/// The bit of [`CoerceOptions::with_texts_as_containers`], after the bits of all kinds.
const TEXTS_AS_CONTAINERS: u64 = 1 << 63;

/// The number of classes.
const CLASSES: usize = Class::Guess as usize + 1;

/// Maximum number of times that JSON may be nested in JSON strings.
const TEXT_LEVELS: u8 = 8;

impl CoerceOptions {
    /// The default, as a constant.
    pub const LENIENT: Self = Self::of([usual_kinds(); CLASSES]);

    /// Allows no changes; add kinds with [`with`](Self::with).
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

    /// Allows changes of this kind at this class.
    #[must_use]
    pub fn with_as(mut self, kind: CoercionKind, class: Class) -> Self {
        self.allowed[class as usize] |= bit(kind);
        self
    }

    /// Denies changes of this kind at this class.
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

    /// Sets the limits for parsing JSON inside strings, for depth and for the number of records.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the repairs allowed for JSON inside strings: a string that needs another repair stays a
    /// string.
    #[must_use]
    pub fn with_allowed_repairs(mut self, allowed_repairs: AllowedRepairs) -> Self {
        self.allowed_repairs = allowed_repairs;
        self
    }

    /// Adds an envelope name to the usual ones (`arguments`, `data`, `result` and similar names,
    /// and the schema's title): the name of the expected tool or type.
    #[must_use]
    pub fn with_wrapper(mut self, name: &str) -> Self {
        self.wrappers.push(name.into());
        self
    }

    /// Removes the added envelope names.
    #[must_use]
    pub fn without_wrappers(mut self) -> Self {
        self.wrappers.clear();
        self
    }

    /// Writes an object or array as text wherever a string is expected: an array of strings as
    /// lines, others as JSON. By default, this happens only if the schema says that the string
    /// holds JSON (`contentMediaType`).
    #[must_use]
    pub fn with_containers_as_text(mut self) -> Self {
        self.containers_as_text = true;
        self
    }

    /// Writes an object or array as JSON text only if the schema says that the string holds JSON.
    #[must_use]
    pub fn without_containers_as_text(mut self) -> Self {
        self.containers_as_text = false;
        self
    }

    /// Parses a string with the JSON of an object or array where a union accepts both, even if the
    /// string fits. By default, a string that fits is unchanged.
    #[must_use]
    pub fn with_texts_as_containers(mut self) -> Self {
        self.allowed[USUAL] |= TEXTS_AS_CONTAINERS;
        self
    }

    /// Leaves a string unchanged where a union accepts it.
    #[must_use]
    pub fn without_texts_as_containers(mut self) -> Self {
        self.allowed[USUAL] &= !TEXTS_AS_CONTAINERS;
        self
    }

    /// Changes only values from `first` to `last` steps below the root: with 1 and 1, the members
    /// of the root object, but neither that object nor values inside its members.
    #[must_use]
    pub fn with_reach(mut self, first: u32, last: u32) -> Self {
        self.reach = (first, last);
        self
    }

    /// Returns `true` if values at any depth may change: see [`with_reach`](Self::with_reach).
    #[must_use]
    pub const fn reaches_everywhere(&self) -> bool {
        self.reach.0 == 0 && self.reach.1 == u32::MAX
    }

    /// Sets how many times JSON may be nested inside JSON strings: at most 8, which is the default.
    #[must_use]
    pub fn with_text_levels(mut self, levels: u8) -> Self {
        self.text_levels = levels.min(TEXT_LEVELS);
        self
    }

    /// Changes only plain fields: declared members with one possible meaning.
    ///
    /// Values of maps and unions (except unions with null) stay unchanged. Nulls are dropped only
    /// where a scalar is expected, only single scalars are wrapped in arrays, and strings are
    /// parsed as JSON only where an array is expected.
    #[must_use]
    pub fn with_plain_fields(mut self) -> Self {
        self.plain_fields = true;
        self
    }

    /// Replaces a null by the zero of its type (`""`, `0`, `0.0`, `false`) where a plain scalar is
    /// required, with [`CoercionKind::DropNull`] as its record. Without this option, a value is
    /// never invented for a required member.
    #[must_use]
    pub fn with_zero_for_null(mut self) -> Self {
        self.zero_for_null = true;
        self
    }

    /// Returns `true` if a value at this depth may change. The root has depth 0.
    pub(crate) fn reaches(&self, depth: u32) -> bool {
        (self.reach.0..=self.reach.1).contains(&depth)
    }

    /// Returns `true` if something may be inserted into a fitting value.
    pub(crate) fn fills(&self) -> bool {
        self.allows(CoercionKind::Default)
    }

    /// Returns `true` if a fitting value may change.
    pub(crate) fn changes_fitting(&self) -> bool {
        self.allowed[USUAL] & (bit(CoercionKind::Default) | TEXTS_AS_CONTAINERS) != 0
    }

    /// Returns `true` if a string of JSON is parsed where a union accepts both.
    pub(crate) fn parses_fitting(&self) -> bool {
        self.allowed[USUAL] & TEXTS_AS_CONTAINERS != 0
    }

    /// Returns `true` if changes of this kind are allowed at the kind's usual class.
    #[must_use]
    pub fn allows(&self, kind: CoercionKind) -> bool {
        self.allows_as(kind, kind.class())
    }

    /// Returns `true` if changes of this kind are allowed at this class.
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
