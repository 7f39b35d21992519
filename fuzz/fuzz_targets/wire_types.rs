#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    llmjson_wire::laws::types_round_trip(text);
    llmjson_wire::laws::errors_say_something(500, text.as_bytes());
});
