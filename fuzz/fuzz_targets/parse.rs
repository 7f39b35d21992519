#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| llmjson::laws::every_text(text));
