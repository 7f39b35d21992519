//! Calls behind other text: none is lost, however many braces and whatever words stand before it.

use llmjson::laws;
use llmjson::tools::calls_in;
use llmjson_testutil::Rng;
use llmjson_testutil::table::{Lines, lines};

use super::text_calls::{files, registry, reply};

/// The rows of the tests.
const FILE: &str = include_str!("text_calls_behind.txt");

/// What texts are made of: prose, code, templates, data, and words that speak of examples.
static PIECES: Lines = Lines::new(|| lines(FILE, "pieces"));

/// The number of pieces that texts have.
const LENGTHS: &[usize] = &[3, 30, 300];

/// One whole call of each family, as its first case has it.
fn whole() -> Vec<(String, String, llmjson::tools::Registry)> {
    let mut all = Vec::new();
    for file in files() {
        let case = file.cases.iter().find(|case| {
            let found = calls_in(reply(case), &registry(case));
            let calls = found.calls();
            calls.len() == 1 && calls[0].is_ok() && found.content().is_empty()
        });
        if let Some(case) = case.filter(|case| case.verdict()[1] != "none") {
            all.push((case.name(), reply(case).to_owned(), registry(case)));
        }
    }
    assert!(all.len() > 30);
    all
}

#[test]
fn text_before_hides_no_call() {
    let mut numbers = Rng::new(1);
    for (name, call, registry) in whole() {
        // These are the whole reply, or none.
        if ["gemma-python", "functionary"]
            .iter()
            .any(|family| name.contains(family))
        {
            continue;
        }
        for length in LENGTHS {
            let text: String = (0..*length).map(|_| numbers.pick(&PIECES)).collect();
            laws::text_before_hides_no_call(&text, &call, &registry);
        }
        for piece in PIECES.iter() {
            laws::text_before_hides_no_call(&piece.repeat(400), &call, &registry);
        }
    }
}
