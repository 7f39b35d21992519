#![no_main]

use llmjson::laws;

libfuzzer_sys::fuzz_target!(|input: &str| {
    // The first character says how the text is cut, the second chooses the schema.
    let Some(cut) = input.chars().next() else {
        return;
    };
    let Some((schema, text)) = llmjson_fuzz::schema_and_text(&input[cut.len_utf8()..]) else {
        return;
    };
    let cut = u32::from(cut);
    if cut % 2 == 0 {
        let lengths = || laws::random_lengths(u64::from(cut));
        laws::every_stream(text, lengths);
        laws::every_coerced_stream(text, schema, lengths);
    } else {
        let lengths = || || 1 + cut as usize / 2 % 16;
        laws::every_stream(text, lengths);
        laws::every_coerced_stream(text, schema, lengths);
    }
});
