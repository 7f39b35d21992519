//! A search for expensive texts: a unit of a few tokens, repeated to a length.
//!
//! The expensive part of a lenient parser is a lookahead that is repeated at every token, and a
//! text that repeats a unit repeats the lookahead. The search is a hill climb: it changes a token
//! of the worst recipe so far, keeps the change if the text costs no less, and restarts once
//! nothing helps. The same seed finds the same texts.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// Tokens that mean something to a lenient parser, even where they should have no meaning. Recipes
/// refer to them by number, so new ones are added at the end, which keeps the recipes of fuzzers
/// valid.
pub const TOKENS: [&str; 82] = [
    "\"",
    "'",
    "`",
    "\\",
    "\\\"",
    ",",
    ":",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    "\n",
    " ",
    "a",
    "1",
    "\"a\":",
    "{\"a\":",
    "[{\"a\":",
    "{\"note\": \"",
    "'\",",
    "\"'][",
    "\": \"",
    "\", \"",
    "x\"",
    "\"a\"",
    "'a'",
    "a:",
    "a(",
    "a=",
    "},{",
    "],[",
    "\"}",
    "{}",
    "[]",
    "\" + \"",
    " + ",
    "\"a\" + x + ",
    "\"\"\"",
    "“",
    "”",
    "-",
    "1e",
    "0x",
    "1,000",
    "...",
    "true",
    "tru ",
    "None",
    "word ",
    "two words",
    "\\n",
    "\\u",
    "\\u00e9",
    "\\u{",
    "&quot;",
    "//",
    "/*",
    "*/",
    "#",
    "<!--",
    "-->",
    "```",
    "```json\n",
    "<think>",
    "</think>",
    "<|im_end|>",
    "<a>",
    "</a>",
    "**",
    "|",
    ";",
    "=>",
    "{{",
    "\r\n  ",
    "<tool_call>",
    "{\"name\":\"search\",\"arguments\":",
    "{\"query\":\"q ",
    "<function=search>",
    "<parameter=query>",
    "[search(query=",
];

/// Maximum number of tokens that are repeated.
const UNIT: usize = 5;

/// Maximum number of tokens before those.
const PREFIX: usize = 2;

/// Number of consecutive changes that do not raise the cost of a text before the search restarts.
const STUCK: u32 = 40;

/// A text of a few tokens followed by a repeated unit.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Recipe {
    prefix: Vec<u8>,
    unit: Vec<u8>,
}

impl Recipe {
    /// Returns the recipe that arbitrary bytes encode: the number of leading tokens, then the
    /// tokens. Returns `None` without a unit.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (first, rest) = bytes.split_first()?;
        let token = |byte: &u8| byte % TOKENS.len() as u8;
        let before = usize::from(*first) % (PREFIX + 1);
        let (prefix, unit) = rest.split_at_checked(before)?;
        (!unit.is_empty()).then(|| Self {
            prefix: prefix.iter().map(token).collect(),
            unit: unit.iter().take(UNIT).map(token).collect(),
        })
    }

    /// Returns the leading tokens.
    #[must_use]
    pub fn prefix(&self) -> String {
        joined(&self.prefix)
    }

    /// Returns the repeated unit.
    #[must_use]
    pub fn unit(&self) -> String {
        joined(&self.unit)
    }

    /// Returns the text, repeated to at most `bytes` bytes.
    #[must_use]
    pub fn text(&self, bytes: usize) -> String {
        let (prefix, unit) = (self.prefix(), self.unit());
        let count = bytes.saturating_sub(prefix.len()) / unit.len().max(1);
        prefix + &unit.repeat(count)
    }
}

impl fmt::Debug for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} and again {:?}", self.prefix(), self.unit())
    }
}

fn joined(tokens: &[u8]) -> String {
    let text = |token: &u8| TOKENS[usize::from(*token)];
    tokens.iter().map(text).collect()
}

/// The search.
#[derive(Clone, Debug)]
pub struct Search {
    state: u64,
}

impl Search {
    /// Creates a search whose course depends on the seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        // Zero would remain zero.
        let state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        Self { state }
    }

    /// Tries `tries` recipes, and climbs toward the most expensive ones.
    pub fn climb(&mut self, tries: u32, mut cost: impl FnMut(&Recipe) -> f64) {
        let mut best: Option<(f64, Recipe)> = None;
        let mut stuck = 0;
        for _ in 0..tries {
            let recipe = match &best {
                Some((_, best)) => self.changed(best),
                None => self.fresh(),
            };
            let cost = cost(&recipe);
            let known = best.as_ref().map_or(f64::NEG_INFINITY, |(cost, _)| *cost);
            stuck = if cost > known { 0 } else { stuck + 1 };
            if cost >= known {
                best = Some((cost, recipe));
            }
            if stuck >= STUCK {
                (best, stuck) = (None, 0);
            }
        }
    }

    /// Returns a random recipe.
    pub fn fresh(&mut self) -> Recipe {
        let before = self.below(PREFIX + 1);
        let length = 2 + self.below(UNIT - 1);
        Recipe {
            prefix: (0..before).map(|_| self.token()).collect(),
            unit: (0..length).map(|_| self.token()).collect(),
        }
    }

    /// Returns a recipe that differs in one token, or in the order of two.
    fn changed(&mut self, recipe: &Recipe) -> Recipe {
        let mut recipe = recipe.clone();
        let first = self.below(4) == 0;
        let (tokens, least, most) = match first {
            true => (&mut recipe.prefix, 0, PREFIX),
            false => (&mut recipe.unit, 1, UNIT),
        };
        let (token, length) = (self.token(), tokens.len());
        let (at, other) = (self.below(length.max(1)), self.below(length.max(1)));
        match self.below(5) {
            0 if length < most => tokens.insert(at, token),
            1 if length > least => drop(tokens.remove(at)),
            2 if length > 1 => tokens.swap(at, other),
            _ if length == 0 => tokens.push(token),
            _ => tokens[at] = token,
        }
        recipe
    }

    fn token(&mut self) -> u8 {
        self.below(TOKENS.len()) as u8
    }

    fn below(&mut self, bound: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 33) as usize % bound
    }
}
