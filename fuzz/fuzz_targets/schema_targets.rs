#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Ok(schema) = llmjson::Schema::from_text(text) {
        llmjson::laws::every_target(&schema);
    }
});
