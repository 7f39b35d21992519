//! The judgement of a span's context: whether a reply gives the span as its answer, or only mentions it.
//!
//! Structure decides in any language: a sentence that continues after the span, an open label at the end of the reply.
//! Words decide little: a closed table of denials, regrets and examples, matched where a sentence begins or near the
//! span.

use smallvec::SmallVec;

use crate::zones::lexicon::{Cue, cue_of, sign_of};

/// The role of a value or a call in its reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Use {
    /// The answer.
    #[default]
    Answer,
    /// The answer or part of a sentence.
    Ambiguous,
    /// A value that the reply denies, quotes or shows.
    Aside,
}

/// The relation of a span to the text before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stance {
    /// Part of a sentence, on the same line.
    Inline,
    /// Introduced by a colon, a heading, a tag or an unfinished line.
    Led,
    /// Separate: after the end of a sentence, or at the beginning.
    Apart,
}

/// The maximum number of words between an example word or a denial and the span.
const FAR: usize = 8;
const NEAR: usize = 5;

/// The number of words before a value among which a verb such as `is` says what it is.
const IS_WORDS: usize = 2;

/// The maximum number of words of a label that denies: `Never do this:`.
const DENIAL_WORDS: usize = 3;

/// The maximum number of words of a label.
const LABEL_WORDS: usize = 5;

/// The maximum number of sentences after a span that are read.
const SENTENCES: usize = 4;

/// The maximum number of words of a sentence that are read.
const WORDS: usize = 24;

/// The position up to which a denial counts in a sentence: `Sorry, …`, `That record is wrong`.
const VERB: usize = 6;

/// The number of bytes before and after a value that are searched for members of another notation, and the maximum
/// number of words of their names: `private String name`.
const NEAR_BYTES: usize = 400;
const NAME_WORDS: usize = 3;

/// A word of a sentence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'t> {
    pub(crate) text: &'t str,
    /// The offset of the word in the text.
    pub(crate) start: usize,
    cue: Option<Cue>,
}

/// Returns the words of a text with their cues, at most [`WORDS`].
pub(crate) fn words(text: &str) -> impl Iterator<Item = Word<'_>> + Clone {
    let apart = |c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’' | '_'));
    let parts = text.split(apart).filter(|part| !part.is_empty());
    parts.take(WORDS).map(move |part| Word {
        text: part,
        start: part.as_ptr() as usize - text.as_ptr() as usize,
        cue: cue_of(part),
    })
}

/// Returns the sentences of a text, without the characters that end them.
pub(crate) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    core::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut ends = rest.char_indices().filter(|&(at, c)| match c {
            '!' | '?' | ';' | '\n' | '。' | '！' | '？' | '；' => true,
            '.' => {
                let next = rest[at + 1..].chars().next();
                next.is_none_or(char::is_whitespace) && !is_short(&rest[..at])
            }
            _ => false,
        });
        let (end, next) = ends
            .next()
            .map_or((rest.len(), rest.len()), |(at, c)| (at, at + c.len_utf8()));
        let sentence = &rest[..end];
        rest = &rest[next..];
        Some(sentence)
    })
}

/// Returns the last sentence of a text that has words.
fn last_sentence(text: &str) -> &str {
    let all = sentences(text).filter(|one| words(one).next().is_some());
    all.last().unwrap_or_default()
}

/// Returns `true` if a text ends in an abbreviation that introduces an example: `e.g`.
fn is_abbreviation(text: &str) -> bool {
    let last = text.rsplit([' ', '(', '\n']).next().unwrap_or_default();
    matches!(last, "e.g" | "E.g" | "z.B" | "p.ej")
}

/// Returns `true` if a full stop after the text belongs to its last word: `vs`.
fn is_short(text: &str) -> bool {
    let last = text.rsplit([' ', '(', '\n']).next().unwrap_or_default();
    is_abbreviation(last) || matches!(last, "i.e" | "eg" | "ex" | "vs") || text.ends_with("..")
}

/// Returns the stance of a span after a text. `is_fenced` is whether a code fence opens between them.
pub(crate) fn stance(text: &str, is_fenced: bool) -> Stance {
    let words = text.trim_end();
    let bare = words
        .trim_end_matches(['*', '_', '`', '\'', '"', '(', '“'])
        .trim_end();
    let breaks = is_fenced || bare.is_empty() || text[bare.len()..].contains('\n');
    if bare.is_empty() {
        Stance::Apart
    } else if bare.ends_with([':', '：', '>', '→', '=']) {
        Stance::Led
    } else if !breaks
        && (!bare.ends_with(['.', '!', '?', '。', '！', '？'])
            || is_short(bare.trim_end_matches('.')))
    {
        Stance::Inline
    } else if bare.ends_with(['.', '!', '?', '。', '！', '？', ')', '}', ']']) {
        Stance::Apart
    } else {
        Stance::Led
    }
}

/// Judges a span by the text before it.
pub(crate) fn judge_before(text: &str, stance: Stance) -> Use {
    if stance == Stance::Apart {
        return Use::Answer;
    }
    let line = last_line(text);
    let last = last_sentence(line);
    let clause = last
        .rsplit(['—', '–'])
        .find(|one| words(one).next().is_some())
        .unwrap_or_default();
    let cues: SmallVec<[Option<Cue>; WORDS]> = words(clause).map(|word| word.cue).collect();
    let count = cues.len();
    let mut verdict = Use::Answer;
    let mut denied = None;
    for (at, &cue) in cues.iter().enumerate() {
        let gap = count - at - 1;
        let found = match (cue, stance) {
            (Some(Cue::Denial | Cue::Negation), _) => {
                if cue == Some(Cue::Negation) {
                    denied = Some(at);
                }
                match stance {
                    Stance::Inline if gap <= NEAR => Use::Aside,
                    _ if at <= 1 && count <= DENIAL_WORDS => Use::Aside,
                    _ => Use::Answer,
                }
            }
            // `the record, not the example:`
            (Some(Cue::Example), _) if denied.is_some_and(|denied| at - denied <= 3) => {
                verdict = Use::Answer;
                continue;
            }
            (Some(Cue::Likeness), Stance::Inline) if gap == 0 => Use::Aside,
            // `Use {…} instead of {…}`
            (Some(Cue::Change), Stance::Inline) if gap <= 1 => Use::Aside,
            // `If the tax is included:`
            (Some(Cue::Condition), _) if at == 0 => Use::Ambiguous,
            (Some(Cue::Example), Stance::Inline) if gap <= FAR => Use::Aside,
            (Some(Cue::Example), _) if count <= LABEL_WORDS => Use::Aside,
            (Some(Cue::Example), _) => Use::Ambiguous,
            _ => Use::Answer,
        };
        verdict = verdict.max(found);
    }
    if is_abbreviation(last.trim_end_matches([':', ',', ' ', '.', '`', '"', '\''])) {
        verdict = Use::Aside;
    }
    // `You could send {…}`: what a sentence holds is its answer only after a verb that says what it is.
    // `I extract {…}`
    let is_said = cues.contains(&Some(Cue::Writer))
        || cues[count.saturating_sub(IS_WORDS)..].contains(&Some(Cue::Is));
    // `x = f({…})` is not a sentence.
    let is_code = line.contains('=');
    if stance == Stance::Inline && !is_code && count > IS_WORDS && !is_said {
        verdict = Use::Aside;
    }
    match sign_of(clause) {
        Some(Cue::Example | Cue::Denial) => verdict.max(Use::Aside),
        _ => verdict,
    }
}

/// Judges a span by the text after it, which ends where the next value begins. `is_open` is whether the text before
/// the span leaves its sentence open.
pub(crate) fn judge_after(text: &str, is_open: bool) -> Use {
    let rest = text.trim_start_matches(['`', '\'', '"', ')', '*', '”', '_']);
    let head = rest.trim_start();
    let head = head.trim_start_matches('`').trim_start();
    let is_near = !rest[..rest.len() - rest.trim_start().len()].contains('\n');
    // `{"a": 1}?`
    if head.starts_with(['?', '？']) && (is_near || is_open) {
        return Use::Aside;
    }
    let mut verdict = Use::Answer;
    if (is_near || is_open) && continues(head, is_open) {
        // `{…} cannot be parsed`
        let cue = words(head).next().and_then(|word| word.cue);
        let denied = matches!(cue, Some(Cue::Negation | Cue::Denial));
        verdict = if is_open || denied {
            Use::Aside
        } else {
            Use::Ambiguous
        };
    }
    // `{…} (I did not include the notes.)`
    let denied =
        !rest.trim_start().starts_with('(') && said(head).any(|sentence| denies(sentence, true));
    if denied { Use::Aside } else { verdict }
}

/// Returns `true` if a text after a span retracts the span: `Wait, that is wrong.`
pub(crate) fn takes_back(text: &str) -> bool {
    said(text).any(|sentence| denies(sentence, false))
}

/// Returns the first sentences of a text that have words.
pub(crate) fn said(text: &str) -> impl Iterator<Item = &str> {
    sentences(text)
        .filter(|one| words(one).next().is_some())
        .take(SENTENCES)
}

/// Returns `true` if a text continues a sentence: it begins with a lowercase word, or a separator
/// and a word. Dashes only separate in a sentence that `is_open`.
pub(crate) fn continues(text: &str, is_open: bool) -> bool {
    let rest = text.strip_prefix([',', ';', '，', '；']);
    let rest = rest.or_else(|| text.strip_prefix(['—', '–']).filter(|_| is_open));
    let next = rest
        .unwrap_or(text)
        .trim_start_matches([' ', '\t'])
        .chars()
        .next();
    next.is_some_and(|c| match rest {
        Some(_) => c.is_alphabetic(),
        None if is_open => c.is_alphabetic() && !c.is_uppercase(),
        // Many scripts have no case.
        None => c.is_lowercase(),
    })
}

/// Returns `true` if a sentence after a span denies it: `Please disregard this`,
/// `That is not right`, and with `examples` `This is only an example`.
fn denies(sentence: &str, examples: bool) -> bool {
    // `Note: …`
    let label = sentence.split_once(':').filter(|(label, said)| {
        let is_regret = |word: Word<'_>| word.cue == Some(Cue::Regret);
        words(label).count() <= 2 && !words(label).any(is_regret) && words(said).next().is_some()
    });
    let sentence = label.map_or(sentence, |(_, said)| said);
    let mut before = None;
    let found = words(sentence)
        .take(VERB + 1)
        .enumerate()
        .any(|(at, word)| {
            let is = match word.cue {
                Some(Cue::Denial) => true,
                // `Sorry, …`, but not `Sorry for the delay`.
                Some(Cue::Regret) => {
                    let rest = &sentence[word.start + word.text.len()..];
                    at <= 1 && (rest.is_empty() || rest.starts_with([',', '!', ':', '—', '–', '.']))
                }
                // `Do not use it`, `It is not right`, but not `Not all fields are known`.
                Some(Cue::Negation) => (1..=2).contains(&at),
                // `This is only an example`, but not `The example above was used`.
                Some(Cue::Example) => {
                    examples && (2..=4).contains(&at) && before != Some(Cue::Negation)
                }
                _ => false,
            };
            before = word.cue.or(before);
            is
        });
    let sign = sign_of(sentence);
    found || sign == Some(Cue::Denial) || examples && sign == Some(Cue::Example)
}

/// Returns `true` if a prompt was echoed after a value: text that ends with a label,
/// `Text: … Answer:`.
pub(crate) fn ends_in_label(text: &str) -> bool {
    let line = last_line(text);
    let is_all = text.trim().len() == line.trim().len();
    let line = line
        .rsplit(['"', '.', '!', '?'])
        .next()
        .filter(|part| !is_all || part.len() < line.len());
    let line = line
        .unwrap_or_default()
        .trim()
        .trim_matches(['*', '#', ' ', '_']);
    let label = line.strip_suffix([':', '：']);
    label.is_some_and(|label| (1..=LABEL_WORDS).contains(&words(label).count()))
}

/// Returns `true` if a sentence corrects something: it contains a regret, a denial or an arrow.
pub(crate) fn corrects(sentence: &str) -> bool {
    let cue = |word: Word<'_>| {
        matches!(
            word.cue,
            Some(Cue::Regret | Cue::Denial | Cue::Negation | Cue::Change)
        )
    };
    words(sentence).any(cue)
        || sign_of(sentence) == Some(Cue::Denial)
        || ["->", "=>", "→", "⇒"]
            .iter()
            .any(|sign| sentence.contains(sign))
}

/// Returns whether the last line of a text says that another text or person is quoted: `The page says:`.
#[must_use]
pub fn reports(text: &str) -> bool {
    let line = last_line(text);
    let has = |cue| words(line).any(|word| word.cue == Some(cue));
    // `I check what the page says:`
    has(Cue::Report) && !has(Cue::Writer) || sign_of(line) == Some(Cue::Report)
}

/// Returns whether the last sentence of a text introduces an example.
#[must_use]
pub fn shows_example(text: &str) -> bool {
    let last = last_sentence(text);
    let is_example = |word: Word<'_>| word.cue == Some(Cue::Example);
    words(last).any(is_example) || sign_of(last) == Some(Cue::Example)
}

/// Judges a call by the text before and after it on its line.
#[must_use]
pub fn of_call(before: &str, after: &str) -> Use {
    if !is_in_sentence(before) {
        return Use::Answer;
    }
    let stance = stance(before, false);
    let said = match stance {
        _ if reports(before) => Use::Aside,
        Stance::Inline => judge_before(before, stance),
        _ => Use::Answer,
    };
    let after = after.trim_start_matches([' ', '\t', '"', '\'', '`', ')', '*']);
    // Another call or a token follows.
    let after = &after[..after.find(['<', '[', '{']).unwrap_or(after.len())];
    let beside = match words(after).next() {
        Some(_) if continues(after, true) => Use::Aside,
        Some(_) => Use::Ambiguous,
        None => Use::Answer,
    };
    said.max(beside)
}

/// Returns `true` if the words before a call on its line leave their sentence open, so that the text after the call may
/// continue it.
#[must_use]
pub fn is_in_sentence(before: &str) -> bool {
    words(before).next().is_some() && stance(before, false) != Stance::Apart
}

/// Returns `true` if the last word of a text says that a value follows: `The answer is`.
pub(crate) fn announces(text: &str) -> bool {
    words(last_line(text))
        .last()
        .is_some_and(|word| word.cue == Some(Cue::Is))
}

/// Returns the last line of a text that is not blank.
pub(crate) fn last_line(text: &str) -> &str {
    let text = text.trim_end();
    text.rfind('\n').map_or(text, |at| &text[at + 1..])
}

/// Returns `true` if a value belongs to another notation: two lines around it, or its own line and another one,
/// give names to values, as `tags = ` does below `name = "Anna"`.
pub(crate) fn is_among_members(before: &str, after: &str) -> bool {
    let near = &before[before.ceil_char_boundary(before.len().saturating_sub(NEAR_BYTES))..];
    let (above, own) = near.rsplit_once('\n').unwrap_or(("", near));
    let after = &after[..after.floor_char_boundary(NEAR_BYTES.min(after.len()))];
    let own = member_line(own).filter(|(_, value)| value.is_empty());
    let beside = above.lines().chain(after.lines().skip(1));
    // Items describe the members of a value.
    let is_row = |line: &&str| own.is_some() || !line.trim_start().starts_with("- ");
    let mut beside = beside
        .filter(is_row)
        .filter_map(member_line)
        .filter(|(_, value)| !value.is_empty());
    let first = own.or_else(|| beside.next());
    first.is_some_and(|(sign, _)| beside.any(|(other, _)| other == sign))
}

/// Returns the separator of a line that gives a name to a value, and the value: `name: Anna`,
/// `const name = "Anna"`, but not `Note: it is short`.
fn member_line(line: &str) -> Option<(char, &str)> {
    let line = line.trim_start().trim_start_matches("- ");
    let (name, value) = line.split_at(line.find([':', '='])?);
    let value = value
        .strip_prefix(':')
        .filter(|rest| rest.starts_with('='))
        .unwrap_or(value);
    let (sign, rest) = (value.chars().next()?, &value[1..]);
    let is_part = |one: char| one.is_alphanumeric() || "_-.$[]\"' ".contains(one);
    let begins =
        |word: &str| word.starts_with(|one: char| one.is_lowercase() || "_$".contains(one));
    let words = name.split_ascii_whitespace().count();
    let is_name = begins(name) && name.chars().all(is_part) && (1..=NAME_WORDS).contains(&words);
    // `http://a.b`, `a == 5`
    let is_sign = match sign {
        ':' => rest.is_empty() || rest.starts_with(' '),
        _ => !rest.starts_with(['=', '>', '~']),
    };
    (is_name && is_sign).then(|| (sign, rest.trim()))
}
