//! The choices that a policy makes.

use crate::names::named;

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
}

/// The values of a reply that are candidates, and their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Search {
    /// All that can be read as a value, damaged or not, the best first.
    #[default]
    Ranked,
    /// Strict JSON alone: the whole reply, what is in the fence around it, and else its [balanced
    /// regions](crate::policy::conservative::regions) in the order in which they begin. The first
    /// that fits is taken.
    InOrder,
}

/// The way in which an object is found in a parsed value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ObjectSearch {
    /// A single walk, which also opens envelopes and reads JSON in strings, wherever they stand.
    #[default]
    Walk,
    /// One object is expected. If it does not fit as it is, or the schema declares none of its
    /// members, the object under `arguments` is taken instead, once, even if that does not fit. It
    /// may have been written as text, once or twice, also as the only member of itself.
    Object,
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

named!(Invalid: "report" => Report, "drop" => Drop);
named!(Search: "ranked" => Ranked, "in_order" => InOrder);
named!(ObjectSearch: "walk" => Walk, "object" => Object);
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
