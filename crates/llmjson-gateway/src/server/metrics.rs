//! Metrics for Prometheus.

use std::sync::atomic::AtomicI64;
use std::time::Duration;

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

use super::stream::CANCELLED;
use crate::{Outcome, Report};

/// The format of [`Metrics::text`].
pub(super) const TEXT: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// One label with its value.
type Label = [(&'static str, String); 1];
/// A label with few possible values.
type Name = [(&'static str, &'static str); 1];

pub(super) struct Metrics {
    registry: Registry,
    replies: Family<Name, Counter>,
    repairs: Family<Label, Counter>,
    refused: Family<Name, Counter>,
    passed: Counter,
    retries: Counter,
    seconds: Histogram,
    streams: Gauge<i64, AtomicI64>,
}

/// An open stream, counted while this lives.
pub(super) struct OpenStream(Gauge<i64, AtomicI64>);

impl Drop for OpenStream {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl Metrics {
    pub(super) fn new() -> Self {
        // From ten microseconds to about ten seconds.
        let seconds = Histogram::new(exponential_buckets(0.000_01, 4.0, 11));
        let mut metrics = Self {
            registry: Registry::with_prefix("llmjson_gateway"),
            replies: Family::default(),
            repairs: Family::default(),
            refused: Family::default(),
            passed: Counter::default(),
            retries: Counter::default(),
            seconds,
            streams: Gauge::default(),
        };
        for outcome in Outcome::ALL
            .map(Outcome::name)
            .into_iter()
            .chain([CANCELLED])
        {
            drop(metrics.replies.get_or_create(&[("outcome", outcome)]));
        }
        let registry = &mut metrics.registry;
        registry.register(
            "replies",
            "Replies to chat completions",
            metrics.replies.clone(),
        );
        registry.register("repairs", "Repairs of replies", metrics.repairs.clone());
        let help = "Requests that the gateway answered with an error";
        registry.register("refused", help, metrics.refused.clone());
        registry.register(
            "passed",
            "Replies that were not read",
            metrics.passed.clone(),
        );
        registry.register("retries", "Further requests", metrics.retries.clone());
        let help = "Seconds of work on a request and its reply";
        registry.register("added_seconds", help, metrics.seconds.clone());
        registry.register(
            "open_streams",
            "Streams that are open",
            metrics.streams.clone(),
        );
        metrics
    }

    /// Counts a reply that was read.
    pub(super) fn reply(&self, outcome: &'static str, report: &Report, added: Duration) {
        let outcome = [("outcome", outcome)];
        self.replies.get_or_create(&outcome).inc();
        for (kind, count) in report.repairs() {
            let kind = [("kind", kind.to_owned())];
            self.repairs.get_or_create(&kind).inc_by(count.into());
        }
        self.retries.inc_by(report.retries().into());
        self.seconds.observe(added.as_secs_f64());
    }

    /// Counts a request answered with the gateway's own error.
    pub(super) fn refused(&self, code: &'static str) {
        self.refused.get_or_create(&[("code", code)]).inc();
    }

    /// Counts a reply that was passed on without being read.
    pub(super) fn passed(&self) {
        self.passed.inc();
    }

    pub(super) fn open_stream(&self) -> OpenStream {
        self.streams.inc();
        OpenStream(self.streams.clone())
    }

    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        encode(&mut text, &self.registry).expect("writing to a string does not fail");
        text
    }
}
