//! Names with an addition that is not part of them: a type (`age (integer)`, `total: number`), a
//! list number (`1. name`), markup tags.

use llmjson_syntax::internal::zones::lexicon::WordList;

use crate::base::fold::is_in;

/// Words for types and for whether a member is required; in brackets they mean nothing else.
static TYPES: WordList = WordList::new(
    "string strings str text integer integers int ints int8 int16 int32 int64 uint8 uint16 uint32 uint64 \
    i32 i64 u32 u64 number numbers num numeric float floats float32 float64 f32 f64 double decimal boolean booleans bool \
    object objects dict dictionary json null none nil optional required nullable mandatory enum date datetime timestamp \
    uuid url uri iso 8601 yyyy mm dd hh ss",
);

/// Words that occur next to these.
static BESIDE: WordList =
    WordList::new("whole list array map set tuple of or and format type field union literal");

/// Types that programmers write before a name.
const BEFORE: [&str; 4] = ["int", "str", "float", "bool"];

/// Markup tags around names and values.
pub(crate) const INLINE: &str = "b strong i em u code mark span";

/// Separators between a name and its type.
const SEPARATORS: [char; 3] = [':', '|', '='];

const BRACKETS: [(char, char); 4] = [('(', ')'), ('[', ']'), ('{', '}'), ('<', '>')];

/// Maximum length of a name that is examined.
const BYTES_MAX: usize = 256;

/// Maximum number of decorations of a name.
const MARKS_MAX: usize = 4;

/// Returns a name without its decorations, or nothing if it has none.
pub(super) fn bare(name: &str) -> Option<&str> {
    if name.len() > BYTES_MAX || is_plain(name) {
        return None;
    }
    let mut bare = name.trim();
    for _ in 0..MARKS_MAX {
        let less = without_markup(without_number(bare));
        let less = without_type(less.trim_end_matches(['?', '!', '*', ':', '=', ' ', '_', '`']));
        if less.len() == bare.len() {
            break;
        }
        bare = less.trim();
    }
    (bare.len() < name.len() && !bare.is_empty()).then_some(bare)
}

/// Returns `true` if a name is an identifier without a type at its end, as most names are.
fn is_plain(name: &str) -> bool {
    let ends = name.rsplit_once('_').map_or("", |(_, end)| end);
    name.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !name.ends_with('_')
        && !BEFORE.contains(&ends)
}

/// Returns a name and the bracketed text after it.
pub(crate) fn bracketed(name: &str) -> Option<(&str, &str)> {
    let name = name.trim_end();
    let (open, close) = BRACKETS
        .into_iter()
        .find(|(_, close)| name.ends_with(*close))?;
    let at = name.find(open)?;
    let inner = &name[at + open.len_utf8()..name.len() - close.len_utf8()];
    let before = name[..at].trim_end();
    (!before.is_empty()).then_some((before, inner))
}

fn without_number(name: &str) -> &str {
    let rest = name.trim_start_matches(['-', '•', '*', '#', ' ', '`']);
    let number = rest.trim_start_matches('(');
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    let behind = number[digits..].strip_prefix(['.', ')', ':']);
    // `a) name`
    if let [b'a'..=b'z' | b'A'..=b'Z', b')', b' ', ..] = number.as_bytes() {
        return &number[3..];
    }
    match behind.and_then(|behind| behind.strip_prefix(' ')) {
        Some(behind) if (1..=3).contains(&digits) => behind,
        _ => rest,
    }
}

fn without_markup(name: &str) -> &str {
    let inner = || {
        let (tag, rest) = name.strip_prefix('<')?.split_once('>')?;
        let rest = rest
            .strip_suffix('>')?
            .strip_suffix(tag)?
            .strip_suffix("</")?;
        is_in(INLINE, tag).then_some(rest)
    };
    inner().unwrap_or(name)
}

fn without_type(name: &str) -> &str {
    if let Some((before, inner)) = bracketed(name)
        && is_type(inner)
    {
        return before;
    }
    let behind = |sign: char| name.split_once(sign).filter(|(_, type_)| is_type(type_));
    if let Some((before, _)) = SEPARATORS.into_iter().find_map(behind) {
        return before;
    }
    // `age_int`, the convention of programs with types in their names.
    if let Some((rest, type_)) = name.rsplit_once('_')
        && BEFORE.contains(&type_)
    {
        return rest;
    }
    match name.split_once(' ') {
        Some((type_, rest)) if BEFORE.contains(&type_) && !rest.contains(' ') => rest,
        _ => name,
    }
}

/// Returns `true` if a text only names a type, or says whether a member is required.
fn is_type(text: &str) -> bool {
    let mut words = text
        .split(|sign: char| !sign.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let mut all = words.clone();
    words.any(|word| TYPES.has(word)) && all.all(|word| TYPES.has(word) || BESIDE.has(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_types_on_them() {
        for (name, wanted) in [
            ("age (integer)", "age"),
            ("name?", "name"),
            ("total: number", "total"),
            ("total <float>", "total"),
            ("name (string, required)", "name"),
            ("note: Optional[str]", "note"),
            ("tags (list of strings)", "tags"),
            ("1. name", "name"),
            ("<b>name</b>", "name"),
            ("- **name", "name"),
            ("int age", "age"),
            ("a) age", "age"),
            ("age | integer", "age"),
            ("when (YYYY-MM-DD)", "when"),
        ] {
            assert_eq!(bare(name), Some(wanted), "{name}");
        }
        for name in [
            "age (months)",
            "price (list)",
            "name",
            "name: first",
            "double room",
            "(integer)",
            "2024. report",
            "account - number",
            "street, number",
        ] {
            assert_eq!(bare(name), None, "{name}");
        }
    }
}
