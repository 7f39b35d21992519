//! Members that are array items by the numbers in their keys: `step_1`, `Step 2`.

use llmjson_syntax::ValueRef;

use crate::base::words;
use crate::ir::names::parts::{is_one_of, words, words_at};

/// Maximum number of an item.
const NUMBER_MAX: usize = 9999;

/// A key with a number in it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Numbered {
    /// The words before the number, in lower case.
    pub(super) stem: Vec<String>,
    pub(super) number: usize,
    /// The text after it.
    pub(super) rest: String,
    /// `true` if the number is an index: `a[0].b`, `/a/0/b`.
    pub(super) is_path: bool,
}

impl Numbered {
    pub(super) fn of(name: &str) -> Option<Self> {
        // `10%` and `-1` are not item names.
        let is_plain = name
            .chars()
            .all(|letter| letter.is_alphanumeric() || " _-.#:()[]/$'\"".contains(letter));
        if !is_plain {
            return None;
        }
        let mut stem = words_at(name);
        let is_number =
            |(_, word): &(usize, String)| word.bytes().all(|byte| byte.is_ascii_digit());
        let found = stem.iter().position(is_number);
        let at = found.or_else(|| {
            stem.iter()
                .rposition(|(_, word)| words::number(word).is_some())
        })?;
        let is_path = name[..stem[at].0].ends_with(['[', '/']);
        // `v1.2` is not an item name either.
        let is_other = !is_path && stem[at + 1..].iter().any(is_number);
        if is_other {
            return None;
        }
        let rest = stem.get(at + 1).map_or("", |(start, _)| &name[*start..]);
        let rest = rest.trim_end_matches([']', '\'', '"', ')']).to_owned();
        let (_, word) = stem.split_off(at).swap_remove(0);
        let is_padded = word.len() > 1 && word.starts_with("00");
        let number = word.parse().ok().or_else(|| words::number(&word))?;
        let stem = stem.into_iter().map(|(_, word)| word).collect();
        (number <= NUMBER_MAX && !is_padded).then_some(Self {
            stem,
            number,
            rest,
            is_path,
        })
    }

    /// Returns `true` if the items of an array with that key have this name.
    pub(super) fn is_item_of(&self, list: &str) -> bool {
        let list = words(list);
        match (self.stem.split_last(), list.split_last()) {
            (Some((last, others)), Some((name, around))) => {
                others == around && is_one_of(last, name)
            }
            _ => false,
        }
    }
}

/// Returns `true` if the keys of an object count from 0 or 1: `1`, `2`, or `item_1`, `Item 2`.
pub(super) fn are_numbered(value: ValueRef<'_>) -> bool {
    let mut first: Option<(Vec<String>, usize)> = None;
    (0..).zip(value.members()).all(|(at, (name, _))| {
        let Some(found) = Numbered::of(&name).filter(|found| found.rest.is_empty()) else {
            return false;
        };
        let (stem, start) = first.get_or_insert_with(|| (found.stem.clone(), found.number));
        *stem == found.stem && *start <= 1 && *start + at == found.number
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_numbers() {
        let found =
            |name: &str| Numbered::of(name).map(|one| (one.stem.join(" "), one.number, one.rest));
        let is = |stem: &str, number, rest: &str| Some((stem.to_owned(), number, rest.to_owned()));
        assert_eq!(found("step_1"), is("step", 1, ""));
        assert_eq!(found("Step #2"), is("step", 2, ""));
        assert_eq!(found("3"), is("", 3, ""));
        assert_eq!(found("item_1_sku"), is("item", 1, "sku"));
        assert_eq!(found("stepTwo"), is("step", 2, ""));
        for name in ["step", "item_1_2", "-", "10%", "x_001"] {
            assert_eq!(found(name), None, "{name}");
        }
        let step = Numbered::of("step_1").expect("a number");
        assert!(
            step.is_item_of("steps") && step.is_item_of("Step") && !step.is_item_of("chapters")
        );
        assert!(!step.is_item_of("recipe_steps"));
    }
}
