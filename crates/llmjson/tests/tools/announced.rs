//! Streams of calls: when a call is announced, and how its arguments come.

use llmjson::tools::{CallEvent, CallReader, Registry, TextCalls, Tool};

/// A call of each shape: what stands before the name, between it and the text, and behind that.
const SHAPES: &[(&str, [&str; 3])] = &[
    (
        "json",
        [
            "<tool_call>\n{\"name\": \"",
            "\", \"arguments\": {\"content\": \"",
            "\"}}\n</tool_call>",
        ],
    ),
    (
        "bare",
        [
            "{\"name\": \"",
            "\", \"arguments\": {\"content\": \"",
            "\"}}",
        ],
    ),
    (
        "list",
        [
            "[{\"name\": \"",
            "\", \"arguments\": {\"content\": \"",
            "\"}}]",
        ],
    ),
    (
        "text in text",
        [
            "<tool_call>\n{\"name\": \"",
            "\", \"arguments\": \"{\\\"content\\\": \\\"",
            "\\\"}\"}\n</tool_call>",
        ],
    ),
    (
        "text between other quotes",
        [
            "<functioncall> {\"name\": \"",
            "\", \"arguments\": '{\"content\": \"",
            "\"}'}",
        ],
    ),
    (
        "xml",
        [
            "<tool_call>\n<function=",
            ">\n<parameter=content>\n",
            "\n</parameter>\n</function>\n</tool_call>",
        ],
    ),
    (
        "attributes",
        [
            "<minimax:tool_call>\n<invoke name=\"",
            "\">\n<parameter name=\"content\">",
            "</parameter>\n</invoke>\n</minimax:tool_call>",
        ],
    ),
    (
        "elements",
        [
            "]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name=\"",
            "\">]<]minimax[>[<content>",
            "]<]minimax[>[</content>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>",
        ],
    ),
    (
        "separators",
        [
            "<|open|>tools<|sep|><|open|>call tool=\"",
            "\" index=\"1\"<|sep|><|open|>argument key=\"content\" type=\"string\"<|sep|>",
            "<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>",
        ],
    ),
    (
        "pairs",
        [
            "<tool_call>",
            "\n<arg_key>content</arg_key>\n<arg_value>",
            "</arg_value>\n</tool_call>",
        ],
    ),
    (
        "braces",
        [
            "<|tool_call>call:",
            "{content:<|\"|>",
            "<|\"|>}<tool_call|>",
        ],
    ),
    (
        "python",
        ["<|tool_call_start|>[", "(content='", "')]<|tool_call_end|>"],
    ),
    ("bare python", ["[", "(content=\"", "\")]"]),
    ("named", ["[TOOL_CALLS]", "[ARGS]{\"content\": \"", "\"}"]),
    (
        "channel",
        [
            "<|channel|>commentary to=functions.",
            " <|constrain|>json<|message|>{\"content\": \"",
            "\"}<|call|>",
        ],
    ),
    (
        "lines",
        ["Action: ", "\nAction Input: {\"content\": \"", "\"}\n"],
    ),
    (
        "a fence of its own",
        [
            "I write it.\n```tool_call\n{\"name\": \"",
            "\", \"arguments\": {\"content\": \"",
            "\"}}\n```",
        ],
    ),
    (
        "python in a fence",
        ["```tool_code\n", "(content=\"", "\")\n```"],
    ),
    (
        "a name before a fence",
        ["```tool\n", "\n{\"content\": \"", "\"}\n```"],
    ),
    (
        "a fence within markers",
        [
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>",
            "\n```json\n{\"content\": \"",
            "\"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        ],
    ),
    (
        "a fence behind a marker",
        [
            "<tool_call>\n```json\n{\"name\": \"",
            "\", \"arguments\": {\"content\": \"",
            "\"}}\n```\n</tool_call>",
        ],
    ),
    (
        "a fence behind a word",
        [
            "Action:\n```json\n{\"name\": \"",
            "\", \"arguments\": {\"content\": \"",
            "\"}}\n```",
        ],
    ),
    (
        "a fence behind lines",
        [
            "Action: ",
            "\nAction Input:\n```json\n{\"content\": \"",
            "\"}\n```\n",
        ],
    ),
];

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
    for (shape, [lead, between, end]) in SHAPES {
        let reply = format!("{lead}{NAME}{between}{argument}{end}");
        let (events, found) = streamed(&reply, 3, &registry);
        let named = lead.len() + NAME.len();
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
    for (shape, [lead, between, end]) in SHAPES {
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

#[test]
fn drafts_before_a_lone_end_of_reasoning_are_withdrawn() {
    let registry = registry();
    let call = "<tool_call>\n{\"name\": \"write_file\", \"arguments\": {\"content\": \"a\"}}\n</tool_call>";
    let reply = format!(
        "I could write it:\n{call}\nNo, I ask first.\n</think>\nWhat shall be in it? {}",
        text(90)
    );
    for length in [1, 3, 17, reply.len()] {
        let (events, found) = streamed(&reply, length, &registry);
        assert!(found.calls().is_empty(), "{length}");
        let started = events
            .iter()
            .filter(|(_, event)| matches!(event, CallEvent::Started { .. }));
        let withdrawn = events
            .iter()
            .filter(|(_, event)| matches!(event, CallEvent::Withdrawn { .. }));
        assert_eq!(started.count(), withdrawn.count(), "{length}");
        let is_end = |(_, event): &(usize, CallEvent)| matches!(event, CallEvent::Finished { .. });
        assert!(!events.iter().any(is_end), "{length}");
    }
    // Behind reasoning it is known that it is none.
    let reply = format!("<think>So.</think>\n{call}\n{}", text(200));
    let (events, _) = streamed(&reply, 3, &registry);
    let finished = events
        .iter()
        .find(|(_, event)| matches!(event, CallEvent::Finished { .. }));
    assert!(
        finished.is_some_and(|(come, _)| *come < reply.len()),
        "{events:?}"
    );
}
