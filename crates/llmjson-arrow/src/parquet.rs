//! Rows of Parquet files: read as lines of JSON, and written from the answers of `llmjson batch`.
//!
//! ```no_run
//! use std::fs::File;
//! use llmjson_arrow::parquet::{Writer, lines};
//!
//! for lines in lines(File::open("replies.parquet")?)? {
//!     print!("{}", String::from_utf8(lines?)?); // {"id":1,"input":"…"}
//! }
//! let mut table = Writer::new(File::create("values.parquet")?, None)?;
//! table.write("{\"id\":1,\"ok\":true,\"value\":{\"a\":1}}\n")?;
//! table.finish()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fs::File;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use arrow_json::LineDelimitedWriter;
use arrow_json::reader::{Decoder, ReaderBuilder};
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema as Columns};
use llmjson::syntax::{Limits, Parser, ValueRef};
use llmjson::{Policy, Schema};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;

use crate::records::Layout;
use crate::{Options, Output, fields, parse};

/// Number of rows that are read, and of those that are written, at once.
const ROWS_READ: usize = 1024;
const ROWS_WRITTEN: usize = 8192;

/// An answer may be longer than a reply, and its value lies in it.
const LIMITS: Limits = Limits::DEFAULT
    .with_input_bytes(u32::MAX - 1)
    .with_depth(520);

const REPAIRS: Layout = Layout {
    texts: &["kind", "class"],
    numbers: &["start", "end"],
};
const COERCIONS: Layout = Layout {
    texts: &["kind", "class", "path"],
    numbers: &[],
};
const VIOLATIONS: Layout = Layout {
    texts: &["path", "expected"],
    numbers: &[],
};

/// Returns the rows of a file as lines of JSON, some at a time. A cell that is null is left out.
///
/// # Errors
///
/// If the file is no Parquet file, or cannot be read.
pub fn lines(
    file: File,
) -> Result<impl Iterator<Item = Result<Vec<u8>, ArrowError>> + Send, ArrowError> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(file)?;
    let batches = reader.with_batch_size(ROWS_READ).build()?;
    Ok(batches.map(|batch| {
        let mut lines = LineDelimitedWriter::new(Vec::new());
        lines.write(&batch?)?;
        lines.finish()?;
        Ok(lines.into_inner())
    }))
}

/// A table of the answers of `llmjson batch`: `id`, `value` as the schema types it (see the
/// [types](crate#types)), and what else an answer has.
///
/// `value` is null where the answer is not ok; `ok` is false, too, where the value does not fit its column.
#[derive(Debug)]
pub struct Writer {
    table: ArrowWriter<File>,
    columns: Arc<Columns>,
    schema: Option<Schema>,
    others: Decoder,
    ids: Vec<Option<String>>,
    values: Vec<Option<String>>,
}

impl Writer {
    /// Returns the table of a file that is empty.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn new(file: File, schema: Option<&Schema>) -> Result<Self, ArrowError> {
        let field = |name: &str, data_type| Field::new(name, data_type, true);
        let others = Fields::from(vec![
            field("ok", DataType::Boolean),
            field("complete", DataType::Boolean),
            field("certainty", DataType::Utf8),
            field("repairs", REPAIRS.data_type()),
            field("coercions", COERCIONS.data_type()),
            field("violations", VIOLATIONS.data_type()),
            field("error", DataType::Utf8),
            field("feedback", DataType::Utf8),
        ]);
        let value = fields(schema, Output::Struct)[0].clone();
        let columns = [Arc::new(field("id", DataType::Utf8)), value];
        let columns = columns.into_iter().chain(others.iter().cloned());
        let columns = Arc::new(Columns::new(columns.collect::<Vec<_>>()));
        let packed = WriterProperties::builder().set_compression(Compression::SNAPPY);
        Ok(Self {
            table: ArrowWriter::try_new(file, columns.clone(), Some(packed.build()))?,
            columns,
            schema: schema.cloned(),
            others: ReaderBuilder::new(Arc::new(Columns::new(others)))
                .with_batch_size(ROWS_WRITTEN)
                .build_decoder()?,
            ids: Vec::new(),
            values: Vec::new(),
        })
    }

    /// Adds answers, which are lines of JSON.
    ///
    /// # Errors
    ///
    /// If a line is no answer, or the file cannot be written.
    pub fn write(&mut self, answers: &str) -> Result<(), ArrowError> {
        for line in answers.lines() {
            let answer = Parser::new().with_limits(LIMITS).parse(line);
            let member = |name: &str| answer.root().and_then(|answer| answer.get(name));
            let id = member("id").filter(|id| !id.is_null());
            self.ids.push(id.map(text));
            let is_ok = member("ok").and_then(ValueRef::as_bool) == Some(true);
            let value = member("value").filter(|_| is_ok);
            self.values.push(value.map(|value| value.to_json()));
            self.others.decode(line.as_bytes())?;
            self.others.decode(b"\n")?;
            if self.ids.len() == ROWS_WRITTEN {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Writes what is left, and what belongs at the end of the file.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn finish(mut self) -> Result<(), ArrowError> {
        self.flush()?;
        self.table.close()?;
        Ok(())
    }

    fn flush(&mut self) -> Result<(), ArrowError> {
        let Some(others) = self.others.flush()? else {
            return Ok(());
        };
        let ids: StringArray = self.ids.drain(..).collect();
        let values: StringArray = self.values.drain(..).collect();
        let options = Options::default().with_policy(Policy::lenient().with_limits(LIMITS));
        // These are values that fit: reading them once more changes nothing.
        let rows = parse(&values, self.schema.as_ref(), &options);
        let rows = rows.map_err(|error| ArrowError::ExternalError(Box::new(error)))?;
        let [value, ok] = [rows.column(0).clone(), rows.column(1).clone()];
        let mut columns: Vec<ArrayRef> = vec![Arc::new(ids), value, ok];
        columns.extend(others.columns().iter().skip(1).cloned());
        self.table
            .write(&RecordBatch::try_new(self.columns.clone(), columns)?)?;
        Ok(())
    }
}

/// A string as its text, anything else as its JSON.
fn text(value: ValueRef<'_>) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_json(), |text| text.into_owned())
}
