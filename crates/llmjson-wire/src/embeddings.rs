//! Embeddings: requests and responses.

use std::fmt;

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

use crate::field::plain;
use crate::object::wire;
use crate::raw::Raw;
use crate::response::Usage;

wire! {
    /// A request for embeddings.
    ///
    /// ```
    /// use llmjson_wire::EmbeddingsRequest;
    ///
    /// let request = EmbeddingsRequest::new("embed-small", ["one text", "another"]);
    /// assert_eq!(
    ///     serde_json::to_string(&request)?,
    ///     r#"{"model":"embed-small","input":["one text","another"]}"#
    /// );
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub struct EmbeddingsRequest {
        /// The name of the model.
        model: String = "model",
        /// A string, an array of strings, or tokens.
        input: Option<Raw> = "input",
        /// `float` or `base64`.
        encoding_format: Option<String> = "encoding_format",
        /// The length of the vectors.
        dimensions: Option<u64> = "dimensions",
        /// The end user, in the caller's own terms.
        user: Option<String> = "user",
    }
}

impl EmbeddingsRequest {
    /// Creates a request for the embeddings of some texts.
    #[must_use]
    pub fn new<T: Into<String>>(
        model: impl Into<String>,
        texts: impl IntoIterator<Item = T>,
    ) -> Self {
        let texts: Vec<String> = texts.into_iter().map(Into::into).collect();
        Self {
            model: model.into(),
            input: Some(Raw::of(&texts).expect("a list of texts can be written")),
            ..Self::default()
        }
    }
}

wire! {
    /// The embeddings of some texts.
    pub struct EmbeddingsResponse {
        /// `list`.
        object: Option<String> = "object",
        /// One embedding for each text.
        data: Vec<EmbeddingDatum> = "data",
        /// The model that made them.
        model: Option<String> = "model",
        /// The token usage.
        usage: Option<Usage> = "usage",
    }
}

wire! {
    /// The embedding of one text.
    pub struct EmbeddingDatum {
        /// `embedding`.
        object: Option<String> = "object",
        /// The index of its text.
        index: Option<u32> = "index",
        /// The vector.
        embedding: Option<Embedding> = "embedding",
    }
}

/// A vector, in the form in which it was received.
///
/// ```
/// use llmjson_wire::Embedding;
///
/// let floats: Embedding = serde_json::from_str("[1.0, -0.5]")?;
/// let packed: Embedding = serde_json::from_str(r#""AACAPwAAAL8=""#)?;
/// assert_eq!(floats.to_floats()?, packed.to_floats()?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Embedding {
    /// An array of numbers.
    Floats(Vec<f32>),
    /// Base64 of four bytes per number, in little-endian order.
    Base64(String),
}

impl Embedding {
    /// Returns the vector as numbers.
    ///
    /// # Errors
    ///
    /// If the string is not valid Base64 of whole numbers of four bytes.
    pub fn to_floats(&self) -> Result<Vec<f32>, InvalidBase64> {
        match self {
            Self::Floats(floats) => Ok(floats.clone()),
            Self::Base64(text) => floats_of_base64(text.as_bytes()),
        }
    }
}

impl<'de> Deserialize<'de> for Embedding {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error;

        let raw = Raw::deserialize(deserializer)?;
        if let Some(text) = raw.as_string() {
            return Ok(Self::Base64(text));
        }
        let floats: Option<Vec<f32>> = raw.to().ok();
        // A value that overflows a four-byte float could not be written back.
        let floats = floats.filter(|floats| floats.iter().all(|float| float.is_finite()));
        // The line and column in serde_json's error would be relative to the vector.
        floats.map(Self::Floats).ok_or_else(|| {
            D::Error::custom("an embedding is a list of numbers or a text in Base64")
        })
    }
}

impl Serialize for Embedding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Floats(floats) => floats.serialize(serializer),
            Self::Base64(text) => text.serialize(serializer),
        }
    }
}

plain!(Embedding);

/// The error for a string that is not valid Base64 of whole numbers of four bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidBase64 {
    offset: usize,
}

impl InvalidBase64 {
    /// Returns the byte offset of the first invalid character.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }
}

impl fmt::Display for InvalidBase64 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let offset = self.offset;
        write!(f, "not a vector in Base64 from byte {offset} on")
    }
}

impl std::error::Error for InvalidBase64 {}

fn floats_of_base64(text: &[u8]) -> Result<Vec<f32>, InvalidBase64> {
    let padding = text.iter().rev().take_while(|&&byte| byte == b'=').count();
    let digits = &text[..text.len() - padding];
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3 + 2);
    let (mut bits, mut count) = (0_u32, 0);
    for (offset, &byte) in digits.iter().enumerate() {
        bits = bits << 6 | digit(byte).ok_or(InvalidBase64 { offset })?;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count & 0xff) as u8);
        }
    }
    let (numbers, rest) = bytes.as_chunks::<4>();
    // Six bits are not a whole byte, and the padding of the last group is at most two characters.
    if !rest.is_empty() || digits.len() % 4 == 1 || padding > 2 {
        let offset = digits.len();
        return Err(InvalidBase64 { offset });
    }
    Ok(numbers
        .iter()
        .map(|&bytes| f32::from_le_bytes(bytes))
        .collect())
}

/// Returns the value of a digit, in the standard or the URL-safe alphabet.
fn digit(byte: u8) -> Option<u32> {
    let value = match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    };
    Some(u32::from(value))
}
