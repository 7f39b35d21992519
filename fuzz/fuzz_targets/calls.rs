#![no_main]

libfuzzer_sys::fuzz_target!(|input: &str| {
    llmjson::laws::every_text_with_calls(input, llmjson_fuzz::registry());
    let found = llmjson::tools::calls_in(input, llmjson_fuzz::registry_under_preset(input.len()));
    llmjson::laws::arguments_are_bound_as_alone(input, &found);
});
