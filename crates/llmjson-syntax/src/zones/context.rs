//! The judgement of a span's context: whether a reply gives the span as its answer, or only mentions it.
//!
//! Structure decides in any language: a sentence that continues after the span, an open label at the end of the reply.
//! Words decide little: a closed table of denials, regrets and examples, matched where a sentence begins or near the
//! span.

use crate::parser::look::quotes::closers;
use crate::zones::lexicon::{Cue, Word, WordList, sign_of, words};
use crate::zones::sentences::{
    Cues, Said, Sentence, is_abbreviation, is_short, last_sentence, said,
};
use crate::zones::turns::ends_in_turn;

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

/// The position up to which a denial counts in a sentence, `Sorry, …`, `That record is wrong`, and the number of words
/// up to the verb of a sentence whose subject is the span.
const VERB: usize = 6;
const VERB_AFTER: usize = 4;

/// The maximum number of words from the subject of a sentence to a word that calls it an example.
const EXAMPLE: usize = 4;

/// The maximum number of words between a negation and the word that it negates, and between the subject of a sentence
/// and its negation.
const NEGATED: usize = 2;
const SUBJECT: usize = 4;

/// The maximum number of words of a status.
const STATUS_WORDS: usize = 2;

/// The number of bytes before and after a value that are searched for members of another notation, and the maximum
/// number of words of their names: `private String name`.
const NEAR_BYTES: usize = 400;
const NAME_WORDS: usize = 3;

/// The negations that also answer a question.
static NONE: WordList = WordList::new("no none");

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
    let clause = match last.is_ascii() {
        true => last,
        false => (last.rsplit(['—', '–']))
            .find(|one| words(one).next().is_some())
            .unwrap_or_default(),
    };
    let clause = clause.trim_start();
    // `No es {…}`, but not `There is no doubt that it is {…}`, `No, it is {…}` and `No data:`.
    let is_no = |word: Word<'_>| {
        let is_verb = word.start == 0 && clause[word.text.len()..].starts_with(' ');
        NONE.has(word.text) && !(is_verb && stance == Stance::Inline)
    };
    let all = words(clause);
    let cues: Cues = all
        .map(|word| word.cue().filter(|_| !is_no(word)))
        .collect();
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
        Some(Cue::Example | Cue::Denial) => Use::Aside,
        _ => verdict,
    }
}

/// The text around a span, up to the values next to it.
#[derive(Clone, Copy)]
pub(crate) struct Around<'a, 't> {
    /// The text before the span, without the marks that open it.
    pub(crate) before: &'t str,
    pub(crate) stance: Stance,
    /// `true` if a code fence opens directly before the span.
    pub(crate) fenced: bool,
    pub(crate) after: &'t str,
    /// The sentences [after](said_after) the span.
    pub(crate) said: &'a [Sentence<'t>],
    /// The text up to the span and from its end on.
    pub(crate) sides: (&'t str, &'t str),
}

/// Judges a span by the text before it, and by the text after it.
pub(crate) fn judge(around: &Around<'_, '_>) -> (Use, Use) {
    let (before, rest) = around.sides;
    let is_open = around.stance == Stance::Inline
        || !around.before.is_empty()
            && around.fenced
            && !around.before.ends_with([':', '.', '!', '?']);
    let stance = if is_open {
        Stance::Inline
    } else {
        around.stance
    };
    let left = judge_before(around.before, stance);
    let is_last = around.after.len() == rest.len();
    let is_echoed = is_last && ends_in_label(rest)
        // The end of a prompt with turns, of which the value was an example.
        || !around.before.is_empty() && ends_in_turn(rest);
    let is_aside = is_echoed || is_quoted(before, rest) || is_refused(before, rest);
    // `"{…}" is what the form said.`
    let is_named = before.ends_with('"') && rest.starts_with('"');
    let right = match is_aside {
        true => Use::Aside,
        false => judge_after(around, is_open || is_named),
    };
    (left, right)
}

/// Returns `true` if quotation marks or strikes surround a span, other than those around code or strings, and other
/// words follow or precede them.
fn is_quoted(before: &str, after: &str) -> bool {
    let (open, close) = (before.chars().next_back(), after.chars().next());
    let is_pair = |(open, close): (char, char)| match open {
        '~' => before.ends_with("~~") && after.starts_with("~~"),
        _ => !open.is_ascii() && open != '´' && closers(open).contains(&close),
    };
    let is_alone = || before.trim().len() <= 3 && after.trim().len() <= 3;
    open.zip(close).is_some_and(is_pair) && !is_alone()
}

/// Returns `true` if a line next to a span, in its paragraph, gives it a status that denies it: `Status: rejected`.
fn is_refused(before: &str, after: &str) -> bool {
    let above = &before[before.ceil_char_boundary(before.len().saturating_sub(NEAR_BYTES))..];
    let below = &after[..after.floor_char_boundary(NEAR_BYTES.min(after.len()))];
    let denies = |line: &str| {
        let status = line.split_once(':').map_or("", |(_, status)| status);
        let first = words(status).next().and_then(|word| word.cue());
        first == Some(Cue::Denial) && words(status).count() <= STATUS_WORDS
    };
    let is_line = |line: &&str| !line.trim().is_empty();
    above.lines().rev().skip(1).take_while(is_line).any(denies)
        || below.lines().skip(1).take_while(is_line).any(denies)
}

/// Judges a span by the text after it, which ends where the next value begins. `is_open` is whether the text before
/// the span leaves its sentence open.
fn judge_after(around: &Around<'_, '_>, is_open: bool) -> Use {
    let (rest, head) = after_marks(around.after);
    let is_near = !rest[..rest.len() - rest.trim_start().len()].contains('\n');
    // `{"a": 1}?`
    if head.starts_with(['?', '？']) && (is_near || is_open) {
        return Use::Aside;
    }
    let mut verdict = Use::Answer;
    let first = around.said.first();
    let first = first.filter(|one| head.starts_with(one.text));
    // `{…} cannot be parsed`, `{…} is not in the text`, `{…} を返すことはできません`
    let is_denial = |cue| matches!(cue, Some(Cue::Negation | Cue::Denial));
    let is_denied = first.is_some_and(|first| {
        let mut begin = first.cues.iter().take(VERB_AFTER);
        begin.any(|&cue| is_denial(cue)) || is_denial(sign_of(first.text))
    });
    let has_no_case = |c: char| c.is_alphabetic() && !c.is_uppercase() && !c.is_lowercase();
    if continues(head, is_open) {
        verdict = match (is_near, is_open, is_denied) {
            (_, true, _) | (_, _, true) => Use::Aside,
            (true, false, false) => Use::Ambiguous,
            _ => Use::Answer,
        };
    } else if is_near && is_denied && head.starts_with(has_no_case) {
        verdict = Use::Aside;
    }
    // `{…} (I did not include the notes.)`
    let denied =
        !rest.trim_start().starts_with('(') && around.said.iter().any(|one| denies(one, true));
    if denied { Use::Aside } else { verdict }
}

/// Returns `true` if a text after a span retracts the span: `Wait, that is wrong.`
pub(crate) fn takes_back(text: &str) -> bool {
    said(text).iter().any(|sentence| denies(sentence, false))
}

/// Returns a text after a span without the marks that close the span, and without the space and the code marks after
/// these.
fn after_marks(text: &str) -> (&str, &str) {
    let rest = text.trim_start_matches(['`', '\'', '"', ')', '*', '”', '_']);
    let head = rest.trim_start().trim_start_matches('`').trim_start();
    (rest, head)
}

/// Returns the first sentences after a span that have words.
pub(crate) fn said_after(text: &str) -> Said<'_> {
    said(after_marks(text).1)
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

/// Returns `true` if a sentence after a span denies it: `Please disregard the record`, `That is not right`, and with
/// `examples` `This is only an example`.
fn denies(whole: &Sentence<'_>, examples: bool) -> bool {
    // `Note: …`
    let label = whole.text.split_once(':').filter(|(label, said)| {
        let is_regret = |word: Word<'_>| word.cue() == Some(Cue::Regret);
        words(label).count() <= 2 && !words(label).any(is_regret) && words(said).next().is_some()
    });
    let unlabelled = label.map(|(_, said)| Sentence::of(said));
    let one = unlabelled.as_ref().unwrap_or(whole);
    let (sentence, all, cues) = (one.text, &one.words, &one.cues);
    let has = |at: usize, cue| cues.get(at) == Some(&Some(cue));
    let points = cues.contains(&Some(Cue::Pointer));
    // `If anything is wrong, …`, `The example in the prompt was ignored`
    if has(0, Cue::Condition) || has(1, Cue::Example) && !points {
        return false;
    }
    let found = all.iter().enumerate().any(|(at, word)| {
        let is_negated = || (1..=NEGATED.min(at)).any(|back| has(at - back, Cue::Negation));
        match cues[at] {
            Some(Cue::Denial) => at <= VERB && !is_negated(),
            // `Sorry, …`, but not `Sorry for the delay`.
            Some(Cue::Regret) => {
                let rest = &sentence[word.start + word.text.len()..];
                at <= 1 && (rest.is_empty() || rest.starts_with([',', '!', ':', '—', '–', '.']))
            }
            Some(Cue::Negation) => negates(one, at),
            // `This is only an example`, but not `The example above was used`.
            Some(Cue::Example) => {
                // `The JSON above is only a template`
                let points = (0..at).rev().find(|&at| has(at, Cue::Pointer));
                let last = points.unwrap_or_default() + EXAMPLE;
                examples && (2..=last).contains(&at) && !is_negated()
            }
            _ => false,
        }
    });
    match sign_of(sentence) {
        Some(Cue::Denial | Cue::Regret) => true,
        Some(Cue::Negation) => found || points,
        Some(Cue::Example) => found || examples,
        _ => found,
    }
}

/// Returns `true` if the negation at a place of a sentence denies what the sentence points to: `Do not use it`, `That
/// answer is not right`, but not `I did not include the notes`.
fn negates(sentence: &Sentence<'_>, at: usize) -> bool {
    let Sentence { text, words, cues } = sentence;
    // The place in its clause.
    let place = |at: usize| {
        let begins = |at: &usize| {
            let before = text[..words[*at].start].trim_end();
            before.is_empty() || before.ends_with([',', '—', '–', '،'])
        };
        (0..=at).rev().find(begins).map_or(at, |begin| at - begin)
    };
    let mut pointers = words.iter().enumerate();
    pointers.any(|(other, word)| {
        if cues[other] != Some(Cue::Pointer) {
            return false;
        }
        match other < at {
            // `That answer is not right`, `The record above is not right`, but not `Note that the age is not given` and
            // `Das Alter ist nicht angegeben`.
            true => {
                let (most, far) = match word.text.len() {
                    ..=3 => (0, 2),
                    4 => (0, SUBJECT),
                    _ => (3, SUBJECT),
                };
                place(other) <= most && other <= 3 && at - other <= far
            }
            false => {
                // `I could not verify any of these fields`, but not `… because there is no field for it`.
                let is_short = word.text.len() <= 3;
                let most = if is_short { 2 } else { SUBJECT };
                let is_last = other + 1 == words.len();
                place(at) <= 2 && other - at <= most + usize::from(is_last)
            }
        }
    })
}

/// Returns `true` if a prompt was echoed after a value: text that ends with a label,
/// `Text: … Answer:`.
pub(crate) fn ends_in_label(text: &str) -> bool {
    let marks = |c: char| c.is_whitespace() || matches!(c, '*' | '#' | '_');
    if !text.trim_end_matches(marks).ends_with([':', '：']) {
        return false;
    }
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

/// Returns whether the last line of a text says that another text or person is quoted: `The page says:`.
#[must_use]
pub fn reports(text: &str) -> bool {
    let line = last_line(text);
    let has = |cue| words(line).any(|word| word.cue() == Some(cue));
    // `I check what the page says:`
    has(Cue::Report) && !has(Cue::Writer) || sign_of(line) == Some(Cue::Report)
}

/// Returns whether the last sentence of a text introduces an example.
#[must_use]
pub fn shows_example(text: &str) -> bool {
    let last = last_sentence(text);
    let is_example = |word: Word<'_>| word.cue() == Some(Cue::Example);
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
        .is_some_and(|word| word.cue() == Some(Cue::Is))
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
    let after = &after[..after.floor_char_boundary(NEAR_BYTES.min(after.len()))];
    let signs = [near, after].map(|text| memchr::memchr2_iter(b':', b'=', text.as_bytes()));
    if signs.into_iter().flatten().nth(1).is_none() {
        return false;
    }
    let (above, own) = near.rsplit_once('\n').unwrap_or(("", near));
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
