#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    if let Some((lengths, rest)) = input.split_first_chunk::<2>() {
        llmjson::laws::a_proxy_loses_nothing(rest, lengths);
        llmjson::laws::a_session_loses_nothing(rest);
    }
});
