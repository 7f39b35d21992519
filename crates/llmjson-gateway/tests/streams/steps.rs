//! Streams step by step: the text that goes out at once, the text that waits, and limits.

use llmjson::Policy;
use llmjson_gateway::chat::{Exchange, Finished};
use llmjson_gateway::{Cache, Limits, Outcome, Treatment};
use serde_json::{Value, json};

use crate::support::{self, accumulated, begin, calls_of, content_of, pieces, stream_of};
use crate::{event, request, step, weather};

#[test]
fn text_goes_out_in_the_step_in_which_it_comes() {
    let mut stream = begin(&request(weather()), &Treatment::default()).stream();
    let text = "Let me think: <think>if 1 < 2, then a[0] is {x}</think> and so, **Oslo** is best.\n- one\n- two (see `f(x)`)\n";
    let mut waiting = 0;
    for piece in pieces(text, 4) {
        let out = step(&mut stream, json!({"content": piece}));
        waiting += usize::from(out.is_empty());
    }
    assert!(waiting <= 12, "{waiting} pieces waited");
    // Prose without brackets never waits.
    for word in [
        "The", " weather", " in", " Oslo", " is", " fine", ",", " so", " go", "!", " 🙂",
    ] {
        let sent = event(json!({"content": word}));
        let out = step(&mut stream, json!({"content": word}));
        assert_eq!(out.as_bytes(), sent, "{word}");
    }
}

#[test]
fn arguments_go_out_as_prefixes_of_the_final_text() {
    // What is to be repaired waits from the first byte that is to be another one.
    for (text, begun) in [
        (
            r#"{"city": "Oslo", "days": 3}"#,
            r#"{"city": "Oslo", "days": 3"#,
        ),
        (r#"{"city": "Oslo", days: "3",}"#, r#"{"city": "Oslo", "#),
        (r#"{city: "Os\u006co", 'days': "3",}"#, "{"),
    ] {
        let mut stream = begin(&request(weather()), &Treatment::default()).stream();
        let mut out = Vec::new();
        let name = json!({"tool_calls": [{"index": 0, "id": "c", "type": "function",
            "function": {"name": "get_weather", "arguments": ""}}]});
        stream.push(&event(name), &mut out);
        let mut seen = vec![String::new()];
        for piece in pieces(text, 3) {
            let delta = json!({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]});
            stream.push(&event(delta), &mut out);
            let so_far = calls_of(&accumulated(&out));
            seen.extend(so_far.into_iter().map(|(_, arguments)| arguments));
        }
        stream.push(
            b"data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n",
            &mut out,
        );
        assert!(matches!(stream.finish(true, &mut out), Finished::Done(_)));
        let all = &calls_of(&accumulated(&out))[0].1;
        assert_eq!(
            serde_json::from_str::<Value>(all).expect("JSON"),
            json!({"city": "Oslo", "days": 3})
        );
        assert!(
            seen.iter().all(|one| all.starts_with(one)),
            "{seen:?} of {all}"
        );
        assert!(seen.iter().all(|one| begun.starts_with(one)), "{seen:?}");
        let longest = seen.iter().map(String::len).max().unwrap_or_default();
        assert!(longest + 3 > begun.len(), "{seen:?}");
    }
}

#[test]
fn calls_of_careful_tools_are_not_announced_before_they_are_judged() {
    let policies = [("get_weather".to_owned(), Policy::exact())]
        .into_iter()
        .collect();
    let treatment = Treatment::default().with_tool_policies(policies);
    let mut stream = begin(&request(weather()), &treatment).stream();
    let text = "Sure. <tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}</tool_call>";
    for piece in pieces(text, 5) {
        let out = step(&mut stream, json!({"content": piece}));
        assert!(!out.contains("tool_calls"), "{out}");
    }
    let mut out = Vec::new();
    stream.push(
        b"data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
        &mut out,
    );
    let out = String::from_utf8(out).expect("UTF-8");
    assert!(
        out.contains(r#""arguments":"{\"city\":\"Oslo\"}""#),
        "{out}"
    );
    assert!(out.contains(r#""finish_reason":"tool_calls""#), "{out}");
}

#[test]
fn a_stream_that_breaks_off_ends_with_an_error_and_nothing_else() {
    for (complete, tail) in [(false, ""), (true, ""), (false, "data: {\"cho")] {
        let mut stream = begin(&request(weather()), &Treatment::default()).stream();
        let mut out = Vec::new();
        stream.push(&event(json!({"content": "It is"})), &mut out);
        stream.push(tail.as_bytes(), &mut out);
        let Finished::Done(report) = stream.finish(complete, &mut out) else {
            panic!("nothing is asked again");
        };
        assert_eq!(report.outcome(), Outcome::Failed);
        let out = String::from_utf8(out).expect("UTF-8");
        assert!(
            out.contains(r#""code":"stream_cut""#) && !out.contains("[DONE]"),
            "{out}"
        );
        assert!(
            out.contains("It is") && !out.contains("finish_reason\":\"stop"),
            "{out}"
        );
    }
    let mut stream = begin(&request(json!({})), &Treatment::default()).stream();
    let mut out = Vec::new();
    stream.push(b"data: {}\n\n", &mut out);
    assert!(matches!(stream.finish(true, &mut out), Finished::Done(_)));
    assert_eq!(out, b"data: {}\n\n", "a request that needs nothing");
}

#[test]
fn limits_hold_at_their_values() {
    let mut limits = Limits::DEFAULT;
    limits.tools = 2;
    let begin = |tools: usize| {
        let tool = |at: usize| json!({"type": "function", "function": {"name": format!("f{at}")}});
        let tools: Vec<Value> = (0..tools).map(tool).collect();
        let treatment = Treatment::default().with_limits(limits);
        Exchange::begin(
            &request(json!({"tools": tools})),
            &treatment,
            &Cache::new(1),
        )
    };
    assert!(begin(1).is_ok() && begin(2).is_ok());
    let refused = begin(3).expect_err("too many");
    let body: Value = serde_json::from_slice(&refused.body).expect("JSON");
    assert_eq!(
        (refused.status, &body["error"]["code"]),
        (400, &json!("too_many_tools"))
    );

    let chunk = event(json!({"content": "x".repeat(100)}));
    for (most, is_held) in [
        (chunk.len() - 1, false),
        (chunk.len(), true),
        (chunk.len() + 1, true),
    ] {
        let mut limits = Limits::DEFAULT;
        limits.frame_bytes = most - 1;
        let treatment = Treatment::default().with_limits(limits);
        let mut out = Vec::new();
        let mut stream = support::begin(&request(weather()), &treatment).stream();
        stream.push(&chunk, &mut out);
        let text = String::from_utf8(out).expect("UTF-8");
        assert_eq!(text.contains("frame_too_large"), !is_held, "{most}: {text}");
    }
}

#[test]
fn held_bytes_are_bounded() {
    let mut limits = Limits::DEFAULT;
    limits.held_bytes = 2_000;
    let treatment = Treatment::default().with_limits(limits).with_retries(1);
    let mut stream = begin(&request(weather()), &treatment).stream();
    let mut out = Vec::new();
    for piece in ["<tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": \""]
        .into_iter()
        .chain(["Oslo"; 100])
    {
        stream.push(&event(json!({"content": piece})), &mut out);
    }
    let Finished::Done(report) = stream.finish(true, &mut out) else {
        panic!("nothing is asked again");
    };
    assert_eq!(report.outcome(), Outcome::Failed);
    let text = String::from_utf8(out).expect("UTF-8");
    assert_eq!(
        text.matches("held_too_much").count(),
        2,
        "an error and the report: {text}"
    );
}

#[test]
fn policies_of_tools_can_only_be_made_stricter() {
    let asked = |named: &str, treatment: Treatment| {
        let mut tools = weather();
        tools["tools"][0]["x-llmjson-policy"] = named.into();
        let deltas = [
            json!({"content": "<tool_call>{\"name\": \"get_weather\", \"arguments\": {\"City\": \"Oslo\"}}</tool_call>"}),
        ];
        let request = request(tools);
        let exchange = begin(&request, &treatment);
        assert!(!String::from_utf8_lossy(exchange.request()).contains("x-llmjson"));
        let (out, _) = support::streamed(&request, &treatment, &stream_of(deltas, "stop"), 1000);
        let reply = accumulated(&out);
        (calls_of(&reply).len(), content_of(&reply).is_empty())
    };
    assert_eq!(asked("tool", Treatment::default()), (1, true));
    assert_eq!(asked("exact", Treatment::default()), (0, false));
    let exact = Treatment::default().with_policy(Policy::exact());
    assert_eq!(asked("lenient", exact), (0, false));

    let mut tools = weather();
    tools["tools"][0]["function"]["x-llmjson-policy"] = "generous".into();
    let refused = Exchange::begin(&request(tools), &Treatment::default(), &Cache::new(1));
    let body = String::from_utf8(refused.expect_err("no policy").body).expect("UTF-8");
    assert!(
        body.contains("unknown_policy") && body.contains("lenient, strict"),
        "{body}"
    );
}

#[test]
fn a_cache_is_bounded_and_keeps_policies_apart() {
    let cache = Cache::new(2);
    for round in 0..3 {
        for at in 0..4 {
            let mut tools = weather();
            tools["tools"][0]["function"]["name"] = format!("f{at}").into();
            for policy in [Policy::tool(), Policy::exact()] {
                let is_exact = policy.names() == llmjson::policy::Names::Exact;
                let treatment = Treatment::default().with_policy(policy);
                let mut exchange = Exchange::begin(&request(tools.clone()), &treatment, &cache)
                    .expect("a request");
                let call = json!([{"id": "c", "function": {"name": format!("f{at}"), "arguments": "{\"City\": \"Oslo\"}"}}]);
                let reply = support::reply_of(
                    json!({"role": "assistant", "tool_calls": call}),
                    "tool_calls",
                );
                let llmjson_gateway::chat::Step::Answer { report, .. } = exchange.reply(&reply)
                else {
                    panic!("nothing is asked again");
                };
                let expected = if is_exact {
                    Outcome::Refused
                } else {
                    Outcome::Repaired
                };
                assert_eq!(report.outcome(), expected, "round {round}");
            }
        }
    }
}

#[test]
fn an_error_behind_a_cut_event_is_an_event_of_its_own() {
    for (cut, between) in [
        ("data: {\"choices\": [{\"delta\": {\"con", "\n\n"),
        ("data: {}\n", "\n\n"),
        ("data: {}\n\n", ""),
        ("data: {}\r\n\r\n", ""),
        ("", ""),
    ] {
        for length in [1, 3, 100] {
            let mut stream = begin(&request(json!({})), &Treatment::default()).stream();
            let mut out = Vec::new();
            for piece in cut.as_bytes().chunks(length) {
                stream.push(piece, &mut out);
            }
            let Finished::Done(report) = stream.finish(false, &mut out) else {
                unreachable!("nothing is asked again");
            };
            let out = String::from_utf8(out).expect("UTF-8");
            let error = out.strip_prefix(cut).expect("what came passes");
            let error = error.strip_prefix(between).expect("the event ends");
            assert!(error.starts_with("data: {\"error\":"), "{cut:?}: {out:?}");
            assert_eq!(report.outcome(), Outcome::Failed);
        }
    }
}

#[test]
fn a_last_event_without_its_blank_line_is_no_part_of_the_report() {
    let call = json!({"tool_calls": [{"index": 0, "id": "c", "type": "function",
        "function": {"name": "get_weather", "arguments": "{city: 'Oslo',}"}}]});
    let last = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}]}";
    for end in ["", "\n", "\r\n", "\n\n", "\r\n\r\n", "\r\r"] {
        let mut stream = begin(&request(weather()), &Treatment::default()).stream();
        let mut out = Vec::new();
        stream.push(&event(call.clone()), &mut out);
        stream.push(format!("{last}{end}").as_bytes(), &mut out);
        assert!(matches!(stream.finish(true, &mut out), Finished::Done(_)));
        let out = String::from_utf8(out).expect("UTF-8");
        let (_, report) = out.split_once(last).expect("the last event stays");
        let blank = report.split_once(": x-llmjson").expect("a report").0;
        let expected = if end.len() < 3 && end != "\n\n" && end != "\r\r" {
            format!("{end}\n\n")
        } else {
            end.to_owned()
        };
        assert_eq!(blank, expected, "{end:?}");
    }
}

#[test]
fn what_a_cache_holds_is_bounded_by_bytes() {
    let cache = Cache::new(100).with_bytes(10_000);
    let mut held = Vec::new();
    for number in 0..50 {
        let description = "x".repeat(number * 20);
        let tool = json!({"function": {"name": "a", "description": description}});
        let request = json!({"messages": [], "tools": [tool]}).to_string();
        let begun = Exchange::begin(request.as_bytes(), &Treatment::default(), &cache);
        begun.expect("a request");
        held.push(cache.bytes());
    }
    assert!(held.iter().all(|bytes| *bytes <= 10_000), "{held:?}");
    // The space is used, and a schema that is longer than it is not kept.
    assert!(held[49] > 8_000, "{held:?}");
    let schema = json!({"description": "x".repeat(10_001)});
    let format = json!({"type": "json_schema", "json_schema": {"schema": schema}});
    let request = json!({"messages": [], "response_format": format}).to_string();
    let begun = Exchange::begin(request.as_bytes(), &Treatment::default(), &cache);
    begun.expect("a request");
    assert_eq!(cache.bytes(), held[49]);
}

#[test]
fn no_event_follows_the_end() {
    for more in [json!({}), weather()] {
        for end in ["data: [DONE]\n\n", "data: [DONE]\r\n\r\n"] {
            let mut stream = begin(&request(more.clone()), &Treatment::default()).stream();
            let mut out = Vec::new();
            stream.push(&event(json!({"content": "Hi"})), &mut out);
            stream.push(end.as_bytes(), &mut out);
            // The connection breaks off after the end.
            let Finished::Done(_) = stream.finish(false, &mut out) else {
                panic!("nothing is to be asked again");
            };
            let out = String::from_utf8(out).expect("UTF-8");
            assert!(out.ends_with(end), "{out}");
        }
    }
}
