#![no_main]

libfuzzer_sys::fuzz_target!(|input: &str| {
    if let Some((schema, text)) = llmjson_fuzz::schema_and_text(input) {
        llmjson::laws::every_notation(text, schema);
    }
});
