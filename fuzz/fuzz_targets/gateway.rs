#![no_main]

use llmjson_gateway::laws;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    laws::a_stream_says_what_the_whole_reply_says(input);
    let Some(([kind, lengths @ ..], rest)) = input.split_first_chunk::<3>() else {
        return;
    };
    laws::a_stream_is_the_same_in_any_pieces(rest, lengths, *kind);
    laws::a_whole_reply_stays_one(rest, *kind);
    if let Ok(text) = std::str::from_utf8(rest) {
        laws::a_text_comes_out_alike(text, lengths, *kind);
    }
});
