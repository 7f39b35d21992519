//! Decodes the inside of a string, including invalid escapes.
//!
//! The rules for invalid escapes: a letter or digit keeps its backslash (`\d`, `C:\Users`),
//! punctuation drops it (`\'`), a `\u` without four hex digits stays as written, half a surrogate
//! pair becomes U+FFFD. Escapes of other languages have their meaning there: `\xe9`, `\u{e9}`,
//! `\U000000e9`, and `\e` before a terminal colour.
//!
//! Any other letter after a backslash shows that the string was not escaped, wherever it appears, and
//! so do the brackets of a formula: `\(x^2\)`. An apostrophe keeps its backslash in a literal of
//! code: `f('it\'s')`.
//!
//! Backslashes before `b` and `f` are then literal, and so are those before `n`, `r` and `t` if
//! that forms a LaTeX control word, separates the parts of a path or continues a word with an
//! impossible escape, those before punctuation other than quotes and slashes, and the two that begin
//! a network path. A string without such an escape is valid JSON. It is decoded as JSON, unless the
//! value is damaged and its other strings show how its writer means escapes.

mod control_word;
mod decode;
mod hidden;
mod outlook;
mod paths;
mod pieces;

pub(crate) use control_word::word_at as control_word_at;
pub(crate) use decode::{decode, decode_raw, decode_to};
pub(crate) use hidden::{decoded_in_word, escapes, may_hide};
pub(crate) use outlook::{Outlook, first_doubtful, outlook, whole_escapes};
pub(crate) use paths::{decoded_in_path, in_path};
pub(crate) use pieces::{Oddity, Piece, Pieces};
