//! Repairs and notes: the record of how a text was read.

use crate::base::span::Span;

/// The certainty that a repair restores what was meant, the surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// A repair for which there is only one reading.
    Certain,
    /// Another reading is possible but rare.
    Likely,
    /// A choice among readings that are as good; a careful caller refuses these.
    Guess,
}

named!(Class: "certain" => Certain, "likely" => Likely, "guess" => Guess);

macro_rules! kinds {
    ($(#[$outer:meta])* $type:ident { $($(#[$doc:meta])* $kind:ident $name:literal $class:ident $sentence:literal,)* }) => {
        $(#[$outer])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum $type {
            $($(#[$doc])* $kind,)*
        }

        named!($type: $($name => $kind,)*);

        impl $type {
            /// Returns a sentence for people: lower case, without a full stop.
            #[must_use]
            pub const fn sentence(self) -> &'static str {
                match self { $(Self::$kind => $sentence,)* }
            }

            /// Returns the usual class of this kind; a record may be less sure than its kind.
            #[inline]
            #[must_use]
            pub const fn class(self) -> Class {
                match self { $(Self::$kind => Class::$class,)* }
            }
        }
    };
}

kinds! {
    /// The kind of a repair.
    RepairKind {
        // Around the value.
        /// The value stood in a markdown code fence.
        CodeFence "code_fence" Certain "took the value out of a code fence",
        /// Text around the value was passed over. A guess where that text says that the value is no
        /// answer: English words that call it an example, deny it, ask for it or take it back;
        /// mathematics, a command, a style sheet; prose around a form that is still to be filled
        /// in, such as `{"name": "string"}`; or two lines of another notation, such as `name = "Anna"`.
        SurroundingText "surrounding_text" Certain "passed over text around the value",
        /// A block of reasoning was passed over.
        ReasoningBlock "reasoning_block" Certain "passed over a block of reasoning",
        /// Tags or special tokens of a chat template were passed over.
        TemplateToken "template_token" Certain "passed over tags or special tokens",
        /// The choice of one of several values; the span is that of a value set aside. English
        /// words before the values decide between them, and labels of any language by their form.
        ChosenValue "chosen_value" Likely "chose among several values",
        /// A correction of the value behind it: a JSON Patch, a merge patch that words introduce, or words such as `"age" should
        /// be 35`. The value stays as it was written.
        Correction "correction" Guess "found a correction of the value behind it",
        /// The value stood in a block of reasoning, behind which no answer follows.
        ThoughtValue "thought_value" Guess "took the value out of a block of reasoning",
        /// Values one after another were read as one list.
        SeveralValues "several_values" Likely "read several values as one list",
        /// An object whose braces are missing.
        MissingBraces "missing_braces" Likely "read members without braces around them as an object",
        /// The value was written with its quotes escaped.
        EscapedDocument "escaped_document" Likely "took one level of escapes off the whole value",

        /// The value was written as HTML text.
        HtmlEntities "html_entities" Likely "read HTML entities as the characters they stand for",
        /// The value was written as a field of a CSV file.
        CsvQuotes "csv_quotes" Likely "took the doubling off the quotes of the whole value",
        /// Marks of a diff or quotation, or line numbers, stood before the lines of the value.
        LineMarks "line_marks" Likely "passed over marks at the beginning of the value's lines",
        /// The reply as a protocol, a page, a terminal or a shell carried it, with other signs for some of its own: the
        /// events of a stream, percent signs, lines that a column cut.
        CarriedText "carried_text" Likely "took off what a protocol, page or terminal had made of the text",
        /// A value that was cut and went on in another fence, turn or message. A guess where the whole needs more repairs or
        /// has a name twice.
        JoinedParts "joined_parts" Likely "joined the parts of a value that was cut and went on",
        /// The value was written in another notation than JSON, which the [detail](Repair::detail) names. Read only under
        /// a schema, where no JSON of the reply satisfies it.
        Notation "notation" Likely "read the value in another notation than JSON",

        // Between tokens.
        /// A comment.
        Comment "comment" Certain "passed over a comment",
        /// White space that JSON does not know, such as a no-break space or a byte order mark.
        OddSpace "odd_space" Certain "read an unusual character as white space",
        /// A backslash and a letter, such as `\n`, between tokens.
        EscapedSpace "escaped_space" Certain "read an escape between tokens as white space",
        /// A comma with nothing behind it or before it.
        ExtraComma "extra_comma" Certain "dropped a comma that separates nothing",
        /// No comma between two values.
        MissingComma "missing_comma" Certain "put in a missing comma",
        /// No colon between name and value.
        MissingColon "missing_colon" Likely "put in a missing colon",
        /// Another sign in place of a comma or colon: `;`, `=`, `=>`, full-width signs.
        OddSeparator "odd_separator" Certain "read another sign as a comma or colon",
        /// Dots for what the writer left out.
        Ellipsis "ellipsis" Likely "passed over an ellipsis",
        /// A value that belongs to no member, between two members.
        DroppedValue "dropped_value" Guess "dropped a value that belongs to no member",
        /// Text where nothing may stand, or around a value what looks like a part of a larger one: half a name, a bracket
        /// without its partner.
        StrayText "stray_text" Guess "passed over text between values",

        // Containers.
        /// The text ended before an object was closed.
        UnclosedObject "unclosed_object" Certain "closed an object at the end of the text",
        /// The text ended before an array was closed.
        UnclosedArray "unclosed_array" Certain "closed an array at the end of the text",
        /// A closer that is missing in the middle.
        MissingCloser "missing_closer" Likely "put in a missing closing bracket",
        /// A closing bracket of another kind than the opening one.
        WrongCloser "wrong_closer" Likely "read a closing bracket of another kind",
        /// A closing bracket too many.
        ExtraCloser "extra_closer" Likely "dropped a closing bracket too many",
        /// An opening bracket that is missing in the middle.
        MissingOpener "missing_opener" Guess "put in a missing opening bracket",
        /// An opening bracket too many.
        ExtraOpener "extra_opener" Likely "dropped an opening bracket too many",
        /// A Python tuple.
        Tuple "tuple" Certain "read a list in round brackets as an array",
        /// A list in curly brackets.
        Set "set" Likely "read a list in curly brackets as an array",
        /// Members in square or round brackets.
        BracketedMembers "bracketed_members" Guess "read members in other brackets as an object",
        /// A value wrapped in a call, or behind the name of its type: `ObjectId("…")`,
        /// `callback(…)`, `Point {…}`.
        Wrapper "wrapper" Likely "took a value out of the call around it",

        // Names and values.
        /// A name without quotes.
        UnquotedKey "unquoted_key" Certain "read a name without quotes",
        /// A text without quotes.
        UnquotedString "unquoted_string" Likely "read a text without quotes as a string",
        /// A string in other quotes than double ones.
        OtherQuotes "other_quotes" Certain "read a string in other quotes",
        /// A single quote before a string, and a double one behind it.
        MismatchedQuotes "mismatched_quotes" Likely "closed a string at a quote of another kind",
        /// A quote before or behind a string is missing.
        MissingQuote "missing_quote" Guess "put in a missing quote",
        /// A quote too many before a string.
        DoubledQuote "doubled_quote" Guess "dropped a doubled quote",
        /// A string that holds JSON, the quotes of which were not escaped.
        UnescapedJson "unescaped_json" Likely "kept JSON inside a string whose quotes were not escaped",
        /// Quotes inside a string that were not escaped.
        InnerQuote "inner_quote" Likely "kept a quote inside a string that was not escaped",
        /// Pieces of a string, one after another or joined by a plus sign.
        JoinedStrings "joined_strings" Likely "joined the pieces of a string",
        /// A list of several values of one member, one after another without brackets around them.
        UnbracketedList "unbracketed_list" Guess "read several values of a member as a list",
        /// A name without a value, in the middle.
        MissingValue "missing_value" Likely "put null in for a missing value",
        /// `True`, `None`, `NULL` and the like.
        OtherKeyword "other_keyword" Certain "read another spelling of true, false or null",
        /// `tru`, `nul` and the like in the middle of a text.
        ShortKeyword "short_keyword" Likely "completed a keyword",
        /// `undefined`.
        Undefined "undefined" Likely "read undefined as null",
        /// `NaN` and infinities, for which JSON has no number.
        NotANumber "not_a_number" Certain "kept a number that JSON cannot write as text",
        /// A number spelled as JSON does not: `+1`, `.5`, `1.`, `0x1F`, `1_000`.
        OtherNumber "other_number" Certain "read a number in another spelling",
        /// Digits in groups of three, `1,234.50`.
        GroupedDigits "grouped_digits" Likely "read a number with grouped digits",
        /// Digits that are no number: leading zeros, dates, fractions.
        NumberAsText "number_as_text" Likely "kept digits that are no number as text",

        // Inside strings.
        /// A raw line break or another control character in a string.
        ControlCharacter "control_character" Certain "kept a control character inside a string",
        /// A backslash before what JSON does not escape, or an escape of another language.
        InvalidEscape "invalid_escape" Likely "read an escape that JSON does not know",
        /// An escape read as raw text because the string was raw before.
        RawEscape "raw_escape" Guess "read an escape as raw text, as others in the same string",
        /// An escape that is half of a surrogate pair.
        LoneSurrogate "lone_surrogate" Certain "put U+FFFD in for half a surrogate pair",

        // At the end of the text.
        /// The text ended inside a string.
        UnclosedString "unclosed_string" Certain "closed a string at the end of the text",
        /// The text ended inside an escape or a character.
        CutEscape "cut_escape" Certain "dropped half an escape at the end of the text",
        /// The text ended inside `true`, `false` or `null`.
        CutKeyword "cut_keyword" Certain "completed a keyword at the end of the text",
        /// A number that ends in a point or an exponent without digits.
        CutNumber "cut_number" Likely "dropped the unfinished end of a number",
        /// The text ended before the value of a member.
        CutMember "cut_member" Certain "dropped a member whose value was cut off",

        // The records themselves.
        /// A mark that more repairs were made than are recorded.
        RecordsCapped "records_capped" Guess "made more repairs than are recorded",
        /// A mark that values from here on were passed over: there are more of them than
        /// [`Limits::candidates`](crate::Limits::candidates) allows.
        CandidatesCapped "candidates_capped" Guess "passed over values beyond the number that is tried",
        /// A mark that the value was ended here: the work that [`Limits::work`](crate::Limits::work) allows was used up.
        WorkCapped "work_capped" Guess "ended the value where the work that it may take was used up",
    }
}

/// A notation other than JSON in which a value may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Notation {
    /// YAML.
    Yaml,
    /// Names and values line by line, also as a Markdown list.
    Lines,
    /// A Markdown table.
    Table,
    /// Lines of fields with a head.
    Csv,
    /// Tags of XML or HTML.
    Xml,
    /// TOML, INI and properties.
    Toml,
    /// Text of protocol buffers, HJSON and the like: names and values in braces, without quotes around names.
    Blocks,
    /// The output of PHP's `print_r`.
    PrintR,
    /// Headings with a text under each.
    Headings,
    /// One scalar, bare or behind a label.
    Scalar,
    /// Items line by line, with or without numbers.
    Items,
}

named!(
    Notation:
    "yaml" => Yaml,
    "lines" => Lines,
    "table" => Table,
    "csv" => Csv,
    "xml" => Xml,
    "toml" => Toml,
    "blocks" => Blocks,
    "print_r" => PrintR,
    "headings" => Headings,
    "scalar" => Scalar,
    "items" => Items,
);

/// One repair: a change that was made to read the text as JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repair {
    /// The kind of repair.
    pub kind: RepairKind,
    /// The class: that of the kind, or a less sure one if the evidence at this place is weak.
    pub class: Class,
    /// The span in the text; empty where something was put in.
    pub span: Span,
    /// The notation that was read, where the kind is [`Notation`](RepairKind::Notation).
    pub detail: Option<Notation>,
}

impl Repair {
    /// A record of the kind's usual class.
    pub(crate) const fn new(kind: RepairKind, span: Span) -> Self {
        Self::of(kind, kind.class(), span)
    }

    /// A record of this class.
    pub(crate) const fn of(kind: RepairKind, class: Class, span: Span) -> Self {
        Self {
            kind,
            class,
            span,
            detail: None,
        }
    }

    /// Returns the same record at another place, such as that of the text that the document stands in.
    #[must_use]
    pub const fn at(self, span: Span) -> Self {
        Self { span, ..self }
    }
}

macro_rules! notes {
    ($($(#[$doc:meta])* $kind:ident $name:literal $sentence:literal,)*) => {
        /// The kind of a note.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum NoteKind {
            $($(#[$doc])* $kind,)*
        }

        named!(NoteKind: $($name => $kind,)*);

        impl NoteKind {
            /// Returns a sentence for people: lower case, without a full stop.
            #[must_use]
            pub const fn sentence(self) -> &'static str {
                match self { $(Self::$kind => $sentence,)* }
            }
        }
    };
}

notes! {
    /// A member with a duplicate name: the later value counts, in this one's place.
    DuplicateKey "duplicate_key" "a member's name comes again, and this value is lost",
    /// A value of the reply that was not chosen.
    OtherValue "other_value" "another value of the reply was not chosen",
    /// A line break or tab in a string that other escapes show to be raw.
    EarlierEscape "earlier_escape" "an escape was decoded though others show raw text",
    /// A line break, tab or the like in what begins as a path of Windows: `"C:\temp\new"`.
    PathEscape "path_escape" "an escape was decoded in what looks like a path",
}

/// A note: something worth knowing that is not a repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Note {
    /// The kind of note.
    pub kind: NoteKind,
    /// The certainty that what was noted changes nothing about what was meant: [`Class::Likely`] where the
    /// values of a repeated name differ, and for escapes in what looks like a path.
    pub class: Class,
    /// The span in the text.
    pub span: Span,
}

impl Note {
    /// Returns the same record at another place, such as that of the text that the document stands in.
    #[must_use]
    pub const fn at(self, span: Span) -> Self {
        Self { span, ..self }
    }
}
