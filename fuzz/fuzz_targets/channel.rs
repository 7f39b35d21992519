#![no_main]

use llmjson::laws::random_lengths;
use llmjson::syntax::laws::carriers::{CARRIERS, carried_replies_keep_the_laws};

libfuzzer_sys::fuzz_target!(|input: &str| {
    // The first two characters choose what carried the text, one within the other, and how it is cut.
    let mut signs = input.chars();
    let (Some(inner), Some(outer)) = (signs.next(), signs.next()) else {
        return;
    };
    let (inner, outer) = (u32::from(inner), u32::from(outer));
    let encode = |which: u32, text: &str| {
        let carrier = CARRIERS.get(which as usize % (CARRIERS.len() + 1));
        carrier.map_or(text.to_owned(), |(_, encode)| encode(text))
    };
    let text = encode(outer, &encode(inner, signs.as_str()));
    carried_replies_keep_the_laws(&text, random_lengths(u64::from(inner ^ outer)));
});
