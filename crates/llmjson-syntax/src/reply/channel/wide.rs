//! Full-width and presentation forms of JSON's punctuation.

use crate::base::repair::RepairKind;
use crate::reply::channel::decoded::DecodedText;

/// Converts the punctuation between strings, and keys, to ASCII. The content of string values is
/// unchanged.
pub(crate) fn full_width(text: &str) -> Option<DecodedText> {
    const OPENERS: [char; 4] = ['｛', '［', '﹛', '﹇'];
    // If only commas and colons are full-width, the parser handles them.
    if !text.contains(OPENERS) && !text.contains('＂') {
        return None;
    }
    let start = text.find(|sign| matches!(sign, '{' | '[') || OPENERS.contains(&sign))?;
    let mut taken = DecodedText::of(RepairKind::TransportEncoding);
    taken.push(0, &text[..start]);
    let mut at = start;
    while let Some(sign) = text[at..].chars().next() {
        let plain = narrow(sign).unwrap_or(sign);
        if plain == '"' {
            let inside = at + sign.len_utf8();
            let end = inside + string_end(&text[inside..], sign);
            taken.push(at, "\"");
            name_or_text(&mut taken, text, inside, end);
            at = end;
            if let Some(quote) = text[at..].chars().next() {
                taken.push(at, "\"");
                at += quote.len_utf8();
            }
            continue;
        }
        taken.push(at, plain.encode_utf8(&mut [0; 4]));
        at += sign.len_utf8();
    }
    taken.end(text.len());
    Some(taken)
}

/// Writes the text between two quotes: a key in ASCII, a string value unchanged.
fn name_or_text(taken: &mut DecodedText, text: &str, start: usize, end: usize) {
    let behind = text[end..]
        .chars()
        .skip(1)
        .find(|sign| !sign.is_whitespace());
    let is_name = behind.is_some_and(|sign| sign == ':' || narrow(sign) == Some(':'));
    if !is_name {
        return taken.push(start, &text[start..end]);
    }
    for (at, sign) in text[start..end].char_indices() {
        let letter = narrow(sign).filter(char::is_ascii_alphanumeric);
        let plain = letter.or((sign == '＿').then_some('_')).unwrap_or(sign);
        taken.push(start + at, plain.encode_utf8(&mut [0; 4]));
    }
}

/// Returns the length of a string up to its closing quote, which has the kind of the opening one.
fn string_end(inside: &str, quote: char) -> usize {
    let mut escaped = false;
    let closes = |sign: char| {
        let closes = sign == quote && !escaped;
        escaped = matches!(sign, '\\' | '＼') && !escaped;
        closes
    };
    inside.find(closes).unwrap_or(inside.len())
}

/// Returns the ASCII character for a full-width one: `{` for `｛`.
fn narrow(sign: char) -> Option<char> {
    let plain = match sign {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(sign as u32 - 0xfee0)?,
        '\u{3000}' => ' ',
        '︷' | '﹛' => '{',
        '︸' | '﹜' => '}',
        '﹐' | '、' => ',',
        '﹕' | '︓' => ':',
        '﹇' => '[',
        '﹈' => ']',
        _ => return None,
    };
    Some(plain)
}

#[cfg(test)]
mod tests {
    use super::full_width;

    #[test]
    fn texts_stay() {
        let taken = full_width("｛＂ｎａｍｅ＂：＂ｘ，ｙ＂，＂n＂：１２｝").expect("wide signs");
        assert_eq!(taken.text, "{\"name\":\"ｘ，ｙ\",\"n\":12}");
        assert!(full_width("{\"a\": 1}").is_none());
    }
}
