#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    // The first bytes choose how the rest is cut and how long a frame may be.
    let Some((&[first, second, limit], stream)) = input.split_first_chunk() else {
        return;
    };
    llmjson_wire::laws::splitting_changes_nothing(stream, &[first, second], usize::from(limit));
    llmjson_wire::laws::splitting_changes_nothing(stream, &[1], 0);
});
