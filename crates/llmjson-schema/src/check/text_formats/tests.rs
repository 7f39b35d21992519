use std::collections::HashMap;
use std::sync::LazyLock;

use super::TESTS;
use crate::laws::judge;

/// Returns only `jsonschema`'s verdict, for each format.
fn oracles() -> HashMap<&'static str, jsonschema::Validator> {
    let oracle = |name| {
        let schema = serde_json::json!({ "format": name });
        judge(&schema, jsonschema::Draft::Draft202012)
    };
    let oracles = TESTS
        .iter()
        .map(|(name, _)| (*name, oracle(name).expect("a schema")));
    oracles.collect()
}

/// Pieces of which the formats are composed, and some that violate them.
static PIECES: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let lines = include_str!("pieces.txt").lines();
    lines.chain([" ", "\n", "\t"]).collect()
});

#[test]
fn formats_are_those_of_the_oracle() {
    let oracles = oracles();
    let mut state = 11u64;
    let mut next = |most: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % most
    };
    let mut texts: Vec<String> = PIECES.iter().map(|piece| (*piece).to_owned()).collect();
    let long = [
        "a".repeat(63),
        "a".repeat(64),
        format!("{}.com", "a.".repeat(124)),
        "a.".repeat(130),
    ];
    texts.extend(
        long.iter()
            .flat_map(|text| [text.clone(), format!("{text}@b.c"), format!("b@{text}")]),
    );
    for _ in 0..30_000 {
        let pieces = 1 + next(6);
        let text: String = (0..pieces).map(|_| PIECES[next(PIECES.len())]).collect();
        let name = PIECES[next(PIECES.len())];
        texts.extend([format!("{name}@{text}"), text]);
    }
    let mut valid = HashMap::new();
    let mut wrong = Vec::new();
    for text in &texts {
        let value = serde_json::Value::from(text.as_str());
        for (name, test) in TESTS {
            let ours = test(text);
            if ours != oracles[name].is_valid(&value) {
                wrong.push((name, text, ours));
            }
            *valid.entry(name).or_insert(0) += usize::from(ours);
        }
    }
    assert!(
        wrong.is_empty(),
        "{} differ: {:?}",
        wrong.len(),
        &wrong[..wrong.len().min(40)]
    );
    assert!(valid.values().all(|count| *count > 20), "{valid:?}");
}
