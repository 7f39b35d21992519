//! The paths of annotations as JSON strings. They are written one after another, because the next
//! path usually shares a prefix with the last one, and deep paths are long.

use std::fmt::Write;

use llmjson_syntax::write_string;

use crate::base::path::{Path, Step};

use super::annotation_source::Spot;
use super::paper::Paper;

/// The text of the last path that was written.
#[derive(Default)]
pub(super) struct PlaceText<'r> {
    path: Option<&'r Path>,
    /// The offset at which the text of each step ends.
    ends: Vec<usize>,
    /// The steps, escaped for a JSON string.
    text: String,
}

impl<'r> PlaceText<'r> {
    /// Appends a path as a JSON string.
    pub(super) fn write(&mut self, spot: Spot<'r>, out: &mut Paper) {
        let (path, end) = match spot {
            Spot::Place(path) => (path, "\""),
            Spot::NextItem(path) => (path, "[]\""),
            Spot::Text(text) => return out.push_string(text),
        };
        let common = self.path.map_or(0, |last| path.common(last));
        self.ends.truncate(common);
        self.text.truncate(self.ends.last().copied().unwrap_or(0));
        for step in path.steps_from(common) {
            let start = self.text.len();
            write!(self.text, "{step}").expect("writing to a string does not fail");
            // Only a key in quotes has characters to escape.
            if self.text[start..].contains('"') {
                let mut quoted = String::new();
                write_string(&self.text[start..], &mut quoted);
                self.text.truncate(start);
                self.text.push_str(&quoted[1..quoted.len() - 1]);
            }
            self.ends.push(self.text.len());
        }
        self.path = Some(path);
        for piece in ["\"$input", &self.text, end] {
            out.push_str(piece);
        }
    }
}

/// The minimum lengths of written paths, accumulated in the order of writing.
#[derive(Default)]
pub(super) struct PlaceLength<'r> {
    path: Option<&'r Path>,
    /// The length up to each step.
    lengths: Vec<usize>,
}

impl<'r> PlaceLength<'r> {
    /// The minimum length of a path.
    pub(super) fn least(&mut self, spot: Spot<'r>) -> usize {
        let path = match spot {
            Spot::Place(path) | Spot::NextItem(path) => path,
            Spot::Text(text) => return text.len(),
        };
        let common = self.path.map_or(0, |last| path.common(last));
        self.lengths.truncate(common);
        let mut length = self.lengths.last().copied().unwrap_or(0);
        for step in path.steps_from(common) {
            length += match step {
                Step::Member(name) => 1 + name.len(),
                Step::Index(_) => 3,
            };
            self.lengths.push(length);
        }
        self.path = Some(path);
        "$input".len() + length
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::annotation::AnnotationPath;

    #[test]
    fn places_are_written_as_they_are_shown() {
        let mut places = PlaceText::default();
        let texts = [
            "$input",
            "$input.a.b[0]",
            "$input.a.b[1]",
            r#"$input.a["b\"c"]"#,
            r#"$input.a["b\"c"][]"#,
            "$input.a[]",
            "elsewhere \"[0]\"",
            "$input.a.b",
        ];
        let paths = texts.map(AnnotationPath::parse);
        let mut lengths = PlaceLength::default();
        for (text, path) in texts.iter().zip(&paths) {
            assert!(lengths.least(path.into()) <= text.len(), "{text}");
            let mut out = Paper::new(usize::MAX);
            places.write(path.into(), &mut out);
            let out = out.finish().unwrap_or_default();
            let read: String = serde_json::from_str(&out).expect("a JSON string");
            assert_eq!((read.as_str(), path.to_string().as_str()), (*text, *text));
        }
    }
}
