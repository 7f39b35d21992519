#![no_main]

use llmjson::syntax::laws::{search::Recipe, work_is_bounded, work_of_streams_is_bounded};

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    // The first byte chooses how the text is cut and the schema, the rest are tokens.
    let Some((&choice, tokens)) = input.split_first() else {
        return;
    };
    let Some(recipe) = Recipe::from_bytes(tokens) else {
        return;
    };
    let text = recipe.text(4 << 10);
    let lengths = || || 1 + usize::from(choice);
    work_is_bounded(&text);
    work_of_streams_is_bounded(&text, lengths);
    let schema = llmjson_fuzz::schema(choice.into());
    llmjson::laws::work_with_schema_is_bounded(&text, schema);
    llmjson::laws::work_of_coerced_streams_is_bounded(&text, schema, lengths());
});
