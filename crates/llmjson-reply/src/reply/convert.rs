//! The value of a reply as a [`serde_json::Value`] and as a Rust type.

use serde::de::Deserialize;
use serde_json::Value;

use super::Parsed;
use crate::de::{self, Error};

impl Parsed<'_> {
    /// Returns the value as a [`serde_json::Value`], whether it [conforms](Self::conforms) or not.
    ///
    /// Integers that fit 64 bits stay exact; any other number becomes the nearest double.
    /// [`to_json`](Self::to_json) keeps every digit, and the order of members.
    ///
    /// # Errors
    ///
    /// Where there is no value, a number has no double near to it (`1e999`), or containers nest deeper
    /// than 512.
    ///
    /// ```
    /// # use llmjson_reply as llmjson;
    /// let parsed = llmjson::parse("{city: 'Oslo', days: 3}", None);
    /// assert_eq!(parsed.to_value()?, serde_json::json!({"city": "Oslo", "days": 3}));
    ///
    /// let error = llmjson::parse("I am sorry.", None).to_value().unwrap_err();
    /// assert_eq!(error.kind(), llmjson::de::ErrorKind::NoValue);
    /// # Ok::<(), llmjson::Error>(())
    /// ```
    pub fn to_value(&self) -> Result<Value, Error> {
        let root = de::root(&self.document)?;
        llmjson_schema::to_value(root).map_err(|error| Error::convert(&error))
    }

    /// Reads the value into a Rust type by serde, whether it conforms or not; strings can be
    /// borrowed.
    ///
    /// It neither asks whether the value fits the schema nor what the policy allows: for that, call
    /// [`conforms`](Self::conforms) before, or take [`into_result`](Self::into_result) and
    /// [`from_document`](crate::de::from_document). With the feature `schemars`, `typed::parse` does it all
    /// by the type's own schema.
    ///
    /// # Errors
    ///
    /// As [`from_str`](crate::from_str): where there is no value, or none that fits the type.
    ///
    /// ```
    /// # use llmjson_reply as llmjson;
    /// use llmjson::Schema;
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Booking<'a> {
    ///     guest: &'a str,
    ///     nights: u32,
    /// }
    ///
    /// let schema = Schema::from_text(
    ///     r#"{"properties": {"guest": {"type": "string"}, "nights": {"type": "integer"}}}"#,
    /// )?;
    /// let parsed = llmjson::parse("{guest: 'Ada', nights: \"3\"}", Some(&schema));
    /// let booking: Booking<'_> = parsed.deserialize()?;
    /// assert_eq!((booking.guest, booking.nights), ("Ada", 3));
    /// assert_eq!(parsed.coercions().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn deserialize<'d, T: Deserialize<'d>>(&'d self) -> Result<T, Error> {
        crate::de::from_document(&self.document)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::{Policy, de::ErrorKind, policy::Limits};

    #[test]
    fn values_come_out_as_they_are_and_errors_say_where() {
        let parsed = crate::parse(r#"{"b": [1, 2.5, "x\ny"], "a": null, "a": true}"#, None);
        let wanted = json!({"b": [1, 2.5, "x\ny"], "a": true});
        assert_eq!(parsed.to_value().expect("it converts"), wanted);
        assert_eq!(
            parsed.deserialize::<serde_json::Value>().expect("a value"),
            wanted
        );

        let deep = format!("{}1{}", "[".repeat(600), "]".repeat(600));
        let policy = Policy::lenient().with_limits(Limits::DEFAULT.with_depth(1_000));
        let table = [
            (
                "",
                ErrorKind::NoValue,
                "the text is empty at $input, line 1 column 1",
            ),
            (
                r#"{"a": [1, 1e999]}"#,
                ErrorKind::Mismatch,
                "number 1e999 does not fit a double at $input.a[1]",
            ),
            (
                &deep,
                ErrorKind::Limit,
                "containers nest deeper than 512 at $input[0][0]",
            ),
        ];
        for (text, kind, message) in table {
            let error = crate::parse_with(text, None, &policy)
                .to_value()
                .expect_err(text);
            assert_eq!(error.kind(), kind);
            let shown = error.to_string();
            assert!(shown.starts_with(message), "{shown}");
        }
    }

    #[test]
    fn a_value_that_does_not_conform_can_be_read() {
        let schema = crate::Schema::compile(&json!({"maxItems": 1})).expect("a schema");
        let parsed = crate::parse("[1, 2]", Some(&schema));
        assert!(!parsed.conforms());
        assert_eq!(parsed.deserialize::<[u8; 2]>().expect("two"), [1, 2]);
        let error = parsed.deserialize::<Vec<String>>().expect_err("numbers");
        assert_eq!(error.path().to_string(), "$input[0]");
    }
}
