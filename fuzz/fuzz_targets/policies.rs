#![no_main]

libfuzzer_sys::fuzz_target!(|input: &str| {
    llmjson::laws::every_policy(input, None);
    let Some((schema, text)) = llmjson_fuzz::schema_and_text(input) else {
        return;
    };
    llmjson::laws::every_policy(text, Some(schema));
});
