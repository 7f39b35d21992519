//! Types of values that are still coming, and streams of pieces.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Debug;
use std::net::IpAddr;
use std::ops::ControlFlow;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use futures_core::Stream as Source;
use llmjson::stream::{Items, Stream};
use llmjson::typed::{self, Error, Partial};
use llmjson::{DeserializeExt, Schema};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema, Partial)]
#[partial(derive(Clone, Debug, PartialEq))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Trip {
    /// The city in which it begins.
    pub(crate) home_town: String,
    #[serde(rename = "length", alias = "duration")]
    #[schemars(extend("x-aliases" = ["duration"]))]
    days: u8,
    r#type: Option<Kind>,
    stops: Vec<Stop>,
    notes: BTreeMap<String, Vec<Note>>,
    #[serde(default = "one")]
    travellers: u8,
    #[serde(skip)]
    cached: u64,
    #[partial(whole)]
    #[schemars(with = "String")]
    address: Option<IpAddr>,
    #[serde(with = "hex")]
    #[schemars(with = "String")]
    color: u32,
    #[serde(deserialize_with = "hex::maybe", default)]
    #[schemars(with = "Option<String>")]
    shade: Option<u32>,
    back: Box<Option<Stop>>,
}

fn one() -> u8 {
    1
}

mod hex {
    use serde::de::{Deserialize, Deserializer, Error};

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(value: D) -> Result<u32, D::Error> {
        u32::from_str_radix(&String::deserialize(value)?, 16).map_err(D::Error::custom)
    }

    pub(super) fn maybe<'de, D: Deserializer<'de>>(value: D) -> Result<Option<u32>, D::Error> {
        deserialize(value).map(Some)
    }
}

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema, Partial)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Easy,
    Hard,
}

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema, Partial)]
#[partial(derive(Clone, Debug, PartialEq))]
pub(crate) struct Stop {
    name: Name,
    nights: Option<f64>,
    #[serde(flatten)]
    place: Place,
}

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema, Partial)]
struct Name(String);

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema, Partial)]
#[partial(derive(Clone, Debug, PartialEq))]
struct Place {
    street: Option<String>,
    number: Option<u16>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema, Partial)]
#[partial(derive(Clone, Debug, PartialEq))]
#[serde(tag = "is", rename_all = "snake_case")]
enum Note {
    Text { content: String, by: Option<String> },
    Rating { stars: u8 },
    Nothing,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema, Partial)]
#[partial(derive(Debug, PartialEq))]
struct Page<T> {
    items: Vec<T>,
    next: Option<Box<Page<T>>>,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema, Partial)]
#[partial(derive(Debug, PartialEq))]
enum Answer {
    Yes,
    Because(Reason),
    Both { reasons: Vec<Reason> },
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema, Partial)]
#[partial(derive(Debug, PartialEq))]
#[serde(transparent)]
struct Reason {
    text: String,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema, Partial)]
#[serde(untagged)]
enum Either {
    Number(u8),
    Text(String),
}

const TRIP: &str = "Gladly! Here:\n```json\n{homeTown: 'Malmö 🚂', \"duration\": \"12\", \"type\": \"Easy\", \"stops\": \
    [{\"name\": \"Härnösand\", \"nights\": 2.5, \"street\": \"Å\", \"number\": 7}, {name: 'Kiruna'}], \"notes\": {\"a\": \
    [{\"is\": \"text\", \"content\": \"ö\"}, {\"is\": \"rating\", \"stars\": 5}, {\"is\": \"nothing\"}]}, \"address\": \
    \"127.0.0.1\", \"color\": \"ff00\", \"shade\": \"a\", \"back\": {\"name\": \"Ånge\"}}\n```\nHave fun!";

/// Pieces that come one at a time, after a while each, and may end with an error.
struct Pieces(VecDeque<Result<Vec<u8>, String>>, bool);

impl Pieces {
    fn of<'t>(pieces: impl IntoIterator<Item = &'t [u8]>) -> Self {
        let pieces = pieces.into_iter().map(|piece| Ok(piece.to_vec()));
        Self(pieces.collect(), false)
    }

    fn then_fails(mut self) -> Self {
        self.0.push_back(Err("the line is dead".to_owned()));
        self
    }
}

impl Source for Pieces {
    type Item = Result<Vec<u8>, String>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.1 = !self.1;
        if self.1 {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(self.0.pop_front())
    }
}

fn all<S: Source + Send>(source: S) -> Vec<S::Item> {
    let (mut source, mut all) = (pin!(source), Vec::new());
    let mut context = Context::from_waker(Waker::noop());
    loop {
        match source.as_mut().poll_next(&mut context) {
            Poll::Pending => {}
            Poll::Ready(Some(item)) => all.push(item),
            Poll::Ready(None) => break,
        }
    }
    assert!(matches!(
        source.as_mut().poll_next(&mut context),
        Poll::Ready(None)
    ));
    all
}

/// Returns the pieces of a text that is cut at every byte, and in two at each byte.
fn cuts(text: &str) -> Vec<Vec<&[u8]>> {
    let bytes = text.as_bytes();
    let two = (1..bytes.len()).map(|at| vec![&bytes[..at], &bytes[at..]]);
    let chunks = [1, 2, 3, 7].map(|size| bytes.chunks(size).collect());
    chunks.into_iter().chain(two).collect()
}

fn steps<T: Partial + typed_like::Typed>(pieces: Pieces) -> Vec<Step<T>>
where
    T::Type: Send,
{
    all(typed::Stream::<T>::new().expect("a schema").follow(pieces))
}

/// What is yielded of a stream.
type Step<T> = Result<ControlFlow<T, <T as Partial>::Type>, Error>;

/// What `typed::Stream` asks of a type.
mod typed_like {
    pub(super) trait Typed:
        serde::de::DeserializeOwned + schemars::JsonSchema + Send + 'static
    {
    }

    impl<T: serde::de::DeserializeOwned + schemars::JsonSchema + Send + 'static> Typed for T {}
}

#[test]
fn partial_types_grow_and_end_as_the_whole() {
    let whole: Trip = typed::from_str(TRIP).expect("it conforms");
    assert_eq!((whole.days, whole.travellers, whole.color), (12, 1, 0xff00));
    let mut last = None;
    for pieces in cuts(TRIP) {
        let mut steps = steps::<Trip>(Pieces::of(pieces));
        let end = steps.pop().expect("the end").expect("it conforms");
        assert_eq!(end, ControlFlow::Break(whole.clone()));
        let mut before = PartialTrip::default();
        for step in steps {
            let ControlFlow::Continue(now) = step.expect("it is read") else {
                panic!("the end comes once");
            };
            let grew = |was: &Option<String>, is: &Option<String>| match (was, is) {
                (Some(was), Some(is)) => is.starts_with(was),
                (was, _) => was.is_none(),
            };
            assert!(grew(&before.home_town, &now.home_town), "{now:?}");
            assert!(before.days.is_none() || before.days == now.days);
            let count = |trip: &PartialTrip| trip.stops.as_ref().map_or(0, Vec::len);
            assert!(count(&before) <= count(&now), "{now:?}");
            assert!(
                before.notes.is_none() || now.notes.is_some(),
                "{before:?} {now:?}"
            );
            before = now;
        }
        if let Some(last) = last.replace(before.clone()) {
            assert_eq!(last, before);
        }
    }
    let last = last.expect("it was shown");
    assert_eq!(last.home_town.as_deref(), Some("Malmö 🚂"));
    let address = Some(IpAddr::from([127, 0, 0, 1]));
    assert_eq!(
        (last.days, last.r#type, last.travellers),
        (Some(12), Some(Kind::Easy), None)
    );
    assert_eq!(
        (last.address, last.color, last.shade),
        (address, Some(0xff00), Some(10))
    );
    let kiruna = PartialStop {
        name: Some("Kiruna".to_owned()),
        nights: None,
        place: PartialPlace::default(),
    };
    let stops = last.stops.expect("two");
    assert_eq!((stops[0].place.number, &stops[1]), (Some(7), &kiruna));
    assert_eq!(
        last.back.expect("it is there").map(|stop| stop.name),
        Some(Some("Ånge".to_owned()))
    );
}

fn partial<T: Partial + typed_like::Typed>(text: &str) -> T::Type {
    let mut stream = typed::Stream::<T>::new().expect("a schema");
    stream.push(text);
    stream.partial().expect("it has begun").expect("it is read")
}

#[test]
fn unions_generics_and_wrappers_have_partial_types() {
    let notes = partial::<Vec<Note>>(r#"[{"is": "text", "content": "a b"#);
    let content = Some("a b".to_owned());
    assert_eq!(notes, [PartialNote::Text { content, by: None }]);

    let page = partial::<Page<Note>>(
        r#"{"items": [{"is": "nothing"}], "next": {"items": [{"is": "text", "content": "c"#,
    );
    assert_eq!(page.items, Some(vec![PartialNote::Nothing]));
    let next = page.next.expect("it has begun");
    let content = Some("c".to_owned());
    assert_eq!(
        next.items,
        Some(vec![PartialNote::Text { content, by: None }])
    );

    // Streams hold back unions without a tag in the object; documents show what is there.
    let answer = |text| -> PartialAnswer {
        let document = llmjson::syntax::parse(text);
        document.deserialize().expect("it is read")
    };
    assert_eq!(
        answer(r#"{"Because": "I ca"#),
        PartialAnswer::Because("I ca".to_owned())
    );
    assert_eq!(answer("'Yes'"), PartialAnswer::Yes);
    assert_eq!(typed::from_str::<Answer>("yes").ok(), Some(Answer::Yes));
    let reasons = Some(vec!["a".to_owned(), "b".to_owned()]);
    assert_eq!(
        answer(r#"{"Both": {"reasons": ["a", "b"#),
        PartialAnswer::Both { reasons }
    );
    assert_eq!(
        partial::<Vec<Either>>(r#"["a", 3, "b"#)[..2],
        [Either::Text("a".to_owned()), Either::Number(3)]
    );

    // What cannot be read is missing, and the verdict comes at the end.
    let mut stream = typed::Stream::<Stop>::new().expect("a schema");
    stream.push(r#"{"name": "a", "nights": "many", "number": 3}"#);
    let stop: PartialStop = stream.partial().expect("it has begun").expect("it is read");
    assert_eq!(
        (stop.name.as_deref(), stop.nights, stop.place.number),
        (Some("a"), None, Some(3))
    );
    assert!(stream.finish().is_err());
    // From other sources as well.
    let stop: PartialStop =
        serde_json::from_str(r#"{"name": null, "street": "b"}"#).expect("it is read");
    assert_eq!((stop.name, stop.place.street.as_deref()), (None, Some("b")));
}

#[test]
fn nothing_is_lost_and_errors_pass() {
    let show = |stream: &mut Stream| stream.value().map(|value| value.to_json());
    let schema = typed::schema::<Trip>().expect("a schema");
    let whole = llmjson::parse(TRIP, Some(&schema)).to_json();
    for pieces in cuts(TRIP) {
        let mut steps = all(Stream::new(Some(&schema)).follow(Pieces::of(pieces), show));
        let Some(Ok(ControlFlow::Break(end))) = steps.pop() else {
            panic!("no end");
        };
        assert_eq!(end.parsed.to_json(), whole);
        assert!(!end.superseded);
        assert!(
            steps
                .iter()
                .all(|step| matches!(step, Ok(ControlFlow::Continue(_))))
        );
    }
    // What had come was shown, then the error, then nothing.
    let source = || Pieces::of([&b"[1, 2, "[..]]).then_fails();
    let steps = all(Stream::new(None).follow(source(), show));
    let [Ok(ControlFlow::Continue(json)), Err(error)] = &steps[..] else {
        panic!("{} steps", steps.len());
    };
    assert_eq!(
        (&**json, &*error.to_string()),
        ("[1,2]", "the line is dead")
    );
    let steps = steps_of_list(source());
    assert!(
        matches!(&steps[..], [Ok(ControlFlow::Continue(list)), Err(Error::Source(_))] if *list == [1, 2])
    );
    let steps = all(typed::Stream::<Vec<u8>>::new()
        .unwrap()
        .follow_items(source()));
    assert!(matches!(
        &steps[..],
        [
            Ok(ControlFlow::Continue(1)),
            Ok(ControlFlow::Continue(2)),
            Err(Error::Source(_))
        ]
    ));
    let bad = Pieces::of([&b"[1, "[..], b"\"\xff\"]"]);
    assert!(matches!(
        steps_of_list(bad).last(),
        Some(Err(Error::Source(_)))
    ));
    // Half a character at the end is none.
    let half = Pieces::of([&b"[\"a\xc3"[..]]);
    let steps = all(Stream::new(None).follow(half, show));
    assert!(
        matches!(&steps[1], Ok(ControlFlow::Break(end)) if end.parsed.to_json().as_deref() == Some(r#"["a"]"#))
    );
    // Nothing at all.
    assert!(matches!(
        &steps_of_list(Pieces::of([]))[..],
        [Err(Error::Failure(_))]
    ));
}

fn steps_of_list(source: Pieces) -> Vec<Step<Vec<u8>>> {
    all(typed::Stream::<Vec<u8>>::new()
        .expect("a schema")
        .follow(source))
}

#[test]
fn items_come_when_they_are_whole() {
    let text =
        r#"Here: [{"name": "ä"}, {"name": 3}, {"nights": 1}, {"name": "ö", "nights": "2"}] Fine?"#;
    let list = Schema::from_text(r#"{"type": "array", "items": {"type": "object"}}"#).unwrap();
    let item = typed::schema::<Stop>().expect("a schema");
    for pieces in cuts(text) {
        let stream = typed::Stream::<Vec<Stop>>::new().expect("a schema");
        let steps = all(stream.follow_items(Pieces::of(pieces.clone())));
        let names: Vec<_> = (steps.iter())
            .map(|step| match step {
                Ok(ControlFlow::Continue(stop)) => stop.name.0.as_str(),
                Ok(ControlFlow::Break(_)) => "the end",
                Err(_) => "an error",
            })
            .collect();
        assert_eq!(names, ["ä", "3", "an error", "ö", "an error"]);

        let mut steps = all(Items::new(Some(&list), Some(&item)).follow(Pieces::of(pieces)));
        let Some(Ok(ControlFlow::Break(end))) = steps.pop() else {
            panic!("no end");
        };
        assert!(end.parsed.conforms());
        let conform = steps.iter().map(|step| match step {
            Ok(ControlFlow::Continue(item)) => item.parsed.conforms(),
            _ => panic!("an item"),
        });
        assert_eq!(conform.collect::<Vec<_>>(), [true, true, false, true]);
    }
}

#[test]
fn iterators_end_with_the_whole() {
    let steps = |pieces: &[&str]| -> Vec<Step<Stop>> {
        let stream = typed::Stream::<Stop>::new().expect("a schema");
        stream.over(pieces).collect()
    };
    let good = steps(&["{\"name\": \"a", "b\"", "}"]);
    assert!(
        matches!(&good[..], [Ok(ControlFlow::Continue(_)), Ok(ControlFlow::Continue(_)), Ok(ControlFlow::Break(stop))] if stop.name.0 == "ab")
    );
    let bad = steps(&["{\"nights\": 1"]);
    assert!(matches!(bad.last(), Some(Err(Error::Failure(_)))));
    // A document is read into it as well.
    let document = llmjson::syntax::parse("{name: 'a', nights: 1");
    let stop: PartialStop = document.deserialize().expect("it is read");
    assert_eq!(stop.nights, Some(1.0));
}
