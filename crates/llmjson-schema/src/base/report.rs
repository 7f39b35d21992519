//! Records: coercions and violations.

use std::sync::Arc;

use llmjson_syntax::{Class, NodeId};

use crate::base::path::Path;
use crate::base::text::SharedText;

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident $name:literal $class:ident $sentence:literal,)*) => {
        /// The kind of a coercion.
        ///
        /// ```
        /// use llmjson_schema::CoercionKind;
        ///
        /// assert_eq!("wrap_in_array".parse(), Ok(CoercionKind::WrapInArray));
        /// assert!("wrapping".parse::<CoercionKind>().is_err());
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum CoercionKind {
            $($(#[$doc])* $kind,)*
        }

        llmjson_syntax::named!(CoercionKind: $($name => $kind,)*);

        impl CoercionKind {
            /// Returns a sentence for people: lower case, without a full stop.
            #[must_use]
            pub const fn sentence(self) -> &'static str {
                match self { $(Self::$kind => $sentence,)* }
            }

            /// Returns the usual class of this kind. A record can be less certain than its kind.
            #[must_use]
            pub const fn class(self) -> Class {
                match self { $(Self::$kind => Class::$class,)* }
            }
        }
    };
}

kinds! {
    /// A string that is a number.
    TextToNumber "text_to_number" Certain "converted a string to a number",
    /// The string `true` or `false`.
    TextToBoolean "text_to_boolean" Certain "converted a string to a boolean",
    /// The string `null`.
    TextToNull "text_to_null" Certain "converted a string to null",
    /// A word such as `yes`, `off` or `n`.
    WordToBoolean "word_to_boolean" Likely "read a word as a boolean",
    /// A word such as `none`, `nil` or `n`.
    WordToNull "word_to_null" Likely "read a word as null",
    /// A number with digit groups: `$1,234.50`.
    GroupedNumber "grouped_number" Likely "read a number with digit grouping",
    /// A number with a single digit group, whose comma may be a decimal comma: `1,234`.
    GroupedNumberGuess "grouped_number_guess" Guess "read a number with a single digit group",
    /// A number with its unit: `75kg`, `$4.75`, `44%`. It is likely if the schema states the unit.
    UnitNumber "unit_number" Likely "read a number with its unit",
    /// A number in another form: in digits of another script (`٤٢`), which is likely, or with a
    /// magnitude or in words (`1.2M`, `three`), which is a guess.
    WrittenNumber "written_number" Likely "read a number in words, with a magnitude or in other digits",
    /// A date or time in another form, such as `March 5th, 2026` for the format `date`.
    WrittenTime "written_time" Likely "wrote a date or time as its format has it",
    /// Markup around an address or identifier, such as `<https://a.org>`. It is a guess for a link
    /// with other words.
    MarkedText "marked_text" Likely "removed markup around a value",
    /// An integer with a zero fraction: `3.0`.
    IntegralFloat "integral_float" Certain "removed the zero fraction of an integer",
    /// A number where a string is expected, kept digit for digit.
    NumberToText "number_to_text" Certain "converted a number to a string, digit for digit",
    /// A boolean where a string is expected.
    BooleanToText "boolean_to_text" Likely "converted a boolean to a string",
    /// JSON inside a string where an object or array is expected.
    TextToContainer "text_to_container" Certain "parsed JSON inside a string",
    /// Malformed JSON inside a string where an object or array is expected.
    DamagedTextToContainer "damaged_text_to_container" Likely "parsed malformed JSON inside a string",
    /// An object or array where a string of JSON is expected.
    ContainerToText "container_to_text" Likely "serialized an object or array to a string",
    /// A comma-separated string where an array is expected: `"a, b"`. Opt-in.
    CommaListToArray "comma_list_to_array" Guess "split a comma-separated string into an array",
    /// A written list where an array is expected, each of whose parts may be an item, such as an
    /// allowed value or a number: `"a, b and c"`.
    WrittenList "written_list" Guess "split a written list into an array",
    /// A single item where an array is expected.
    WrapInArray "wrap_in_array" Likely "wrapped a single value in an array",
    /// A repeated key where an array is expected and none of the values is one:
    /// `{"tag": "a", "tag": "b"}`.
    RepeatedKey "repeated_key" Likely "collected the values of a repeated key into an array",
    /// An object around the only item where an array of strings is expected: `{"path": "a"}`.
    UnwrapPlaceholder "unwrap_placeholder" Guess "unwrapped a single item from an object",
    /// An array of one item where the item itself is expected.
    UnwrapArray "unwrap_array" Likely "unwrapped a single-item array",
    /// Data in another layout: a numbered map or columns for an array, pairs for a map, dotted
    /// keys, members one level too high. It is a guess if a key does not match.
    OtherLayout "other_layout" Likely "restructured the data to match the schema",
    /// Tags of a tool call in a string, with a missing member or at the end of a value:
    /// `"x</a>\n<parameter name=\"b\">y"`.
    SplitMarkup "split_markup" Likely "split a string at the tags of a tool call",
    /// A `null` for an optional member that does not allow it.
    DropNull "drop_null" Certain "dropped a null for an optional property",
    /// Another spelling of an enumerated value.
    EnumSpelling "enum_spelling" Likely "corrected the spelling of an enum value",
    /// A declared alias of an enumerated value.
    EnumAlias "enum_alias" Certain "replaced an alias with its enum value",
    /// Decoration around the only allowed value: `P1 - High`. It is a guess if the decoration has
    /// words.
    DecoratedChoice "decorated_choice" Likely "extracted the only allowed value from surrounding decoration",
    /// A sentence as the whole value, in which only one allowed string occurs as a word:
    /// `The answer is TWO.` Opt-in.
    ValueFromProse "value_from_prose" Guess "extracted the only allowed value from prose",
    /// Another spelling of a key, or its title in the schema.
    KeySpelling "key_spelling" Likely "corrected a key's spelling",
    /// A declared alias of a key.
    KeyAlias "key_alias" Certain "replaced an alias with its key",
    /// The first or last words of a key. Opt-in.
    DerivedKey "derived_key" Likely "matched a key by part of its name",
    /// An envelope around the expected object: `{"arguments": {…}}`.
    Envelope "envelope" Likely "unwrapped the value from an envelope",
    /// The expected object as a string of JSON, where the schema also allows a string. Opt-in.
    DoubleEncoded "decode_double_encoded" Likely "parsed an object that was encoded as a JSON string",
    /// An undeclared member, which is dropped. Opt-in.
    DropUndeclared "drop_undeclared" Likely "dropped an undeclared property",
    /// A nonconforming item or optional member, which is dropped with its violations. Opt-in, and
    /// applied after all other coercions by [`drop_invalid`](crate::drop_invalid).
    DropInvalid "drop_invalid" Guess "dropped a value that does not conform",
    /// A nonconforming item, which is replaced by null with its violations. Opt-in, and applied
    /// after all other coercions by [`replace_invalid`](crate::replace_invalid).
    ReplaceInvalid "replace_invalid" Guess "replaced an item that does not conform with null",
    /// A missing member with a default, which is added. Opt-in; the previous value is the object
    /// without the member.
    Default "default" Likely "filled in a missing property's default",
    /// A value that the caller's type (a pydantic model, a zod schema) reads differently than its
    /// schema describes, recorded by the packages for other languages. It is likely if the value
    /// does not fit the schema or changes its type. Otherwise the type's own functions changed a
    /// conforming value, which every policy allows.
    ReadByType "read_by_type" Certain "read a value by the rules of the caller's type",
    /// A marker: more coercions were made than recorded.
    RecordsCapped "coercions_capped" Guess "made more coercions than the report lists",
}

impl CoercionKind {
    /// Returns `true` if coercions of this kind are opt-in: made only if the options name them.
    #[must_use]
    pub const fn is_opt_in(self) -> bool {
        matches!(
            self,
            Self::CommaListToArray
                | Self::ValueFromProse
                | Self::DerivedKey
                | Self::DoubleEncoded
                | Self::DropUndeclared
                | Self::DropInvalid
                | Self::ReplaceInvalid
                | Self::Default
        )
    }
}

/// A coercion: a change made to fit a value to a schema.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Coercion {
    /// The kind of change.
    pub kind: CoercionKind,
    /// The kind's class, or a less certain one if the evidence here is weak.
    pub class: Class,
    /// The path in the resulting value; if items were dropped, in the value before that.
    pub path: Path,
    /// The previous value, which the document still holds.
    pub before: NodeId,
    /// The new value, or `None` if it was dropped. A renamed member is dropped if another one has
    /// the same value.
    pub after: Option<NodeId>,
    /// The violations for which a value was dropped ([`CoercionKind::DropInvalid`],
    /// [`CoercionKind::ReplaceInvalid`]).
    pub violations: Vec<Violation>,
}

impl Coercion {
    /// Creates the record of a change at the kind's usual class.
    #[must_use]
    pub fn new(kind: CoercionKind, path: Path, before: NodeId, after: Option<NodeId>) -> Self {
        Self {
            kind,
            class: kind.class(),
            path,
            before,
            after,
            violations: Vec::new(),
        }
    }
}

/// The value found at the place of a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The value of this node.
    Value(NodeId),
    /// No value: the member is missing.
    Missing,
}

/// A violation of a schema by a value.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Violation {
    /// The path of the value.
    pub path: Path,
    /// The expected type, in typia's notation: `number & Minimum<0>`, `"a" | "b"`, `undefined` for
    /// a forbidden member.
    pub expected: SharedText,
    /// The value found there.
    pub found: Found,
    /// A hint for the model.
    pub description: Option<SharedText>,
    /// The violated schema keyword, such as `required`, `minimum` or `type`. If a limit was
    /// reached, the limit's name: `depth`, `digits`, `pattern_steps`, `work` or
    /// `violations_capped`. If a check by the caller rejects the value, it is `check_failed`, and
    /// `expected` is the sentence with the reason. If the caller's type rejects it, it is
    /// `deserialize`, and `description` is the reason.
    pub keyword: &'static str,
    /// The JSON Pointer to the subschema, in the schema as given.
    pub schema: SharedText,
    /// The declared members that an undeclared one may represent.
    pub meant: Option<Arc<Meant>>,
}

impl Violation {
    /// Creates a violation of a rule outside of any schema: without a hint and a schema position.
    #[must_use]
    pub fn new(
        path: Path,
        keyword: &'static str,
        expected: impl Into<SharedText>,
        found: Found,
    ) -> Self {
        Self {
            path,
            expected: expected.into(),
            found,
            description: None,
            keyword,
            schema: SharedText::default(),
            meant: None,
        }
    }

    /// Sets a hint for the model.
    #[must_use]
    pub fn with_description(self, description: impl Into<SharedText>) -> Self {
        Self {
            description: Some(description.into()),
            ..self
        }
    }
}

/// The declared members that an undeclared one may represent.
///
/// ```
/// use llmjson_schema::{NameMatch, Schema, Undeclared};
///
/// let schema = Schema::from_text(r#"{"properties": {"phoneNumber": {}, "phoneType": {}}}"#)?;
/// let document = llmjson_syntax::parse(r#"{"phone": 1}"#);
/// let root = document.root().expect("an object");
/// let violations = schema.violations(root, Undeclared::Reject);
/// let meant = violations[0].meant.as_deref().expect("members of similar names");
/// assert_eq!((meant.by, meant.is_taken), (NameMatch::Derived, false));
/// assert_eq!(meant.members.join(" "), "phoneNumber phoneType");
/// # Ok::<(), llmjson_schema::SchemaError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Meant {
    /// The similarity between its key and theirs.
    pub by: NameMatch,
    /// Their names, in schema order: only the missing ones, if any is missing.
    pub members: Vec<Box<str>>,
    /// `true` if each of them is already present under its own name.
    pub is_taken: bool,
}

/// The similarity between an undeclared key and declared names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum NameMatch {
    /// A declared alias.
    Alias,
    /// Another spelling of a name: `phone_number` for `phoneNumber`.
    Spelling,
    /// A part of a name, or vice versa: `phone` for `phoneNumber`.
    Derived,
    /// A difference of a few letters: `phoneNumbr` for `phoneNumber`. It also covers equal first or
    /// last words that are not meaningful by themselves (`id` for `user_id`) or mean something else
    /// (`amount` for `amount_cents`).
    Nearest,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read_back() {
        for kind in CoercionKind::ALL {
            assert_eq!(kind.to_string().parse(), Ok(*kind));
        }
    }
}
