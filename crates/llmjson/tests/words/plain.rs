//! Words that no comment holds, at its beginning or later. They speak of an unnamed person, of an amount that is
//! not said or in the manner of poems: a comment names the caller, the model, the limit and its unit.

use std::path::Path;

use super::{crates, files, text};

/// Words and pairs of words that no comment holds.
const WORDS: &[&str] = &[
    "be it",
    "everybody",
    "in vain",
    "none but",
    "nobody",
    "so few",
    "so many",
    "somebody",
    "someone",
    "that be",
    "who",
    "whoever",
    "whom",
];

#[test]
fn comments_are_plain() {
    let mut wrong = Vec::new();
    let mut seen = 0;
    let sources = files(&crates(), &["rs", "py", "pyi", "js", "mjs", "ts"]);
    for file in sources
        .iter()
        .filter(|file| !file.ends_with("words/plain.rs"))
    {
        for (index, comment) in paragraphs(comments(&text(file), Language::of(file))) {
            seen += 1;
            if let Some(word) = held(&comment) {
                wrong.push(format!("{}:{index}: {word:?}: {comment}", shown(file)));
            }
        }
    }
    let expected = if crates().join("llmjson-syntax").is_dir() {
        5_000
    } else {
        500
    };
    assert!(seen > expected, "only {seen} paragraphs");
    assert!(
        wrong.is_empty(),
        "{} of {seen} paragraphs:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

fn shown(file: &Path) -> String {
    file.display().to_string()
}

#[derive(Clone, Copy, PartialEq)]
enum Language {
    Python,
    /// Rust or JavaScript.
    Slashes,
}

impl Language {
    fn of(file: &Path) -> Self {
        match file
            .extension()
            .is_some_and(|end| end == "py" || end == "pyi")
        {
            true => Self::Python,
            false => Self::Slashes,
        }
    }
}

/// Returns the lines of comments and docstrings with their numbers, without what they quote.
fn comments(text: &str, language: Language) -> Vec<(usize, String)> {
    let mut in_block = false;
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let was_in_block = in_block;
        let comment = match language {
            Language::Python => {
                in_block ^= line.matches("\"\"\"").count() % 2 == 1;
                let is_docstring = was_in_block || line.trim_start().starts_with("\"\"\"");
                is_docstring.then_some(line).or_else(|| behind(line, "# "))
            }
            Language::Slashes => {
                let is_block = line.trim_start().starts_with("/*") || was_in_block;
                in_block = is_block && !line.contains("*/");
                is_block.then_some(line).or_else(|| behind(line, "//"))
            }
        };
        if let Some(comment) = comment {
            let comment = comment.replace("\"\"\"", "");
            found.push((index + 1, without_quotes(&comment)));
        }
    }
    found
}

/// Joins lines that follow each other, for what stands across their ends.
fn paragraphs(lines: Vec<(usize, String)>) -> Vec<(usize, String)> {
    let mut joined: Vec<(usize, String)> = Vec::new();
    let mut last = 0;
    for (index, line) in lines {
        match joined.last_mut() {
            Some((_, text)) if index == last + 1 => *text = format!("{text}\n{line}"),
            _ => joined.push((index, line)),
        }
        last = index;
    }
    joined
}

/// Returns the end of a line from a mark on. One behind an odd number of quotes is in a string: `"https://"`.
fn behind<'l>(line: &'l str, mark: &str) -> Option<&'l str> {
    let mut marks = line.match_indices(mark).map(|(at, _)| at);
    let start = marks.find(|at| line[..*at].matches('"').count().is_multiple_of(2))?;
    Some(&line[start..])
}

/// Returns a line without its parts in backticks and double quotes: examples may hold any word.
fn without_quotes(line: &str) -> String {
    let mut kept = String::new();
    let mut open = None;
    for letter in line.chars() {
        match open {
            Some(quote) if letter == quote => open = None,
            Some(_) => {}
            None if matches!(letter, '`' | '"') => open = Some(letter),
            None => kept.push(letter),
        }
    }
    kept
}

/// Returns the first word of the table that a comment holds.
fn held(comment: &str) -> Option<&'static str> {
    let letters = |letter: char| if letter.is_alphabetic() { letter } else { ' ' };
    let plain: String = comment.to_lowercase().chars().map(letters).collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    let plain = format!(" {} ", words.join(" "));
    let is_in = |word: &&&str| plain.contains(&format!(" {word} "));
    WORDS.iter().find(is_in).copied()
}

#[test]
fn quoted_words_are_not_held() {
    assert_eq!(held("// A place that nobody knows."), Some("nobody"));
    assert_eq!(held("// So\n// many"), Some("so many"));
    let of = |text, language| {
        let comments = comments(text, language);
        comments.iter().find_map(|(_, comment)| held(comment))
    };
    let rust = |text| of(text, Language::Slashes);
    assert_eq!(rust("/// `who` is a name, as in \"who\": 1"), None);
    assert_eq!(rust("let url = \"http://who\"; // for whom"), Some("whom"));
    assert_eq!(rust("let url = \"http://who\";"), None);
    assert_eq!(rust("/**\n * Who asks.\n */\nlet who"), Some("who"));
    let python = |text| of(text, Language::Python);
    assert_eq!(python("def who():\n  \"\"\"Asks.\"\"\"\n  who"), None);
    assert_eq!(
        python("def f():\n  \"\"\"Asks\n  somebody.\n  \"\"\""),
        Some("somebody")
    );
}
