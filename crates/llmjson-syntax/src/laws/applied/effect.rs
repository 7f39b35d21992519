//! The effect of each kind of repair on the text at its place.

use crate::RepairKind;

/// What a record says about its place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// It is taken out.
    Out,
    /// This is put in.
    In(&'static str),
    /// What is open is closed.
    Close,
    /// What the value has here is opened.
    Open,
    /// It is a comma or a colon.
    Separator,
    /// It begins a list that a round or curly bracket closes.
    List,
    /// The values in it are a list without brackets.
    Unbracketed,
    /// It begins an object within a list, or one in other brackets.
    Members,
    /// It begins members without braces.
    Bare,
    /// All values in it are the items of a list.
    Several,
    /// It goes, and the round bracket that closes it too.
    Call,
    /// The name or scalar there is written as JSON writes it.
    Scalar,
}

pub(super) fn effect(kind: RepairKind) -> Effect {
    use RepairKind as Kind;
    match kind {
        Kind::MissingComma => Effect::In(","),
        Kind::MissingColon => Effect::In(":"),
        Kind::MissingValue => Effect::In("null"),
        Kind::UnclosedObject | Kind::UnclosedArray | Kind::MissingCloser | Kind::WrongCloser => {
            Effect::Close
        }
        Kind::MissingOpener => Effect::Open,
        Kind::OddSeparator => Effect::Separator,
        Kind::Tuple | Kind::Set => Effect::List,
        Kind::UnbracketedList => Effect::Unbracketed,
        Kind::BracketedMembers => Effect::Members,
        Kind::MissingBraces => Effect::Bare,
        Kind::SeveralValues => Effect::Several,
        Kind::Wrapper => Effect::Call,
        Kind::UnquotedKey
        | Kind::UnquotedString
        | Kind::OtherQuotes
        | Kind::MismatchedQuotes
        | Kind::MissingQuote
        | Kind::DoubledQuote
        | Kind::InnerQuote
        | Kind::JoinedStrings
        | Kind::OtherKeyword
        | Kind::ShortKeyword
        | Kind::Undefined
        | Kind::NotANumber
        | Kind::OtherNumber
        | Kind::NumberAsText
        | Kind::ControlCharacter
        | Kind::InvalidEscape
        | Kind::RawEscape
        | Kind::LoneSurrogate
        | Kind::UnclosedString
        | Kind::CutEscape
        | Kind::CutKeyword
        | Kind::CutNumber
        | Kind::UnescapedJson
        | Kind::GroupedDigits => Effect::Scalar,
        _ => Effect::Out,
    }
}
