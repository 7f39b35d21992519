//! The laws, over objects and streams that a seeded generator makes up.

use llmjson_testutil::Rng;
use llmjson_testutil::table::{Lines, lines, rows_of};
use llmjson_wire::{
    Choice, ContentPart, EmbeddingDatum, EmbeddingsRequest, EmbeddingsResponse, Extras, Function,
    FunctionDefinition, ImageUrl, JsonSchema, Message, Raw, Request, Response, ResponseFormat,
    StreamChunk, StreamOptions, Tool, ToolCall, Usage, decode_error, laws,
};

/// The rows of the tests.
const FILE: &str = include_str!("laws.txt");

static NUMBERS: Lines = Lines::new(|| lines(FILE, "numbers"));
static TEXTS: Lines = Lines::new(|| lines(FILE, "texts"));
static NAMES: Lines = Lines::new(|| lines(FILE, "names"));
const SPACES: &[&str] = &["", "", "", " ", "\n", "\t "];

fn value(random: &mut Rng, depth: usize, out: &mut String) {
    match random.below(if depth == 0 { 6 } else { 9 }) {
        0 => out.push_str("null"),
        1 => out.push_str(random.pick(&["true", "false"])),
        2 | 3 => out.push_str(random.pick(&NUMBERS)),
        4 | 5 => out.push_str(random.pick(&TEXTS)),
        6 => list(random, depth - 1, out),
        _ => object(random, depth - 1, out),
    }
}

fn list(random: &mut Rng, depth: usize, out: &mut String) {
    out.push('[');
    for item in 0..random.below(4) {
        if item > 0 {
            out.push(',');
        }
        out.push_str(random.pick(SPACES));
        value(random, depth, out);
    }
    out.push(']');
}

fn object(random: &mut Rng, depth: usize, out: &mut String) {
    out.push('{');
    for member in 0..random.below(6) {
        if member > 0 {
            out.push(',');
        }
        let name = random.pick(&NAMES);
        let (before, after) = (random.pick(SPACES), random.pick(SPACES));
        out.push_str(&format!("{before}\"{name}\"{after}:{before}"));
        value(random, depth, out);
        out.push_str(after);
    }
    out.push('}');
}

#[test]
fn random_objects_round_trip_through_every_type() {
    let mut random = Rng::new(0x5eed);
    for _ in 0..4_000 {
        let mut text = String::new();
        object(&mut random, 4, &mut text);
        laws::types_round_trip(&text);
        let cut = text.floor_char_boundary(random.below(text.len() + 1));
        laws::types_round_trip(&text[..cut]);
    }
}

/// Extras of a random object, beside members that are known, of every type that has any.
#[test]
fn extras_come_back_byte_for_byte_and_in_order() {
    let mut random = Rng::new(0xe57a5);
    for _ in 0..1_000 {
        let mut members = Vec::new();
        for number in 0..random.below(8) {
            let mut text = String::new();
            value(&mut random, 4, &mut text);
            members.push((format!("x{}", number % 5), text));
        }
        let tail: String = members
            .iter()
            .map(|(name, text)| format!(",\"{name}\":{text}"))
            .collect();
        macro_rules! check {
            ($($known:literal => $type:ty),* $(,)?) => {
                $(check::<$type>(&format!("{{{}{tail}}}", $known), &members, |it| &it.extras);)*
            };
        }
        check!(
            r#""model":"m","messages":[{"role":"user"}],"seed":0"# => Request,
            r#""include_usage":true"# => StreamOptions,
            r#""type":"function""# => Tool,
            r#""name":"f","parameters":{"type": "object"}"# => FunctionDefinition,
            r#""type":"json_schema""# => ResponseFormat,
            r#""name":"n""# => JsonSchema,
            r#""role":"user","content":null"# => Message,
            r#""index":3,"id":"c""# => ToolCall,
            r#""name":"f","arguments":{"a": 1.0}"# => Function,
            r#""type":"text","text":"t""# => ContentPart,
            r#""url":"u""# => ImageUrl,
            r#""id":"r","choices":[]"# => Response,
            r#""choices":[]"# => StreamChunk,
            r#""index":0,"delta":{},"logprobs":[ 1 ]"# => Choice,
            r#""total_tokens":9"# => Usage,
            r#""model":"m","input":[ "a" ]"# => EmbeddingsRequest,
            r#""object":"list","data":[]"# => EmbeddingsResponse,
            r#""index":0,"embedding":[0.5]"# => EmbeddingDatum,
        );
        let error = decode_error(
            400,
            format!("{{\"error\":{{\"message\":\"m\"{tail}}}}}").as_bytes(),
        );
        let written = serde_json::to_string(&error).unwrap();
        assert_eq!(written, format!("{{\"message\":\"m\"{tail}}}"));
    }
}

fn check<T: serde::Serialize + serde::de::DeserializeOwned>(
    text: &str,
    members: &[(String, String)],
    extras: impl Fn(&T) -> &Extras,
) {
    let read: T = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), text);
    let found: Vec<_> = extras(&read)
        .iter()
        .map(|(name, value)| (name.to_owned(), value.as_str().to_owned()))
        .collect();
    assert_eq!(found, members);
}

#[test]
fn random_streams_are_the_same_however_they_are_cut() {
    let lines = lines(FILE, "random lines");
    let mut random = Rng::new(0xc4a7);
    for round in 0..1_500 {
        let mut stream = Vec::new();
        for _ in 0..random.below(9) {
            stream.extend_from_slice(random.pick(&lines).as_bytes());
            let end = random.pick(&[
                "\n", "\r\n", "\r", "\n\n", "\r\n\r\n", "\r\r", "\n\r", "\r\n\n",
            ]);
            stream.extend_from_slice(end.as_bytes());
        }
        if round % 7 == 0 && !stream.is_empty() {
            let place = random.below(stream.len());
            stream[place] = 0xff;
        }
        let lengths: Vec<u8> = (0..3).map(|_| 1 + random.below(17) as u8).collect();
        let frame_bytes_max = [0, 0, 150, 40, 1][random.below(5)];
        laws::splitting_changes_nothing(&stream, &lengths, frame_bytes_max);
        laws::splitting_changes_nothing(&stream, &[1], frame_bytes_max);
    }
}

/// Chunks that are mostly like the one before, as servers send them.
#[test]
fn chunks_that_say_the_same_again_are_read_as_if_they_did_not() {
    let heads = [
        r#"{"id":"r","x":[1],"choices":[{"index":0,"#,
        r#"{"id":"r","x":[1],"choices":[{"index":1,"#,
        r#"{"id":"s","x":[1],"x":[2],"choices":[{"#,
    ];
    let deltas = rows_of::<2>(FILE, "random deltas");
    let tails = lines(FILE, "random tails");
    let pieces = lines(FILE, "random pieces");
    let mut random = Rng::new(0xa6a1);
    for _ in 0..1_500 {
        let (mut head, mut delta, mut tail) = (0, 0, 0);
        let mut stream = String::new();
        for _ in 0..random.below(9) {
            // One part of a chunk changes, if any.
            match random.below(8) {
                0 => head = random.below(heads.len()),
                1 | 2 => delta = random.below(deltas.len()),
                3 | 4 => tail = random.below(tails.len()),
                _ => {}
            }
            let [open, close] = deltas[delta];
            let piece = match random.below(4) {
                0 => random.pick(&pieces),
                _ => pieces[random.below(3)],
            };
            let chunk = [heads[head], open, piece, close, tails[tail]].concat();
            stream.push_str(&format!("data: {chunk}\n\n"));
        }
        laws::splitting_changes_nothing(stream.as_bytes(), &[1, 17], 0);
    }
}

#[test]
fn every_body_gives_an_error() {
    let mut random = Rng::new(0xbad);
    for _ in 0..3_000 {
        let mut body = String::new();
        value(&mut random, 3, &mut body);
        laws::errors_say_something(500, body.as_bytes());
        let cut = random.below(body.len() + 1);
        laws::errors_say_something(404, &body.as_bytes()[..cut]);
    }
}

#[test]
fn deep_and_long_values_are_no_trouble() {
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let message: Message = serde_json::from_str(&format!("{{\"x\":{deep}}}")).unwrap();
    assert_eq!(
        message.extras.get("x").map(Raw::as_str),
        Some(deep.as_str())
    );
    laws::types_round_trip(&format!("{{\"content\":{deep},\"arguments\":{deep}}}"));
    laws::errors_say_something(400, deep.as_bytes());

    let many: Vec<String> = (0..60_000)
        .map(|number| format!("\"x{number}\":{number}"))
        .collect();
    let many = format!("{{\"choices\":[{{\"delta\":{{{}}}}}]}}", many.join(","));
    let mut reply = llmjson_wire::Accumulator::new();
    reply.push_text(&many).unwrap();
    reply.push_text(&many).unwrap();
    assert_eq!(reply.message().unwrap().extras.len(), 60_000);
}
