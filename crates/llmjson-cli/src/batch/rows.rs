//! Rows in other formats, as the lines of JSON that they are read as.

use std::io::{self, BufRead, BufReader, Read};

use csv::{ByteRecord, ReaderBuilder};
use llmjson::syntax::write_string;

type Bytes = Box<dyn Read + Send>;

/// The format of the rows of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowFormat {
    Jsonl,
    Csv,
    Parquet,
}

/// Extensions of files with rows, plain and compressed.
const ENDINGS: &[(&str, RowFormat)] = &[
    (".jsonl", RowFormat::Jsonl),
    (".ndjson", RowFormat::Jsonl),
    (".csv", RowFormat::Csv),
    (".tsv", RowFormat::Csv),
    (".parquet", RowFormat::Parquet),
];
const PACKED: &[&str] = &[".gz", ".zst"];

impl RowFormat {
    /// Returns the format that the name of a file tells.
    pub(crate) fn of(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let bare = PACKED.iter().find_map(|end| name.strip_suffix(end));
        let bare = bare.unwrap_or(&name);
        let known = ENDINGS.iter().find(|(end, _)| bare.ends_with(end));
        known.map(|(_, format)| *format)
    }

    /// Returns the format of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::of(&format!(".{name}"))
    }
}

/// A text that comes in pieces.
pub(super) struct Pieces<I> {
    pieces: I,
    piece: io::Cursor<Vec<u8>>,
}

impl<I> Pieces<I> {
    pub(super) fn new(pieces: I) -> Self {
        let piece = io::Cursor::default();
        Self { pieces, piece }
    }
}

impl<I: Iterator<Item = io::Result<Vec<u8>>>> Read for Pieces<I> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            let length = self.piece.read(out)?;
            if length > 0 || out.is_empty() {
                return Ok(length);
            }
            match self.pieces.next() {
                Some(piece) => self.piece = io::Cursor::new(piece?),
                None => return Ok(0),
            }
        }
    }
}

/// Reads a CSV table with a header row, whose most frequent separator separates cells.
pub(super) fn csv(input: Bytes) -> io::Result<Bytes> {
    let mut input = BufReader::new(input);
    let head = input.fill_buf()?;
    let head = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let count = |sign: &u8| head.iter().filter(|byte| *byte == sign).count();
    let delimiter = [b'\t', b';', b','].into_iter().max_by_key(count);
    let mut rows = ReaderBuilder::new()
        .delimiter(delimiter.unwrap_or(b','))
        .flexible(true)
        .from_reader(input);
    let names = rows.byte_headers()?.clone();
    let rows = rows.into_byte_records();
    let lines = rows.map(move |row| Ok(line_of(&names, &row?)));
    Ok(Box::new(Pieces::new(lines)))
}

/// Returns a row as an object. An empty cell is null; a cell without a name is called by its number.
fn line_of(names: &ByteRecord, row: &ByteRecord) -> Vec<u8> {
    let mut line = Vec::new();
    for (at, cell) in row.iter().enumerate() {
        line.push(if at == 0 { b'{' } else { b',' });
        match names.get(at) {
            Some(name) => push_string(name, &mut line),
            None => push_string(format!("column {}", at + 1).as_bytes(), &mut line),
        }
        line.push(b':');
        match cell {
            b"" => line.extend_from_slice(b"null"),
            cell => push_string(cell, &mut line),
        }
    }
    line.extend_from_slice(b"}\n");
    line
}

/// Writes bytes as a JSON string. Invalid UTF-8 stays invalid, so that the row is reported.
fn push_string(bytes: &[u8], line: &mut Vec<u8>) {
    match str::from_utf8(bytes) {
        Ok(text) => {
            let mut json = String::with_capacity(text.len() + 2);
            write_string(text, &mut json);
            line.extend_from_slice(json.as_bytes());
        }
        Err(_) => line.extend_from_slice(b"\"\xff\""),
    }
}

/// Reads the rows of a Parquet file.
#[cfg(feature = "parquet")]
pub(super) fn parquet(file: std::fs::File) -> io::Result<Bytes> {
    let lines = llmjson_arrow::parquet::lines(file).map_err(io::Error::other)?;
    let lines = lines.map(|lines| lines.map_err(io::Error::other));
    Ok(Box::new(Pieces::new(lines)))
}

#[cfg(not(feature = "parquet"))]
pub(super) fn parquet(_: std::fs::File) -> io::Result<Bytes> {
    Err(io::Error::other(super::output::WITHOUT_PARQUET))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_as_lines() {
        let table = [
            (
                "id,input\n1,\"{a: 1,\n \"\"b\"\"}\"\n",
                "{\"id\":\"1\",\"input\":\"{a: 1,\\n \\\"b\\\"}\"}\n",
            ),
            (
                "a;b,c;d\n1;2,3;\n",
                "{\"a\":\"1\",\"b,c\":\"2,3\",\"d\":null}\n",
            ),
            (
                "a\tb\n1\n1\t2\t3\n",
                "{\"a\":\"1\"}\n{\"a\":\"1\",\"b\":\"2\",\"column 3\":\"3\"}\n",
            ),
            ("a\nx\r\n", "{\"a\":\"x\"}\n"),
            ("a,b\n", ""),
            ("", ""),
        ];
        for (text, lines) in table {
            let mut read = String::new();
            let input = Box::new(io::Cursor::new(text.as_bytes().to_vec()));
            let mut rows = csv(input).expect("memory can be read");
            rows.read_to_string(&mut read).expect("memory can be read");
            assert_eq!(read, lines, "{text}");
        }
    }

    #[test]
    fn formats_are_told_by_the_name() {
        let table = [
            ("a.jsonl", Some(RowFormat::Jsonl)),
            ("A.CSV.gz", Some(RowFormat::Csv)),
            ("a.parquet", Some(RowFormat::Parquet)),
            ("a.json.zst", None),
            ("csv", None),
        ];
        for (name, format) in table {
            assert_eq!(RowFormat::of(name), format, "{name}");
        }
    }
}
