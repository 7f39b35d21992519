//! The rule by which the name of a member was matched.

use llmjson_syntax::named;

/// The rule that matched the name of a member with a declared field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Layer {
    /// The name is equal byte by byte.
    Exact,
    /// The name is a declared alias.
    Alias,
    /// The name is equal without case, accents and separators.
    Normalized,
    /// The name consists of the first or last words of the field's name, or the other way round.
    DerivedKey,
    /// The name differs in few letters.
    Fuzzy,
    /// The name is a synonym.
    Semantic,
    /// The value has the shape that only this field asks for.
    Contextual,
    /// A matcher of the caller's own decided.
    Custom,
    /// No rule matched, and the policy drops undeclared members.
    IgnoredField,
    /// The member was missing and got its default.
    Default,
}

named!(Layer:
    "exact" => Exact, "alias" => Alias, "normalized" => Normalized, "derived_key" => DerivedKey,
    "fuzzy" => Fuzzy, "semantic" => Semantic, "contextual" => Contextual, "custom" => Custom,
    "ignored_field" => IgnoredField, "default" => Default
);
