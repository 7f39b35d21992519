//! The places of remarks as JSON strings. Written one after the other, because the next place
//! mostly shares the beginning of the last one, and places deep down are long.

use llmjson_syntax::write_string;

use crate::path::{Path, Step};

use super::said::Spot;

/// The text of the last place that was written.
#[derive(Default)]
pub(super) struct PlaceText<'r> {
    path: Option<&'r Path>,
    /// Where the text of each step ends.
    ends: Vec<usize>,
    /// The steps with the escapes that they need within a JSON string.
    text: String,
}

impl<'r> PlaceText<'r> {
    /// Appends a place as a JSON string.
    pub(super) fn write(&mut self, spot: Spot<'r>, out: &mut String) {
        let (path, end) = match spot {
            Spot::Place(path) => (path, "\""),
            Spot::NextItem(path) => (path, "[]\""),
            Spot::Text(text) => return write_string(text, out),
        };
        let common = self.path.map_or(0, |last| path.common(last));
        self.ends.truncate(common);
        self.text.truncate(self.ends.last().copied().unwrap_or(0));
        for step in path.steps_from(common) {
            let shown = step.to_string();
            if let Step::Member(_) = step {
                let mut quoted = String::new();
                write_string(&shown, &mut quoted);
                self.text.push_str(&quoted[1..quoted.len() - 1]);
            } else {
                self.text.push_str(&shown);
            }
            self.ends.push(self.text.len());
        }
        self.path = Some(path);
        for piece in ["\"$input", &self.text, end] {
            out.push_str(piece);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::RemarkPath;
    use super::*;

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
        let paths = texts.map(RemarkPath::parse);
        for (text, path) in texts.iter().zip(&paths) {
            let mut out = String::new();
            places.write(path.into(), &mut out);
            let read: String = serde_json::from_str(&out).expect("a JSON string");
            assert_eq!((read.as_str(), path.to_string().as_str()), (*text, *text));
        }
    }
}
