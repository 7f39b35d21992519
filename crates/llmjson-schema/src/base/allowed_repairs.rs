//! The allowed repairs. The parser makes and records every repair; this module judges the record.

use llmjson_syntax::{Class, Document, Inner, NoteKind, RepairKind, Span};

use crate::base::refusal::Refusal;

/// The repairs allowed in a reply, and in the JSON inside its strings.
///
/// ```
/// use llmjson_schema::AllowedRepairs;
/// use llmjson_syntax::RepairKind;
///
/// let allowed_repairs = AllowedRepairs::ALL.without(RepairKind::MissingQuote).without_truncated();
/// let document = llmjson_syntax::parse("[1, 2");
/// assert_eq!(allowed_repairs.refusals(&document)[0].name(), "truncated");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllowedRepairs {
    /// A bit for each kind of repair in each class, at the kind's index in its declaration: set if
    /// repairs of that kind and class are allowed.
    repairs: [u128; CLASSES],
    truncated: bool,
    duplicate_keys: bool,
}

const _: () = assert!(RepairKind::ALL.len() < 128);

/// The number of classes.
const CLASSES: usize = Class::Guess as usize + 1;

const EVERY_REPAIR: u128 = (1 << RepairKind::ALL.len()) - 1;

impl AllowedRepairs {
    /// Allows everything.
    pub const ALL: Self = Self {
        repairs: [EVERY_REPAIR; CLASSES],
        truncated: true,
        duplicate_keys: true,
    };

    /// Allows only strict JSON, including duplicate keys.
    pub const NONE: Self = Self {
        repairs: [0; CLASSES],
        truncated: false,
        duplicate_keys: true,
    };

    /// Allows repairs of this kind.
    #[must_use]
    pub const fn with(self, kind: RepairKind) -> Self {
        self.with_as(kind, Class::Certain)
            .with_as(kind, Class::Likely)
            .with_as(kind, Class::Guess)
    }

    /// Allows repairs of this kind at this class.
    #[must_use]
    pub const fn with_as(mut self, kind: RepairKind, class: Class) -> Self {
        self.repairs[class as usize] |= bit(kind);
        self
    }

    /// Denies repairs of this kind.
    #[must_use]
    pub const fn without(self, kind: RepairKind) -> Self {
        self.without_as(kind, Class::Certain)
            .without_as(kind, Class::Likely)
            .without_as(kind, Class::Guess)
    }

    /// Denies repairs of this kind at this class.
    ///
    /// ```
    /// use llmjson_schema::AllowedRepairs;
    /// use llmjson_syntax::{Class, RepairKind};
    ///
    /// let allowed_repairs = AllowedRepairs::ALL.without_as(RepairKind::ChosenValue, Class::Guess);
    /// assert!(allowed_repairs.allows_as(RepairKind::ChosenValue, Class::Likely));
    /// assert!(!allowed_repairs.allows_as(RepairKind::ChosenValue, Class::Guess));
    /// ```
    #[must_use]
    pub const fn without_as(mut self, kind: RepairKind, class: Class) -> Self {
        self.repairs[class as usize] &= !bit(kind);
        self
    }

    /// Allows truncated values.
    #[must_use]
    pub const fn with_truncated(self) -> Self {
        Self {
            truncated: true,
            ..self
        }
    }

    /// Denies truncated values.
    #[must_use]
    pub const fn without_truncated(self) -> Self {
        Self {
            truncated: false,
            ..self
        }
    }

    /// Allows duplicate keys.
    #[must_use]
    pub const fn with_duplicate_keys(self) -> Self {
        Self {
            duplicate_keys: true,
            ..self
        }
    }

    /// Denies duplicate keys.
    #[must_use]
    pub const fn without_duplicate_keys(self) -> Self {
        Self {
            duplicate_keys: false,
            ..self
        }
    }

    /// Returns `true` if repairs of this kind are allowed at the kind's usual class.
    /// [`RepairKind::RecordsCapped`], which stands for every repair beyond the record limit, is
    /// allowed only if all repairs are.
    #[must_use]
    pub const fn allows(self, kind: RepairKind) -> bool {
        self.allows_as(kind, kind.class())
    }

    /// Returns `true` if repairs of this kind are allowed at this class.
    #[must_use]
    pub const fn allows_as(self, kind: RepairKind, class: Class) -> bool {
        match kind {
            RepairKind::RecordsCapped => self.allows_every_record(),
            _ => self.repairs[class as usize] & bit(kind) != 0,
        }
    }

    /// Returns `true` if truncated values are allowed.
    #[must_use]
    pub const fn allows_truncated(self) -> bool {
        self.truncated
    }

    /// Returns `true` if duplicate keys are allowed.
    #[must_use]
    pub const fn allows_duplicate_keys(self) -> bool {
        self.duplicate_keys
    }

    const fn allows_every_record(self) -> bool {
        let mut class = 0;
        while class < CLASSES {
            if self.repairs[class] | bit(RepairKind::RecordsCapped) != EVERY_REPAIR {
                return false;
            }
            class += 1;
        }
        self.duplicate_keys
    }

    /// Returns every disallowed property of how a document's value was read: truncation first, then
    /// the rest in text order.
    #[must_use]
    #[inline]
    pub fn refusals(self, document: &Document<'_>) -> Vec<Refusal> {
        if self == Self::ALL
            || (document.is_complete()
                && document.repairs().is_empty()
                && document.notes().is_empty())
        {
            return Vec::new();
        }
        self.refused_of(document)
    }

    #[cold]
    #[inline(never)]
    fn refused_of(self, document: &Document<'_>) -> Vec<Refusal> {
        let mut refusals = Vec::new();
        if !self.truncated && !document.is_complete() {
            let end = u32::try_from(document.text().len()).unwrap_or(u32::MAX);
            refusals.push(Refusal::Truncated(Span::at(end)));
        }
        if self.allows_every_record() {
            return refusals;
        }
        let first = refusals.len();
        let repairs = document.repairs().iter().copied();
        let refused = repairs.filter(|repair| !self.allows_as(repair.kind, repair.class));
        refusals.extend(refused.map(Refusal::Repair));
        if !self.duplicate_keys {
            let notes = document.notes().iter();
            let duplicates = notes.filter(|note| note.kind == NoteKind::DuplicateKey);
            refusals.extend(duplicates.map(|note| Refusal::DuplicateKey(note.span)));
        }
        refusals[first..].sort_by_key(|refusal| refusal.span().start);
        refusals
    }

    /// Returns `true` if JSON may be taken out of a string that was read in this way.
    pub(crate) fn allow_inner(self, inner: &Inner) -> bool {
        (self.truncated || inner.complete && !inner.repairs.iter().any(|one| leaves_open(one.kind)))
            && (self.duplicate_keys || !inner.has_duplicate_keys)
            && (inner.repairs.iter()).all(|repair| self.allows_as(repair.kind, repair.class))
    }
}

/// Returns `true` if a repair may replace a truncated value whose rest is missing.
const fn leaves_open(kind: RepairKind) -> bool {
    use RepairKind as Kind;
    matches!(
        kind,
        Kind::MissingValue | Kind::MissingCloser | Kind::CutMember | Kind::CutNumber
    )
}

impl Default for AllowedRepairs {
    fn default() -> Self {
        Self::ALL
    }
}

const fn bit(kind: RepairKind) -> u128 {
    1 << (kind as u128)
}
