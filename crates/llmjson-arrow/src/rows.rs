//! The rows of the result that are being built.

use std::ops::Range;

use arrow_schema::{DataType, Field, Fields};
use llmjson::feedback::{AnnotateOptions, Annotation, AnnotationPath, annotate};
use llmjson::policy::Invalid;
use llmjson::report::{Found, Violation};
use llmjson::syntax::InvalidUtf8;
use llmjson::syntax::cursor::Source;
use llmjson::syntax::{Document, ValueRef};
use llmjson::{Failure, Parsed, Schema, stringify};

use crate::column::{Column, TextSort};
use crate::error::Error;
use crate::misfit::misfits;
use crate::offsets::AppendError;
use crate::options::{Options, Output};
use crate::part::ColumnPart;
use crate::records::{Layout, RecordsColumn};
use crate::scalar_column::BoolColumn;
use crate::text_column::TextColumn;
use crate::texts::{ReplyText, Texts};
use crate::value_type::ValueType;

const REPAIRS: Layout = Layout {
    texts: &["kind", "certainty"],
    numbers: &["start", "end"],
};
const COERCIONS: Layout = Layout {
    texts: &["kind", "certainty", "path"],
    numbers: &[],
};
const VIOLATIONS: Layout = Layout {
    texts: &["path", "expected", "found"],
    numbers: &[],
};

/// The names and types of the columns for values of that type.
pub(crate) fn fields(value: &ValueType) -> Fields {
    let types = [
        DataType::Boolean,
        DataType::Boolean,
        DataType::Utf8,
        REPAIRS.data_type(),
        COERCIONS.data_type(),
        VIOLATIONS.data_type(),
        DataType::Utf8,
    ];
    let [first, names @ ..] = Rows::NAMES;
    let columns = names.into_iter().zip(types);
    let columns = columns.map(|(name, data_type)| Field::new(name, data_type, true));
    std::iter::once(value.field(first)).chain(columns).collect()
}

/// Reads replies into rows. Shared by all threads.
pub(crate) struct RowReader<'r> {
    schema: Option<&'r Schema>,
    options: &'r Options,
    value_type: &'r ValueType,
}

/// The rows of the result that are being built.
#[derive(Debug)]
pub(crate) struct Rows {
    value: Column,
    ok: BoolColumn,
    complete: BoolColumn,
    certainty: TextColumn,
    repairs: RecordsColumn,
    coercions: RecordsColumn,
    violations: RecordsColumn,
    feedback: TextColumn,
}

impl<'r> RowReader<'r> {
    pub(crate) fn new(
        schema: Option<&'r Schema>,
        options: &'r Options,
        value_type: &'r ValueType,
    ) -> Self {
        Self {
            schema,
            options,
            value_type,
        }
    }

    /// Reads some of the texts.
    pub(crate) fn read(&self, texts: &Texts<'_>, rows: Range<usize>) -> Result<Rows, Error> {
        let mut out = Rows::of(self.value_type);
        for row in rows {
            if self.options.is_cancelled() {
                return Err(Error::Cancelled);
            }
            match texts.get(row) {
                Some(ReplyText::Str(text)) => {
                    let parsed = self.options.policy.parse(text, self.schema);
                    out.push(parsed, self)?;
                }
                Some(ReplyText::Bytes(bytes)) => {
                    match self.options.policy.parse_bytes(bytes, self.schema) {
                        Ok(parsed) => out.push(parsed, self)?,
                        Err(error) => out.push_absent(Some(&self.not_utf8(error)))?,
                    }
                }
                None => out.push_absent(None)?,
            }
        }
        Ok(out)
    }

    /// Returns `true` if rows that do not conform keep the parts that do.
    fn keeps_parts(&self) -> bool {
        let options = self.options;
        options.output != Output::Json && options.policy.invalid() != Invalid::Report
    }

    /// Returns the failure of a value that does not fit its column.
    fn misfit(&self, document: Document<'_>, violations: Vec<Violation>) -> Failure {
        Failure::new(document, self.schema, violations).with_limits(self.options.policy.limits())
    }

    /// The feedback about bytes that are no text.
    fn not_utf8(&self, error: InvalidUtf8) -> String {
        let expected = (self.schema).map_or_else(|| "any".to_owned(), Schema::expected);
        let place = error.offset;
        let why = format!("The reply is not UTF-8 at byte {place}. Please write it as UTF-8.");
        let annotation =
            Annotation::new(AnnotationPath::parse("$input"), expected).with_description(why);
        annotate(None, &[annotation], &AnnotateOptions::new())
    }
}

impl Rows {
    /// The names of the columns.
    pub(crate) const NAMES: [&'static str; 8] = [
        "value",
        "ok",
        "complete",
        "certainty",
        "repairs",
        "coercions",
        "violations",
        "feedback",
    ];

    fn of(value_type: &ValueType) -> Self {
        Self {
            value: Column::of(value_type),
            ok: BoolColumn::new(),
            complete: BoolColumn::new(),
            certainty: TextColumn::new(),
            repairs: RecordsColumn::new(REPAIRS),
            coercions: RecordsColumn::new(COERCIONS),
            violations: RecordsColumn::new(VIOLATIONS),
            feedback: TextColumn::new(),
        }
    }

    /// Adds the row of a reply.
    fn push(&mut self, parsed: Parsed<'_>, reader: &RowReader<'_>) -> Result<(), Error> {
        self.push_records(&parsed)?;
        let conforms = parsed.conforms();
        let is_shown = conforms || reader.options.output == Output::Json;
        let fits = match parsed.value().filter(|_| is_shown) {
            Some(value) => self.try_value(value)?,
            None => false,
        };
        if conforms && fits {
            self.ok.push_bool(true);
            self.violations.end_row().map_err(too_long("violations"))?;
            self.feedback.push_null();
            return Ok(());
        }
        let failure = match conforms {
            false => parsed.into_failure(),
            true => {
                let document = parsed.into_document();
                let violations = document.root().map(|root| misfits(root, reader.value_type));
                reader.misfit(document, violations.unwrap_or_default())
            }
        };
        if !fits && (!reader.keeps_parts() || !self.push_part(&failure, reader)?) {
            self.value.push_null();
        }
        self.ok.push_bool(false);
        self.push_failure(&failure)
    }

    /// Adds the row of a text that is not there, or cannot be read for that reason.
    fn push_absent(&mut self, feedback: Option<&str>) -> Result<(), Error> {
        self.value.push_null();
        self.ok.push_bool(false);
        self.certainty.push_null();
        let lists = [&mut self.repairs, &mut self.coercions, &mut self.violations];
        for list in lists {
            list.end_row().map_err(too_long("repairs"))?;
        }
        match feedback {
            Some(feedback) => {
                self.complete.push_bool(false);
                self.feedback.push(feedback).map_err(too_long("feedback"))
            }
            None => {
                self.complete.push_null();
                self.feedback.push_null();
                Ok(())
            }
        }
    }

    /// Returns the columns, in the order of their names.
    pub(crate) fn into_parts(self) -> [ColumnPart; 8] {
        [
            ColumnPart::Values(self.value),
            ColumnPart::Values(Column::Bool(self.ok)),
            ColumnPart::Values(Column::Bool(self.complete)),
            ColumnPart::Values(Column::Text(self.certainty, TextSort::Strings)),
            ColumnPart::Records(self.repairs),
            ColumnPart::Records(self.coercions),
            ColumnPart::Records(self.violations),
            ColumnPart::Values(Column::Text(self.feedback, TextSort::Strings)),
        ]
    }

    /// Adds how a reply was read: what is known of any.
    fn push_records(&mut self, parsed: &Parsed<'_>) -> Result<(), Error> {
        self.complete.push_bool(parsed.is_complete());
        match parsed.value() {
            Some(_) => {
                let certainty = parsed.certainty().name();
                (self.certainty.push(certainty)).map_err(too_long("certainty"))?;
            }
            None => self.certainty.push_null(),
        }
        for repair in parsed.repairs() {
            let texts = [repair.kind.name(), repair.class.name()];
            let numbers = [repair.span.start.into(), repair.span.end.into()];
            (self.repairs.push(&texts, &numbers)).map_err(too_long("repairs"))?;
        }
        self.repairs.end_row().map_err(too_long("repairs"))?;
        for coercion in parsed.coercions() {
            let path = coercion.path.to_string();
            let texts = [coercion.kind.name(), coercion.class.name(), &path];
            (self.coercions.push(&texts, &[])).map_err(too_long("coercions"))?;
        }
        self.coercions.end_row().map_err(too_long("coercions"))
    }

    /// Adds what conforms of a value that does not, and fits its column. Returns whether anything does.
    fn push_part(&mut self, failure: &Failure, reader: &RowReader<'_>) -> Result<bool, Error> {
        let Some(part) = failure.conforming_part() else {
            return Ok(false);
        };
        let misfits = part.root().map(|root| misfits(root, reader.value_type));
        let part = match misfits.filter(|misfits| !misfits.is_empty()) {
            Some(misfits) => reader.misfit(part, misfits).conforming_part(),
            None => Some(part),
        };
        match part.as_ref().and_then(|part| part.root()) {
            Some(value) => self.try_value(value),
            None => Ok(false),
        }
    }

    /// Adds a value if its column holds it. Returns whether it does.
    fn try_value(&mut self, value: ValueRef<'_>) -> Result<bool, Error> {
        let source = Source::of(value);
        let pushed = match &mut self.value {
            // A value that is null is one, too.
            Column::Text(column, TextSort::Json) => column.push_json(&source.entry()),
            column => column.push(&source.entry()),
        };
        match pushed {
            Ok(()) => Ok(true),
            Err(AppendError::Misfit) => {
                self.value.truncate(self.ok.rows());
                Ok(false)
            }
            Err(refusal) => Err(too_long("value")(refusal)),
        }
    }

    /// Adds what is wrong with a value.
    fn push_failure(&mut self, failure: &Failure) -> Result<(), Error> {
        for violation in failure.violations() {
            let found = match violation.found {
                Found::Value(id) => failure.document().node(id).kind().name(),
                Found::Missing => "undefined",
            };
            let path = violation.path.to_string();
            let texts = [&*path, &violation.expected, found];
            (self.violations.push(&texts, &[])).map_err(too_long("violations"))?;
        }
        self.violations.end_row().map_err(too_long("violations"))?;
        let feedback = stringify(failure);
        self.feedback.push(&feedback).map_err(too_long("feedback"))
    }
}

/// The error for a column that would be too long.
fn too_long(column: &'static str) -> impl FnOnce(AppendError) -> Error {
    move |_| Error::TooLong { column }
}
