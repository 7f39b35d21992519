//! The replies of a column, whatever Arrow type holds them.

use arrow_array::cast::AsArray;
use arrow_array::{
    Array, BinaryArray, BinaryViewArray, LargeBinaryArray, LargeStringArray, StringArray,
    StringViewArray,
};
use arrow_schema::DataType;

use crate::error::Error;

/// The replies of a column.
pub(crate) enum Texts<'a> {
    Utf8(&'a StringArray),
    LargeUtf8(&'a LargeStringArray),
    Utf8View(&'a StringViewArray),
    Binary(&'a BinaryArray),
    LargeBinary(&'a LargeBinaryArray),
    BinaryView(&'a BinaryViewArray),
    /// The place of each text among those of a dictionary.
    Dictionary(Box<Texts<'a>>, Vec<Option<usize>>),
    /// A column of this many nulls.
    Null(usize),
}

/// One reply.
#[derive(Clone, Copy)]
pub(crate) enum ReplyText<'a> {
    Str(&'a str),
    Bytes(&'a [u8]),
}

impl<'a> Texts<'a> {
    /// The replies of a column, unless it is of a type that holds none.
    pub(crate) fn of(column: &'a dyn Array) -> Result<Self, Error> {
        Ok(match column.data_type() {
            DataType::Utf8 => Self::Utf8(column.as_string()),
            DataType::LargeUtf8 => Self::LargeUtf8(column.as_string()),
            DataType::Utf8View => Self::Utf8View(column.as_string_view()),
            DataType::Binary => Self::Binary(column.as_binary()),
            DataType::LargeBinary => Self::LargeBinary(column.as_binary()),
            DataType::BinaryView => Self::BinaryView(column.as_binary_view()),
            DataType::Null => Self::Null(column.len()),
            DataType::Dictionary(_, _) => {
                let dictionary = column.as_any_dictionary();
                let texts = Self::of(dictionary.values().as_ref())?;
                if texts.len() == 0 {
                    return Ok(Self::Null(column.len()));
                }
                let keys = dictionary.keys();
                let places = (0..column.len()).zip(dictionary.normalized_keys());
                let places = places.map(|(row, place)| keys.is_valid(row).then_some(place));
                Self::Dictionary(Box::new(texts), places.collect())
            }
            other => return Err(Error::NotText(other.clone())),
        })
    }

    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Utf8(array) => array.len(),
            Self::LargeUtf8(array) => array.len(),
            Self::Utf8View(array) => array.len(),
            Self::Binary(array) => array.len(),
            Self::LargeBinary(array) => array.len(),
            Self::BinaryView(array) => array.len(),
            Self::Dictionary(_, places) => places.len(),
            Self::Null(rows) => *rows,
        }
    }

    /// The reply of a row; nothing for null.
    #[inline]
    pub(crate) fn get(&self, row: usize) -> Option<ReplyText<'a>> {
        macro_rules! valid {
            ($array:expr, $sort:ident) => {
                $array
                    .is_valid(row)
                    .then(|| ReplyText::$sort($array.value(row)))
            };
        }
        match self {
            Self::Utf8(array) => valid!(array, Str),
            Self::LargeUtf8(array) => valid!(array, Str),
            Self::Utf8View(array) => valid!(array, Str),
            Self::Binary(array) => valid!(array, Bytes),
            Self::LargeBinary(array) => valid!(array, Bytes),
            Self::BinaryView(array) => valid!(array, Bytes),
            Self::Dictionary(texts, places) => texts.get(places[row]?),
            Self::Null(_) => None,
        }
    }

    /// The number of bytes of all rows.
    pub(crate) fn total(&self) -> usize {
        (0..self.len()).map(|row| self.bytes(row)).sum()
    }

    /// The number of bytes of a row.
    pub(crate) fn bytes(&self, row: usize) -> usize {
        match self.get(row) {
            Some(ReplyText::Str(text)) => text.len(),
            Some(ReplyText::Bytes(bytes)) => bytes.len(),
            None => 0,
        }
    }
}
