//! The rules that match a key to a field.

use llmjson_syntax::named;

/// The rule that matched a key to a declared field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Layer {
    /// The key is equal byte for byte.
    Exact,
    /// The key is a declared alias.
    Alias,
    /// The key is equal if case, accents and separators are ignored.
    Normalized,
    /// The key consists of the first or last words of the field's name, or vice versa.
    DerivedKey,
    /// The key differs in few letters.
    Fuzzy,
    /// The key is a synonym.
    Semantic,
    /// The value has a form that only this field accepts.
    Contextual,
    /// A custom matcher decided.
    Custom,
    /// No rule matched, and the policy drops undeclared members.
    IgnoredField,
    /// The member was missing and was set to its default.
    Default,
}

named!(Layer:
    "exact" => Exact, "alias" => Alias, "normalized" => Normalized, "derived_key" => DerivedKey,
    "fuzzy" => Fuzzy, "semantic" => Semantic, "contextual" => Contextual, "custom" => Custom,
    "ignored_field" => IgnoredField, "default" => Default
);
