//! Each word of the table changes what is made of a text that holds it.

use alloc::format;
use alloc::string::String;

use crate::base::repair::Class;
use crate::parser::state::test_reader::with_reader;
use crate::reply::before::{Before, Stance};
use crate::reply::cue_table::CUES;
use crate::reply::cues::Cue;
use crate::reply::doubt::{asks, of_sentence, takes_back};
use crate::reply::label::Form;
use crate::reply::lead::lead;
use crate::reply::words::Words;
use crate::tape::NONE;
use crate::tape::readings::Lead;

/// A word that says nothing.
const NEUTRAL: &str = "qua";

fn led(text: &str) -> Lead {
    let before = Before {
        text,
        stance: Stance::Led,
        fenced: false,
    };
    lead(&before, Form::Plain, true)
}

fn doubted(text: &str) -> bool {
    of_sentence(&Words::of(text), Stance::Inline).is_some()
}

fn asked(text: &str) -> bool {
    let words = Words::of(text);
    asks(&words, &words.cues())
}

fn corrected(text: &str) -> bool {
    takes_back(&Words::of(text), |name| name == "total")
}

fn guessed(text: &str) -> bool {
    repaired(text, Class::Guess)
}

fn repaired(text: &str, class: Class) -> bool {
    with_reader(text, |reader| {
        reader.reply();
        reader.tape.root != NONE && reader.tape.repairs.iter().any(|one| one.class == class)
    })
}

/// Returns `true` if a value is in doubt because its sentence goes on behind it.
fn passing(text: &str) -> bool {
    repaired(
        &format!("{text} {{\"a\": 1, \"b\": 2}} along"),
        Class::Likely,
    )
}

/// Returns `true` if a text with a word of this sort in it is read as the sort says.
fn observed(cue: Cue, word: &str) -> bool {
    let text = |pattern: &str| -> String { pattern.replace('%', word) };
    match cue {
        Cue::Answer => led(&text("%:")) == Lead::Answer,
        Cue::Correction => led(&text("%:")) == Lead::Correction,
        Cue::Draft | Cue::Choice => led(&text("% one:")) == Lead::Aside,
        Cue::Retraction => corrected(&text("% now")),
        Cue::Regret => corrected(&text("%, there is a typo")),
        Cue::Wrong => corrected(&text("sorry, %")),
        Cue::Should => corrected(&text("it % 3")),
        Cue::Subject => corrected(&text("actually % name")),
        Cue::Example | Cue::Likeness => doubted(&text("something %")),
        Cue::Sample => doubted(&text("one % is")),
        Cue::Condition | Cue::Rule => doubted(&text("we % send")),
        Cue::Negation => doubted(&text("we % send")),
        Cue::Plea => asked(&text("% send more")),
        Cue::Give => asked(&text("please % more")),
        Cue::Request => asked(&text("% more")),
        // What follows takes the doubt away.
        Cue::Courtesy => !asked(&text("please give %")),
        Cue::Asked => !doubted(&text("one sample %")),
        Cue::Outcome => !doubted(&text("% would be")),
        Cue::Writer => !passing(&text("% take")),
        Cue::Break => !doubted(&text("would be red % blue")),
        Cue::Is => !doubted(&text("something like red %")),
        Cue::Range => guessed(&text("Take values % [0, 1] now")),
        Cue::Command => guessed(&text("% '{\"a\": 1, \"b\": 2}'")),
        Cue::Filler => led(&text("% draft:")) == Lead::Aside,
        Cue::Idiom => {
            let quiet = !doubted(&text("we % send"));
            quiet && !corrected(&text("total is wrong, %"))
        }
    }
}

#[test]
fn each_word_of_the_table_matters() {
    for (phrase, cue) in CUES {
        assert!(observed(*cue, phrase), "{phrase} is no {cue:?}");
        assert!(!observed(*cue, NEUTRAL), "{cue:?} is found without a word");
    }
}

/// Lookups search by first word, and then take the longest phrase.
#[test]
fn the_table_is_in_order() {
    for pair in CUES.windows(2) {
        assert!(pair[0].0 < pair[1].0, "{} and {}", pair[0].0, pair[1].0);
    }
    for (phrase, cue) in CUES {
        let found = Words::of(phrase).cues();
        assert_eq!(found.len(), 1, "{phrase}");
        assert_eq!((found[0].cue, found[0].start), (*cue, 0), "{phrase}");
        assert_eq!(format!("{}", phrase.to_ascii_lowercase()), *phrase);
    }
}

/// Words count at the places that they govern, and nowhere else.
#[test]
fn cues_have_a_reach() {
    for (text, doubt) in [
        ("something like", Some(Class::Guess)),
        ("you could send", Some(Class::Guess)),
        ("never return an empty", Some(Class::Guess)),
        ("for example, users may write", Some(Class::Guess)),
        ("the prices do not include tax, so I return", None),
        ("it would be late, but here is", None),
        ("the answer would be", None),
        (
            "if the list were empty, the answer would be",
            Some(Class::Guess),
        ),
        ("an example that you asked for is", None),
        ("like you said the value is", None),
        ("if not otherwise stated, this is", None),
    ] {
        let found = of_sentence(&Words::of(text).last_sentence(), Stance::Inline);
        assert_eq!(found, doubt, "{text}");
    }
}
