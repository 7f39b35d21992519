#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| llmjson::laws::records_lead_to_the_value(text));
