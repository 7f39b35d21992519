//! Decoding the inside of a string: escapes, also bad ones.
//!
//! The rules for what JSON does not allow: a letter or digit keeps its backslash (`\d`,
//! `C:\Users`), punctuation drops it (`\'`), a `\u` without four hex digits stays as written, half
//! a surrogate pair becomes U+FFFD. Escapes of other languages mean what they mean there: `\xe9`,
//! `\u{e9}`, `\U000000e9`, and `\e` before a colour of a terminal.
//!
//! Any other letter that cannot be escaped shows that the string was not escaped, wherever it
//! stands. The backslashes before `b` and `f` are then text, and those before `n`, `r` and `t`
//! where that makes a control word of LaTeX or where they part a path; so are those before
//! punctuation other than quotes and slashes, and the two that a network path begins with. A string
//! without such a letter is JSON and means what JSON says.

mod control_word;
mod decode;
mod outlook;
mod pieces;

pub(crate) use decode::{decode, decode_raw, decode_to};
pub(crate) use outlook::{Outlook, first_doubtful, outlook, whole_escapes};
pub(crate) use pieces::{Oddity, Piece, Pieces, decoded_in_path, in_path};
