//! The choices that a policy makes.

use llmjson_syntax::named;

/// The treatment of what does not conform to the schema.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Invalid {
    /// Keeps it, and reports each violation.
    #[default]
    Report,
    /// Leaves out items of lists and optional members that do not conform, each with a record of what
    /// it was and what is wrong with it
    /// ([`CoercionKind::DropInvalid`](crate::report::CoercionKind::DropInvalid)). Required members, and
    /// items that a list has to have, are never left out. The value is chosen before.
    Drop,
    /// The same, but an item leaves null in its place, so that lists keep their lengths and items their indices
    /// ([`CoercionKind::ReplaceInvalid`](crate::report::CoercionKind::ReplaceInvalid)). The record has what it was and
    /// what is wrong with it. Such a null is no violation, whatever the schema asks of items.
    Replace,
}

/// The acceptance or refusal of readings that have a certain property.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Handling {
    /// Accepts such readings.
    #[default]
    Accept,
    /// Refuses such readings, like those that need a repair that is not allowed.
    Refuse,
}

impl Handling {
    pub(super) const fn of(accepted: bool) -> Self {
        if accepted { Self::Accept } else { Self::Refuse }
    }
}

/// The comparison of names of members with those that the schema declares. Aliases that the schema
/// declares are names like any other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Names {
    /// Equality byte by byte.
    Exact,
    /// Equality but for case, accents and separators: `Phone Number` is `phoneNumber`.
    #[default]
    Normalized,
    /// Equality as of `Normalized`, or of first or last words where only one member can be meant and the
    /// rest does not change what the name says: `phone` is `phoneNumber`, but `amount` not `amount_cents`.
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
