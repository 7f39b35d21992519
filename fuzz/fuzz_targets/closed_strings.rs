#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    llmjson::syntax::laws::closed_strings_stay_closed(text);
});
