#![no_main]

libfuzzer_sys::fuzz_target!(|input: &str| {
    let Some((schema, text)) = llmjson_fuzz::schema_and_text(input) else {
        return;
    };
    llmjson::laws::feedback_reads_back(text, schema);
});
