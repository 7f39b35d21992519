//! The value of a reply as a [`serde_json::Value`] and as a Rust type.

use llmjson_schema::Failure;
use serde::de::{Deserialize, DeserializeOwned};
use serde_json::Value;

use super::Parsed;
use crate::de::{DeserializeExt, Error};

impl Parsed<'_> {
    /// Returns the value as a [`serde_json::Value`], whether it [conforms](Self::conforms) or not.
    ///
    /// Integers that fit 64 bits stay exact; any other number becomes the nearest double. Members
    /// keep their order with serde_json's feature `preserve_order`, and are sorted by key without
    /// it. [`to_json`](Self::to_json) always keeps every digit and the order.
    ///
    /// # Errors
    ///
    /// If there is no value, a number is too large for a double (`1e999`), or containers nest
    /// deeper than 512.
    ///
    /// ```
    /// # use llmjson_reply as llmjson;
    /// let parsed = llmjson::parse("{city: 'Oslo', days: 3}", None);
    /// assert_eq!(parsed.to_value()?, serde_json::json!({"city": "Oslo", "days": 3}));
    ///
    /// let error = llmjson::parse("I am sorry.", None).to_value().unwrap_err();
    /// assert_eq!(error.kind(), llmjson::ErrorKind::NoValue);
    /// # Ok::<(), llmjson::Error>(())
    /// ```
    pub fn to_value(&self) -> Result<Value, Error> {
        (&self.document).to_value()
    }

    /// Reads a value that [conforms](Self::conforms) and is complete into a Rust type by serde;
    /// strings can be borrowed.
    ///
    /// To read a value whether or not it conforms, use [`DeserializeExt`] on the
    /// [document](Self::document). With the feature `schemars`, `typed::from_str` coerces to the
    /// type's own schema.
    ///
    /// # Errors
    ///
    /// If there is no value, it violates the schema, it is truncated, or the policy refuses it: the
    /// error then has a [`failure`](Error::failure). Also if the value does not fit the type, as
    /// for [`from_str`](crate::from_str).
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
        let is_whole = self.is_complete() || self.allows_truncated;
        if !self.conforms() || !is_whole {
            let mut refused = self.clone();
            if refused.conforms() {
                refused.refuse_truncated();
            }
            return Err(Error::of_failure(refused.into_failure()));
        }
        (&self.document).deserialize()
    }

    /// Returns the value as a Rust type if it [conforms](Self::conforms) and its text was not truncated.
    ///
    /// The schema and the policy decide whether the value conforms. If serde then refuses it, that
    /// is also a violation, so the [`Failure`] always has feedback for the model. To read a
    /// truncated or nonconforming value, use [`DeserializeExt`] on the [document](Self::document).
    ///
    /// # Errors
    ///
    /// If there is no value, if it violates the schema or is truncated, or if the policy refuses
    /// it; pass the error to [`stringify()`](crate::stringify) for feedback.
    ///
    /// ```
    /// # use llmjson_reply as llmjson;
    /// use llmjson::Schema;
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Trip {
    ///     city: String,
    ///     days: u8,
    /// }
    ///
    /// let schema = Schema::from_text(r#"{"properties": {"days": {"type": "integer"}}, "required": ["city"]}"#)?;
    /// let read = |text| llmjson::parse(text, Some(&schema)).into_type::<Trip>();
    /// let trip = read("Sure: {city: 'Oslo', days: \"3\"}")?;
    /// assert_eq!((trip.city.as_str(), trip.days), ("Oslo", 3));
    ///
    /// let failure = read("{city: 'Oslo', days: 300}").err().expect("300 is no u8");
    /// let feedback = llmjson::stringify(&failure);
    /// assert!(feedback.contains(r#""path":"$input.days","expected":"integer","#));
    /// assert!(feedback.contains("expected u8, found integer `300`"));
    /// let failure = read("{city: 'Oslo', days: 3").err().expect("it is truncated");
    /// assert!(failure.to_string().contains("the text ended before its value did"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_type<T: DeserializeOwned>(mut self) -> Result<T, Failure> {
        if self.conforms() {
            self.refuse_truncated();
        }
        if self.conforms() {
            match (&self.document).deserialize() {
                Ok(value) => return Ok(value),
                Err(error) => {
                    let violation = error.violation(&self.document, self.schema.as_ref());
                    self.violations.push(violation);
                }
            }
        }
        Err(self.into_failure())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use llmjson_syntax::Limits;

    use crate::{DeserializeExt, ErrorKind, Policy};

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
            let error = policy.parse(text, None).to_value().expect_err(text);
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
                "[{}]",
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
            let parsed = policy.parse(text, Some(&schema));
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
        let values: [u8; 2] = parsed.document().deserialize().expect("two");
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
