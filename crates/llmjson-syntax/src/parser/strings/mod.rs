//! The ends of strings whose quotes are missing, doubtful or of another kind.

pub(crate) mod bare_end;
pub(crate) mod closing_quote;
pub(crate) mod comment_in_string;
pub(crate) mod concatenation;
mod fits;
pub(crate) mod inside;
pub(crate) mod line_break;
pub(crate) mod missing_quote;
pub(crate) mod other_quotes;
pub(crate) mod string_continuation;
pub(crate) mod unclosed;
pub(crate) mod unescaped_json;
