//! Laws of every feedback text. Called by tests and by the fuzz targets.

use llmjson_syntax::{ValueRef, write_string};

use crate::base::annotation::Annotation;
use crate::feedback::annotate::{AnnotateOptions, annotate};

/// Checks that the first block of the feedback, without its `undefined` placeholders, reads back as
/// the shown value.
///
/// # Panics
///
/// If the law does not hold.
pub fn first_block_reads_back(root: Option<ValueRef<'_>>, annotations: &[Annotation]) {
    let text = annotate(root, annotations, &unbounded());
    let block = first_block(&text);
    let again = without_placeholders(block);
    let shown = root.map(ValueRef::to_json);
    let fenced = text.replacen(block, &again, 1);
    let first = fenced.split("\n\n**").next().unwrap_or_default();
    for read in [&again, first] {
        let read = llmjson_syntax::parse(read);
        assert_eq!(read.to_json(), shown, "read from {text:?}");
    }
}

/// Checks that each annotation is written exactly once, regardless of its neighbors.
///
/// # Panics
///
/// If the law does not hold. The paths of the annotations have to differ from one another and from
/// every other text in the value and the annotations.
pub fn every_annotation_is_shown_once(root: Option<ValueRef<'_>>, annotations: &[Annotation]) {
    let text = annotate(root, annotations, &unbounded());
    for annotation in annotations {
        let mut path = String::new();
        write_string(&annotation.path.to_string(), &mut path);
        let times = text
            .matches(&format!("\"path\":{path},\"expected\":"))
            .count()
            + text
                .matches(&format!("\"path\": {path},\n    \"expected\": "))
                .count();
        assert_eq!(times, 1, "{path} in {text}");
    }
}

/// Checks that a text with a size limit observes it, and shows or counts every annotation.
///
/// # Panics
///
/// If the law does not hold. No text of the value or the annotations may hold `"path":`.
pub fn size_limit_holds(root: Option<ValueRef<'_>>, annotations: &[Annotation], max_bytes: usize) {
    let options = AnnotateOptions::new().with_max_bytes(max_bytes);
    let text = annotate(root, annotations, &options);
    assert!(
        text.len() <= max_bytes.max(256),
        "{} bytes of {max_bytes}: {text}",
        text.len()
    );
    let shown = text.matches("\"path\":").count();
    let counted = (text
        .rsplit_once("\n\n**")
        .or_else(|| text.rsplit_once("**")))
    .and_then(|(_, end)| end.split_once(" more validation error"))
    .and_then(|(count, _)| count.parse().ok())
    .unwrap_or(0);
    assert_eq!(shown + counted, annotations.len(), "in {text}");
}

fn unbounded() -> AnnotateOptions<'static> {
    AnnotateOptions::new().with_max_bytes(usize::MAX)
}

/// Returns the content of the first fenced block.
fn first_block(text: &str) -> &str {
    let ticks = text.len() - text.trim_start_matches('`').len();
    let (fence, rest) = text.split_at(ticks);
    let body = rest
        .strip_prefix("json\n")
        .expect("the block says what it holds");
    let end = body
        .find(&format!("\n{fence}"))
        .expect("the block is closed");
    &body[..end]
}

/// The block without the lines for missing members.
fn without_placeholders(block: &str) -> String {
    let shown = block.lines().filter(|line| {
        let line = line.trim_start();
        let value = line.strip_prefix('"').and_then(|key| {
            let mut escaped = false;
            let end = key.find(|char| {
                let closes = char == '"' && !escaped;
                escaped = char == '\\' && !escaped;
                closes
            })?;
            key[end + 1..].strip_prefix(": ")
        });
        !value.unwrap_or(line).starts_with("undefined")
    });
    shown.collect::<Vec<_>>().join("\n")
}
