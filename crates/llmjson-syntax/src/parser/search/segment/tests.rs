use alloc::format;
use alloc::string::String;
use alloc::vec;

use super::*;
use crate::parser::look::ask;
use crate::parser::search::reading::StringPlace;
use crate::parser::search::text::Quote;
use crate::parser::state::step::{KeySpan, scalar};

const TEXT: &str = r#"{"a": [1, "b"], "c": {"d": null}}"#;

const LINES: &str = "[\n  {\n    \"a\": 1,\n    \"b\": 2\n  }\n]";

const CLOSE: (u8, u32, u32) = (2, 0, 0);

pub(super) fn node(tag: Tag, span: Range<usize>) -> Node {
    scalar(KeySpan::NONE, tag, span.start, span.end)
}

pub(super) fn named(name: Range<u32>, node: Node) -> Node {
    Node {
        key_start: name.start,
        key_end: name.end,
        ..node
    }
}

pub(super) fn until(next: u32, node: Node) -> Node {
    Node { next, ..node }
}

fn flagged(flags: u8, node: Node) -> Node {
    Node { flags, ..node }
}

/// The nodes of [`TEXT`] if there are `base` before them.
fn nodes(base: u32) -> Vec<Node> {
    vec![
        until(base + 6, node(Tag::Object, 0..33)),
        until(base + 4, named(2..3, node(Tag::Array, 6..14))),
        node(Tag::Integer, 7..8),
        node(Tag::String, 11..12),
        until(base + 6, named(17..18, node(Tag::Object, 21..32))),
        named(23..24, node(Tag::Null, 27..31)),
    ]
}

/// The nodes of [`LINES`].
fn lines() -> Vec<Node> {
    vec![
        until(4, node(Tag::Array, 0..34)),
        until(4, node(Tag::Object, 4..32)),
        named(11..12, node(Tag::Integer, 15..16)),
        named(23..24, node(Tag::Integer, 27..28)),
    ]
}

fn value<'a>(text: &'a str, nodes: &'a [Node]) -> Value<'a> {
    Value {
        text,
        nodes,
        base: 0,
        start: 0,
        parents: Value::parents(nodes, 0),
        repairs: &[],
    }
}

#[test]
fn parents_are_the_containers_around() {
    for base in [0, 10] {
        assert_eq!(
            Value::parents(&nodes(base), base as usize),
            [OUTSIDE, 0, 1, 1, 0, 4]
        );
    }
    assert_eq!(
        Value::parents(&lines()[..1], 0),
        [OUTSIDE],
        "an open container"
    );
    let row = [node(Tag::Integer, 0..1), node(Tag::Integer, 2..3)];
    assert_eq!(Value::parents(&row, 0), [OUTSIDE, OUTSIDE]);
}

#[test]
fn places_are_those_of_names_and_quotes() {
    let nodes = nodes(0);
    let value = value(TEXT, &nodes);
    let places = [0, 1, 7, 10, 16, 22].map(Some);
    assert_eq!([0, 1, 2, 3, 4, 5].map(|index| value.place(index)), places);
}

#[test]
fn places_are_told_by_their_usual_form() {
    let object = until(2, node(Tag::Object, 0..9));
    let list = until(2, node(Tag::Array, 0..9));
    for (text, outer, inner, expected) in [
        (
            "{a: 1}",
            object,
            named(1..2, node(Tag::Integer, 4..5)),
            Some(1),
        ),
        (
            "{'a': 1}",
            object,
            named(2..3, node(Tag::Integer, 6..7)),
            Some(1),
        ),
        (
            "{\"a\": 1}",
            object,
            flagged(flag::KEY_SIDE, named(2..3, node(Tag::Integer, 6..7))),
            None,
        ),
        ("['a']", list, node(Tag::String, 2..3), Some(1)),
        ("[ a]", list, node(Tag::String, 2..3), Some(2)),
        (
            "[\"a\"]",
            list,
            flagged(flag::SIDE, node(Tag::String, 2..3)),
            None,
        ),
        (
            "[1]",
            list,
            flagged(flag::SIDE, node(Tag::Integer, 1..2)),
            None,
        ),
        ("[(1)]", list, node(Tag::Array, 1..4), None),
        ("[a: 1]", list, node(Tag::Object, 1..5), None),
        ("[{}]", list, node(Tag::Object, 1..3), Some(1)),
    ] {
        let nodes = [outer, inner];
        assert_eq!(value(text, &nodes).place(1), expected, "{text}");
    }
    assert_eq!(value("a", &[node(Tag::String, 0..1)]).place(0), Some(0));
    assert_eq!(value("a", &[node(Tag::Object, 9..9)]).place(0), None);
}

#[test]
fn stretches_begin_where_json_has_a_node() {
    let nodes = nodes(0);
    let whole = value(TEXT, &nodes);
    let places = [None, Some(1), Some(7), Some(10), Some(16), Some(22)];
    assert_eq!([0, 1, 2, 3, 4, 5].map(|index| whole.begins(index)), places);
    for (text, tag, expected) in [
        ("[1, 2]", Tag::Array, Some(4)),
        ("[1  2]", Tag::Array, None),
        ("(1, 2)", Tag::Array, None),
        ("{1, 2}", Tag::Array, None),
        ("[1, 2]", Tag::Object, None),
        ("[1,", Tag::Array, None),
    ] {
        let last = match text.len() {
            6 => node(Tag::Integer, 4..5),
            // It was put aside.
            _ => flagged(flag::SIDE, node(Tag::String, 0..0)),
        };
        let nodes = [until(3, node(tag, 0..6)), node(Tag::Integer, 1..2), last];
        let nodes = if tag == Tag::Object {
            nodes.map(|node| named(node.start..node.end, node))
        } else {
            nodes
        };
        assert_eq!(value(text, &nodes).begins(2), expected, "{text} {tag:?}");
    }
    // All brackets around are looked at.
    let nodes = [
        until(3, node(Tag::Array, 0..6)),
        until(3, node(Tag::Array, 1..5)),
        node(Tag::Integer, 2..3),
    ];
    assert_eq!(value("[[1]]", &nodes).begins(2), Some(2));
    assert_eq!(value("([1])", &nodes).begins(2), None);
}

#[test]
fn depths_are_counted() {
    let nodes = nodes(0);
    let value = value(TEXT, &nodes);
    let depths = [0, 1, 2, 2, 1, 2];
    assert_eq!([0, 1, 2, 3, 4, 5].map(|index| value.depth(index)), depths);
}

const fn frame(parent: u32, kind: Kind, open: u32, column: i32, indent: i32) -> SearchContainer {
    SearchContainer {
        parent,
        kind,
        closer: kind.usual_closer(),
        open,
        column,
        indent,
    }
}

const ROOT: SearchContainer = frame(0, Kind::Root, 0, -1, -1);

#[test]
fn frames_tell_columns_and_indents() {
    let nodes = lines();
    let value = value(LINES, &nodes);
    let text = Text::new(LINES, None);
    assert_eq!(value.frames(&text, 0), [ROOT]);
    // The column is that of the first child, if it stands before the node.
    let list = frame(0, Kind::Array, 0, -1, 0);
    assert_eq!(value.frames(&text, 1), [ROOT, list]);
    let list = frame(0, Kind::Array, 0, 2, 0);
    let object = frame(1, Kind::Object, 4, -1, 2);
    assert_eq!(value.frames(&text, 2), [ROOT, list, object]);
    let object = frame(1, Kind::Object, 4, 4, 2);
    assert_eq!(value.frames(&text, 3), [ROOT, list, object]);
}

fn reading(at: u32, frame: u32, want: Want) -> Reading {
    Reading {
        at,
        cost: 0,
        frame,
        trail: 0,
        want,
        ragged: 0,
        made: 0,
        open: None,
        value: 0,
        margin: 1000,
        met_margin: 1000,
    }
}

#[test]
fn readings_agree_if_the_same_containers_are_open() {
    let nodes = lines();
    let value = value(LINES, &nodes);
    let frames = value.frames(&Text::new(LINES, None), 3);
    let mut search = Search::new(Text::new(LINES, None), 0, frames);
    let agree = |search: &Search<'_>| {
        [0, 1, 2].map(|frame| {
            let reading = reading(0, frame, Want::Value);
            [0, 1, 2, 3].map(|index| value.agrees(search, &reading, index))
        })
    };
    let expected = [
        [true, false, false, false],
        [false, true, false, false],
        [false, false, true, true],
    ];
    assert_eq!(agree(&search), expected);
    search.frames[2].kind = Kind::Array;
    assert_eq!(agree(&search)[2], [false; 4]);
    search.frames[2].kind = Kind::Implicit;
    assert_eq!(agree(&search), expected);
    search.frames[2].open = 5;
    assert_eq!(agree(&search)[2], [false; 4]);
}

#[test]
fn nodes_are_the_events_of_a_search() {
    let nodes = nodes(0);
    let whole = value(TEXT, &nodes);
    let all = [
        (0, 0, 0),
        (3, 2, 3),
        (1, 0, 0),
        (4, 7, 8),
        (4, 11, 12),
        CLOSE,
        (3, 17, 18),
        (0, 0, 0),
        (3, 23, 24),
        (4, 27, 31),
        CLOSE,
        CLOSE,
    ];
    assert_eq!(whole.events(0..6), all);
    assert_eq!(whole.events(3..5), all[4..8]);
    assert_eq!(whole.events(2..4), all[3..6]);
    assert_eq!(whole.events(6..6), []);
    let numbered = self::nodes(10);
    let moved = Value {
        base: 10,
        parents: Value::parents(&numbered, 10),
        ..value(TEXT, &numbered)
    };
    assert_eq!(moved.events(0..6), all);
    // What was put aside has no place, and neither has what is missing.
    let nodes = [
        until(4, node(Tag::Object, 0..9)),
        flagged(flag::KEY_SIDE, named(0..1, node(Tag::Integer, 3..4))),
        flagged(flag::SIDE, named(5..6, node(Tag::String, 0..1))),
        named(7..8, node(Tag::Null, 9..9)),
    ];
    let expected = [
        (0, 0, 0),
        (3, 0, ANYWHERE),
        (4, 3, 4),
        (3, 5, 6),
        (4, 0, ANYWHERE),
        (3, 7, 8),
        (6, 0, 0),
        CLOSE,
    ];
    assert_eq!(value("", &nodes).events(0..4), expected);
}

#[test]
fn text_behind_a_value_may_go_on_with_it() {
    let goes_on = |text: &str, nodes: usize, spent: usize| {
        ask(text, |look| {
            look.charge(spent);
            let end = text.find('}').expect("a brace") + 1;
            let before = Checkpoint {
                nodes,
                ..Checkpoint::default()
            };
            look.goes_on_behind(end, &before)
        })
    };
    for (text, expected) in [
        ("{\"a\": 1}, \"b\": 2}", true),
        ("{\"a\": 1}\n, \"b\": 2}", true),
        ("{\"a\": 1} {\"b\": 2}]", true),
        ("{\"a\": 1} [2]]", true),
        // The next of several values.
        ("{\"a\": 1}{\"b\": 2}]", false),
        ("{\"a\": 1} \n{\"b\": 2}]", false),
        ("{\"a\": 1}[2]]", false),
        ("{\"a\": 1} is it", false),
        ("{\"a\": 1}", false),
        ("{\"a\": 1} ", false),
    ] {
        assert_eq!(goes_on(text, 0, 0), expected, "{text:?}");
        assert!(!goes_on(text, 1, 0), "{text:?}");
        assert!(!goes_on(text, 0, 1 << 30), "{text:?}");
    }
}

/// A list of thirty items of ten bytes each, and its nodes.
fn items(separator: &str) -> (String, Vec<Node>) {
    let text = format!("[{}]", format!("\"abcdef\"{separator}").repeat(30));
    let mut nodes = vec![until(31, node(Tag::Array, 0..text.len()))];
    nodes.extend((0..30).map(|i| node(Tag::String, 10 * i + 2..10 * i + 8)));
    (text, nodes)
}

#[test]
fn a_stretch_begins_one_member_before_a_doubt() {
    let (text, nodes) = items(", ");
    let entry = |start: usize, doubt: usize, from: usize| {
        ask(&text, |look| {
            let value = Value {
                start,
                ..value(&text, &nodes)
            };
            look.entry(&value, doubt, from)
        })
    };
    // The root is close.
    assert_eq!(entry(0, 4, 0), Some((0, 0)));
    assert_eq!(entry(0, FROM_START, 0), Some((0, 0)));
    assert_eq!(entry(1, FROM_START + 1, 0), Some((0, 1)));
    assert_eq!(entry(9, 4, 0), Some((0, 9)));
    // The item in which the doubt is begins at 121.
    assert_eq!(entry(0, FROM_START + 1, 0), Some((12, 111)));
    assert_eq!(entry(0, 132, 0), Some((13, 121)));
    assert_eq!(entry(0, 131, 0), Some((12, 111)));
    assert_eq!(entry(0, 999, 0), Some((29, 281)));
    // Not before a node.
    assert_eq!(entry(0, 50, 1), Some((4, 31)));
    assert_eq!(entry(0, 129, 13), Some((13, 121)));
    assert_eq!(entry(0, 129, 14), None);
    let (spent, tired) = ask(&text, |look| {
        let value = value(&text, &nodes);
        look.entry(&value, 129, 0);
        let spent = look.work.get().spent();
        look.charge(1 << 30);
        (spent, look.entry(&value, 129, 0))
    });
    assert_eq!((spent, tired), (4, None));
}

#[test]
fn a_stretch_begins_with_the_root_if_no_member_is_whole() {
    let (text, mut nodes) = items("  ");
    let entry = |nodes: &[Node], from: usize| {
        ask(&text, |look| look.entry(&value(&text, nodes), 200, from))
    };
    // The first item stands behind the bracket.
    assert_eq!(entry(&nodes, 0), Some((1, 1)));
    nodes[1].flags = flag::SIDE;
    assert_eq!(entry(&nodes, 0), Some((0, 0)));
    assert_eq!(entry(&nodes, 2), None);
}

#[test]
fn readings_of_the_search_and_the_reader_are_compared() {
    let event = [(0, 0, 0), (4, 1, 2), CLOSE];
    for (node, expected) in [
        (&[(0, 0, 0), (4, 1, 2), CLOSE][..], true),
        (&[(0, 0, 0), (4, 0, ANYWHERE), CLOSE], true),
        (&[(0, 0, 0), (3, 0, ANYWHERE), CLOSE], false),
        (&[(0, 0, 0), (4, 1, 3), CLOSE], false),
        (&[(0, 0, 0), (4, 1, 2)], false),
        (&[(0, 0, 0), (4, 1, 2), CLOSE, CLOSE], false),
        (&[], false),
    ] {
        assert_eq!(agree(&event, node), expected, "{node:?}");
    }
}

#[test]
fn the_deepest_place_of_a_path_is_found() {
    use Event::{Array, Close, Null, Object};
    for (path, expected) in [
        (&[][..], 0),
        (&[Null(0)], 0),
        (&[Object(0)], 1),
        (
            &[
                Array(0),
                Object(1),
                Close(2, false),
                Array(3),
                Close(4, false),
            ],
            2,
        ),
        (&[Array(0), Array(1), Object(2), Null(3)], 3),
        (&[Close(0, false), Object(1)], 0),
        (&[Close(0, false), Object(1), Array(2)], 1),
    ] {
        assert_eq!(deepest(path), expected, "{path:?}");
    }
}

/// Runs a search that begins with the value: the node that it meets, and its place.
fn run_from_start(
    text: &str,
    nodes: &[Node],
    doubtful: &[(usize, usize)],
) -> Option<(usize, usize)> {
    let value = value(text, nodes);
    let mut search = Search::new(Text::new(text, None), 1 << 20, vec![ROOT]);
    search.live.push(reading(0, 0, Want::Value));
    let doubtful: Vec<_> = doubtful.iter().map(|&(start, end)| start..end).collect();
    run(&mut search, &value, &doubtful, 0).map(|(_, index, at)| (index, at))
}

#[test]
fn a_search_runs_until_it_meets_a_node() {
    let nodes = nodes(0);
    let run = |doubtful: &[(usize, usize)]| run_from_start(TEXT, &nodes, doubtful);
    for (doubtful, met) in [
        (&[(0, 1)][..], Some((3, 10))),
        (&[(1, 9)], Some((3, 10))),
        // The comma ends at 9.
        (&[(1, 10)], Some((4, 16))),
        // Doubts close behind belong to the stretch.
        (&[(1, 2), (8, 12)], Some((4, 16))),
        (&[(1, 2), (8, 12), (13, 17)], None),
        (&[(30, 31)], None),
    ] {
        assert_eq!(run(doubtful), met, "{doubtful:?}");
    }
    let (text, nodes) = items(", ");
    let run = |doubtful: &[(usize, usize)]| run_from_start(&text, &nodes, doubtful);
    let far = 11 + CLOSE_BY;
    assert_eq!(run(&[(1, 2), (5, 270)]), Some((28, 271)));
    assert_eq!(run(&[(1, 2), (far, 275)]), Some((2, 11)));
    assert_eq!(run(&[(1, 2), (far - 1, 275)]), Some((29, 281)));
}

#[test]
fn a_path_holds_the_events_of_a_reading() {
    let mut search = Search::new(Text::new("", None), 0, vec![ROOT]);
    let first = search.with(reading(0, 0, Want::Value), Event::Array(0));
    let other = search.with(first, Event::Null(1));
    let second = search.with(first, Event::Object(2));
    let place = StringPlace {
        begin: 0,
        start: 1,
        end: 2,
        next: 3,
    };
    let third = search.with(second, Event::Text(place, Quote::Double, 0));
    let events = [
        Event::Array(0),
        Event::Object(2),
        Event::Text(place, Quote::Double, 0),
    ];
    assert_eq!(path(&search, &third), events);
    assert_eq!(path(&search, &other), [Event::Array(0), Event::Null(1)]);
    assert_eq!(path(&search, &reading(0, 0, Want::Value)), []);
}
