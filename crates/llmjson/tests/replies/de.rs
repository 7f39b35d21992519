//! Reading into Rust types.

use llmjson_testutil::table::{lines, rows_of};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

use llmjson::{DeserializeExt, Error, ErrorKind, from_str};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};

/// The rows of the tests.
const FILE: &str = include_str!("de.txt");

#[derive(Debug, PartialEq, Deserialize)]
struct Room {
    name: String,
    beds: u8,
    #[serde(default)]
    view: Option<bool>,
    #[serde(rename = "pricePerNight")]
    price: Option<f64>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Point(i32, i32);

#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Color {
    Red,
    Blue,
}

#[derive(Debug, PartialEq, Deserialize)]
enum Shape {
    Empty,
    Dot(Point),
    Line(Point, Point),
    Circle { center: Point, radius: u32 },
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(tag = "kind")]
enum Event {
    Start { at: u64 },
    Stop { at: u64, reason: String },
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(untagged)]
enum Loose {
    Number(f64),
    Text(String),
    List(Vec<Loose>),
}

#[derive(Debug, PartialEq, Deserialize)]
struct Flat {
    id: u32,
    #[serde(flatten)]
    rest: BTreeMap<String, serde_json::Value>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Closed {
    a: u8,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Unit;

/// What `serde_json` accepts comes out as the same value, and what it refuses is refused; by way of
/// a document, too, and where a comma too many does not let `serde_json` read it.
fn agree<T: DeserializeOwned + PartialEq + Debug>(texts: &[&str]) {
    for text in texts {
        let wanted = serde_json::from_str::<T>(text);
        let document = llmjson_syntax::parse(text);
        let damaged = format!("{text},");
        assert!(serde_json::from_str::<T>(&damaged).is_err());
        for got in [
            from_str::<T>(text),
            document.deserialize(),
            from_str(&damaged),
        ] {
            match (&wanted, &got) {
                (Ok(wanted), Ok(got)) => assert_eq!(got, wanted, "{text}"),
                (Err(_), Err(_)) => {}
                _ => panic!("{text}: serde_json {wanted:?}, here {got:?}"),
            }
        }
    }
}

#[test]
fn valid_json_is_read_as_serde_json_reads_it() {
    agree::<Room>(&[
        r#"{"name":"Blue","beds":2}"#,
        r#"{"beds":2,"name":"Bl\u00fce\n","view":null,"pricePerNight":120,"extra":[[{"a":1}]]}"#,
        r#"["Blue",2,true,1e2]"#,
        r#"["Blue"]"#,
        r#"["Blue",2,true,1e2,5]"#,
        r#"{"name":"Blue"}"#,
        r#"{"name":"Blue","beds":256}"#,
        r#"{"name":"Blue","beds":-1}"#,
        r#"{"name":"Blue","beds":"2"}"#,
        r#"{"name":null,"beds":2}"#,
        "[]",
        "null",
    ]);
    agree::<Shape>(&[
        r#""Empty""#,
        r#"{"Empty":null}"#,
        r#"{"Empty":1}"#,
        r#"{"Dot":[1,2]}"#,
        r#"{"Line":[[1,2],[3,4]]}"#,
        r#"{"Line":[[1,2]]}"#,
        r#"{"Circle":{"center":[0,0],"radius":3}}"#,
        r#"{"Circle":[[0,0],3]}"#,
        r#""Dot""#,
        r#"{"Square":1}"#,
        r#"{"Empty":null,"Dot":[1,2]}"#,
        "{}",
        "3",
    ]);
    agree::<Event>(&[
        r#"{"at":5,"kind":"Start"}"#,
        r#"{"kind":"Stop","reason":"done","at":5}"#,
        r#"{"kind":"Pause"}"#,
    ]);
    agree::<Loose>(&[r#"[1,"a",[2.5,[]]]"#, "true", r#"{"a":1}"#]);
    agree::<Flat>(&[r#"{"a":[1,null],"id":7,"b":{"c":1.5}}"#, r#"{"a":1}"#]);
    agree::<Closed>(&[r#"{"a":1}"#, r#"{"a":1,"b":2}"#]);
    agree::<(Unit, (), Option<u8>, Option<()>)>(&["[null,null,null,null]", "[null,null,3,null]"]);
    agree::<(bool, char, i128, u128, f32)>(&[
        r#"[true,"é",-170141183460469231731687303715884105728,340282366920938463463374607431768211455,0.1]"#,
        r#"[true,"ab",1,1,1]"#,
        r#"[1,"a",1,1,1]"#,
        r#"[true,"a",1,-1,1]"#,
        r#"[true,"a",1.5,1,1]"#,
    ]);
    agree::<HashMap<u32, BTreeMap<Color, Option<i8>>>>(&[
        r#"{"1":{"red":1,"blue":null},"20":{}}"#,
        r#"{"x":{}}"#,
        r#"{"01":{}}"#,
        r#"{"+1":{}}"#,
        r#"{"1":{"green":1}}"#,
    ]);
    agree::<BTreeMap<bool, HashMap<Option<String>, String>>>(&[
        r#"{"true":{"a":"b"}}"#,
        r#"{"yes":{}}"#,
    ]);
    agree::<serde_json::Value>(&[
        r#"{"a":[1,-1,1.0,-0,1e3,18446744073709551616,"x"],"b":{},"c":null,"d":[true,false]}"#,
        "[0.1,1e-400,5e-324,123456789012345678901234567890,-9223372036854775808]",
    ]);
    agree::<Vec<u64>>(&["[18446744073709551615]", "[18446744073709551616]", "[-1]"]);
    agree::<Vec<i64>>(&["[-9223372036854775808]", "[9223372036854775808]"]);
}

#[test]
fn whole_numbers_may_have_a_fraction_of_zero() {
    assert_eq!(
        from_str::<Vec<i32>>("[3.0, 3e2, -1.50e1]").expect("whole"),
        [3, 300, -15]
    );
    assert!(from_str::<Vec<i32>>("[3.5]").is_err());
}

#[test]
fn the_last_of_equal_members_counts() {
    let room = from_str::<Room>(r#"{"name":"A","beds":1,"name":"B"}"#).expect("a room");
    assert_eq!(room.name, "B");
}

#[test]
fn damaged_replies_are_read() {
    let reply = "Sure, here you go:\n```json\n{name: 'Blue', \"beds\": 2, // two\n}\n```\nEnjoy!";
    let room = from_str::<Room>(reply).expect("a room");
    assert_eq!((room.name.as_str(), room.beds), ("Blue", 2));
    let document = llmjson_syntax::parse(r#"[{"name":"Blue","beds":2},{"name":"Red","beds":3"#);
    assert!(!document.is_complete());
    assert_eq!(document.deserialize::<Vec<Room>>().expect("rooms").len(), 2);
    let second = document
        .root()
        .and_then(|root| root.item(1))
        .expect("a second room");
    assert_eq!(second.deserialize::<Room>().expect("a room").name, "Red");
}

#[derive(Deserialize)]
struct Borrowing<'a> {
    plain: &'a str,
    #[serde(borrow)]
    escaped: Cow<'a, str>,
    #[serde(borrow)]
    names: HashMap<&'a str, &'a [u8]>,
}

#[test]
fn strings_are_borrowed_from_the_text() {
    let text = String::from(r#"{"plain":"as is","escaped":"a\tb","names":{"key":"value"}}"#);
    let read: Borrowing<'_> = from_str(&text).expect("fits");
    let within = |part: *const u8| text.as_bytes().as_ptr_range().contains(&part);
    assert!(within(read.plain.as_ptr()));
    assert_eq!(read.escaped, "a\tb");
    assert!(
        read.names
            .iter()
            .all(|(key, value)| within(key.as_ptr()) && within(value.as_ptr()))
    );
    assert!(
        from_str::<&str>(r#""a\tb""#).is_err(),
        "what has to be decoded cannot be borrowed"
    );
    let document = llmjson_syntax::parse(&text);
    assert_eq!(
        document.deserialize::<Borrowing<'_>>().expect("fits").plain,
        "as is"
    );
}

#[test]
fn messages_say_what_and_where() {
    for [text, message] in rows_of(FILE, "messages") {
        let error = from_str::<Vec<Room>>(text).expect_err(text);
        assert_eq!(error.to_string(), message);
    }
    let error = |result: Result<IgnoredAny, Error>| result.map(|_| ()).expect_err("no value");
    assert_eq!(error(from_str("  \n")).kind(), ErrorKind::NoValue);
    let error = from_str::<Color>(r#""green""#).expect_err("no such color");
    assert_eq!(error.expected(), Some("`red` or `blue`"));
    assert_eq!(error.found(), Some("string \"green\""));
    assert_eq!(error.span().map(|span| span.range()), Some(1..6));
    let error = from_str::<Closed>(r#"{"a":1,"b":2}"#).expect_err("b is not declared");
    assert_eq!(
        error.to_string(),
        "expected `a`, found member string \"b\" at $input.b, line 1 column 9"
    );
    let error = from_str::<HashMap<String, Shape>>(r#"{"x y":{"Dot":[1,"2"]}}"#).expect_err("text");
    assert_eq!(error.path().to_string(), r#"$input["x y"].Dot[1]"#);
    let error = from_str::<Vec<u8>>("[1,2,3,-1]")
        .map(|_| ())
        .expect_err("negative");
    assert_eq!(error.path().to_string(), "$input[3]");
    let error = from_str::<(u8, u8)>("[1,2,3]").expect_err("too long");
    assert_eq!(error.message(), "expected 2 items, found length 3");
}

#[test]
fn numbers_never_become_infinite() {
    assert!(from_str::<f64>("1e999").is_err());
    assert!(from_str::<f32>("1e300").is_err());
    assert!(from_str::<serde_json::Value>("[-1e999]").is_err());
    assert!(from_str::<Loose>("1e999").is_err());
    assert_eq!(from_str::<f64>("1e-999").ok(), Some(0.0));
}

#[derive(Debug, Deserialize)]
struct Link {
    next: Option<Box<Link>>,
}

#[test]
fn depth_is_limited_and_small_stacks_do() {
    let deep = std::thread::Builder::new().stack_size(2 << 20).spawn(|| {
        let links = |depth: usize| format!("{}{}", r#"{"next":"#.repeat(depth), "}".repeat(depth));
        let lists = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let mut link = from_str::<Link>(&links(128).replace("{}", "{\"next\":null}")).ok();
        let mut length = 0;
        while let Some(this) = link {
            (link, length) = (this.next.map(|next| *next), length + 1);
        }
        assert_eq!(length, 128);
        assert!(from_str::<serde_json::Value>(&lists(128)).is_ok());
        for depth in [129, 500, 512, 513, 100_000] {
            let error = from_str::<serde_json::Value>(&lists(depth)).expect_err("too deep");
            assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
        }
        assert!(
            from_str::<IgnoredAny>(&lists(512)).is_ok(),
            "what is ignored takes no stack"
        );
    });
    deep.expect("a thread").join().expect("no overflow");
}

#[test]
fn truncated_texts_are_read_as_far_as_they_go_where_that_is_allowed() {
    type Lists = Vec<Vec<u8>>;
    let policy = llmjson::Policy::lenient().allow_truncated();
    for text in lines(
        FILE,
        "truncated texts are read as far as they go where that is allowed",
    ) {
        let found = policy.from_str::<Lists>(text).ok();
        assert_eq!(found, Some(vec![vec![1, 2], vec![3]]), "{text}");
        let error = llmjson::from_str::<Lists>(text).expect_err(text);
        assert_eq!(error.kind(), ErrorKind::Refused);
    }
    assert_eq!(
        llmjson::from_str::<Lists>("\n[[1], []] \r\n").ok(),
        Some(vec![vec![1], vec![]])
    );
    assert!(llmjson::from_str::<Lists>("").is_err());
}

#[test]
fn a_document_knows_how_long_its_lists_are() {
    struct Hints(Vec<Option<usize>>);
    impl<'de> Deserialize<'de> for Hints {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct Seen;
            impl<'de> serde::de::Visitor<'de> for Seen {
                type Value = Hints;
                fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str("a list")
                }
                fn visit_seq<A: serde::de::SeqAccess<'de>>(
                    self,
                    mut seq: A,
                ) -> Result<Hints, A::Error> {
                    let mut hints = vec![seq.size_hint()];
                    while seq.next_element::<IgnoredAny>()?.is_some() {
                        hints.push(seq.size_hint());
                    }
                    Ok(Hints(hints))
                }
            }
            deserializer.deserialize_seq(Seen)
        }
    }
    let document = llmjson_syntax::parse("[[1,[2]],{\"a\":{}},3]");
    let Hints(hints) = document.deserialize().expect("a list");
    assert_eq!(hints, [Some(3), Some(2), Some(1), Some(0)]);
}
