#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    llmjson::laws::strict_json_unchanged(text);
    llmjson::laws::a_cut_is_noticed(text);
});
