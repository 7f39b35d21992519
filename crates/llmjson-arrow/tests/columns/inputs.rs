//! Columns of all types that hold replies.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use arrow_array::types::{Int8Type, UInt32Type};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, DictionaryArray, LargeBinaryArray,
    LargeStringArray, NullArray, StringArray, StringViewArray,
};
use llmjson::Schema;
use llmjson_arrow::{Error, Options, fields, parse};

use crate::show;

const SCHEMA: &str = r#"{"properties": {"n": {"type": "integer"}}}"#;
const REPLIES: [Option<&str>; 5] = [
    Some("{n: 1}"),
    None,
    Some("{\"n\": \"2\"} and a text that is too long for the view itself"),
    Some("no"),
    Some("{n: 1}"),
];

fn bytes() -> Vec<Option<&'static [u8]>> {
    REPLIES
        .iter()
        .map(|reply| reply.map(str::as_bytes))
        .collect()
}

fn columns() -> Vec<ArrayRef> {
    let texts = || REPLIES.to_vec();
    vec![
        Arc::new(StringArray::from(texts())),
        Arc::new(LargeStringArray::from(texts())),
        Arc::new(StringViewArray::from(texts())),
        Arc::new(BinaryArray::from(bytes())),
        Arc::new(LargeBinaryArray::from(bytes())),
        Arc::new(BinaryViewArray::from(bytes())),
        Arc::new(REPLIES.into_iter().collect::<DictionaryArray<Int8Type>>()),
        Arc::new(REPLIES.into_iter().collect::<DictionaryArray<UInt32Type>>()),
    ]
}

#[test]
fn every_type_of_texts_gives_the_same() {
    let schema = Schema::from_text(SCHEMA).expect("a schema");
    let wanted = parse(&columns()[0], Some(&schema), &Options::default()).expect("rows");
    assert_eq!(
        show::column(&wanted, "value"),
        [r#"{"n":1}"#, "null", r#"{"n":2}"#, "null", r#"{"n":1}"#]
    );
    for column in columns() {
        let rows = parse(&column, Some(&schema), &Options::default()).expect("rows");
        assert_eq!(rows, wanted, "{}", column.data_type());
        assert_eq!(*rows.fields(), fields(Some(&schema), Default::default()));
    }
}

#[test]
fn slices_are_read_from_their_offset() {
    let schema = Schema::from_text(SCHEMA).expect("a schema");
    for column in columns() {
        let all = parse(&column, Some(&schema), &Options::default()).expect("rows");
        for (offset, length) in [(0, 0), (1, 3), (2, 3), (4, 1), (5, 0)] {
            let slice = column.slice(offset, length);
            let rows = parse(&slice, Some(&schema), &Options::default()).expect("rows");
            assert_eq!(rows, all.slice(offset, length), "{}", column.data_type());
        }
    }
}

#[test]
fn nulls_are_rows() {
    let empty = DictionaryArray::<Int8Type>::new(
        vec![None, None].into(),
        Arc::new(StringArray::from(Vec::<&str>::new())),
    );
    for column in [Arc::new(NullArray::new(2)) as ArrayRef, Arc::new(empty)] {
        let rows = parse(&column, None, &Options::default()).expect("rows");
        assert_eq!(show::column(&rows, "ok"), ["false", "false"]);
        assert_eq!(show::column(&rows, "value"), ["null", "null"]);
        assert_eq!(show::column(&rows, "complete"), ["null", "null"]);
        assert_eq!(show::column(&rows, "repairs"), ["[]", "[]"]);
    }
}

#[test]
fn bytes_that_are_not_utf8_are_rows() {
    let schema = Schema::from_text(SCHEMA).expect("a schema");
    // The last one is cut within a character.
    let replies = BinaryArray::from_vec(vec![b"{n: 1}", b"{n: 1, \xFF}", b"{n: 1} Jos\xC3"]);
    let rows = parse(&replies, Some(&schema), &Options::default()).expect("rows");
    assert_eq!(show::column(&rows, "ok"), ["true", "false", "true"]);
    assert_eq!(
        show::column(&rows, "value"),
        [r#"{"n":1}"#, "null", r#"{"n":1}"#]
    );
    assert_eq!(show::column(&rows, "complete")[1], "false");
    let feedback = &show::column(&rows, "feedback")[1];
    assert!(feedback.contains("not UTF-8 at byte 7"), "{feedback}");
}

#[test]
fn other_types_are_an_error() {
    let numbers = arrow_array::Int64Array::from(vec![1]);
    let error = parse(&numbers, None, &Options::default()).expect_err("no texts");
    assert!(matches!(error, Error::NotText(_)));
}

#[test]
fn a_flag_cancels_reading_on_all_threads() {
    let cancel = Arc::new(AtomicBool::new(true));
    let replies = StringArray::from(vec!["{\"a\": [1, 2, 3]}"; 20_000]);
    for threads in [1, 4] {
        let threads = threads.try_into().expect("not zero");
        let options = Options::default().with_threads(threads);
        assert!(parse(&replies, None, &options).is_ok());
        let options = options.with_cancel(Arc::clone(&cancel));
        let error = parse(&replies, None, &options).expect_err("cancelled");
        assert!(matches!(error, Error::Cancelled));
    }
}
