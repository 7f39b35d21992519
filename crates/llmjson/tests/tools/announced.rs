//! Streams of calls: when a call is announced, and how its arguments come.

use std::sync::LazyLock;

use llmjson::{
    stream::CallEvent,
    tools::{CallReader, Registry, TextCalls, Tool},
};
use llmjson_testutil::table::rows;

/// A call of each shape: what stands before the name, between it and the text, and behind that.
static SHAPES: LazyLock<Vec<[&str; 4]>> = LazyLock::new(|| rows(include_str!("announced.txt")));

const NAME: &str = "write_file";

fn registry() -> Registry {
    let schema = r#"{"type": "object", "properties": {"content": {"type": "string"}}, "required": ["content"]}"#;
    let tool = Tool::new(NAME, "Writes a file.");
    Registry::builder()
        .register_schema(tool, schema)
        .build()
        .unwrap()
}

/// Some text with a little of what may begin a tag.
fn text(bytes: usize) -> String {
    let words = "tea < two, and <b>more</b> in a [list] {so} of x > y; ";
    words
        .chars()
        .cycle()
        .take(bytes)
        .collect::<String>()
        .trim_end()
        .to_owned()
}

/// Returns the events of a text that comes in pieces of `length` bytes, each with the length of text received by then.
fn streamed(
    text: &str,
    length: usize,
    registry: &Registry,
) -> (Vec<(usize, CallEvent)>, TextCalls) {
    let mut stream = CallReader::new(registry).stream();
    let mut events = Vec::new();
    let mut come = 0;
    for piece in text.as_bytes().chunks(length) {
        stream.push_bytes(piece).unwrap();
        come += piece.len();
        events.extend(stream.events().into_iter().map(|event| (come, event)));
    }
    let found = stream.finish();
    events.extend(
        found
            .last_events()
            .iter()
            .map(|event| (text.len() + 1, event.clone())),
    );
    (events, found)
}

#[test]
fn a_name_is_announced_when_it_is_closed_and_texts_come_at_once() {
    let (registry, argument) = (registry(), text(1_900));
    for &[shape, lead, between, end] in SHAPES.iter() {
        let reply = format!("{lead}{NAME}{between}{argument}{end}");
        let (events, found) = streamed(&reply, 3, &registry);
        // An object may turn out to declare a tool, and a list or a line to be prose, until the arguments begin.
        let is_bare = matches!(
            shape,
            "bare" | "list" | "bare python" | "lines" | "a fence behind lines"
        );
        let named = lead.len() + NAME.len() + if is_bare { between.len() } else { 0 };
        let started = events
            .iter()
            .find(|(_, event)| matches!(event, CallEvent::Started { .. }));
        let started = started.map(|(come, _)| *come);
        assert!(
            started.is_some_and(|come| come <= named + 4),
            "{shape}: {started:?}, not {named}"
        );
        let deltas = events
            .iter()
            .filter(|(_, event)| matches!(event, CallEvent::Arguments { .. }));
        assert!(deltas.count() >= 500, "{shape}");
        let expected = serde_json::json!({"content": argument}).to_string();
        assert_eq!(found.calls()[0].arguments(), expected, "{shape}");
    }
}

#[test]
fn little_of_a_long_text_is_held_back() {
    let (registry, argument) = (registry(), text(40_000));
    for &[shape, lead, between, end] in SHAPES.iter() {
        let reply = format!("{lead}{NAME}{between}{argument}{end}");
        let (events, _) = streamed(&reply, 100, &registry);
        let come = events
            .iter()
            .filter(|(_, event)| matches!(event, CallEvent::Arguments { .. }));
        let come: Vec<_> = come.map(|(come, _)| *come).collect();
        let gap = come.windows(2).map(|pair| pair[1] - pair[0]).max();
        assert!(gap.is_some_and(|gap| gap <= 2_048), "{shape}: {gap:?}");
    }
}

/// The place at which a call of a shape ends: nothing but its own text tells so.
fn end_of(shape: &str, end: &str) -> usize {
    let closers = [
        "</function>",
        "</invoke>",
        "[</invoke>",
        "<|close|>call<|sep|>",
        "</tool_call>",
    ];
    match shape {
        "xml" | "attributes" | "elements" | "separators" | "pairs" => {
            let found = closers
                .iter()
                .find_map(|one| Some(end.find(one)? + one.len()));
            found.expect("it is closed")
        }
        // What follows may say that it is prose.
        "bare python" | "python in a fence" => end.len(),
        _ => end.rfind(['}', ']', ')']).map_or(end.len(), |at| at + 1),
    }
}

#[test]
fn a_call_is_finished_when_its_end_has_been_read() {
    let registry = registry();
    for &[shape, lead, between, end] in SHAPES.iter() {
        for before in ["", "Let me see.\n\n", "<think>So.</think>\n"] {
            for behind in ["\n\nOne moment, please.", "\n"] {
                let call = format!("{before}{lead}{NAME}{between}tea{end}");
                let due = call.len() - end.len() + end_of(shape, end);
                for length in [1, 3, 7, 20] {
                    let (events, _) = streamed(&format!("{call}{behind}"), length, &registry);
                    let finished = events.iter().find_map(|(come, event)| match event {
                        CallEvent::Finished { complete, .. } => Some((*come, *complete)),
                        _ => None,
                    });
                    let (come, complete) = finished.expect("it is finished");
                    assert!(complete, "{shape}: {events:?}");
                    assert!(
                        come <= due + length,
                        "{shape} by {length}: {come}, not {due}: {events:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_call_that_the_end_cuts_is_finished_as_incomplete() {
    let registry = registry();
    for &[shape, lead, between, _] in SHAPES.iter() {
        let reply = format!("{lead}{NAME}{between}tea at fi");
        for length in [1, 3, 7, 20] {
            let (events, found) = streamed(&reply, length, &registry);
            let last = events.last().map(|(_, event)| event.clone());
            let is_cut = |event: &CallEvent| {
                matches!(
                    event,
                    CallEvent::Finished {
                        call: 0,
                        complete: false,
                        ok: false,
                        reason: Some(_),
                        ..
                    }
                )
            };
            assert!(last.as_ref().is_some_and(is_cut), "{shape}: {events:?}");
            assert!(!found.calls()[0].is_complete(), "{shape}");
        }
    }
}

#[test]
fn what_is_thought_or_stands_in_a_string_is_not_announced() {
    let registry = registry();
    let call = "<tool_call>\n{\"name\": \"write_file\", \"arguments\": {\"content\": \"a\"}}\n</tool_call>";
    let string = serde_json::Value::from(call).to_string();
    let texts = [
        format!("<think>\nI could write it:\n{call}\nNo.\n</think>\nWhat shall be in it?"),
        format!("{{\"text\": {string}, \"n\": 1}}\nThat is all."),
        format!("[{{\"n\": 1}}, {{\"text\": {string}}}]\nThat is all."),
        format!("```\n{call}\n```\nThat is how it is written."),
        format!("It writes `{call}` then."),
    ];
    for text in texts {
        for length in [1, 3, 7, 20] {
            let (events, found) = streamed(&text, length, &registry);
            assert!(found.calls().is_empty(), "{text}");
            assert_eq!(events, [], "{text}");
        }
    }
}

#[test]
fn a_call_behind_long_thoughts_is_announced_at_once() {
    let registry = registry();
    for lead in [
        format!("<think>{}</think>\n", text(4_000)),
        format!(
            "So:\n```c\nint main() {{\n  {}\n}}\n```\nNow I write it.\n",
            text(4_000)
        ),
    ] {
        for &[shape, opener, between, end] in SHAPES.iter() {
            let reply = format!("{lead}{opener}{NAME}{between}tea{end}\nDone.");
            let due = lead.len() + opener.len() + NAME.len() + between.len() + 1;
            let (events, _) = streamed(&reply, 3, &registry);
            let started = events.first().map(|(come, _)| *come);
            assert!(
                started.is_some_and(|come| come <= due + 3),
                "{shape}: {started:?}, not {due}"
            );
        }
    }
}

/// The end of a call that may be run.
fn finished(call: usize) -> CallEvent {
    CallEvent::Finished {
        call,
        complete: true,
        ok: true,
        reason: None,
        arguments: None,
    }
}

#[test]
fn drafts_before_a_lone_end_of_reasoning_are_superseded() {
    let registry = registry();
    let call = "<tool_call>\n{\"name\": \"write_file\", \"arguments\": {\"content\": \"a\"}}\n</tool_call>";
    let reply = format!(
        "I could write it:\n{call}\nNo, I ask first.\n</think>\nWhat shall be in it? {}",
        text(90)
    );
    for length in [1, 3, 17] {
        let (events, found) = streamed(&reply, length, &registry);
        // Only what comes last tells that all of it was thought.
        assert!(found.calls().is_empty(), "{length}");
        let last: Vec<_> = events.iter().rev().map(|(_, event)| event).collect();
        let finished = finished(0);
        let superseded = CallEvent::Superseded { call: 0 };
        assert_eq!(last[..2], [&superseded, &finished], "{length}");
    }
}

/// All that is shown of arguments is a part of them: a name that goes on within a value is no text of it.
#[test]
fn names_within_values_are_not_shown_as_texts() {
    let registry = Registry::builder().build().expect("no tools");
    for text in [
        r#"<|tool_call_start|>[f(n='a', m={"p": "high", "reminder": true})]<|tool_call_end|>"#,
        r#"<|tool_call_start|>[f(m=[{'item': 'apple', 'quantity': '2'}], to="x")]<|tool_call_end|> Done."#,
    ] {
        let mut stream = CallReader::new(&registry).stream();
        let mut shown = String::new();
        let mut events = Vec::new();
        for one in text.chars() {
            stream.push(one.encode_utf8(&mut [0; 4]));
            events.extend(stream.events());
        }
        let (found, last) = stream.finish_with_events();
        events.extend(last);
        for event in &events {
            if let CallEvent::Arguments { text, .. } = event {
                shown.push_str(text);
            }
        }
        assert_eq!(shown, found.calls()[0].arguments(), "{text}");
        assert_eq!(events.last(), Some(&finished(0)), "{text}");
    }
}

/// A call whose name is known before all that stands in front of it stays the same call.
#[test]
fn calls_that_begin_before_their_marker_are_announced_once() {
    let registry = Registry::builder().build().expect("no tools");
    let call = |name: &str| {
        format!(
            "<|channel|>commentary to=functions.{name}\n<|constrain|>json\n<|message|>{{\"a\": 1}}\n<|call|>\n"
        )
    };
    let text = format!("<|start|>\n{}{}", call("get_weather"), call("get_time"));
    let mut stream = CallReader::new(&registry).stream();
    let mut started = 0;
    for one in text.chars() {
        stream.push(one.encode_utf8(&mut [0; 4]));
        let events = stream.events();
        started += events
            .iter()
            .filter(|one| matches!(one, CallEvent::Started { .. }))
            .count();
        assert!(stream.searched() <= stream.text().len());
        for (call, span) in stream.spans() {
            assert_eq!(stream.start(call), Some(span.start as usize));
        }
    }
    let found = stream.finish();
    let more = found.last_events().iter();
    started += more
        .filter(|one| matches!(one, CallEvent::Started { .. }))
        .count();
    assert_eq!(
        (started, found.calls().len()),
        (2, 2),
        "{:?}",
        found.last_events()
    );
}
