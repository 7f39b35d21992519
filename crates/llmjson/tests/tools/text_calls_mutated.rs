//! The cases of `corpus/calls` with a few characters changed: the JSON of each call, bound alone under the same
//! preset, gives the same outcome.

use llmjson::laws;
use llmjson::tools::calls_in;

use super::text_calls::{files, reply, under_every_preset};

/// Number of texts that are made of each case, unless `LLMJSON_MUTATED` sets another.
const TEXTS: u64 = 4;

/// What is put in.
const TOKENS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "\"",
    "'",
    ",",
    ":",
    "\\",
    "`",
    "\n",
    "null",
    "1",
    "{\"",
    "\": ",
    "\\\"",
    "```",
    "//",
    "<",
    "</",
    "tool_call",
    "é",
    "\",",
    "...",
];

/// The same numbers for the same seed (xorshift).
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % bound
    }
}

#[test]
fn arguments_are_bound_as_alone() {
    let texts = std::env::var("LLMJSON_MUTATED").ok();
    let texts = texts.and_then(|texts| texts.parse().ok()).unwrap_or(TEXTS);
    let seed = std::env::var("LLMJSON_SEED").ok();
    let seed = seed.and_then(|seed| seed.parse().ok()).unwrap_or(1_u64);
    let mut numbers = Numbers(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    for file in files() {
        for case in &file.cases {
            let registries = under_every_preset(case);
            for _ in 0..texts {
                let text = mutated(reply(case), &mut numbers);
                let registry = &registries[numbers.below(registries.len())];
                laws::arguments_are_bound_as_alone(&text, &calls_in(&text, registry));
            }
        }
    }
}

/// The text with one to three characters left out, changed or put in.
pub(crate) fn mutated(text: &str, numbers: &mut Numbers) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..=numbers.below(3) {
        let at = numbers.below(characters.len() + 1);
        let to = (at + numbers.below(3)).min(characters.len());
        let token = TOKENS[numbers.below(TOKENS.len())];
        let token = if numbers.below(3) == 0 { "" } else { token };
        characters.splice(at..to, token.chars());
    }
    characters.into_iter().collect()
}
