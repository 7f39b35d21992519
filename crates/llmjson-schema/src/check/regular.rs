//! Regular expressions, with a bound on their cost.
//!
//! They have ECMA 262 semantics. Most run on a linear-time engine. Patterns with lookaround or back
//! references, which that engine rejects, run on a backtracking engine step by step. Each step may
//! scan the whole text, so the longer the text, the fewer steps are allowed.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use jsonschema_regex::{PatternAnalysis, analyze_pattern, contains_ecma_whitespace, to_rust_regex};
use llmjson_syntax::Work;

use crate::check::counted::Counted;
use crate::check::pattern_size::{breadth, shrunk};

/// Lengths of strings in bytes, and the number of steps allowed on strings up to each. Steps times
/// bytes hardly grow, so that a string takes well under a second, and over all strings of a value
/// each byte takes a bounded number of steps. An anchored pattern takes a few.
pub(super) const ALLOWED: [(usize, usize); 4] = [
    (4_000, 12_000),
    (40_000, 1_200),
    (400_000, 120),
    (usize::MAX, 50),
];

/// Maximum number of states that may be active at once without being counted.
const FEW_STATES: usize = 512;

/// The number of states above which a pattern is rejected if its states cannot be counted.
const MANY_STATES: usize = 8 * FEW_STATES;

/// A pattern whose engine is built on first use.
pub(crate) struct Pattern {
    source: Box<str>,
    engine: OnceLock<Engine>,
}

enum Engine {
    Prefix(Box<str>),
    Exact(Box<str>),
    OneOf(Vec<String>),
    NoWhitespace,
    Linear(regex::Regex),
    /// A pattern with more simultaneous states than an engine caches sets of: they are counted.
    Counted(Counted),
    /// Engines for several lengths of strings, since each has its own limit.
    Stepping(
        Box<[OnceLock<Option<fancy_regex::Regex>>; ALLOWED.len()]>,
        String,
    ),
    /// No engine. Nothing matches a pattern that no engine supports, because its matches are
    /// unknown.
    None,
}

/// The outcome of an attempt to match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MatchOutcome {
    Matches,
    Differs,
    /// The steps, this many, were insufficient.
    RanOut(usize),
}

impl Pattern {
    pub(crate) fn new(source: &str) -> Self {
        Self {
            source: source.into(),
            engine: OnceLock::new(),
        }
    }

    /// Returns `true` if there is an engine for a pattern.
    pub(crate) fn compiles(source: &str) -> bool {
        analyze_pattern(source).is_some()
            || to_rust_regex(source).is_ok_and(|translated| stepping(&translated, None).is_some())
    }

    /// Returns `true` if a pattern may take more than a bounded number of steps per byte of a
    /// string where no states are counted: with lookaround and back references.
    pub(crate) fn is_endless(source: &str) -> bool {
        let counts = || {
            let translated = to_rust_regex(source);
            translated.is_ok_and(|translated| Counted::new(&shrunk(&translated)).is_some())
        };
        breadth(source) > MANY_STATES && !counts()
    }

    /// Returns `true` if a string matches, and `false` with an exhausted budget if that takes more
    /// than allowed.
    pub(crate) fn matches(&self, text: &str, work: &Cell<Work>) -> bool {
        self.engine().run(text, work) == MatchOutcome::Matches
    }

    /// Returns `true` if matching is charged.
    pub(crate) fn is_charged(&self) -> bool {
        matches!(self.engine(), Engine::Counted(_))
    }

    /// Returns the number of steps that were allowed on a string, if they were insufficient.
    pub(crate) fn ran_out(&self, text: &str) -> Option<usize> {
        if self.is_charged() {
            return None;
        }
        match self.engine().run(text, &Cell::default()) {
            MatchOutcome::RanOut(steps) => Some(steps),
            MatchOutcome::Matches | MatchOutcome::Differs => None,
        }
    }

    fn engine(&self) -> &Engine {
        self.engine.get_or_init(|| Engine::new(&self.source))
    }
}

impl Engine {
    fn new(source: &str) -> Self {
        match analyze_pattern(source) {
            Some(PatternAnalysis::Prefix(prefix)) => return Self::Prefix((*prefix).into()),
            Some(PatternAnalysis::Exact(exact)) => return Self::Exact((*exact).into()),
            Some(PatternAnalysis::Alternation(all)) => return Self::OneOf(all),
            Some(PatternAnalysis::NoWhitespace) => return Self::NoWhitespace,
            None => {}
        }
        let Ok(translated) = to_rust_regex(source) else {
            return Self::None;
        };
        if breadth(source) > FEW_STATES
            && let Some(counted) = Counted::new(&translated)
        {
            return Self::Counted(counted);
        }
        match regex::Regex::new(&translated) {
            Ok(linear) => Self::Linear(linear),
            Err(_) => Self::Stepping(Box::default(), translated.into_owned()),
        }
    }

    fn run(&self, text: &str, work: &Cell<Work>) -> MatchOutcome {
        let matches = match self {
            Self::Prefix(prefix) => text.starts_with(&**prefix),
            Self::Exact(exact) => *text == **exact,
            Self::OneOf(all) => all.iter().any(|one| one == text),
            Self::NoWhitespace => !contains_ecma_whitespace(text),
            Self::Linear(linear) => unless_it_panics(|| linear.is_match(text)).unwrap_or(false),
            Self::Counted(counted) => counted.matches(text, work).unwrap_or(false),
            Self::Stepping(engines, translated) => return step(engines, translated, text),
            Self::None => false,
        };
        if matches {
            MatchOutcome::Matches
        } else {
            MatchOutcome::Differs
        }
    }
}

/// Matches a string step by step, with as many steps as are allowed for its length.
fn step(
    engines: &[OnceLock<Option<fancy_regex::Regex>>; ALLOWED.len()],
    translated: &str,
    text: &str,
) -> MatchOutcome {
    let allowed = ALLOWED.iter().position(|(most, _)| text.len() <= *most);
    let at = allowed.expect("the last one is for all lengths");
    let steps = ALLOWED[at].1;
    let engine = engines[at].get_or_init(|| stepping(translated, Some(steps)));
    let Some(engine) = engine else {
        return MatchOutcome::Differs;
    };
    match unless_it_panics(|| engine.is_match(text)) {
        Some(Ok(true)) => MatchOutcome::Matches,
        Some(Err(fancy_regex::Error::RuntimeError(
            fancy_regex::RuntimeError::BacktrackLimitExceeded,
        ))) => MatchOutcome::RanOut(steps),
        Some(Ok(false) | Err(_)) | None => MatchOutcome::Differs,
    }
}

fn stepping(translated: &str, steps: Option<usize>) -> Option<fancy_regex::Regex> {
    let mut builder = fancy_regex::RegexBuilder::new(translated);
    if let Some(steps) = steps {
        builder.backtrack_limit(steps);
    }
    builder.build().ok()
}

/// Runs an engine, and returns `None` if it panics, as it does for some patterns on some strings:
/// <https://github.com/rust-lang/regex/issues/1344>.
fn unless_it_panics<T>(run: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(run)).ok()
}
