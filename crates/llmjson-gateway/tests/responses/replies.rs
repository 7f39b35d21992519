//! Replies, whole and streamed.

use llmjson_gateway::chat::Finished;
use llmjson_gateway::{Outcome, Report, Treatment};
use serde_json::{Value, json};

use crate::given::*;
use crate::support::{reply_of, stream_of};

#[test]
fn a_native_reply_that_needs_nothing_is_the_same() {
    let thought = json!({"id": "rs_1", "type": "reasoning", "summary": [], "content": [{"type": "reasoning_text", "text": "Hm, Oslo."}]});
    let replies = [
        vec![message("It is sunny, 3 < 4.")],
        vec![call("weather", ARGUMENTS)],
        vec![thought, message("See: [1]."), call("weather", ARGUMENTS)],
        vec![
            json!({"id": "ws_1", "type": "web_search_call", "status": "completed", "content": [{"type": "x", "text": ""}]}),
            message("Done."),
        ],
        vec![],
    ];
    for items in replies {
        let reply = native(&items);
        let (body, report) = whole(false, &with_tools(), &reply);
        assert!(
            body == reply && report == Report::default(),
            "{}",
            String::from_utf8_lossy(&body)
        );
        let reply = native_stream(&items);
        let (out, report) = streamed(false, &with_tools(), &reply);
        assert!(
            out == reply && report == Report::default(),
            "{}",
            String::from_utf8_lossy(&out)
        );
    }
}

#[test]
fn calls_and_arguments_of_a_native_reply_are_corrected() {
    let thought = json!({"id": "rs_1", "type": "reasoning", "summary": [], "content": [{"type": "reasoning_text", "text": "Hm."}]});
    let rows = [
        (
            vec![call("weather", "{city: 'Oslo', \"days\": \"3\",}")],
            json!([[null, "weather", ARGUMENTS, null]]),
        ),
        (
            vec![call("Weather", ARGUMENTS)],
            json!([[null, "weather", ARGUMENTS, null]]),
        ),
        (
            vec![thought.clone(), message(TEXT_CALL)],
            json!(["Let me see.\n", [null, "weather", ARGUMENTS, null]]),
        ),
        (
            vec![
                message("Two calls."),
                call("weather", "{'city': 'Oslo', days: 3,}"),
                call("weather", ARGUMENTS),
            ],
            json!([
                "Two calls.",
                [null, "weather", ARGUMENTS, null],
                [null, "weather", ARGUMENTS, null]
            ]),
        ),
    ];
    for (mut items, expected) in rows {
        for (at, item) in items.iter_mut().enumerate() {
            item["id"] = format!("{}{at}", item["id"].as_str().unwrap_or_default()).into();
        }
        let (body, report) = whole(false, &with_tools(), &native(&items));
        assert_ne!(report.outcome(), Outcome::Unchanged);
        let response: Value = serde_json::from_slice(&body).expect("JSON");
        assert_eq!(
            json!(said(&response)),
            expected,
            "{}",
            String::from_utf8_lossy(&body)
        );
        let (out, report) = streamed(false, &with_tools(), &native_stream(&items));
        assert_ne!(report.outcome(), Outcome::Unchanged);
        let response = accumulated(&out);
        assert_eq!(
            json!(said(&response)),
            expected,
            "{}",
            String::from_utf8_lossy(&out)
        );
    }
}

#[test]
fn a_reply_of_chat_becomes_a_response() {
    let rows = [
        (
            json!({"role": "assistant", "content": "Hello."}),
            "stop",
            json!(["Hello."]),
        ),
        (
            json!({"role": "assistant", "reasoning_content": "Hm.", "content": TEXT_CALL}),
            "stop",
            json!(["Let me see.\n", [null, "weather", ARGUMENTS, null]]),
        ),
        (
            json!({"role": "assistant", "content": null, "tool_calls": [{"index": 0, "id": "call_1", "type": "function",
                "function": {"name": "weather", "arguments": "{city: 'Oslo', \"days\": \"3\",}"}}]}),
            "tool_calls",
            json!([[null, "weather", ARGUMENTS, null]]),
        ),
    ];
    for (message, finish, expected) in rows {
        let (body, _) = whole(true, &with_tools(), &reply_of(message.clone(), finish));
        let response: Value = serde_json::from_slice(&body).expect("JSON");
        assert_eq!(json!(said(&response)), expected, "{response}");
        assert_eq!(response["status"], "completed");
        assert_eq!(response["usage"]["input_tokens"], 10);
        assert_eq!(response["tools"], json!([weather()]));
        let (out, _) = streamed(true, &with_tools(), &stream_of([message], finish));
        assert_eq!(
            json!(said(&accumulated(&out))),
            expected,
            "{}",
            String::from_utf8_lossy(&out)
        );
    }
}

#[test]
fn a_reply_that_a_limit_cut_is_incomplete() {
    for (finish, reason) in [
        ("length", "max_output_tokens"),
        ("content_filter", "content_filter"),
    ] {
        let message = json!({"role": "assistant", "content": "Hel"});
        let (body, _) = whole(true, &with_tools(), &reply_of(message.clone(), finish));
        let response: Value = serde_json::from_slice(&body).expect("JSON");
        assert_eq!(response["status"], "incomplete");
        assert_eq!(response["incomplete_details"]["reason"], reason);
        let (out, _) = streamed(true, &with_tools(), &stream_of([message], finish));
        let response = accumulated(&out);
        assert_eq!(response["incomplete_details"]["reason"], reason);
        assert_eq!(response["output"][0]["status"], "incomplete");
    }
}

#[test]
fn a_stream_that_breaks_off_ends_with_an_error_event() {
    let chat = stream_of([json!({"content": "Hel"})], "stop");
    let rows = [
        (true, chat),
        (false, native_stream(&[message("Hello there.")])),
    ];
    for (speaks_chat, reply) in rows {
        let mut stream = begin(
            speaks_chat,
            &with_tools(),
            &Treatment::default().with_seed(1),
        )
        .stream();
        let mut out = Vec::new();
        stream.push(&reply[..reply.len() / 2], &mut out);
        let Finished::Done(report) = stream.finish(false, &mut out) else {
            panic!("asks again");
        };
        assert_eq!(report.outcome(), Outcome::Failed);
        let events = events(&out);
        let last = events.last().expect("an event");
        assert_eq!(
            (&last["type"], &last["code"]),
            (&json!("error"), &json!("stream_cut"))
        );
        assert!(
            events
                .iter()
                .all(|event| event["type"] != "response.completed")
        );
    }
}
