//! The allowed value that a misspelt one was probably meant to be.

/// Longer texts are not compared; nobody misspells them.
const CHARACTERS: usize = 64;
/// Only that many candidates are looked at.
const CANDIDATES: usize = 256;

/// The candidate that takes the fewest edits to reach, if it is close and the only one so close.
/// Case does not count.
pub(crate) fn nearest<'c>(
    text: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    let text = folded(text)?;
    let mut best: Option<(usize, &str)> = None;
    let mut is_tie = false;
    for candidate in candidates.into_iter().take(CANDIDATES) {
        let Some(other) = folded(candidate) else {
            continue;
        };
        let edits = distance(&text, &other);
        let limit = (text.len().max(other.len()) / 3).max(1);
        if edits > limit || edits >= text.len().max(other.len()) {
            continue;
        }
        match best {
            Some((least, _)) if edits > least => {}
            Some((least, _)) if edits == least => is_tie = true,
            _ => (best, is_tie) = (Some((edits, candidate)), false),
        }
    }
    best.filter(|_| !is_tie).map(|(_, candidate)| candidate)
}

fn folded(text: &str) -> Option<Vec<char>> {
    let mut characters = Vec::new();
    for character in text.chars().flat_map(char::to_lowercase) {
        if characters.len() == CHARACTERS {
            return None;
        }
        characters.push(character);
    }
    Some(characters)
}

/// Insertions, deletions, replacements and swaps of neighbours between two texts.
fn distance(left: &[char], right: &[char]) -> usize {
    let width = right.len() + 1;
    let mut table = vec![0; (left.len() + 1) * width];
    for from in 0..=left.len() {
        for to in 0..=right.len() {
            let at = from * width + to;
            table[at] = if from == 0 || to == 0 {
                from + to
            } else {
                let replaced = usize::from(left[from - 1] != right[to - 1]);
                let edits = (table[at - width - 1] + replaced)
                    .min(table[at - width] + 1)
                    .min(table[at - 1] + 1);
                let is_swap = from > 1
                    && to > 1
                    && left[from - 1] == right[to - 2]
                    && left[from - 2] == right[to - 1];
                if is_swap {
                    edits.min(table[at - 2 * width - 2] + 1)
                } else {
                    edits
                }
            };
        }
    }
    table[left.len() * width + right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelling_finds_the_value_that_was_meant() {
        let colours = ["red", "green", "dark blue", "light blue"];
        let cases = [
            ("gren", Some("green")),
            ("GREEN", Some("green")),
            ("dark_blue", Some("dark blue")),
            ("rd", Some("red")),
            ("rde", Some("red")),
            ("blue", None),
            ("yellow", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(nearest(text, colours), expected, "{text}");
        }
    }

    #[test]
    fn two_values_equally_near_are_none() {
        assert_eq!(nearest("cot", ["cat", "cut"]), None);
    }
}
