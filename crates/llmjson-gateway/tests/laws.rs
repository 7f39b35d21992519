//! The laws over many texts and streams: what families write, and what is made of that by chance.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use llmjson::tools::Family;
use llmjson_gateway::laws;

/// Texts that a model may write.
fn texts() -> Vec<String> {
    let mut texts: Vec<String> = Family::all()
        .map(|family| family.example().to_owned())
        .collect();
    let own = [
        "It is sunny, 3 < 4, a[0] and {x}.",
        "Let me see.\n<tool_call>\n{\"name\": \"add\", \"arguments\": {\"a\": \"1\", b: 2}}\n</tool_call>\nDone.",
        "<think>add it</think>\n\n<tool_call>{\"name\": \"now\", \"arguments\": {}}</tool_call>",
        "<tool_call>{\"name\": \"add\", \"arguments\": {\"a\": \"x\"}}</tool_call>",
        "Action: add\nAction Input: {\"a\": 1}",
        "add(a=1, b=2)",
        "add\n{\"a\": 1}",
        "functools[{\"name\": \"add\", \"arguments\": {\"a\": 1}}]",
        ">>>get_weather\n{\"city\": \"Oslo\"}",
        "```json\n{\"city\": \"Oslo\", \"days\": \"3\"}\n```",
        "{\"city\": \"Osl\\u00f6 \\ud83d\\ude00\", \"tags\": [\"a\", \"b\",], \"days\": 3} Bye.",
        "{'city': 'Oslo', // here\n days: 3",
        "",
        "\n\n",
        "🙂 <b>bold</b> [1] {2}",
    ];
    texts.extend(own.map(str::to_owned));
    texts
}

/// The same numbers for the same seed.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(11);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

#[test]
fn texts_come_out_alike() {
    for text in texts() {
        for kind in 0..20 {
            for lengths in [&[1][..], &[3, 1, 8], &[200]] {
                laws::a_text_comes_out_alike(&text, lengths, kind);
            }
        }
    }
}

#[test]
fn damaged_texts_come_out_alike() {
    let texts = texts();
    let mut numbers = Numbers(7);
    for _ in 0..2000 {
        let mut text: Vec<char> = texts[numbers.below(texts.len())].chars().collect();
        let other: Vec<char> = texts[numbers.below(texts.len())].chars().collect();
        for _ in 0..=numbers.below(3) {
            let at = numbers.below(text.len() + 1);
            match numbers.below(4) {
                0 => text.truncate(at),
                1 if at < text.len() => drop(text.remove(at)),
                2 => {
                    let from = numbers.below(other.len() + 1);
                    text.splice(at..at, other[from..].iter().copied());
                }
                _ => text.insert(at, ['{', '<', '"', ' ', '\n', '🙂'][numbers.below(6)]),
            }
        }
        let text: String = text.into_iter().collect();
        let lengths = [1 + numbers.below(9) as u8, 1 + numbers.below(30) as u8];
        laws::a_text_comes_out_alike(&text, &lengths, numbers.below(20) as u8);
    }
}

#[test]
fn damaged_streams_and_replies_keep_the_laws() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut entries: Vec<_> = fs::read_dir(folder).expect("the cases").flatten().collect();
    entries.sort_by_key(|entry| entry.path());
    let mut numbers = Numbers(3);
    for entry in entries {
        let read = |file: &str| fs::read(entry.path().join(file)).unwrap_or_default();
        for _ in 0..24 {
            let kind = numbers.below(40) as u8;
            let damaged = |mut bytes: Vec<u8>, numbers: &mut Numbers| {
                for _ in 0..numbers.below(4) {
                    let at = numbers.below(bytes.len() + 1);
                    match numbers.below(3) {
                        0 => bytes.truncate(at),
                        1 if at < bytes.len() => bytes[at] = b"\n\r{}\"\\\xff:"[numbers.below(8)],
                        _ => bytes.insert(at, b"\n\r{}\"\\\xff:"[numbers.below(8)]),
                    }
                }
                bytes
            };
            let stream = damaged(read("reply.sse"), &mut numbers);
            let lengths = [1 + numbers.below(5) as u8, 1 + numbers.below(90) as u8];
            laws::a_stream_is_the_same_in_any_pieces(&stream, &lengths, kind);
            let reply = damaged(read("reply.json"), &mut numbers);
            laws::a_whole_reply_stays_one(&reply, kind);
        }
    }
}

#[test]
fn streams_say_what_whole_replies_say() {
    let mut numbers = Numbers(11);
    let mut errors = BTreeMap::new();
    for _ in 0..6000 {
        let choices: Vec<u8> = (0..160).map(|_| numbers.below(256) as u8).collect();
        let error = laws::a_stream_says_what_the_whole_reply_says(&choices);
        *errors.entry(error).or_insert(0) += 1;
    }
    // Structured content that is repaired goes out as it arrives, and may be truncated then.
    let superseded = errors.get(&Some("superseded")).copied();
    assert!(superseded.unwrap_or_default() < 6000 / 20, "{errors:?}");
}
