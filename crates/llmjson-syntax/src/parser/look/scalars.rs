//! Words that are values: numbers and keywords, in all accepted spellings.

/// Returns `true` if a word is a spelling of `true`, `false` or `null`: `None`, but not `nUll`.
pub(crate) fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "null"
            | "None"
            | "Null"
            | "NULL"
            | "nil"
            | "undefined"
            | "NONE"
            | "true"
            | "True"
            | "TRUE"
            | "false"
            | "False"
            | "FALSE"
    )
}

/// Returns `true` if a word is a number in a supported spelling: `+1`, but not `01`.
pub(crate) fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    let (mantissa, exponent) = match digits.find(['e', 'E']) {
        Some(at) => (&digits[..at], Some(&digits[at + 1..])),
        None => (digits, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let all = |part: &str| part.bytes().all(|c| c.is_ascii_digit());
    let exponent = exponent.is_none_or(|exponent| {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        !exponent.is_empty() && all(exponent)
    });
    let leading = whole.len() > 1 && whole.starts_with('0');
    !mantissa.is_empty() && mantissa != "." && all(whole) && all(fraction) && !leading && exponent
}
