//! Feedback for the model: the parsed value, annotated with its violations.
//!
//! The layout is typia's, because prompts and models are tuned to it. This module decides how much
//! is shown; [`draw`] implements the layout, [`trie`] finds a place's annotations while the value
//! is walked, [`order`] finds where a missing member belongs in the schema, [`place`] writes paths,
//! and [`paper`] stops a writer at the size limit. None of them validates.

mod annotation_source;
mod draw;
mod lines;
mod order;
mod paper;
mod place;
mod trie;

use std::fmt;

use llmjson_syntax::{Kind, Limits, ValueRef};

use crate::base::annotation::{Annotation, AnnotationPath};
use crate::schema::Schema;

pub(crate) use annotation_source::AnnotationSource;
use annotation_source::{Saying, Spot};
use draw::{Detail, Drawing};
use paper::Paper;
use place::{PlaceLength, PlaceText};
use trie::Trie;

/// The minimum size limit in bytes, below which no message fits; smaller limits are raised to it.
const MAX_BYTES_MIN: usize = 256;

/// The default limit.
pub(crate) const FEEDBACK_BYTES: usize = Limits::DEFAULT.feedback_bytes as usize;

/// The fraction of annotations that may be omitted although they would fit.
const SPARED: usize = 128;

/// The number of bytes of an annotation without its strings.
const ANNOTATION_BYTES_MIN: usize = r#"{"path":"","expected":""}"#.len();

impl fmt::Display for AnnotationPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Spot::from(self).fmt(f)
    }
}

/// Options of [`annotate`].
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct AnnotateOptions<'s> {
    /// The schema that orders missing members. Without it they come last, in the order of the
    /// annotations.
    pub schema: Option<&'s Schema>,
    /// The maximum length of the text, in bytes; less than 256 counts as 256. The default is the
    /// [`feedback_bytes`](Limits::feedback_bytes) of [`Limits::DEFAULT`]. If the text does not fit,
    /// unannotated parts are folded step by step: first containers and long strings, then runs of
    /// items, then runs of members. If that is not enough, the first annotations that fit are shown
    /// and the rest are counted. If the value is nested so deep that none fits, the annotations are
    /// listed after it.
    pub max_bytes: Option<usize>,
}

impl<'s> AnnotateOptions<'s> {
    /// Creates options with the default limit and without a schema, so missing members come last.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            schema: None,
            max_bytes: None,
        }
    }

    /// Sets the schema that orders missing members.
    #[must_use]
    pub const fn with_schema(self, schema: &'s Schema) -> Self {
        Self {
            schema: Some(schema),
            ..self
        }
    }

    /// Sets a limit on the length of the text, in bytes.
    #[must_use]
    pub const fn with_max_bytes(self, max_bytes: usize) -> Self {
        Self {
            max_bytes: Some(max_bytes),
            ..self
        }
    }
}

/// Writes a value with annotations at their places, as feedback for a model.
///
/// The value is in a fenced block, with one member or item per line. After a value, or after a
/// container's opening bracket, `// ❌` is followed by a JSON array of its annotations. Missing
/// members appear as `undefined`. Annotations whose place is not in the value follow in a separate
/// block. Each annotation is written exactly once, unless [`max_bytes`](AnnotateOptions::max_bytes)
/// is too small; the omitted ones are then counted.
///
/// Takes time linear in the value, the paths and the output, and no more memory than these and a
/// few times the limit. Depth costs no call stack, and keys, values and annotations may hold any
/// text.
///
/// ```
/// use llmjson_schema::{AnnotateOptions, Annotation, AnnotationPath, annotate};
///
/// let document = llmjson_syntax::parse(r#"{"price": -1, "tags": []}"#);
/// let annotations = [
///     Annotation::new(AnnotationPath::parse("$input.price"), "number & Minimum<0>"),
///     Annotation::new(AnnotationPath::parse("$input.name"), "string"),
/// ];
/// let text = annotate(document.root(), &annotations, &AnnotateOptions::new());
/// assert_eq!(text, r#"```json
/// {
///   "price": -1, // ❌ [{"path":"$input.price","expected":"number & Minimum<0>"}]
///   "tags": [],
///   "name": undefined // ❌ [{"path":"$input.name","expected":"string"}]
/// }
/// ```"#);
/// ```
#[must_use]
pub fn annotate(
    root: Option<ValueRef<'_>>,
    annotations: &[Annotation],
    options: &AnnotateOptions<'_>,
) -> String {
    annotate_said(root, AnnotationSource::annotations(annotations), options)
}

/// Writes a value with annotations and violations that are stored elsewhere.
pub(crate) fn annotate_said(
    root: Option<ValueRef<'_>>,
    said: AnnotationSource<'_>,
    options: &AnnotateOptions<'_>,
) -> String {
    let page = Page {
        root,
        said,
        schema: options.schema,
    };
    let limit = options.max_bytes.unwrap_or(FEEDBACK_BYTES);
    let limit = limit.max(MAX_BYTES_MIN);
    let most = page.most_that_may_fit(limit);
    let mut trie = Trie::new(said.first(most));
    // The value is included as far as it fits, so that the model sees the value that it corrects.
    if most == said.len() {
        let all = |detail: &Detail| page.write(&mut trie, most, *detail, limit);
        if let Some(text) = Detail::PLACED.iter().find_map(all) {
            return text;
        }
    }
    page.first_that_fit(&mut trie, most, limit)
}

/// The value and annotations to show.
struct Page<'a> {
    root: Option<ValueRef<'a>>,
    said: AnnotationSource<'a>,
    schema: Option<&'a Schema>,
}

impl Page<'_> {
    /// Writes as many of the first `most` annotations as fit, in the value or otherwise in a list,
    /// and the number of the others.
    fn first_that_fit(&self, trie: &mut Trie<'_>, most: usize, limit: usize) -> String {
        let mut first = |detail| self.most_that_fit(trie, most, detail, limit);
        (first(Detail::Least).or_else(|| first(Detail::Nothing)))
            .or_else(|| self.write(trie, 0, Detail::Nothing, limit))
            .unwrap_or_else(|| left_out(self.said.len()))
    }

    /// Returns the number of the first annotations that would fit if nothing else were written.
    fn most_that_may_fit(&self, limit: usize) -> usize {
        let mut places = PlaceLength::default();
        let mut length = 0usize;
        let mut count = 0;
        for saying in self.said.iter() {
            let texts = saying.expected.len() + saying.description.map_or(0, str::len);
            let place = places.least(saying.spot);
            // A lower bound, computed without writing: anything that exceeds it is not tried.
            length = length.saturating_add(place + texts + ANNOTATION_BYTES_MIN);
            if length > limit {
                break;
            }
            count += 1;
        }
        count
    }

    /// Returns the text with the maximum number of annotations that fits, or nothing if none fits.
    /// With more than a hundred annotations, a few that would fit may be omitted.
    ///
    /// Every trial stops at the limit, and none is kept during the others. The next trial usually
    /// uses the limit estimated from the size of the annotations that fit, otherwise the middle.
    fn most_that_fit(
        &self,
        trie: &mut Trie<'_>,
        most: usize,
        detail: Detail,
        limit: usize,
    ) -> Option<String> {
        let (mut fit, mut too_many) = (0, most + 1);
        let mut likely = None;
        while too_many - fit > 1 + fit / SPARED {
            let middle = fit + (too_many - fit) / 2;
            let trial = likely.take().unwrap_or(middle);
            match self.write(trie, trial, detail, limit) {
                Some(text) => {
                    let most = trial as u128 * limit as u128 / text.len().max(1) as u128;
                    let most = usize::try_from(most).unwrap_or(usize::MAX);
                    likely = (trial + 1 < too_many).then(|| most.clamp(trial + 1, too_many - 1));
                    fit = trial;
                }
                None => too_many = trial,
            }
        }
        if fit == 0 {
            return None;
        }
        self.write(trie, fit, detail, limit)
    }

    /// Returns the whole text with the first `count` annotations, or nothing if it is longer than
    /// `limit`.
    fn write(
        &self,
        trie: &mut Trie<'_>,
        count: usize,
        detail: Detail,
        limit: usize,
    ) -> Option<String> {
        let said = self.said.first(count);
        trie.count_only(if detail == Detail::Nothing { 0 } else { count });
        let mut paper = Paper::new(limit);
        let block = paper.open_fence();
        let drawing = Drawing::draw(&mut paper, self.root, said, trie, self.schema, detail);
        paper.close_fence(block);
        if drawing.folded {
            paper.push_str("\n\n`…` stands for what is left out here.");
        }
        if drawing.shown.contains(&false) && !paper.is_full() {
            let rest = said.iter().zip(&drawing.shown);
            let rest = rest.filter_map(|(saying, shown)| (!shown).then_some(saying));
            paper.push_str("\n\n**Unmappable validation errors:**\n");
            let block = paper.open_fence();
            unmappable(rest, &mut paper);
            paper.close_fence(block);
        }
        if count < self.said.len() {
            paper.push_str("\n\n");
            paper.push_str(&left_out(self.said.len() - count));
        }
        paper.finish()
    }
}

fn left_out(count: usize) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("**{count} more validation error{plural} not shown.**")
}

/// Writes a list of annotations as indented JSON.
fn unmappable<'r>(rest: impl Iterator<Item = Saying<'r>>, out: &mut Paper) {
    let mut places = PlaceText::default();
    out.push('[');
    for (at, saying) in rest.enumerate() {
        out.push_str(if at == 0 {
            "\n  {\n    \"path\": "
        } else {
            ",\n  {\n    \"path\": "
        });
        places.write(saying.spot, out);
        out.push_str(",\n    \"expected\": ");
        out.push_string(saying.expected);
        if let Some(value) = saying.value {
            out.push_str(",\n    \"value\": ");
            found(value, out);
        }
        if let Some(description) = saying.description {
            out.push_str(",\n    \"description\": ");
            out.push_string(description);
        }
        out.push_str("\n  }");
        if out.is_full() {
            return;
        }
    }
    out.push_str("\n]");
}

/// Writes the JSON text of a value as a member of a list's object, four spaces deep.
fn found(value: &str, out: &mut Paper) {
    let document = llmjson_syntax::parse(value);
    let Some(root) = document.root() else {
        return out.push_string(value);
    };
    if !matches!(root.kind(), Kind::Array | Kind::Object) {
        return out.write(0, |out| root.write_json(out));
    }
    // JSON strings contain no line breaks, so only the printer writes them.
    for (at, line) in root.to_json_pretty().split('\n').enumerate() {
        if at > 0 {
            out.push_str("\n    ");
        }
        out.push_str(line);
    }
}
