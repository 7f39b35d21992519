//! Calls behind other text: none is lost, however many braces and whatever words stand before it.

use llmjson::laws;
use llmjson::tools::calls_in;

use super::text_calls::{files, registry, reply};
use super::text_calls_mutated::Numbers;

/// What texts are made of: prose, code, templates, data, and words that speak of examples.
const PIECES: &[&str] = &[
    r"\frac{a}{b} ",
    "{{ y }} ",
    "if (x) { return a[1]; }\n",
    "func f(m map[string]int) {\n",
    ".a { color: red; animation-name: x }\n",
    "{\"a\": 1, ",
    "{\"name\": ",
    "{name: string; args: { tool: string } } ",
    "{\"id\": 1, \"name\": \"x\", \"tags\": [{\"t\": 2}]}\n",
    "{\"input\": {\"name\": oops \"x\"}}\n",
    "[1] and [the page](https://a.example) ",
    "a < b, ",
    "vec<int> v; ",
    "<br>",
    "{ ",
    "} ",
    "] ",
    "5\" long ",
    "it's ",
    "print(f'{name!r}')\n",
    "{% if a %}",
    "`code` ",
    "x => { y } ",
    "Let me open example.py: ",
    "the syntax looks like a template, for instance: ",
    "User input: ",
    "é ü ",
    "\n",
    "\n\n",
];

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
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    for (name, call, registry) in whole() {
        // These are the whole reply, or none.
        if ["gemma-python", "functionary"]
            .iter()
            .any(|family| name.contains(family))
        {
            continue;
        }
        for length in LENGTHS {
            let text: String = (0..*length)
                .map(|_| PIECES[numbers.below(PIECES.len())])
                .collect();
            laws::text_before_hides_no_call(&text, &call, &registry);
        }
        for piece in PIECES {
            laws::text_before_hides_no_call(&piece.repeat(400), &call, &registry);
        }
    }
}
