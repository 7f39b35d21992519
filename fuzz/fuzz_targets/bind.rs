#![no_main]

libfuzzer_sys::fuzz_target!(|input: &str| {
    if let Some((contract, text)) = llmjson_fuzz::contract_and_text(input) {
        llmjson::laws::every_call(text, contract);
    }
});
