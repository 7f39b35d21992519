use super::*;

fn found(text: &str, values: &[&'static str]) -> Option<(&'static str, Class)> {
    let own = || "priority".to_owned();
    let choice = read(text, values.iter().map(|value| (*value, *value)), own)?;
    Some((choice.value, choice.class))
}

const LEVELS: &[&str] = &["low", "medium", "high", "urgent"];
const STATES: &[&str] = &["todo", "in_progress", "done", "not_done"];
const KINDS: &[&str] = &["bug", "feature", "category", "box"];

#[test]
fn one_value_among_decoration_is_meant() {
    use Class::{Guess, Likely};
    for (text, values, value, class) in [
        ("P1 - High", LEVELS, "high", Likely),
        ("**high**", LEVELS, "high", Likely),
        ("\"high\"", LEVELS, "high", Likely),
        ("high.", LEVELS, "high", Likely),
        ("(high)", LEVELS, "high", Likely),
        ("<high>", LEVELS, "high", Likely),
        ("~high~", LEVELS, "high", Likely),
        ("🔴 high", LEVELS, "high", Likely),
        ("✅ done", STATES, "done", Likely),
        ("1. high", LEVELS, "high", Likely),
        ("• medium", LEVELS, "medium", Likely),
        ("high priority", LEVELS, "high", Guess),
        ("Priority: High", LEVELS, "high", Guess),
        ("High-priority", LEVELS, "high", Guess),
        ("high_priority", LEVELS, "high", Guess),
        ("The priority is high.", LEVELS, "high", Guess),
        ("high (customer waiting)", LEVELS, "high", Guess),
        ("✅ in progress", STATES, "in_progress", Likely),
        ("work in progress", STATES, "in_progress", Guess),
        ("not done!", STATES, "not_done", Likely),
        ("bugs", KINDS, "bug", Guess),
        ("categories", KINDS, "category", Guess),
        ("boxes", KINDS, "box", Guess),
        ("A) Paris", &["A", "B", "C"], "A", Guess),
        ("(B)", &["A", "B", "C"], "B", Likely),
        ("Option C", &["A", "B", "C"], "C", Guess),
    ] {
        assert_eq!(found(text, values), Some((value, class)), "{text}");
    }
}

#[test]
fn what_denies_or_ranges_is_none() {
    for text in [
        "not high",
        "non-urgent",
        "non-urgent-priority",
        "high-water",
        "non urgent",
        "low to high",
        "low-high",
        "low - high",
        "high/urgent",
        "high or low",
        "high, low",
        "higher",
        "highest",
        "medium-high",
        "anything but high",
        "less than high",
        "isn't high",
        "high?",
        "!high",
        ">high",
        "<high",
        "~high",
        "❌ high",
        "high-",
        "-high",
        "no longer urgent",
        "neither",
        "almost high",
        "unurgent",
        "used to be high",
        "low → high",
        "≥ medium",
        "high-risk",
        "",
        "urgency",
        "quite a long sentence that says high somewhere inside it",
        "was high",
        "above medium",
        "at least medium",
        "may be high",
        "prevent high",
        "unlikely high",
        "sometimes high",
    ] {
        assert_eq!(found(text, LEVELS), None, "{text}");
    }
    for (text, values) in [
        ("Mon, Sunday", &["Mon", "Tue"][..]),
        ("A problem", &["A", "B", "C"]),
        ("A-", &["A", "B", "C"]),
        ("A+", &["A", "B", "C"]),
        ("A or B", &["A", "B", "C"]),
        ("a", &["A", "B", "C"]),
        ("-1", &["1", "2"]),
        ("v1.2", &["v1", "v2"]),
        ("not yet done", STATES),
        ("undone", STATES),
        ("net", &[".NET"]),
    ] {
        assert_eq!(found(text, values), None, "{text}");
    }
}

#[test]
fn words_that_change_are_in_order() {
    assert!(CHANGES.is_sorted());
}
