#![no_main]

libfuzzer_sys::fuzz_target!(|input: &str| {
    let (before, behind) = input.split_once('\0').unwrap_or((input, ""));
    let text = format!("{before}\n{{\"name\": \"Ann\", \"age\": 4}}\n{behind}");
    llmjson::laws::a_whole_value_is_read(&text, llmjson_fuzz::schema(0));
});
