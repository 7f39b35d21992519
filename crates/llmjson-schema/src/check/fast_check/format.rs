//! Texts of the usual form of a format. A yes is final; what is unusual is for the validator.

/// The formats that are worth knowing.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Usual {
    Date,
    DateTime,
    Email,
    Uuid,
}

impl Usual {
    pub(super) fn named(format: &str) -> Option<Self> {
        Some(match format {
            "date" => Self::Date,
            "date-time" => Self::DateTime,
            "email" => Self::Email,
            "uuid" => Self::Uuid,
            _ => return None,
        })
    }

    /// Returns whether a text surely has the format.
    pub(super) fn admits(self, text: &[u8]) -> bool {
        match self {
            Self::Date => is_date(text),
            Self::DateTime => {
                text.len() >= 20
                    && is_date(&text[..10])
                    && text[10] == b'T'
                    && is_time(&text[11..19])
                    && is_zone(&text[19..])
            }
            Self::Email => is_email(text),
            Self::Uuid => is_uuid(text),
        }
    }
}

fn number(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |sum, digit| {
        let is_digit = digit.is_ascii_digit();
        is_digit.then(|| sum * 10 + u32::from(digit - b'0'))
    })
}

/// A date up to the 28th, which every month has.
fn is_date(text: &[u8]) -> bool {
    let [y0, y1, y2, y3, b'-', m0, m1, b'-', d0, d1] = *text else {
        return false;
    };
    number(&[y0, y1, y2, y3]).is_some()
        && number(&[m0, m1]).is_some_and(|month| (1..=12).contains(&month))
        && number(&[d0, d1]).is_some_and(|day| (1..=28).contains(&day))
}

/// Hours, minutes and seconds without a leap second.
fn is_time(text: &[u8]) -> bool {
    let [h0, h1, b':', m0, m1, b':', s0, s1] = *text else {
        return false;
    };
    let below = |digits: [u8; 2], end: u32| number(&digits).is_some_and(|value| value < end);
    below([h0, h1], 24) && below([m0, m1], 60) && below([s0, s1], 60)
}

fn is_zone(text: &[u8]) -> bool {
    match text {
        [b'.', digits @ .., b'Z'] => !digits.is_empty() && digits.iter().all(u8::is_ascii_digit),
        _ => text == b"Z",
    }
}

/// Words joined by dots before the sign, labels of letters and digits joined by dots behind it.
fn is_email(text: &[u8]) -> bool {
    let Some(at) = text.iter().position(|&byte| byte == b'@') else {
        return false;
    };
    let (local, domain) = (&text[..at], &text[at + 1..]);
    let word = |part: &[u8], most: usize| {
        (1..=most).contains(&part.len()) && part.iter().all(u8::is_ascii_alphanumeric)
    };
    let joined = |text: &[u8], most| {
        text.split(|&byte| byte == b'.')
            .all(|part| word(part, most))
    };
    local.len() <= 64
        && domain.len() <= 180
        && domain.contains(&b'.')
        && joined(local, 64)
        && joined(domain, 63)
        && domain.last().is_some_and(u8::is_ascii_alphabetic)
}

fn is_uuid(text: &[u8]) -> bool {
    text.len() == 36
        && text.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::external::Check;
    use crate::check::instance::Instance;

    #[test]
    fn what_has_the_usual_form_has_the_format() {
        let texts = [
            "2024-02-28",
            "2024-02-29",
            "2024-13-01",
            "2024-00-10",
            "2024-01-00",
            "0000-01-01",
            "2024-02-28T10:31:00Z",
            "2024-02-28T24:00:00Z",
            "2024-02-28T10:31:00.125Z",
            "2024-02-28T10:31:00.Z",
            "2024-02-28T10:31:60Z",
            "2024-02-28T10:31:00+01:00",
            "2024-02-28t10:31:00Z",
            "2024-02-28T10:31:00",
            "niamh@example.com",
            "a.b@c.de",
            "a@b",
            "a@b.c",
            "a..b@c.de",
            "@c.de",
            "a@.de",
            "a@1.2",
            "a@1.2a",
            "a@b.c@d.e",
            "é@b.de",
            "2f1c7c1e-56a8-4c1d-9a53-0d7b1f6a9c11",
            "2f1c7c1e-56a8-4c1d-9a53-0d7b1f6a9c1g",
            "2f1c7c1e056a8-4c1d-9a53-0d7b1f6a9c11",
            "",
        ];
        for name in ["date", "date-time", "email", "uuid"] {
            let form = Usual::named(name).expect("it is known");
            let check = Check::new(serde_json::json!({ "format": name }));
            let mut count = 0;
            for text in texts {
                let admits = form.admits(text.as_bytes());
                count += usize::from(admits);
                let valid = check.holds(Instance::Text(text));
                assert!(!admits || valid, "{text:?} is no {name}");
            }
            assert!(count > 0, "some text is a usual {name}");
        }
    }
}
