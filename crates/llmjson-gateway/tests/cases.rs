//! Requests and replies in the folder `cases`: what the upstream is asked, what the client gets, whole and streamed, and
//! the report.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use llmjson::Policy;
use llmjson::syntax::Class;
use llmjson_gateway::chat::{Finished, Step};
use llmjson_gateway::dialect::{Dialect, Exchange};
use llmjson_gateway::{Cache, Outcome, Report, Treatment, Unknown};
use serde_json::Value;

/// Names of the further replies.
const FURTHER: [&str; 3] = ["second", "third", "fourth"];
/// Bytes of the pieces in which streams come.
const LENGTHS: [usize; 5] = [1, 7, 64, 100, 1_000_000];

struct Case {
    name: String,
    folder: PathBuf,
}

impl Case {
    fn read(&self, file: &str) -> Option<Vec<u8>> {
        fs::read(self.folder.join(file)).ok()
    }

    fn given(&self) -> Value {
        let text = self.read("treatment.json").unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    }

    fn treatment(&self) -> Treatment {
        let given = self.given();
        let mut treatment = Treatment::default().with_seed(1);
        if let Some(policy) = given["policy"].as_str() {
            treatment = treatment.with_policy(Policy::named(policy).expect("a preset"));
        }
        if let Some(retries) = given["retries"].as_u64() {
            treatment = treatment.with_retries(retries as u32);
        }
        if given["certainty"] == "certain" {
            treatment = treatment.with_certainty(Some(Class::Certain));
        }
        if given["unknown"] == "drop" {
            treatment = treatment.with_unknown(Unknown::Drop);
        }
        if let Some(family) = given["tools_in_prompt"].as_str() {
            treatment = treatment.with_tools_in_prompt(Some(family.parse().expect("a family")));
        }
        treatment
    }

    fn begin(&self) -> Exchange {
        let given = self.given();
        let dialect = match given["dialect"].as_str() {
            Some("messages") => Dialect::Messages,
            Some("responses") => Dialect::Responses,
            _ => Dialect::Chat,
        };
        let request = self.read("request.json").expect("a request");
        let speaks_chat = given["speaks"] == "chat";
        let (treatment, cache) = (self.treatment(), Cache::new(8));
        Exchange::begin(dialect, speaks_chat, &request, &treatment, &cache)
            .expect("a request that can be treated")
    }
}

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let entries = fs::read_dir(folder).expect("the cases").flatten();
    let mut cases: Vec<Case> = entries
        .filter(|entry| entry.path().join("request.json").is_file())
        .map(|entry| Case {
            name: entry.file_name().to_string_lossy().into_owned(),
            folder: entry.path(),
        })
        .collect();
    cases.sort_by(|one, other| one.name.cmp(&other.name));
    cases
}

fn shown(out: &mut String, title: &str, bytes: &[u8], instead_of: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let text = text.replace('\r', "␍");
    let text = if bytes == instead_of {
        "(as it came)"
    } else {
        text.trim_end()
    };
    writeln!(out, "=== {title}\n{text}").unwrap();
}

fn report_of(out: &mut String, report: &Report) {
    assert!(report.header().is_ascii() && report.header().len() <= 1024);
    serde_json::from_str::<Value>(&report.to_json()).expect("a report is JSON");
    writeln!(out, "--- {}\n{}", report.header(), report.to_json()).unwrap();
}

/// Tells of the whole reply.
fn told_whole(case: &Case, out: &mut String) {
    let Some(mut reply) = case.read("reply.json") else {
        return;
    };
    let mut exchange = case.begin();
    let mut further = FURTHER.iter();
    loop {
        match exchange.reply(&reply) {
            Step::Answer { body, report } => {
                serde_json::from_slice::<Value>(&body).expect("a reply is JSON");
                let is_same = report.outcome() == Outcome::Unchanged && report.retries() == 0;
                if is_same && !case.begin().is_translated() {
                    assert!(body == reply, "{}: not byte for byte the same", case.name);
                }
                shown(out, "whole", &body, &reply);
                return report_of(out, &report);
            }
            Step::Refuse { rejection, report } => {
                assert!(report.outcome() == Outcome::Failed);
                shown(out, "refused", &rejection.body, &reply);
                return report_of(out, &report);
            }
            Step::Ask { body } => {
                shown(out, "asks again", &body, b"");
                serde_json::from_slice::<Value>(&body).expect("a request is JSON");
                let name = further.next().expect("no more requests");
                match case.read(&format!("{name}.json")) {
                    Some(next) => reply = next,
                    None => exchange.give_up(),
                }
            }
        }
    }
}

/// The stream of the client in pieces of a length, with what was asked again.
fn stream_in(case: &Case, reply: &[u8], length: usize) -> (Vec<u8>, Vec<u8>, Report) {
    let mut stream = case.begin().stream();
    let (mut out, mut asked) = (Vec::new(), Vec::new());
    let mut reply = reply.to_vec();
    let mut further = FURTHER.iter();
    loop {
        for piece in reply.chunks(length) {
            stream.push(piece, &mut out);
        }
        match stream.finish(true, &mut out) {
            Finished::Done(report) => return (out, asked, report),
            Finished::Ask(body) => {
                asked.extend_from_slice(&body);
                asked.push(b'\n');
                let name = further.next().expect("no more requests");
                let whole = || Some(as_stream(&case.read(&format!("{name}.json"))?));
                let Some(next) = case.read(&format!("{name}.sse")).or_else(whole) else {
                    // A further reply that is not there is one that fails.
                    match stream.keep(&mut out) {
                        Some(Finished::Done(report)) => return (out, asked, report),
                        _ => panic!("{}: nothing is kept", case.name),
                    }
                };
                reply = next;
            }
        }
    }
}

/// A whole reply as a stream.
fn as_stream(reply: &[u8]) -> Vec<u8> {
    let mut reply: Value = serde_json::from_slice(reply).expect("a reply");
    let usage = reply["usage"].take();
    reply["id"] = "chatcmpl-8".into();
    let choice = &mut reply["choices"][0];
    let mut delta = choice["message"].take();
    let calls = delta["tool_calls"].as_array_mut().into_iter().flatten();
    for (index, call) in calls.enumerate() {
        call["index"] = index.into();
    }
    let finish = std::mem::take(&mut choice["finish_reason"]);
    *choice = serde_json::json!({"index": 0, "delta": delta, "finish_reason": null});
    let first = reply.to_string();
    reply["choices"][0] = serde_json::json!({"index": 0, "delta": {}, "finish_reason": finish});
    let last = reply.to_string();
    reply["choices"] = serde_json::json!([]);
    reply["usage"] = usage;
    format!("data: {first}\n\ndata: {last}\n\ndata: {reply}\n\ndata: [DONE]\n\n").into_bytes()
}

fn told_stream(case: &Case, out: &mut String) {
    let Some(reply) = case.read("reply.sse") else {
        return;
    };
    let (first, asked, report) = stream_in(case, &reply, LENGTHS[0]);
    for length in LENGTHS {
        let other = stream_in(case, &reply, length);
        let name = &case.name;
        assert!(
            other.0 == first,
            "{name}: other bytes in pieces of {length}"
        );
        assert!(
            (&other.1, &other.2) == (&asked, &report),
            "{name}: {length}"
        );
    }
    if report == Report::default() && !case.begin().is_translated() {
        assert!(first == reply, "{}: not byte for byte the same", case.name);
    }
    if !asked.is_empty() {
        shown(out, "asks again", &asked, b"");
    }
    shown(out, "streamed", &first, &reply);
    report_of(out, &report);
}

#[test]
fn replies_become_what_was_asked_for() {
    let cases = cases();
    assert!(cases.len() > 40, "only {} cases", cases.len());
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("cases/snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for case in cases {
        let mut out = String::new();
        let request = case.read("request.json").expect("a request");
        shown(&mut out, "request", case.begin().request(), &request);
        serde_json::from_slice::<Value>(case.begin().request()).expect("a request is JSON");
        told_whole(&case, &mut out);
        told_stream(&case, &mut out);
        settings.bind(|| insta::assert_snapshot!(case.name.as_str(), out));
    }
}
