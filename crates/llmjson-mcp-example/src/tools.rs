//! What the two tools take, and what they do.

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Deserialize;

/// The arguments of the tool `weather`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Weather {
    /// The city, in any language.
    pub city_name: String,
    /// How many days from today on; 1 without it.
    pub days: Option<u32>,
    /// The units of temperatures and lengths; metric without it.
    pub units: Option<Units>,
    /// What to tell of, such as rain; everything without it.
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
    /// Who gets it.
    pub recipients: Vec<String>,
    /// What it says.
    pub text: String,
    /// Whether to send it at once, also at night.
    #[serde(default)]
    pub urgent: bool,
}

impl Weather {
    /// A forecast for those who know no better.
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
    /// Says what would have been sent.
    #[must_use]
    pub fn send(&self) -> String {
        let when = if self.urgent { "at once" } else { "in time" };
        let (to, text) = (self.recipients.join(" and "), &self.text);
        format!("{text:?} goes to {to} {when}")
    }
}
