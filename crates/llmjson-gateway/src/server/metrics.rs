//! Metrics for Prometheus.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicI64;

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

use super::lock::Lock;
use super::records::{MODEL_BYTES_MAX, Record};
use crate::Report;

/// The format of [`Metrics::text`].
pub(super) const TEXT: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The number of models with separate metrics. Clients may name any number of models.
const MODELS_MAX: usize = 100;
/// The label of all other models.
const OTHER: &str = "other";

/// Labels with their values.
type Labels<const N: usize> = [(&'static str, String); N];
/// A label with few possible values.
type Name = [(&'static str, &'static str); 1];

pub(super) struct Metrics {
    registry: Registry,
    models: Lock<BTreeSet<String>>,
    replies: Family<Labels<4>, Counter>,
    tokens: Family<Labels<3>, Counter>,
    first: Family<Labels<2>, Histogram, fn() -> Histogram>,
    repairs: Family<Labels<1>, Counter>,
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
        // From ten milliseconds to about ten minutes.
        let first: fn() -> Histogram = || Histogram::new(exponential_buckets(0.01, 3.0, 11));
        let mut all = Self {
            registry: Registry::with_prefix("llmjson_gateway"),
            models: Lock::default(),
            replies: Family::default(),
            tokens: Family::default(),
            first: Family::new_with_constructor(first),
            repairs: Family::default(),
            refused: Family::default(),
            passed: Counter::default(),
            retries: Counter::default(),
            // From ten microseconds to about ten seconds.
            seconds: Histogram::new(exponential_buckets(0.000_01, 4.0, 11)),
            streams: Gauge::default(),
        };
        let to = &mut all.registry;
        let help = "Replies to requests that were read";
        to.register("replies", help, all.replies.clone());
        to.register("tokens", "Tokens of these replies", all.tokens.clone());
        let help = "Seconds until the first event of a stream";
        to.register("first_token_seconds", help, all.first.clone());
        to.register("repairs", "Repairs of replies", all.repairs.clone());
        let help = "Requests that the gateway answered with an error";
        to.register("refused", help, all.refused.clone());
        to.register("passed", "Replies that were not read", all.passed.clone());
        to.register("retries", "Further requests", all.retries.clone());
        let help = "Seconds of work on a request and its reply";
        to.register("added_seconds", help, all.seconds.clone());
        to.register("open_streams", "Streams that are open", all.streams.clone());
        all
    }

    /// Counts a reply to a request that was read.
    pub(super) fn reply(&self, record: &Record, outcome: &str, report: Option<&Report>) {
        let (upstream, model) = (record.upstream.to_string(), self.model(record));
        let [upstream, model] = [("upstream", upstream), ("model", model)];
        let status = ("status", record.status.to_string());
        let labels = [
            upstream.clone(),
            model.clone(),
            status,
            ("outcome", outcome.to_owned()),
        ];
        self.replies.get_or_create(&labels).inc();
        let tokens = [
            ("input", record.tokens.input),
            ("output", record.tokens.output),
        ];
        for (kind, count) in tokens {
            let labels = [upstream.clone(), model.clone(), ("kind", kind.to_owned())];
            if let Some(count) = count {
                self.tokens.get_or_create(&labels).inc_by(count);
            }
        }
        if let Some(first) = record.first {
            let labels = [upstream, model];
            self.first
                .get_or_create(&labels)
                .observe(first.as_secs_f64());
        }
        let Some(report) = report else {
            return;
        };
        for (kind, count) in report.repairs() {
            let kind = [("kind", kind.to_owned())];
            self.repairs.get_or_create(&kind).inc_by(count.into());
        }
        self.retries.inc_by(report.retries().into());
        self.seconds.observe(record.added.as_secs_f64());
    }

    /// Returns the label of a reply's model.
    fn model(&self, record: &Record) -> String {
        let Some(model) = &record.model else {
            return String::new();
        };
        let mut models = self.models.lock();
        let is_new = || models.len() < MODELS_MAX && model.len() <= MODEL_BYTES_MAX;
        let is_one = models.contains(model) || is_new() && models.insert(model.clone());
        if is_one {
            model.clone()
        } else {
            OTHER.to_owned()
        }
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
