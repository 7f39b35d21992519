//! Requests said in chat.

use serde_json::json;

use crate::given::*;

#[test]
fn input_becomes_messages() {
    let input = json!([
        {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "Be short."}]},
        {"role": "user", "content": "Oslo?"},
        {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "Look."}], "encrypted_content": "x"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "I look."}]},
        {"type": "function_call", "call_id": "c1", "name": "weather", "arguments": "{\"city\":\"Oslo\"}"},
        {"type": "custom_tool_call", "call_id": "c2", "namespace": "functions", "name": "exec", "input": "a\n\"b\""},
        {"type": "function_call_output", "call_id": "c1", "output": "3"},
        {"type": "custom_tool_call_output", "call_id": "c2", "output": [{"type": "input_text", "text": "4"}]},
        {"role": "user", "content": [
            {"type": "input_text", "text": "And this?"},
            {"type": "input_image", "image_url": "data:image/png;base64,AA==", "detail": "low"}]}
    ]);
    let chat = in_chat(json!({"instructions": "You are kind.", "input": input}));
    assert_eq!(
        chat["messages"],
        json!([
            {"role": "system", "content": "You are kind.\n\nBe short."},
            {"role": "user", "content": "Oslo?"},
            {"role": "assistant", "reasoning_content": "Look.", "content": "I look.", "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": "{\"city\":\"Oslo\"}"}},
                {"id": "c2", "type": "function", "function": {"name": "functions__exec", "arguments": "{\"input\":\"a\\n\\\"b\\\"\"}"}}]},
            {"role": "tool", "tool_call_id": "c1", "content": "3"},
            {"role": "tool", "tool_call_id": "c2", "content": "4"},
            {"role": "user", "content": [
                {"type": "text", "text": "And this?"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA==", "detail": "low"}}]}
        ])
    );
    assert_eq!(
        in_chat(json!({}))["messages"],
        json!([{"role": "user", "content": "Oslo?"}])
    );
}

#[test]
fn members_are_said_in_chat() {
    let chat = in_chat(json!({
        "max_output_tokens": 9, "reasoning": {"effort": "low", "summary": "auto"}, "parallel_tool_calls": false,
        "store": false, "include": ["reasoning.encrypted_content"], "metadata": {"a": "b"}, "stream": true,
        "tools": [weather()], "tool_choice": {"type": "function", "name": "weather"},
        "text": {"verbosity": "low", "format": {"type": "json_schema", "name": "t", "strict": true, "schema": {"type": "object"}}}
    }));
    let mut tool = weather();
    let members = tool.as_object_mut().expect("an object");
    members.remove("type");
    let expected = json!({
        "model": "small", "messages": [{"role": "user", "content": "Oslo?"}], "max_tokens": 9, "reasoning_effort": "low",
        "parallel_tool_calls": false, "stream": true, "stream_options": {"include_usage": true},
        "tools": [{"type": "function", "function": tool}],
        "tool_choice": {"type": "function", "function": {"name": "weather"}}, "verbosity": "low",
        "response_format": {"type": "json_schema", "json_schema": {"name": "t", "strict": true, "schema": {"type": "object"}}}
    });
    assert_eq!(chat, expected);
}

#[test]
fn what_chat_cannot_say_is_refused_by_name() {
    let rows = [
        (
            json!({"previous_response_id": "resp_1"}),
            "previous_response_id",
        ),
        (json!({"conversation": "conv_1"}), "conversation"),
        (json!({"background": true}), "background"),
        (json!({"store": true}), "store"),
        (json!({"prompt": {"id": "p"}}), "prompt"),
        (
            json!({"include": ["message.output_text.logprobs"]}),
            "include[0]",
        ),
        (
            json!({"tools": [weather(), {"type": "web_search"}]}),
            "tools[1].type \"web_search\"",
        ),
        (
            json!({"tool_choice": {"type": "file_search"}}),
            "tool_choice.type \"file_search\"",
        ),
        (
            json!({"input": [{"type": "item_reference", "id": "x"}]}),
            "input[0].type \"item_reference\"",
        ),
        (
            json!({"input": [{"role": "user", "content": [{"type": "input_image", "file_id": "f"}]}]}),
            "input[0].content[0]",
        ),
        (
            json!({"input": [{"role": "developer", "content": [{"type": "input_image", "image_url": "x"}]}]}),
            "input[0].content",
        ),
        (
            json!({"text": {"format": {"type": "grammar"}}}),
            "text.format.type \"grammar\"",
        ),
        (json!({"seed": 3}), "seed"),
    ];
    for (more, param) in rows {
        let (message, of) = refusal(more);
        assert_eq!(of, param, "{message}");
        assert!(message.contains("expected"), "{message}");
    }
}
