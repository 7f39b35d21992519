//! The repairs that a reading may contain. The parser makes and records every repair; this looks at
//! the record.

use llmjson_syntax::{Class, Document, Inner, NoteKind, RepairKind, Span};

use crate::base::refusal::Refusal;

/// The repairs that a reading may contain, in a reply and in the JSON inside its strings.
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
    /// For each class one bit per kind of repair, at the kind's place in its declaration: whether
    /// repairs of that kind which are as sure as that are allowed.
    repairs: [u128; CLASSES],
    truncated: bool,
    duplicate_keys: bool,
}

const _: () = assert!(RepairKind::ALL.len() < 128);

/// How many classes there are.
const CLASSES: usize = Class::Guess as usize + 1;

const EVERY_REPAIR: u128 = (1 << RepairKind::ALL.len()) - 1;

impl AllowedRepairs {
    /// Everything is allowed.
    pub const ALL: Self = Self {
        repairs: [EVERY_REPAIR; CLASSES],
        truncated: true,
        duplicate_keys: true,
    };

    /// Nothing is allowed but strict JSON, in which the name of a member may come again.
    pub const NONE: Self = Self {
        repairs: [0; CLASSES],
        truncated: false,
        duplicate_keys: true,
    };

    /// Allows one more kind of repair.
    #[must_use]
    pub const fn with(self, kind: RepairKind) -> Self {
        self.with_as(kind, Class::Certain)
            .with_as(kind, Class::Likely)
            .with_as(kind, Class::Guess)
    }

    /// Allows one more kind of repair where it is of this class.
    #[must_use]
    pub const fn with_as(mut self, kind: RepairKind, class: Class) -> Self {
        self.repairs[class as usize] |= bit(kind);
        self
    }

    /// Allows one kind of repair less.
    #[must_use]
    pub const fn without(self, kind: RepairKind) -> Self {
        self.without_as(kind, Class::Certain)
            .without_as(kind, Class::Likely)
            .without_as(kind, Class::Guess)
    }

    /// Allows one kind of repair less where it is of this class.
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

    /// Allows a text to end before its value does.
    #[must_use]
    pub const fn with_truncated(self) -> Self {
        Self {
            truncated: true,
            ..self
        }
    }

    /// Does not allow a text to end before its value does.
    #[must_use]
    pub const fn without_truncated(self) -> Self {
        Self {
            truncated: false,
            ..self
        }
    }

    /// Allows the name of a member to come again.
    #[must_use]
    pub const fn with_duplicate_keys(self) -> Self {
        Self {
            duplicate_keys: true,
            ..self
        }
    }

    /// Does not allow the name of a member to come again.
    #[must_use]
    pub const fn without_duplicate_keys(self) -> Self {
        Self {
            duplicate_keys: false,
            ..self
        }
    }

    /// Whether a repair of this kind is allowed where it is as sure as usual. The last record, which stands for those that were
    /// not written down ([`RepairKind::RecordsCapped`]), is so only if all are.
    #[must_use]
    pub const fn allows(self, kind: RepairKind) -> bool {
        self.allows_as(kind, kind.class())
    }

    /// Whether a repair of this kind is allowed where it is only so sure.
    #[must_use]
    pub const fn allows_as(self, kind: RepairKind, class: Class) -> bool {
        match kind {
            RepairKind::RecordsCapped => self.allows_every_record(),
            _ => self.repairs[class as usize] & bit(kind) != 0,
        }
    }

    /// Whether a text may end before its value does.
    #[must_use]
    pub const fn allows_truncated(self) -> bool {
        self.truncated
    }

    /// Whether the name of a member may come again.
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

    /// Everything about the way in which a document's value was read that is not allowed: first
    /// that it broke off, then the rest in the order of the text.
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

    /// Whether JSON may be taken out of a string that was read in this way.
    pub(crate) fn allow_inner(self, inner: &Inner) -> bool {
        (self.truncated || inner.complete)
            && (self.duplicate_keys || !inner.has_duplicate_keys)
            && (inner.repairs.iter()).all(|repair| self.allows_as(repair.kind, repair.class))
    }
}

impl Default for AllowedRepairs {
    fn default() -> Self {
        Self::ALL
    }
}

const fn bit(kind: RepairKind) -> u128 {
    1 << (kind as u128)
}
