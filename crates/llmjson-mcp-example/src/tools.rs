//! The two tools: arguments and implementation.

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Deserialize;

/// The arguments of the tool `weather`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Weather {
    /// Name of the city, in any language.
    pub city_name: String,
    /// Number of days from today; 1 by default.
    pub days: Option<u32>,
    /// Units of temperatures and lengths; metric by default.
    pub units: Option<Units>,
    /// Topics of the forecast, such as rain; all by default.
    #[serde(default)]
    pub topics: Vec<String>,
}

/// The units of temperatures and lengths.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Units {
    /// Degrees Celsius and millimetres.
    Metric,
    /// Degrees Fahrenheit and inches.
    Imperial,
}

/// The arguments of the tool `send_message`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Message {
    /// Names of the recipients.
    pub recipients: Vec<String>,
    /// Text of the message.
    pub text: String,
    /// Whether to send the message at once, even at night.
    #[serde(default)]
    pub urgent: bool,
}

impl Weather {
    /// Returns a made-up forecast.
    #[must_use]
    pub fn forecast(&self) -> String {
        let degrees = match self.units.unwrap_or(Units::Metric) {
            Units::Metric => "11 °C",
            Units::Imperial => "52 °F",
        };
        let mut forecast = format!("{}: {degrees}", self.city_name);
        let _ = write!(forecast, ", for {} days", self.days.unwrap_or(1));
        for topic in &self.topics {
            let _ = write!(forecast, ", no {topic}");
        }
        forecast
    }
}

impl Message {
    /// Returns a description of the message, without sending it.
    #[must_use]
    pub fn send(&self) -> String {
        let when = if self.urgent { "at once" } else { "in time" };
        let (to, text) = (self.recipients.join(" and "), &self.text);
        format!("{text:?} goes to {to} {when}")
    }
}
