//! The choices that a policy makes.

use llmjson_syntax::named;

/// The treatment of values that do not satisfy the schema.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Invalid {
    /// Keeps them, and reports each violation.
    #[default]
    Report,
    /// Drops invalid array items and invalid optional members. Each drop is recorded with the
    /// dropped value and its violation
    /// ([`CoercionKind::DropInvalid`](crate::report::CoercionKind::DropInvalid)). Required members,
    /// and items that an array's minimum length needs, are never dropped. This happens after the
    /// value has been chosen.
    Drop,
    /// Drops members like `Drop`, but replaces array items by null, so that arrays keep their
    /// length and items their index
    /// ([`CoercionKind::ReplaceInvalid`](crate::report::CoercionKind::ReplaceInvalid)). This null
    /// is not a violation, whatever the schema requires of items.
    Replace,
}

/// The choice to accept or refuse a value with some property, such as truncation or duplicate keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Handling {
    /// Accepts the value.
    #[default]
    Accept,
    /// Refuses the value, as if it needed a denied repair.
    Refuse,
}

impl Handling {
    pub(super) const fn of(accepted: bool) -> Self {
        if accepted { Self::Accept } else { Self::Refuse }
    }
}

/// The rule for matching object keys to the properties that a schema declares. Declared aliases
/// match like any other name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Names {
    /// Requires keys to be equal byte for byte.
    Exact,
    /// Ignores case, accents and separators: `Phone Number` matches `phoneNumber`.
    #[default]
    Normalized,
    /// Matches like `Normalized`, and also matches a part of a name, its first or last words, if
    /// only one property can be meant and the other words are neutral: `number`, `name`, `path`,
    /// `file`, `address`, `code`, `text`, `url`, `date`, `id`, `value`, `type`, `list`, or `count`
    /// next to a plural. `phone` matches `phoneNumber`, but `amount` does not match `amount_cents`.
    Derived,
}

named!(Invalid: "report" => Report, "drop" => Drop, "replace" => Replace);
named!(Handling: "accept" => Accept, "refuse" => Refuse);
named!(Names: "exact" => Exact, "normalized" => Normalized, "derived" => Derived);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for names in Names::ALL {
            assert_eq!(names.to_string().parse(), Ok(*names));
        }
        assert_eq!("derived".parse(), Ok(Names::Derived));
        let error = "Accept".parse::<Handling>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "unknown name \"Accept\", expected accept or refuse"
        );
    }
}
