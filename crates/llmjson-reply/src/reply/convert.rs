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

    /// Reads a value that [conforms](Self::conforms) into a Rust type by serde; strings can be borrowed.
    ///
    /// [`from_document`](crate::de::from_document) of the [document](Self::document) reads the value whether
    /// it conforms or not. With the feature `schemars`, `typed::parse` reads by the type's own schema.
    ///
    /// # Errors
    ///
    /// Where there is no value, it does not satisfy the schema, or the policy refuses it: the error has the
    /// [`failure`](Error::failure). Besides as [`from_str`](crate::from_str), where the value does not fit
    /// the type.
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
    ///
    /// let parsed = llmjson::parse("{guest: 'Ada', nights: 'many'}", Some(&schema));
    /// let error = parsed.deserialize::<Booking<'_>>().err().expect("many is no integer");
    /// let failure = error.failure().expect("it does not conform");
    /// assert!(llmjson::stringify(failure).contains("$input.nights"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn deserialize<'d, T: Deserialize<'d>>(&'d self) -> Result<T, Error> {
        if !self.conforms() {
            return Err(Error::of_failure(self.clone().into_failure()));
        }
        de::from_document(&self.document)
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
    fn a_value_that_does_not_conform_is_an_error_with_the_failure() {
        let schema = json!({"maxItems": 1, "items": {"type": "integer"}});
        let schema = crate::Schema::compile(&schema).expect("a schema");
        let (lenient, tool) = (Policy::lenient(), Policy::tool());
        let table = [
            (
                "[1, 2]",
                &lenient,
                ErrorKind::Violations,
                "$input",
                Some((1, 1)),
            ),
            (
                "[[]]",
                &lenient,
                ErrorKind::Violations,
                "$input[0]",
                Some((1, 2)),
            ),
            ("[1", &tool, ErrorKind::Refused, "$input", Some((1, 3))),
            ("I am sorry.", &lenient, ErrorKind::NoValue, "$input", None),
            ("", &lenient, ErrorKind::NoValue, "$input", None),
        ];
        for (text, policy, kind, path, place) in table {
            let parsed = crate::parse_with(text, Some(&schema), policy);
            assert!(!parsed.conforms());
            let error = parsed.deserialize::<serde_json::Value>().expect_err(text);
            let position = error.position().map(|place| (place.line, place.column));
            let seen = (error.kind(), error.path().to_string(), position);
            assert_eq!(seen, (kind, path.to_owned(), place), "{text}");
            let failure = parsed.clone().into_result().expect_err(text);
            let told = error.failure().expect("it does not conform");
            assert_eq!(crate::stringify(told), crate::stringify(&failure));
            assert_eq!(error.to_string(), failure.to_string());
        }

        // The way around, and an error of the type alone.
        let parsed = crate::parse("[1, 2]", Some(&schema));
        let values: [u8; 2] = crate::de::from_document(parsed.document()).expect("two");
        assert_eq!(values, [1, 2]);
        let parsed = crate::parse("[1]", Some(&schema));
        let error = parsed.deserialize::<Vec<String>>().expect_err("numbers");
        assert_eq!(
            (error.path().to_string().as_str(), error.kind()),
            ("$input[0]", ErrorKind::Mismatch)
        );
        assert!(error.failure().is_none());
    }
}
