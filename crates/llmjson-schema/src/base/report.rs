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
    /// A string that is a number as a whole.
    TextToNumber "text_to_number" Certain "converted a string to a number",
    /// A string that says `true` or `false`.
    TextToBoolean "text_to_boolean" Certain "converted a string to a boolean",
    /// A string that says `null`.
    TextToNull "text_to_null" Certain "converted a string to null",
    /// `yes`, `off`, `n` and the like.
    WordToBoolean "word_to_boolean" Likely "read a word as a boolean",
    /// `none`, `nil`, `n`.
    WordToNull "word_to_null" Likely "read a word as null",
    /// `$1,234.50`.
    GroupedNumber "grouped_number" Likely "read a number with digit grouping",
    /// `1,234`, where the comma could be a decimal sign.
    GroupedNumberGuess "grouped_number_guess" Guess "read a number with a single digit group",
    /// `75kg`, `$4.75`, `44%`: a number with its unit, which is likely where the schema says the unit.
    UnitNumber "unit_number" Likely "read a number with its unit",
    /// `٤٢`, `1.2M`, `three`: in digits of another script, which is likely, or in magnitudes and words,
    /// which is a guess.
    WrittenNumber "written_number" Likely "read a number in words, with a magnitude or in other digits",
    /// `March 5th, 2026` where a date is expected, and so on for the formats of times.
    WrittenTime "written_time" Likely "wrote a date or time as its format has it",
    /// `<https://a.org>` where an address or an identifier is expected. A guess of a link with other words.
    MarkedText "marked_text" Likely "removed markup around a value",
    /// `3.0` where an integer is expected.
    IntegralFloat "integral_float" Certain "removed the zero fraction of an integer",
    /// A number where text is expected, digit for digit.
    NumberToText "number_to_text" Certain "converted a number to a string, digit for digit",
    /// `true` where text is expected.
    BooleanToText "boolean_to_text" Likely "converted a boolean to a string",
    /// JSON inside a string where an object or array is expected.
    TextToContainer "text_to_container" Certain "parsed JSON inside a string",
    /// Damaged JSON inside a string.
    DamagedTextToContainer "damaged_text_to_container" Likely "parsed malformed JSON inside a string",
    /// An object or array where text that holds JSON is expected.
    ContainerToText "container_to_text" Likely "serialized an object or array to a string",
    /// `"a, b"` where a list is expected. Made only on request.
    CommaListToArray "comma_list_to_array" Guess "split a comma-separated string into an array",
    /// `"a, b and c"` where a list is expected of which every part may be an item: an allowed value or
    /// a number.
    WrittenList "written_list" Guess "split a written list into an array",
    /// A single item where a list is expected.
    WrapInArray "wrap_in_array" Likely "wrapped a single value in an array",
    /// `{"tag": "a", "tag": "b"}` where a list is expected, and none of the values is one.
    RepeatedKey "repeated_key" Likely "collected the values of a repeated key into an array",
    /// `{"path": "a"}` where a list of texts is expected.
    UnwrapPlaceholder "unwrap_placeholder" Guess "unwrapped a single item from an object",
    /// `[x]` where one `x` is expected.
    UnwrapArray "unwrap_array" Likely "unwrapped a single-item array",
    /// Data in another layout: a numbered map or columns for an array, pairs for a map, keys with
    /// dots, members a level too high. A guess if a key does not match.
    OtherLayout "other_layout" Likely "restructured the data to match the schema",
    /// `null` for an optional member that may not be null.
    DropNull "drop_null" Certain "dropped a null for an optional property",
    /// Another spelling of an enumerated value.
    EnumSpelling "enum_spelling" Likely "corrected the spelling of an enum value",
    /// A declared alias of an enumerated value.
    EnumAlias "enum_alias" Certain "replaced an alias with its enum value",
    /// `P1 - High`: the only allowed value in a text that decorates it. A guess if words do.
    DecoratedChoice "decorated_choice" Likely "extracted the only allowed value from surrounding decoration",
    /// `The answer is TWO.` for the whole value, where `TWO` is the only allowed text that occurs in it as a
    /// word. Made only on request.
    ValueFromProse "value_from_prose" Guess "extracted the only allowed value from prose",
    /// Another spelling of a member's name.
    KeySpelling "key_spelling" Likely "corrected a key's spelling",
    /// A declared alias of a member's name.
    KeyAlias "key_alias" Certain "replaced an alias with its key",
    /// The first or last words of a member's name. Made only on request.
    DerivedKey "derived_key" Likely "matched a key by part of its name",
    /// `{"arguments": {…}}` around the expected object.
    Envelope "envelope" Likely "unwrapped the value from an envelope",
    /// The expected object written as JSON text, where the schema allows a text too. Read only on
    /// request.
    DoubleEncoded "decode_double_encoded" Likely "parsed an object that was encoded as a JSON string",
    /// A member that the schema does not declare. Dropped only on request.
    DropUndeclared "drop_undeclared" Likely "dropped an undeclared property",
    /// An item or an optional member that does not conform, left out with its violations. Made only on
    /// request, and after everything else: by [`drop_invalid`](crate::drop_invalid).
    DropInvalid "drop_invalid" Guess "dropped a value that does not conform",
    /// A nonconforming item that was replaced by null, with its violations. Opt-in, and made after
    /// everything else: by [`replace_invalid`](crate::replace_invalid).
    ReplaceInvalid "replace_invalid" Guess "replaced an item that does not conform with null",
    /// A missing member that has a default. Added only on request; the value before is the object
    /// without it.
    Default "default" Likely "filled in a missing property's default",
    /// A value that the caller's type (a pydantic model, a zod schema) reads in another way than its schema describes.
    /// Recorded by packages in other languages. Likely if the value does not fit the schema, or becomes another kind of
    /// value; otherwise the type's own functions changed a value that fits, which every policy allows.
    ReadByType "read_by_type" Certain "read a value by the rules of the caller's type",
    /// A mark that more changes were made than are recorded.
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

/// One change made to fit a value to a schema.
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

/// One violation of a schema by a value.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Violation {
    /// The path of the value.
    pub path: Path,
    /// The type that the schema expects there, in typia's notation: `number & Minimum<0>`,
    /// `"a" | "b"`, `undefined` for a forbidden member.
    pub expected: SharedText,
    /// The value found there.
    pub found: Found,
    /// A hint for the model.
    pub description: Option<SharedText>,
    /// The violated schema keyword: `required`, `minimum`, `type`, … If a limit was reached, its
    /// name: `depth`, `digits`, `pattern_steps`, `work`, `violations_capped`. If a check by the
    /// caller rejects the value, `check_failed`, and `expected` is the sentence with the reason.
    pub keyword: &'static str,
    /// The JSON Pointer to the subschema, in the schema as given.
    pub schema: SharedText,
    /// The declared members that an undeclared one may stand for.
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

/// The declared members that an undeclared one may stand for.
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
    /// A difference of few letters: `phoneNumbr` for `phoneNumber`. Or the same first or last
    /// words, if they mean too little by themselves, `id` for `user_id`, or mean something else:
    /// `amount` for `amount_cents`.
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
