//! Sentences for descriptions, in place of keywords that a provider does not support.

/// Formats names as a list: `` `a`, `b` and `c` ``.
pub(super) fn names(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    list(&quoted, "and")
}

/// Joins items with commas and a conjunction: `a, b and c`.
pub fn list(items: &[String], word: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}

/// Joins parts into a sentence: `At least 1, at most 10.` Returns `None` if there are none.
pub(super) fn sentence(parts: &[String]) -> Option<String> {
    let joined = parts.join(", ");
    let mut chars = joined.chars();
    let first = chars.next()?;
    Some(format!("{}{}.", first.to_uppercase(), chars.as_str()))
}

/// Formats a count with its noun, if it has one: `1 item`, `2 items`.
pub(super) fn counted(count: &str, noun: &str) -> String {
    match count {
        count if noun.is_empty() => count.to_owned(),
        "1" => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    }
}

/// Appends a sentence to a description, unless it is already there.
pub fn append(description: &mut String, sentence: &str) {
    if description.contains(sentence) {
        return;
    }
    let end = description.trim_end().len();
    description.truncate(end);
    match description.chars().next_back() {
        None => {}
        Some('.' | '!' | '?' | ':' | ';') => description.push(' '),
        Some(_) => description.push_str(". "),
    }
    description.push_str(sentence);
}

/// Returns a sentence that at least one of several names is required.
pub fn at_least_one(group: &[&str]) -> String {
    match group {
        [one] => format!("`{one}` is needed."),
        _ => format!("At least one of {} is needed.", names(group)),
    }
}

/// Returns a sentence that one of several sets of names is required; `start` is `Exactly one` or
/// `At least one`.
pub(super) fn one_set(start: &str, sets: &[Vec<&str>]) -> String {
    if sets.iter().all(|set| set.len() == 1) {
        let flat: Vec<&str> = sets.iter().flatten().copied().collect();
        return format!("{start} of {} is needed.", names(&flat));
    }
    let sets: Vec<String> = sets.iter().map(|set| names(set)).collect();
    format!("{start} of these is needed: {}.", sets.join("; "))
}
