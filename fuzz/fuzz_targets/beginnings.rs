#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    llmjson::syntax::laws::beginnings_are_truncated(text);
});
