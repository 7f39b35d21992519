#![no_main]

libfuzzer_sys::fuzz_target!(|input: &str| {
    llmjson::laws::every_text_with_calls(input, llmjson_fuzz::registry());
});
