//! Checks of strings: a pattern or a format, each prepared once per schema.

use std::cell::Cell;
use std::fmt;

use llmjson_syntax::Work;

use crate::base::formats::FormatStrictness;
use crate::check::fast_check::Plain;
use crate::check::format::Format;
use crate::check::regular::Pattern;
use crate::check::text_formats::{self, Test};

/// A keyword that a string must satisfy.
pub(crate) struct Check {
    plain: Option<Plain>,
    closer: Closer,
}

/// The check for cases that the fast check cannot decide.
enum Closer {
    Pattern(Pattern),
    Format(Test),
    /// The fast check always decides.
    Never,
}

/// Returns `true` if strings are checked against the format of this name.
pub(crate) fn is_checked_format(name: &str) -> bool {
    Format::named(name).is_some() || text_formats::test(name).is_some()
}

impl Check {
    pub(crate) fn pattern(pattern: &str) -> Self {
        Self {
            plain: Plain::pattern(pattern),
            closer: Closer::Pattern(Pattern::new(pattern)),
        }
    }

    /// `None` if the format is not checked.
    pub(crate) fn format(name: &str, formats: FormatStrictness) -> Option<Self> {
        let plain = Format::named(name).map(|format| Plain::Format(format, formats));
        let closer = match text_formats::test(name) {
            Some(test) => Closer::Format(test),
            None => Closer::Never,
        };
        is_checked_format(name).then_some(Self { plain, closer })
    }

    /// Returns `true` if a string satisfies the keyword, and `false` with an exhausted budget if
    /// that takes more than it allows.
    pub(crate) fn holds(&self, text: &str, work: &Cell<Work>) -> bool {
        let told = self.plain.as_ref().and_then(|plain| plain.tells(text));
        told.unwrap_or_else(|| self.holds_closely(text, work))
    }

    /// Returns `true` if a string is valid and coercion would not rewrite it.
    pub(crate) fn settles(&self, text: &str, work: &Cell<Work>) -> bool {
        let told = self.plain.as_ref().and_then(|plain| plain.settles(text));
        told.unwrap_or_else(|| self.holds_closely(text, work))
    }

    fn holds_closely(&self, text: &str, work: &Cell<Work>) -> bool {
        match &self.closer {
            Closer::Pattern(pattern) => pattern.matches(text, work),
            Closer::Format(test) => test(text),
            Closer::Never => false,
        }
    }

    /// Returns `true` if checking a string is charged.
    pub(crate) fn is_charged(&self) -> bool {
        let pattern = |closer: &Closer| matches!(closer, Closer::Pattern(one) if one.is_charged());
        self.plain.is_none() && pattern(&self.closer)
    }

    /// Returns the number of steps that were allowed for the pattern, if they were insufficient.
    pub(crate) fn ran_out(&self, text: &str) -> Option<usize> {
        match (&self.plain, &self.closer) {
            (None, Closer::Pattern(pattern)) => pattern.ran_out(text),
            _ => None,
        }
    }
}

impl fmt::Debug for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Check").finish_non_exhaustive()
    }
}
