//! What the types take, keep and refuse.

use llmjson_wire::{
    ArgumentsForm, ContentPart, Embedding, EmbeddingDatum, Message, Raw, Request, Response,
    StreamChunk, Tool, ToolCall, Usage,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

fn read<T: DeserializeOwned>(text: &str) -> T {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn write(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap()
}

/// Written as it was read.
fn same<T: DeserializeOwned + Serialize>(text: &str) {
    assert_eq!(write(&read::<T>(text)), text);
}

fn refusal<T: DeserializeOwned + std::fmt::Debug>(text: &str) -> String {
    serde_json::from_str::<T>(text).unwrap_err().to_string()
}

#[test]
fn unknown_members_come_back_as_they_were() {
    same::<Message>(
        r#"{"role":"user","cache_control":{"type":"ephemeral"},"n":1.0,"m":1e2,"o":[ 1 ]}"#,
    );
    same::<ToolCall>(r#"{"id":"c","extra_content":{"google":{"thought_signature":"abc"}}}"#);
    same::<ToolCall>(r#"{"function":{"name":"f","arguments":"{}","x":null},"y":-0.0}"#);
    same::<Tool>(
        r#"{"type":"function","function":{"name":"f","parameters":{"type":"object"},"x":1.0},"y":2}"#,
    );
    same::<Usage>(
        r#"{"prompt_tokens":1,"prompt_tokens_details":{"cached_tokens":0},"cost":1.50e-7}"#,
    );
    same::<ContentPart>(
        r#"{"type":"image_url","image_url":{"url":"u","x":1.0},"cache_control":{"a":1}}"#,
    );
    same::<Response>(
        r#"{"id":"r","choices":[{"index":0,"message":{"content":"a"},"native_finish_reason":"STOP"}],"provider":"p"}"#,
    );
    same::<StreamChunk>(r#"{"choices":[],"x_groq":{"id":"q","usage":{"queue_time":0.10}}}"#);
    same::<Request>(
        r#"{"model":"m","messages":[],"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"a":1.0},"x":1},"y":2},"stream_options":{"include_usage":true,"z":3},"top_k":40}"#,
    );
    same::<EmbeddingDatum>(r#"{"index":0,"embedding":"AACAPw==","x":1.0}"#);
    // Names that come twice are kept twice; names in other letters are not known.
    same::<Message>(r#"{"role":"user","x":1,"x":2,"Role":"admin","ROLE":null}"#);
}

#[test]
fn null_is_no_member_except_as_content_and_in_extras() {
    let nulls = r#"{"role":null,"name":null,"tool_calls":null,"tool_call_id":null,"refusal":null}"#;
    assert_eq!(write(&read::<Message>(nulls)), "{}");
    same::<Message>(r#"{"role":"assistant","content":null,"audio":null}"#);
    let chunk =
        r#"{"id":null,"created":null,"choices":null,"usage":null,"system_fingerprint":null}"#;
    assert_eq!(read::<StreamChunk>(chunk), StreamChunk::default());
    let choice =
        r#"{"choices":[{"index":null,"delta":null,"finish_reason":null,"logprobs":null}]}"#;
    assert_eq!(write(&read::<StreamChunk>(choice)), r#"{"choices":[{}]}"#);
    let usage = r#"{"prompt_tokens":null,"total_tokens":7}"#;
    assert_eq!(write(&read::<Usage>(usage)), r#"{"total_tokens":7}"#);
}

#[test]
fn a_member_of_another_type_is_named_by_its_path() {
    let table = [
        (
            refusal::<Message>(r#"{"role":1}"#),
            "at `role`: invalid type: integer `1`, expected a string",
        ),
        (
            refusal::<Response>(r#"{"choices":{}}"#),
            "at `choices`: invalid type: map, expected a list",
        ),
        (
            refusal::<Response>(
                r#"{"choices":[{"index":0},{"message":{"tool_calls":[{"id":true}]}}]}"#,
            ),
            "at `choices[1].message.tool_calls[0].id`: invalid type: boolean `true`, expected a string",
        ),
        (
            refusal::<Usage>(r#"{"total_tokens":-1}"#),
            "at `total_tokens`: invalid value: integer `-1`, expected u64",
        ),
        (
            refusal::<Message>("[]"),
            "invalid type: sequence, expected an object",
        ),
        (
            refusal::<Message>(r#"{"role":"user","x":}"#),
            "at `x`: expected value",
        ),
    ];
    for (said, wanted) in table {
        assert!(said.starts_with(wanted), "{said}");
    }
}

#[test]
fn an_extra_with_the_name_of_a_member_is_refused_at_any_depth() {
    let mut call = ToolCall::default();
    call.extras.set("function", &1).unwrap();
    let message = Message {
        tool_calls: Some(vec![call]),
        ..Message::default()
    };
    let error = serde_json::to_string(&Request::new("m", [message])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "extras key function collides with ToolCall"
    );
    // Also where the member itself is not set, since a reader would take it for one.
    let mut request = Request::new("m", []);
    request.extras.set("seed", &1).unwrap();
    let error = serde_json::to_string(&request).unwrap_err();
    assert_eq!(error.to_string(), "extras key seed collides with Request");
}

#[test]
fn of_a_request_only_what_is_set_is_written() {
    let zeros = r#"{"model":"","messages":[],"max_tokens":0,"temperature":0.0,"top_p":0.0,"n":0,"presence_penalty":0.0,"frequency_penalty":0.0,"seed":0}"#;
    same::<Request>(zeros);
    assert_eq!(write(&Request::default()), r#"{"model":"","messages":[]}"#);
    same::<Request>(
        r#"{"model":"m","messages":[],"tool_choice":{"type":"function","n":1.0},"stop":["a","b"]}"#,
    );
}

#[test]
fn content_has_four_forms() {
    // Content, text, number of parts.
    let table = [
        ("", None, None),
        (r#""content":null"#, None, None),
        (r#""content":"a\u00e9""#, Some("aé"), None),
        (r#""content":"""#, Some(""), None),
        (r#""content":[]"#, None, Some(Some(0))),
        (
            r#""content":[{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"u"}}]"#,
            None,
            Some(Some(2)),
        ),
        (r#""content":[{"type":1}]"#, None, Some(None)),
        (r#""content":{"odd":1.0}"#, None, None),
        (r#""content":"\ud83d""#, None, None),
    ];
    for (content, text, parts) in table {
        let json = format!("{{{content}}}");
        let message: Message = read(&json);
        assert_eq!(message.content.as_text(), text, "{content}");
        let found = message.content.as_parts();
        assert_eq!(
            found.map(|parts| parts.ok().map(|parts| parts.len())),
            parts,
            "{content}"
        );
        if !content.contains("u00e9") {
            assert_eq!(write(&message), json);
        }
    }
}

#[test]
fn arguments_may_be_json_themselves() {
    let table = [
        (r#""{\"a\": 1}""#, "{\"a\": 1}", ArgumentsForm::Text),
        (r#"{"a": 1.0}"#, "{\"a\": 1.0}", ArgumentsForm::Json),
        ("[1, 2]", "[1, 2]", ArgumentsForm::Json),
        (r#""""#, "", ArgumentsForm::Text),
        (r#""{\"a\"""#, "{\"a\"", ArgumentsForm::Text),
    ];
    for (json, text, form) in table {
        let call = format!(r#"{{"function":{{"arguments":{json}}}}}"#);
        let read: ToolCall = read(&call);
        assert_eq!(write(&read), call);
        let arguments = read.function.unwrap().arguments.unwrap();
        assert_eq!(
            (arguments.as_str(), arguments.form()),
            (text, form),
            "{json}"
        );
    }
    let mut torn = llmjson_wire::Arguments::from_text("{\"a\"");
    torn.set_form(ArgumentsForm::Json);
    let error = serde_json::to_string(&torn).unwrap_err().to_string();
    assert!(error.starts_with("arguments are not JSON"), "{error}");
}

#[test]
fn vectors_come_as_numbers_or_in_base64() {
    let bytes: Vec<u8> = [0.5_f32, -1.25, f32::MAX]
        .iter()
        .flat_map(|float| float.to_le_bytes())
        .collect();
    assert_eq!(bytes.len(), 12);
    let packed: Embedding = read(r#""AAAAPwAAoL///39/""#);
    assert_eq!(packed.to_floats().unwrap(), [0.5, -1.25, f32::MAX]);
    // Text, and the byte from which on it makes no sense.
    for (text, offset) in [
        ("AAAA", 4),
        ("A", 1),
        ("AACAP*==", 5),
        ("AACAPw===", 6),
        ("AACAPwA=", 7),
    ] {
        let error = Embedding::Base64(text.into()).to_floats().unwrap_err();
        assert_eq!(error.offset(), offset, "{text}");
    }
    assert_eq!(
        Embedding::Base64(String::new()).to_floats().unwrap(),
        [0.0_f32; 0]
    );
    for text in ["[1e39]", "[\"a\"]", "{}", "true"] {
        let said = refusal::<Embedding>(text);
        assert!(
            said.starts_with("an embedding is a list of numbers or a text in Base64"),
            "{said}"
        );
    }
}

#[test]
fn extras_are_an_ordered_list_of_names() {
    let mut message: Message = read(r#"{"a":1,"b":2,"a":3}"#);
    let extras = &mut message.extras;
    assert_eq!(
        (extras.len(), extras.get("a").map(Raw::as_str)),
        (3, Some("3"))
    );
    assert_eq!(extras.set("a", "x").unwrap().unwrap().as_str(), "3");
    assert_eq!(extras.set("c", &[1]).unwrap(), None);
    assert_eq!(write(extras), r#"{"a":1,"b":2,"a":"x","c":[1]}"#);
    assert_eq!(extras.remove("a").unwrap().as_str(), "\"x\"");
    assert_eq!((extras.remove("a"), extras.len()), (None, 2));
    assert!(Raw::from_text("{} {}").is_err() && Raw::from_text("").is_err());
}

#[test]
fn values_that_are_not_text_can_be_read_too() {
    let value = serde_json::json!({"role": "user", "content": ["x"], "n": 1.5});
    let message: Message = serde_json::from_value(value.clone()).unwrap();
    assert_eq!(serde_json::to_value(&message).unwrap(), value);
    let message: Message = serde_json::from_reader(&br#"{"role":"user","n":1.50}"#[..]).unwrap();
    assert_eq!(write(&message), r#"{"role":"user","n":1.50}"#);
}
