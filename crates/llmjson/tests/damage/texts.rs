//! The words that documents are made of: names, prose in several languages, and texts that look
//! like something else.

use crate::rng::Rng;

const NAMES: &[&str] = &[
    "id",
    "name",
    "title",
    "description",
    "tags",
    "created_at",
    "isActive",
    "price",
    "author",
    "email",
    "status",
    "notes",
    "score",
    "address",
    "city",
    "first_name",
    "quantity",
    "url",
    "summary",
    "category",
    "userId",
    "steps",
    "type",
    "rating",
    "comment",
    "items",
    "owner",
    "language",
    "version",
    "path",
    "content",
    "query",
    "max_tokens",
    "temperature",
    "reason",
];

const ODD_NAMES: &[&str] = &[
    "full name",
    "content-type",
    "größe",
    "名前",
    "user.id",
    "@type",
    "$ref",
    "2nd",
    "имя",
    "a/b",
];

const LANGUAGES: &[&[&str]] = &[
    &[
        "the",
        "order",
        "was",
        "shipped",
        "yesterday",
        "and",
        "customer",
        "asked",
        "for",
        "a",
        "refund",
        "because",
        "box",
        "arrived",
        "open",
        "with",
        "two",
        "parts",
        "missing",
        "please",
        "check",
        "again",
        "before",
        "Friday",
        "Alice",
        "Paris",
    ],
    &[
        "die",
        "Lieferung",
        "kam",
        "gestern",
        "über",
        "München",
        "und",
        "enthält",
        "größere",
        "Teile",
        "für",
        "das",
        "Büro",
        "außer",
        "zwei",
        "Schrauben",
    ],
    &[
        "la", "señora", "compró", "tres", "libros", "en", "línea", "pero", "el", "envío", "llegó",
        "después", "del", "plazo", "niño",
    ],
    &[
        "заказ",
        "был",
        "отправлен",
        "вчера",
        "и",
        "клиент",
        "просит",
        "вернуть",
        "деньги",
    ],
    &[
        "注文は",
        "昨日",
        "発送され",
        "ました",
        "確認して",
        "ください",
        "東京",
        "本社",
    ],
    &["तीन", "किताबें", "कल", "पहुँचीं", "ग्राहक", "खुश", "है"],
    &[
        "le", "café", "était", "très", "bon", "mais", "un", "peu", "cher", "à", "midi", "🎉",
        "élève",
    ],
];

const TRICKY: &[&str] = &[
    "",
    " ",
    "fn main() { println!(\"{}\", x[0]); }",
    "if (a < b && c > d) { return [1, 2]; } // done",
    "<div class=\"note\" id='x'>It's <b>bold</b></div>",
    "SELECT * FROM t WHERE name = 'O''Brien' AND \"id\" IN (1, 2);",
    "C:\\Users\\ada\\new folder\\table.txt",
    "\\\\server\\share\\file.json",
    "{\"a\": 1, \"b\": [true, null]}",
    "[{\"x\": \"y\"}]",
    "He said \"no\", then left.",
    "\"quoted\"",
    "https://example.com/a?b={c}&d=[e]#f",
    "```json\n{\"draft\": true}\n```",
    "<think>maybe {\"x\": 1}</think>",
    "a } b ] c { d [",
    "it's 5 o'clock, isn't it",
    "/* not a comment */ // neither\n# nor this",
    "<!-- hidden -->",
    "line one\nline two\n\n\tindented",
    "true",
    "null",
    "12",
    "2024-05-17T10:00:00Z",
    "key: value, other: 3",
    "a, b, c",
    "^\\d{3}-\\w+$",
    "1. first\n2. second",
    "tab\there",
    "emoji 😀 and 👩‍👩‍👧",
    "no-break\u{a0}space",
    "...",
    "“curly” and ‘single’",
    "50% off; now = then",
    "<|im_end|>",
    "\\n is a newline",
    "ends with a backslash \\",
    "ends with a comma,",
    "ends with a colon:",
    "}}",
    "\",\"",
    "\": \"",
];

/// Several lines, as a model writes them into a report.
const LINES: &[&str] = &[
    "Dear team,\nthe build is green again.\nRegards",
    "def f(x):\n\treturn x + 1\n",
    "# Heading\n\n- one\n- two\n",
    "first\tsecond\tthird\n1\t2\t3",
];

const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "7",
    "42",
    "100",
    "1999",
    "-273",
    "3.14",
    "0.5",
    "-0.25",
    "1.0",
    "2.50",
    "1e5",
    "1E+10",
    "6.02e23",
    "1e-7",
    "12345678901234567890",
    "-98765432109876543210",
    "9007199254740993",
    "0.1",
    "-0",
];

pub(crate) fn number(rng: &mut Rng) -> String {
    if rng.chance(40) {
        rng.below(100_000).to_string()
    } else {
        rng.pick(NUMBERS).to_owned()
    }
}

/// A name that none of `taken` is.
pub(crate) fn name(rng: &mut Rng, taken: &[String]) -> String {
    loop {
        let names = if rng.chance(93) { NAMES } else { ODD_NAMES };
        let base = rng.pick(names);
        let name = match rng.below(12) {
            0 => format!("{base}{}", rng.below(10)),
            _ => base.to_owned(),
        };
        if !taken.contains(&name) {
            return name;
        }
    }
}

/// Some words of one language, with a comma and a full stop now and then.
pub(crate) fn prose(rng: &mut Rng) -> String {
    let words = rng.pick(LANGUAGES);
    let count = rng.between(1, 12);
    let mut text = String::new();
    for index in 0..count {
        text.push_str(rng.pick(words));
        if index + 1 < count {
            text.push_str(if rng.chance(12) { ", " } else { " " });
        }
    }
    if count > 3 && rng.chance(50) {
        text.push_str(rng.pick(&[".", "!", "?"]));
    }
    text
}

pub(crate) fn text(rng: &mut Rng) -> String {
    match rng.below(20) {
        0..=12 => prose(rng),
        13 => rng.pick(LINES).to_owned(),
        14 => format!("{} {}", prose(rng), rng.pick(TRICKY)),
        15 => format!("{}: {}", rng.pick(NAMES), prose(rng)),
        _ => rng.pick(TRICKY).to_owned(),
    }
}

/// Words and spaces only, so that no other reading is near.
pub(crate) fn words_only(text: &str) -> bool {
    let keyword = ["true", "false", "null", "none", "undefined", "nan"];
    text.split(' ')
        .all(|word| !word.is_empty() && word.chars().all(char::is_alphabetic))
        && !keyword.contains(&text.to_lowercase().as_str())
}

/// Prose without quotes, brackets, colons, escapes or line breaks.
pub(crate) fn plain(text: &str) -> bool {
    text.starts_with(char::is_alphabetic)
        && !text.ends_with([' ', ','])
        && text.chars().all(|c| {
            c.is_alphanumeric() || c > '\u{2fff}' || matches!(c, ' ' | ',' | '.' | '!' | '?' | '-')
        })
}
