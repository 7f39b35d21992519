//! All words and phrases that are evidence about a value, as data.
//!
//! They are English. In another language, only form counts: labels, fences, order, size. The
//! meaning of a cue for a value, and its required distance, are defined in `lead` and `doubt`.
//! Words that mean something only in one place, whatever is around them, have separate lists.

/// The meaning of a word or phrase around a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cue {
    /// An answer or a result.
    Answer,
    /// A correction of what stands before.
    Correction,
    /// An interjection or phrase that takes back what stands before.
    Retraction,
    /// A regret, which takes something back only with words that say what was wrong.
    Regret,
    /// A word for a mistake, in a sentence that begins with a regret.
    Wrong,
    /// A word for what ought to stand in place of something.
    Should,
    /// The label of something that is no answer: a draft, the input, what was before.
    Draft,
    /// A word for one of several choices.
    Choice,
    /// An example, announced as one.
    Example,
    /// The noun, which may be what was asked for.
    Sample,
    /// A comparison.
    Likeness,
    /// A word for what would be the case.
    Condition,
    /// A word for what has to be the case, or is wanted.
    Rule,
    /// A word for what is not the case, or not to be done.
    Negation,
    /// The beginning of a request to the reader.
    Plea,
    /// A word for what a request asks the reader to do.
    Give,
    /// A whole request.
    Request,
    /// The value is what the reader asked for.
    Asked,
    /// An interval of numbers, in mathematics.
    Range,
    /// A command of a shell.
    Command,
    /// The answer or result, as one that there is only one of.
    Outcome,
    /// The model in the first person, as in `I added`.
    Writer,
    /// A clause of its own begins, which a cue before it says nothing about.
    Break,
    /// A verb that says what something is.
    Is,
    /// A word that a correction may begin with, behind a word of regret.
    Subject,
    /// A word that may stand in any label.
    Filler,
    /// A value that was left unfinished is begun anew.
    Restart,
    /// Changes of the value before it follow.
    Patch,
    /// A sentence that asks for something for form's sake only.
    Courtesy,
    /// A phrase that says nothing, though a word in it would.
    Idiom,
}

/// The phrases of each cue, parted by commas.
const PHRASES: &[(Cue, &str)] = &[
    (
        Cue::Answer,
        "answer, answers, choice, conclusion, decision, extracted, go with, i choose, i chose, i \
        prefer, i would choose, i would go with, i would pick, i would recommend, i'd choose, \
        i'd prefer, i've chosen, my answer would be, my choice would be, my pick would be, my \
        recommendation would be, output, pick, recommend, recommendation, recommended, response, \
        result, results, returns, settled on, solution, verdict",
    ),
    (
        Cue::Correction,
        "amended, better, correct, corrected, correction, corrections, edit, errata, \
        erratum, final, finalized, finally, fix, fixed, fixes, improved, instead, rather, reflection, revised, update, updated",
    ),
    (
        Cue::Retraction,
        "disregard that, disregard the above, hang on, hold on, i confused, i forgot, i got it \
        wrong, i got that wrong, i have to correct, i made a mistake, i made a typo, i made an \
        error, i meant, i miscalculated, i miscounted, i misread, i mixed up, i need to correct, \
        i overlooked, i should correct, i swapped, i've made a mistake, i've made an error, i've \
        mixed up, ignore that, ignore the above, let me correct, let me fix, let me redo, my \
        bad, my mistake, never mind that, on second thought, on second thoughts, oops, scratch \
        that, should actually be, should have been, should have read, should have said, should \
        instead be, should read, should say, should've been, strike that, that is incorrect, \
        that is not correct, that is not right, that is wrong, that isn't correct, that isn't \
        right, that was incorrect, that was wrong, that's incorrect, that's not correct, that's \
        not right, that's wrong, this is incorrect, this is not correct, this is not right, this \
        is wrong, ugh, whoops",
    ),
    (
        Cue::Regret,
        "actually, apologies, apologize, hmm, mistake, sorry, wait",
    ),
    (
        Cue::Wrong,
        "bad, incorrect, is actually, meant, miscounted, misread, mistaken, mixed up, off by, \
        typo, wrong",
    ),
    (
        Cue::Should,
        "has to be, must be, needs to be, ought to be, should be, should really be",
    ),
    (
        Cue::Draft,
        "alternatively, and another, and one more, another, attempt, before, draft, format, \
        given, input, instance, invalid, old, one more, original, previous, previously, prompt, \
        request, schema, structure, template, usage",
    ),
    (
        Cue::Choice,
        "alternative, approach, candidate, hypothesis, option, options, possibility, variant",
    ),
    (
        Cue::Example,
        "along these lines, along those lines, as an example, e.g, eg, for example, for instance, \
        hypothetical, hypothetically, imagine, let's say, or similar, or something, pretend, \
        something similar, such as, suppose, supposing, theoretical, theoretically, think of, to \
        illustrate",
    ),
    (
        Cue::Sample,
        "example, examples, illustration, placeholder, sample, samples, typical, typically",
    ),
    (
        Cue::Likeness,
        "along the lines of, in the form, in the format, in the shape of, like, like so, of the \
        form, similar to",
    ),
    (
        Cue::Condition,
        "assume, assuming, consider, could, differently, had i, had the, had you, if, in case, \
        let us assume, let's assume, may be, maybe, might, one can, one could, otherwise, \
        perhaps, say a, say that, say the, say you, should it, should the, should you, unless, \
        users can, users may, were, would, you can, you may",
    ),
    (
        Cue::Rule,
        "accepts, docs say, docs show, documentation says, documentation shows, expect, expects, \
        has to, have to, manual says, must, requires, should, spec says, specification says, \
        takes, wants, whenever",
    ),
    (
        Cue::Negation,
        "aren't, avoid, can't, can't be, cannot, cannot be, couldn't be, couldn't have been, \
        didn't, different from, do not, doesn't, don't, hadn't, hasn't, haven't, instead of, \
        isn't, must not, mustn't, neither, never, no longer, no one, no such, nobody, nor, not, \
        rather than, should not, shouldn't, unlike, wasn't, weren't, won't, wouldn't",
    ),
    (Cue::Plea, "can you, could you, kindly, please, would you"),
    (
        Cue::Give,
        "add, answer with, attach, choose, clarify, complete, describe, enter, fill, give, \
        include, indicate, pass, paste, provide, put, reply, resend, respond, retry, return, \
        select, send, share, specify, state, submit, supply, tell, try again, type, upload, \
        write",
    ),
    (
        Cue::Request,
        "format it, format your, give me, give us, i need you to, provide me, send me, send us, \
        show me, tell me",
    ),
    (Cue::Asked, "asked, looking for, requested"),
    (
        Cue::Range,
        "between, clamped to, clipped to, codomain, domain, in, interval, intervals, limited to, \
        maps to, matrix, normalised to, normalized to, over, point, range, ranges, rescaled to, \
        restricted to, scaled to, segment, vector, vectors, within",
    ),
    (
        Cue::Command,
        "awk, aws, az, cat, curl, docker, echo, export, find, gcloud, gh, git, grep, grpcurl, \
        http, jq, kubectl, mongosh, node, npm, npx, printf, psql, python, sed, ssh, sudo, wget, \
        xargs",
    ),
    (
        Cue::Outcome,
        "final answer, my answer, my result, the answer, the final result, the result",
    ),
    (Cue::Writer, "i, i have, i've, we, we've"),
    (
        Cue::Break,
        "and, because, below, but, hence, here, here's, so, therefore, thus",
    ),
    (Cue::Is, "are, is, was"),
    (Cue::Subject, "it, it's, make, that, that's, the"),
    (
        Cue::Filler,
        "a, an, code, data, first, form, initial, json, my, object, of, one, our, payload, \
        second, third, this, two, value, version, way, your",
    ),
    (
        Cue::Restart,
        "begin anew, begin again, came out wrong, cut off, from scratch, from the beginning, from the start, from the \
        top, got cut off, once more, start again, start over, started over, starting again, starting over",
    ),
    (
        Cue::Patch,
        "apply the following, apply these, apply this, changed fields, changes, corrected fields, merge, merge patch, \
        overrides, patch, patches, rfc 7396, rfc 6902, the changes",
    ),
    (Cue::Courtesy, "feedback, what you think, whether"),
    (
        Cue::Idiom,
        "better than, could not, i could, i forgot to mention, if any, if possible, it looks \
        like, like you, looks like i, never mind, no mistake, no one else, not a mistake, not a \
        problem, not found, not just, not only, not sure, nothing, so called, such as it is, why \
        not, would like",
    ),
];

/// Words that tell the reader to give a member another value: `Set "age" to 3`.
pub(crate) const CHANGES: &str = "change correct fix make modify replace set update";

/// Words that label what follows a colon and say nothing about a value, if they are written large: `Note: …`.
pub(crate) const LABELS: &str = "action ai analysis arguments assistant assumption assumptions bot \
    caution comment confidence context disclaimer explanation function hint human important info \
    note notes observation parameters plan ps q question rationale reasoning reference references \
    remark source sources step summary system task thought thoughts tip todo tool user warning";

/// The languages of code fences that hold commands or styles.
pub(crate) const SHELLS: &str = "bash bat cmd console css fish less powershell ps1 sass scss sh \
    shell terminal zsh";

/// The languages of code fences that hold data or text, and no program, besides none.
pub(crate) const DATA: &str = "json json5 jsonc text txt md markdown";

/// Texts that stand for a type in the description of a form.
pub(crate) const TYPE_NAMES: &str = "any array bool boolean date datetime decimal double float int \
    integer list null number object str string text timestamp url uuid";

/// Words that may stand beside them.
pub(crate) const BESIDE_TYPES: &str = "of or optional required strings numbers objects integers";

/// The signs that open and close a text that is still to be put in.
pub(crate) const PLACEHOLDERS: [(&str, &str); 7] = [
    ("{{", "}}"),
    ("{", "}"),
    ("<", ">"),
    ("[", "]"),
    ("${", "}"),
    ("__", "__"),
    ("%", "%"),
];

/// Signs beside an interval, as text and as commands of LaTeX.
pub(crate) const MATHEMATICS: &str = "∈ × ⊂ ⊆ ∪ ∩ \\in \\to \\times \\subset \\subseteq \\cup \\cap \
    \\mapsto";

/// Number of lists of phrases whose first words have the same hash.
const HEADS: usize = 1024;

/// No phrase.
const NONE: u16 = u16::MAX;

/// A phrase: its row in the table, where it stands there, the next one whose first words have a hash that begins so, and
/// the rest of the hash.
type Phrase = (u8, u16, u16, u16, u16);

/// The phrases, and the first one for each hash, made when this is compiled.
static INDEX: ([u16; HEADS], [Phrase; COUNT]) = {
    let (mut heads, mut phrases) = ([NONE; HEADS], [(0, 0, 0, NONE, 0); COUNT]);
    let (mut row, mut count) = (0, 0);
    while row < PHRASES.len() {
        let text = PHRASES[row].1.as_bytes();
        let (mut start, mut at, mut hash, mut first, mut spaces) = (0, 0, HASH, HASH, 0);
        while at <= text.len() {
            if at == text.len() || text[at] == b',' {
                let whole = match spaces {
                    0 => hash,
                    _ => paired(first, hash),
                };
                let head = whole as usize % HEADS;
                let rest = (whole >> 16) as u16;
                phrases[count] = (row as u8, start as u16, at as u16, heads[head], rest);
                heads[head] = count as u16;
                count += 1;
                // `, `
                (start, at, hash, spaces) = (at + 2, at + 1, HASH, 0);
            } else if text[at] == b' ' {
                if spaces == 0 {
                    (first, hash) = (hash, HASH);
                }
                spaces += 1;
            } else if spaces < 2 {
                hash = hashed(hash, text[at]);
            }
            at += 1;
        }
        row += 1;
    }
    (heads, phrases)
};

/// Number of phrases.
const COUNT: usize = {
    let (mut row, mut count) = (0, PHRASES.len());
    while row < PHRASES.len() {
        let (text, mut at) = (PHRASES[row].1.as_bytes(), 0);
        while at < text.len() {
            count += (text[at] == b',') as usize;
            at += 1;
        }
        row += 1;
    }
    count
};

/// The hash of nothing.
pub(crate) const HASH: u32 = 0x811c_9dc5;

/// Returns the hash of a word that goes on with a byte.
pub(crate) const fn hashed(hash: u32, byte: u8) -> u32 {
    (hash ^ byte as u32).wrapping_mul(0x0100_0193)
}

/// Returns the hash by which phrases of two words and more are found, of those of their first two words.
pub(crate) const fn paired(first: u32, second: u32) -> u32 {
    (first.rotate_left(7) ^ second).wrapping_mul(0x0100_0193)
}

/// Returns the hash of a word in small letters, by which it is found if it is a phrase.
pub(crate) fn hash_of(word: &[u8]) -> u32 {
    word.iter().fold(HASH, |hash, byte| hashed(hash, *byte))
}

/// Finds the longest of the phrases of one word that may have this hash, or of the longer ones whose first words may have
/// it: `such as` and `such as it is` for that of `such` and `as`. `end_of` tells where one of them ends, if it is there.
pub(crate) fn longest(hash: u32, end_of: impl Fn(&[u8]) -> Option<usize>) -> Option<(Cue, usize)> {
    let (mut next, mut longest) = (INDEX.0[hash as usize % HEADS], None::<(Cue, usize)>);
    while let Some(&(row, start, end, behind, rest)) = INDEX.1.get(usize::from(next)) {
        next = behind;
        if rest == (hash >> 16) as u16 {
            let (cue, text) = PHRASES[usize::from(row)];
            let phrase = &text.as_bytes()[usize::from(start)..usize::from(end)];
            if let Some(end) = end_of(phrase)
                && longest.is_none_or(|(_, other)| end > other)
            {
                longest = Some((cue, end));
            }
        }
    }
    longest
}

/// Returns the cue that a word in small letters is on its own: a sample for `example`, none for `for`.
pub(crate) fn cue_of(word: &str) -> Option<Cue> {
    let word = word.as_bytes();
    let found = longest(hash_of(word), |phrase| (phrase == word).then_some(1));
    found.map(|(cue, _)| cue)
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::reply::words::Words;

    #[test]
    fn each_phrase_is_found_once() {
        let mut all = Vec::new();
        for (cue, phrases) in PHRASES {
            for phrase in phrases.split(", ") {
                let words = Words::of(phrase);
                let found = words.last().cues;
                assert_eq!(found.len(), 1, "{phrase}");
                let place = (found[0].start, found[0].end);
                assert_eq!(
                    (found[0].cue, place),
                    (*cue, (0, words.all().len())),
                    "{phrase}"
                );
                assert!(!all.contains(&phrase), "{phrase}");
                all.push(phrase);
            }
        }
        assert_eq!(all.len(), COUNT);
    }

    #[test]
    fn phrases_are_found_by_their_first_words() {
        let such = paired(hash_of(b"such"), hash_of(b"as"));
        let length = |phrase: &[u8]| b"such as it is".starts_with(phrase).then_some(phrase.len());
        assert_eq!(longest(such, length).map(|(_, end)| end), Some(13));
        let length = |phrase: &[u8]| (phrase == b"such as").then_some(phrase.len());
        assert_eq!(longest(such, length).map(|(_, end)| end), Some(7));
        assert_eq!(cue_of("example"), Some(Cue::Sample));
        assert_eq!(
            (cue_of("for"), cue_of("such"), cue_of("")),
            (None, None, None)
        );
    }
}
