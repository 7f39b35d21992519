//! Errors that came from elsewhere, to be written beside the value that they are about.

use llmjson::{
    Schema,
    feedback::{AnnotateOptions, Annotation, AnnotationPath, annotate},
    syntax::{Document, ValueRef},
};

/// An object `{"data": …, "errors": […]}` that was read.
pub(crate) struct Errors<'d> {
    data: Option<ValueRef<'d>>,
    annotations: Vec<Annotation>,
}

impl<'d> Errors<'d> {
    /// Reads the object. An absent or undefined `data` means that there is no value.
    ///
    /// # Errors
    ///
    /// The expectation that it does not meet, with a JSON Pointer.
    pub(crate) fn read(value: ValueRef<'d>) -> Result<Self, String> {
        let errors = value
            .get("errors")
            .filter(|errors| errors.kind() == llmjson::syntax::Kind::Array);
        let Some(errors) = errors else {
            return Err("expected an object with an array at /errors".to_owned());
        };
        let annotations = errors
            .items()
            .enumerate()
            .map(|(index, error)| read_annotation(index, error));
        let annotations = annotations.collect::<Result<_, _>>()?;
        let data = value.get("data").filter(|data| !is_undefined(*data));
        Ok(Self { data, annotations })
    }

    /// The feedback for the model.
    pub(crate) fn feedback(&self, schema: Option<&Schema>) -> String {
        let mut options = AnnotateOptions::default();
        options.schema = schema;
        annotate(self.data, &self.annotations, &options)
    }
}

fn read_annotation(index: usize, error: ValueRef<'_>) -> Result<Annotation, String> {
    let text = |name: &str| {
        let text = error.get(name).and_then(|text| text.as_str());
        text.ok_or_else(|| format!("expected a string at /errors/{index}/{name}"))
    };
    let mut annotation = Annotation::new(AnnotationPath::parse(&text("path")?), text("expected")?);
    if let Some(value) = error.get("value").filter(|value| !is_undefined(*value)) {
        annotation = annotation.with_value(value.to_json());
    }
    if let Some(description) = error.get("description").filter(|text| !is_unsaid(*text)) {
        let Some(description) = description.as_str() else {
            return Err(format!("expected a string at /errors/{index}/description"));
        };
        annotation = annotation.with_description(description);
    }
    Ok(annotation)
}

/// `undefined`, for which JSON has no word, as test data of JavaScript writes it.
fn is_undefined(value: ValueRef<'_>) -> bool {
    value.len() == 1 && value.get("$undefined").and_then(|is| is.as_bool()) == Some(true)
}

fn is_unsaid(value: ValueRef<'_>) -> bool {
    value.is_null() || is_undefined(value)
}

/// Reads the object of a document: see [`Errors::read`].
pub(crate) fn read<'d>(document: &'d Document<'_>) -> Result<Errors<'d>, String> {
    let root = document
        .root()
        .ok_or_else(|| "there is no value".to_owned())?;
    Errors::read(root)
}
