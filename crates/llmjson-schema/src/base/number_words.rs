//! English words for numbers.

const WORDS: &str = "zero one two three four five six seven eight nine ten eleven twelve \
    thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty";

/// Returns the whole number up to twenty that a word represents, in any case.
pub(crate) fn number_word(word: &str) -> Option<usize> {
    // The longest is `seventeen`.
    if !(3..=9).contains(&word.len()) {
        return None;
    }
    WORDS
        .split(' ')
        .position(|known| word.eq_ignore_ascii_case(known))
}
