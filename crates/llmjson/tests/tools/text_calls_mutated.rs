//! The cases of `corpus/calls` with a few characters changed: the JSON of each call, bound alone under the same
//! preset, gives the same outcome.

use llmjson::laws;
use llmjson::tools::calls_in;
use llmjson_testutil::table::{Lines, lines};
use llmjson_testutil::{Rng, setting};

use super::text_calls::{files, reply, under_every_preset};

/// The rows of the tests.
const FILE: &str = include_str!("text_calls_mutated.txt");

/// Number of texts that are made of each case, unless `LLMJSON_MUTATED` sets another.
const TEXTS: usize = 4;

/// What is put in.
static TOKENS: Lines = Lines::new(|| lines(FILE, "tokens"));

#[test]
fn arguments_are_bound_as_alone() {
    let texts = setting("LLMJSON_MUTATED", TEXTS);
    let mut numbers = Rng::new(setting("LLMJSON_SEED", 1) as u64);
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
pub(crate) fn mutated(text: &str, numbers: &mut Rng) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..=numbers.below(3) {
        let at = numbers.below(characters.len() + 1);
        let to = (at + numbers.below(3)).min(characters.len());
        let token = numbers.pick(&TOKENS);
        let token = if numbers.below(3) == 0 { "" } else { token };
        characters.splice(at..to, token.chars());
    }
    characters.into_iter().collect()
}
