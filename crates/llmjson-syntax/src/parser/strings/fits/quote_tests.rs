//! The quotes that end strings, and what stands between joined ones.

use super::tests::{assert_fits, fits};
use crate::parser::look::LOOK_AHEAD;
use crate::parser::look::quotes::StringRole;
use crate::parser::state::reader::Reader;
use crate::parser::state::test_reader::ask_reader;
use alloc::string::String;

#[test]
fn pieces_are_joined_up_to_what_may_follow_a_string() {
    assert_fits(
        true,
        &[
            ("[", " + \"b\"]"),
            ("[", "+\"b\"]"),
            ("[", " + \"b"),
            ("[", " + 'b' x"),
            ("[", " + b]"),
            ("[", " + b, 1]"),
            ("[", " + b"),
            ("[", " + b + \"c\"]"),
            ("[", " + b[\"c\"] \"d\""),
            ("[", " . $b]"),
            ("{", " . 'b'"),
        ],
    );
    assert_fits(
        false,
        &[
            ("[", " + \"b\" c"),
            ("[", " + ]"),
            ("[", " + b, c: d"),
            ("[", " + 2 apples"),
            ("[", ". b]"),
            ("[", " - b]"),
        ],
    );
    // A sign each four bytes.
    let pieces = |count: usize| String::from("+ b ").repeat(count) + "]";
    assert!(fits("[[", &pieces(LOOK_AHEAD / 4)));
    assert!(!fits("[[", &pieces(LOOK_AHEAD / 4 + 1)));
}

#[test]
fn quotes_show_that_comments_are_text() {
    for (open, rest, quote) in [
        ("{", "/* x */\", \"b\": 1", Some(7)),
        ("{", "# T\", \"b\": 1", Some(3)),
        ("{", "// T\", \"b\": 1", Some(4)),
        ("{", "# T\"\", \"b\": 1", Some(3)),
        ("{", "# T\"}", Some(3)),
        ("[", "# T\", 1", Some(3)),
        ("{{", "# T\" }", Some(3)),
        ("{", "/ T\", \"b\": 1", None),
        ("{", "/* x */ \", \"b\": 1", None),
        ("{", "# T\n\", \"b\": 1", None),
        ("{", "# T", None),
        ("{", "# T\", 1", None),
        ("{", "# T\"; \"b\": 1", None),
        ("{", "# T\"]", None),
        ("[", "# T\", x", None),
        ("[", "# T\",", None),
        ("[", "# T\" x", None),
    ] {
        let found = ask_reader(open, rest, |reader, here| {
            reader.quote_of_comment(here, open.len())
        });
        assert_eq!(
            found,
            quote.map(|quote| open.len() + quote),
            "{open} {rest:?}"
        );
    }
}

#[test]
fn closers_of_nothing_stand_before_members() {
    let nothing = |open: &str, rest: &str| {
        ask_reader(open, rest, |reader, here| {
            reader.closer_of_nothing(here, Reader::role(here), open.len())
        })
    };
    assert!(nothing("{", "], \"b\": 1"));
    assert!(nothing("{", " ] , \"b\": 1"));
    for (open, rest) in [
        ("{", "}, \"b\": 1"),
        ("[{", "], \"b\": 1"),
        ("{", "]; \"b\": 1"),
        ("{", "], 1"),
        ("{", "x, \"b\": 1"),
        ("(", "], \"b\": 1"),
    ] {
        assert!(!nothing(open, rest), "{open} {rest}");
    }
}

/// Returns where the quote of the other kind stands that closes the string before `rest`.
fn other_quote(role: Option<StringRole>, open: &str, rest: &str, other: char) -> Option<usize> {
    ask_reader(open, rest, |reader, here| {
        let role = role.unwrap_or(Reader::role(here));
        let found = reader.closed_by_other(here, role, open.len(), other);
        found.map(|quote| quote - open.len())
    })
}

#[test]
fn quotes_of_the_other_kind_close_strings() {
    for (open, rest, other, quote) in [
        ("{", "x', 'b': 1", '\'', Some(1)),
        ("{", "x'；'b': 1", '\'', Some(1)),
        ("{", "x', 'b': ?", '\'', None),
        ("{", "x', 'b'", '\'', None),
        ("{", "x\", 'b': 1", '"', None),
        ("{", "x\", \"b\": 1", '"', Some(1)),
        ("{", "x\" , \"b\": 1", '"', Some(1)),
        ("{", "x', \"b\": 1", '\'', Some(1)),
        ("{", "x\", \"b\" 1", '"', None),
        ("{", "x\", b: 1", '"', None),
        ("[", "x\", \"y\"]", '"', Some(1)),
        ("[", "x\", y]", '"', None),
        ("[", "x', 'y']", '\'', Some(1)),
        ("[", "x\", 'y']", '"', None),
        ("[", "x\",\n'y", '"', Some(1)),
        ("[", "x\", 'y", '"', None),
        ("[", "x\",\ny: z", '"', None),
        ("{", "x\"}", '"', Some(1)),
        ("[{", "x\"}y", '"', None),
        ("{", "x\"]", '"', None),
        ("[", "x\"]", '"', Some(1)),
        ("[[", "x\"]y", '"', None),
        ("[", "x\"}", '"', None),
        ("[", "x\" y", '"', None),
        ("[", "x\": 1", '"', None),
        // An apostrophe closes nothing; a double quote in a word may.
        ("{", "it's', 'b': 1", '\'', Some(4)),
        ("{", "a\"b\", \"c\": 1", '"', None),
        ("{", "x\n', 'b': 1", '\'', None),
        ("{", "x\ny', 'b': 1", '\'', None),
        ("{", "', 'b': 1", '\'', None),
        ("{", "x", '\'', None),
    ] {
        assert_eq!(
            other_quote(None, open, rest, other),
            quote,
            "{open} {rest:?}"
        );
    }
    let name = |rest: &str| other_quote(Some(StringRole::Key), "{", rest, '"');
    assert_eq!(name("a\": 1}"), Some(1));
    assert_eq!(name("a\": x"), None);
    assert_eq!(name("a\", \"b\": 1"), None);
}

#[test]
fn names_without_quotes_show_no_habit() {
    let closes = |name: u32| {
        ask_reader("{\"a\" b '", "x\"}", |reader, here| {
            let node = reader.tape.nodes.last_mut().expect("the object");
            (node.key_start, node.key_end) = (name, name + 1);
            reader.closed_by_other(here, StringRole::Member, 8, '"')
        })
    };
    assert_eq!(closes(2), Some(9));
    assert_eq!(closes(5), None);
}

#[test]
fn looking_for_the_other_quote_has_a_price() {
    let spent = ask_reader("{", &"x".repeat(64), |reader, here| {
        reader.closed_by_other(here, StringRole::Member, 1, '"');
        reader.look.work.get().spent()
    });
    // The window, and eight times its length in steps of sixteen bytes.
    assert_eq!(spent, 9 + 33);
}
