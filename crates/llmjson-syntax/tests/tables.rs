//! The results of the tables in `tests/tables`. `UPDATE_SNAPSHOTS=1` writes those of today.

use std::path::{Path, PathBuf};

use llmjson_syntax::internal::SOURCES;
use llmjson_syntax::laws::sources::made;
use llmjson_syntax::{Stream, laws};
use llmjson_testutil::table::check_results;

fn path(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tables");
    folder.join(name)
}

#[test]
fn sources_make_their_texts() {
    check_results(&path("sources.txt"), 2, |_, row| {
        let (name, reply) = (row[0], row[1]);
        let is_known = SOURCES.iter().any(|source| source.name == name);
        assert!(is_known, "there is no source {name}");
        vec![made(name, reply).unwrap_or_else(|| "∅".to_owned())]
    });
}

#[test]
fn streams_show_values_once_they_are_certain() {
    check_results(&path("streams.txt"), 1, |section, row| {
        let mut text = row[0].to_owned();
        if let Some(length) = section.setting("length") {
            let start = text.find(['{', '[']).expect("a bracket");
            let length: usize = length.parse().expect("a length");
            text += &" ".repeat(start + length - text.len());
        }
        let mut stream = Stream::new();
        stream.push(&text);
        laws::a_stream_grows_into_the_whole(&text, || 1);
        let root = stream.document().root();
        vec![root.map_or("nothing".to_owned(), |root| root.to_json())]
    });
}
