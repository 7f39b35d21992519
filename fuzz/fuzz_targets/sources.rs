#![no_main]

use llmjson::laws::random_lengths;
use llmjson::syntax::laws::sources::{ENCODERS, encoded_replies_keep_the_laws};

libfuzzer_sys::fuzz_target!(|input: &str| {
    // The first two characters choose two encodings and the lengths of the pieces.
    let mut signs = input.chars();
    let (Some(inner), Some(outer)) = (signs.next(), signs.next()) else {
        return;
    };
    let (inner, outer) = (u32::from(inner), u32::from(outer));
    let encode = |which: u32, text: &str| {
        let encoder = ENCODERS.get(which as usize % (ENCODERS.len() + 1));
        encoder.map_or(text.to_owned(), |(_, encode)| encode(text))
    };
    let text = encode(outer, &encode(inner, signs.as_str()));
    encoded_replies_keep_the_laws(&text, random_lengths(u64::from(inner ^ outer)));
});
