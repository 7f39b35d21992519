//! Host names (RFC 1123, with the RFC 5891 labels that encode other scripts), and mail addresses
//! (RFC 5321).

use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::OnceLock;

use regex::Regex;

/// Labels of letters, digits and hyphens, joined by dots.
pub(super) fn is_hostname(text: &str) -> bool {
    (1..=253).contains(&text.len()) && text.split('.').all(is_label)
}

fn is_label(label: &str) -> bool {
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    let is_plain = (1..=63).contains(&label.len())
        && label.bytes().all(is_sign)
        && !label.starts_with('-')
        && !label.ends_with('-');
    is_plain
        && match label.strip_prefix("xn--") {
            Some(encoded) => decode(encoded).is_some_and(|label| is_decoded_label(&label)),
            // Hyphens in that place are reserved.
            None => label.get(2..4) != Some("--"),
        }
}

/// Words or a quoted part before the last `@`, and a host after it.
pub(super) fn is_email(text: &str) -> bool {
    // A name may precede an address in angle brackets.
    let address = match text.rsplit_once(" <") {
        Some((_, bracketed)) => bracketed.trim().strip_suffix('>'),
        None => Some(text),
    };
    let Some((local, host)) = address.and_then(|address| address.rsplit_once('@')) else {
        return false;
    };
    let quoted = local
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    let is_local = match quoted {
        Some(inside) => is_quoted(inside),
        None => local.split('.').all(is_word),
    };
    let literal = host
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    let is_host = match literal {
        Some(literal) => match literal.split_at_checked(5) {
            Some((tag, address)) if tag.eq_ignore_ascii_case("IPv6:") => {
                address.parse::<Ipv6Addr>().is_ok()
            }
            _ => literal.parse::<Ipv4Addr>().is_ok(),
        },
        None => is_hostname(host),
    };
    (1..=64).contains(&local.len()) && is_local && is_host
}

fn is_word(word: &str) -> bool {
    const SIGNS: &[u8] = b"!#$%&'*+-/=?^_`{|}~";
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || SIGNS.contains(&byte);
    !word.is_empty() && word.bytes().all(is_sign)
}

fn is_quoted(inside: &str) -> bool {
    let mut bytes = inside.bytes();
    while let Some(byte) = bytes.next() {
        let fits = match byte {
            b'\\' => bytes.next().is_some_and(|next| next.is_ascii_graphic()),
            b'"' => false,
            _ => byte.is_ascii_graphic() || matches!(byte, b' ' | b'\t'),
        };
        if !fits {
            return false;
        }
    }
    true
}

/// Returns the characters of a Punycode label (RFC 3492).
fn decode(encoded: &str) -> Option<Vec<char>> {
    const BASE: u32 = 36;
    let (basic, rest) = match encoded.rfind('-') {
        Some(at) if at > 0 => (&encoded[..at], &encoded[at + 1..]),
        _ => ("", encoded),
    };
    let mut output: Vec<char> = basic.chars().collect();
    let (mut code, mut index, mut bias) = (128u32, 0u32, 72u32);
    let mut digits = rest.bytes().peekable();
    while digits.peek().is_some() {
        let (before, mut weight) = (index, 1u32);
        for place in (1..).map(|place| place * BASE) {
            let digit = digit(digits.next()?)?;
            index = index.checked_add(digit.checked_mul(weight)?)?;
            let threshold = place.saturating_sub(bias).clamp(1, 26);
            if digit < threshold {
                break;
            }
            weight = weight.checked_mul(BASE - threshold)?;
        }
        let count = u32::try_from(output.len()).ok()? + 1;
        bias = adapted(index - before, count, if before == 0 { 700 } else { 2 });
        code = code.checked_add(index / count)?;
        index %= count;
        output.insert(index as usize, char::from_u32(code)?);
        index += 1;
    }
    Some(output)
}

fn digit(byte: u8) -> Option<u32> {
    Some(match byte.to_ascii_lowercase() {
        letter @ b'a'..=b'z' => u32::from(letter - b'a'),
        digit @ b'0'..=b'9' => u32::from(digit - b'0') + 26,
        _ => return None,
    })
}

fn adapted(delta: u32, count: u32, damping: u32) -> u32 {
    let mut delta = delta / damping;
    delta += delta / count;
    let mut places = 0;
    while delta > 35 * 26 / 2 {
        delta /= 35;
        places += 36;
    }
    places + 36 * delta / (delta + 38)
}

/// Letters, marks and digits; a few other characters only where RFC 5892 (appendix A) allows them.
fn is_decoded_label(label: &[char]) -> bool {
    /// Letters followed by a virama, before a joiner.
    const SILENCED: &str = "\u{94D}\u{9CD}\u{A4D}\u{ACD}\u{B4D}\u{BCD}\u{C4D}\u{CCD}\u{D4D}\u{DCA}\
        \u{E3A}\u{F84}\u{1039}\u{1714}\u{1734}\u{17D2}\u{1A60}\u{1B44}\u{1BAA}\u{1BF2}\u{1BF3}\
        \u{2D7F}\u{A806}\u{A8C4}\u{A953}\u{ABED}\u{10A3F}\u{11046}\u{1107F}\u{110B9}\u{11133}\
        \u{111C0}\u{11235}\u{112EA}\u{1134D}\u{11442}\u{114C2}\u{115BF}\u{1163F}\u{116B6}\
        \u{1172B}\u{11839}\u{119E0}\u{11A34}\u{11A47}\u{11A99}\u{11C3F}\u{11D44}\u{11D45}\u{11D97}";
    let has = |range: std::ops::RangeInclusive<char>| label.iter().any(|one| range.contains(one));
    let is_kana = has('\u{3040}'..='\u{30FA}') || has('\u{30FC}'..='\u{30FF}');
    let has_two_sorts_of_digits = has('\u{660}'..='\u{669}') && has('\u{6F0}'..='\u{6F9}');
    if has_two_sorts_of_digits || label.first().is_some_and(|first| is_of(*first, 1)) {
        return false;
    }
    label.iter().enumerate().all(|(at, &one)| {
        let before = at.checked_sub(1).map(|at| label[at]);
        let after = label.get(at + 1).copied();
        let is_in = |other: Option<char>, block: std::ops::RangeInclusive<char>| {
            other.is_some_and(|other| block.contains(&other))
        };
        match one {
            '\u{200D}' => before.is_some_and(|before| SILENCED.contains(before)),
            '\u{B7}' => before == Some('l') && after == Some('l'),
            '\u{375}' => is_in(after, '\u{370}'..='\u{3FF}'),
            '\u{5F3}' | '\u{5F4}' => is_in(before, '\u{590}'..='\u{5FF}'),
            '\u{30FB}' => is_kana || has('\u{4E00}'..='\u{9FFF}'),
            '\u{640}'
            | '\u{7FA}'
            | '\u{302E}'
            | '\u{302F}'
            | '\u{3031}'..='\u{3035}'
            | '\u{303B}' => false,
            '\u{200C}' | '\u{6FD}' | '\u{6FE}' | '\u{F0B}' | '\u{3007}' => true,
            '\u{3040}'..='\u{30FF}' | '\u{4E00}'..='\u{9FFF}' => true,
            _ => one.is_ascii() || is_of(one, 0),
        }
    })
}

/// Returns `true` if a character is a letter, mark or digit allowed in labels (0), or a mark (1).
fn is_of(character: char, class: usize) -> bool {
    static CLASSES: OnceLock<[Option<Regex>; 2]> = OnceLock::new();
    let classes = CLASSES.get_or_init(|| {
        let letters = Regex::new(r"^[\p{L}\p{Mn}\p{Mc}\p{Nd}]$");
        [letters.ok(), Regex::new(r"^\p{M}$").ok()]
    });
    let class = classes[class].as_ref();
    class.is_some_and(|class| class.is_match(character.encode_utf8(&mut [0; 4])))
}
