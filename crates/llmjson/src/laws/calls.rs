//! Laws of the calls in every text.

use std::ops::Range;

use llmjson_syntax::laws::work::{Cost, for_each_piece};
use llmjson_syntax::{Class, NoteKind, RepairKind, parse};

use crate::report::Issue;
use crate::stream::CallEvent;
use crate::tools::{
    BindReport, CallReader, Contract, NotRunReason, Registry, TextCall, TextCalls, calls_in,
};

/// Words without a marker, placed around texts.
const PROSE: &str = "Well then, here it comes.\n\n";

/// Lengths of the pieces of a streamed text.
const PIECES: [usize; 6] = [1, 3, 7, 17, 20, 40];

/// The beginnings of calls: a text without any of them has no calls.
const SIGNS: [&str; 8] = ["<", "[", "{", "(", "Action", ">>>", "✿FUNCTION✿", "```"];

/// Checks all laws of a text that may contain calls.
///
/// # Panics
///
/// If one of the laws does not hold.
pub fn every_text_with_calls(text: &str, registry: &Registry) {
    let found = calls_in(text, registry);
    spans_of_calls_are_in_order(text, &found);
    no_content_is_invented(text, &found);
    calls_are_bound_again(text, &found, registry);
    arguments_are_bound_as_alone(text, &found);
    work_of_calls_is_bounded(text, &found, registry);
    events_of_calls_are_in_order(text, registry);
    if !SIGNS.iter().any(|sign| text.contains(sign)) {
        assert!(found.calls().is_empty(), "{:?} in {text:?}", found.calls());
    }
    let again = calls_in(text, registry);
    assert_eq!(shown(&found), shown(&again), "{text:?} twice");
}

/// Checks that calls follow each other in the text; calls in one array have the same position.
///
/// # Panics
///
/// If the law does not hold.
pub fn spans_of_calls_are_in_order(text: &str, found: &TextCalls) {
    let mut before = 0..0;
    for call in found.calls() {
        let span = call.span().start as usize..call.span().end as usize;
        assert!(text.get(span.clone()).is_some(), "{span:?} in {text:?}");
        assert!(!span.is_empty(), "a call without text in {text:?}");
        let follows = span.start >= before.end || span == before;
        assert!(follows, "{span:?} after {before:?} in {text:?}");
        before = span;
    }
}

/// Checks that content and reasoning appear in the text, in this order and outside calls.
///
/// # Panics
///
/// If the law does not hold.
pub fn no_content_is_invented(text: &str, found: &TextCalls) {
    let mut outside = String::new();
    let mut at = 0;
    for call in found.calls() {
        let span = call.span();
        outside.push_str(&text[at.min(span.start as usize)..span.start as usize]);
        at = span.end as usize;
    }
    outside.push_str(&text[at..]);
    for part in [found.content(), found.reasoning()] {
        let mut rest = outside.chars();
        let stands = part.chars().all(|one| rest.any(|other| other == one));
        assert!(stands, "{part:?} is not left of {text:?}");
    }
    let length = found.content().len() + found.reasoning().len();
    assert!(length <= outside.len(), "more than {text:?}");
}

/// Checks that the arguments of a call that can be run are bound again unchanged.
///
/// # Panics
///
/// If the law does not hold.
pub fn calls_are_bound_again(text: &str, found: &TextCalls, registry: &Registry) {
    for call in found.calls().iter().filter(|call| call.is_ok()) {
        let Some(contract) = registry.get(call.name()) else {
            assert!(call.unknown().is_none(), "{call:?} in {text:?}");
            continue;
        };
        let report = contract.report(call.arguments());
        assert_eq!(report.issues(), [], "{call:?} in {text:?}");
        assert_eq!(report.canonical_arguments(), call.arguments(), "{text:?}");
    }
}

/// Checks that the arguments of a call, if they appear in the text as JSON, have the same outcome
/// when that JSON is bound by itself under the same policy. The syntax of the surrounding call may
/// also be refused.
///
/// # Panics
///
/// If the law does not hold.
pub fn arguments_are_bound_as_alone(text: &str, found: &TextCalls) {
    for call in found.calls() {
        let (Some(source), Some(report)) = (call.source(), call.report()) else {
            continue;
        };
        // A truncated call is refused as truncated, and a call that costs too much is parsed
        // without lookahead.
        let is_short = |report: &BindReport| {
            let mut repairs = report.text_repairs().iter();
            repairs.any(|repair| repair.kind == RepairKind::WorkCapped)
        };
        let Some(alone) = bound_alone(text, source.range(), report.contract()) else {
            continue;
        };
        if !call.is_complete() || is_short(report) || is_short(&alone) {
            continue;
        }
        let shown = || format!("{call:?} in {text:?}");
        assert_eq!(
            report.canonical_arguments(),
            alone.canonical_arguments(),
            "{}",
            shown()
        );
        assert_eq!(report.certainty(), alone.certainty(), "{}", shown());
        let kept = |issue: &&Issue| report.issues().contains(issue);
        assert!(
            alone.issues().iter().all(|issue| kept(&issue)),
            "{}",
            shown()
        );
        let is_plain = call.repairs().is_empty() && call.notes().is_empty();
        if is_plain && call.certainty() == Class::Certain {
            assert_eq!(report.issues(), alone.issues(), "{}", shown());
        }
        assert!(alone.is_ok() || !call.is_ok(), "{}", shown());
    }
}

/// Binds the JSON at a position of the text, or returns `None` if it is a string only with the text
/// around it.
fn bound_alone(text: &str, place: Range<usize>, contract: &Contract) -> Option<BindReport> {
    let own = &text[place];
    if own.starts_with('"') {
        let document = llmjson_syntax::parse(own);
        let is_strict = document.repairs().is_empty();
        let inner = document.root().filter(|_| is_strict)?.as_str()?;
        return Some(contract.report(&*inner));
    }
    let report = contract.report(own);
    if report.is_complete() {
        return Some(report);
    }
    // A marker closes the value that it ends, like a fence.
    let fenced = contract.report(&format!("```\n{own}\n```"));
    Some(if fenced.is_complete() { fenced } else { report })
}

/// Checks that finding calls and reading their arguments takes at most 64 steps per byte plus
/// 65,536, and for a stream 256 more per piece.
///
/// # Panics
///
/// If the law does not hold.
pub fn work_of_calls_is_bounded(text: &str, found: &TextCalls, registry: &Registry) {
    whole(text, found).is_bounded("calls", text);
    // Texts of every length take turns.
    let length = PIECES[text.len() % PIECES.len()];
    cost_of_call_stream(text, registry, || length).is_bounded("a stream of calls", text);
}

/// Returns the cost of finding the calls of a text and reading their arguments.
#[must_use]
pub fn cost_of_calls(text: &str, registry: &Registry) -> Cost {
    whole(text, &calls_in(text, registry))
}

fn whole(text: &str, found: &TextCalls) -> Cost {
    Cost {
        work: found.work(),
        bytes: text.len(),
        pieces: 0,
    }
}

/// Returns the cost for a text in pieces of these lengths, including the end of the stream.
///
/// # Panics
///
/// If the stream retracts something.
#[must_use]
pub fn cost_of_call_stream(
    text: &str,
    registry: &Registry,
    lengths: impl FnMut() -> usize,
) -> Cost {
    let mut stream = CallReader::new(registry).stream();
    let pieces = for_each_piece(text, lengths, |piece| {
        stream.push_bytes(piece).expect("parts of a text");
    });
    let (before, work) = (stream.work(), stream.finish().work());
    assert!(before <= work, "{before}, then {work} steps for {text:?}");
    Cost {
        work,
        bytes: text.len(),
        pieces,
    }
}

/// Checks that prose around a text changes no call that markers clearly identify. With prose after
/// it, a fence around the whole text means that it is quoted.
///
/// # Panics
///
/// If the law does not hold for the text, which has to be closed.
pub fn prose_around_changes_no_marked_call(text: &str, registry: &Registry) {
    let found = calls_in(text, registry);
    let is_marked = |call: &TextCall| call.certainty() == llmjson_syntax::Class::Certain;
    if !found
        .calls()
        .iter()
        .all(|call| is_marked(call) && call.is_complete())
        || text.trim_start().starts_with("```")
    {
        return;
    }
    let around = format!("{PROSE}{text}\n\n{PROSE}");
    let within = calls_in(&around, registry);
    let calls = |found: &TextCalls| {
        let calls = found.calls().iter();
        let calls = calls.map(|call| (call.name().to_owned(), call.arguments().to_owned()));
        calls.collect::<Vec<_>>()
    };
    assert_eq!(calls(&within), calls(&found), "{around:?}");
}

/// Checks that text before a call never hides it, if a sentence ends the text and nothing in it is
/// marked: the last call equals the call found without the text.
///
/// # Panics
///
/// If the law does not hold.
pub fn text_before_hides_no_call(text: &str, call: &str, registry: &Registry) {
    let alone = calls_in(call, registry);
    let all = format!("{text}\n\nNow I look it up.\n{call}");
    let found = calls_in(&all, registry);
    assert_eq!(found.unsearched(), None, "{all:?}");
    let behind = found.calls().iter().rev().take(alone.calls().len()).rev();
    let shown = |call: &TextCall| {
        (
            call.name().to_owned(),
            call.arguments().to_owned(),
            call.is_ok(),
        )
    };
    let behind: Vec<_> = behind.map(shown).collect();
    let alone: Vec<_> = alone.calls().iter().map(shown).collect();
    assert_eq!(behind, alone, "{all:?}");
}

/// Checks that the calls do not depend on the boundaries of the pieces. Holds for texts that are
/// damaged in a few places, but not yet for arbitrary bytes.
///
/// # Panics
///
/// If the law does not hold.
pub fn every_stream_of_calls(text: &str, registry: &Registry) {
    let (whole, _) = streamed(text, text.len().max(1), registry);
    for length in PIECES {
        let (found, _) = streamed(text, length, registry);
        assert_eq!(shown(&found), shown(&whole), "{text:?} by {length}");
    }
}

/// Checks that a text in two pieces gives the same result as the whole text. It is split at every
/// `step`th character from `first` on.
///
/// # Panics
///
/// If the law does not hold.
pub fn splits_of_calls(text: &str, first: usize, step: usize, registry: &Registry) {
    let whole = shown(&calls_in(text, registry));
    for (at, _) in text.char_indices().skip(first).step_by(step) {
        let mut stream = CallReader::new(registry).stream();
        stream.push(&text[..at]);
        stream.push(&text[at..]);
        assert_eq!(shown(&stream.finish()), whole, "{text:?} at {at}");
    }
}

/// Checks that a server can act on the events of a stream: each call is announced once, by the name
/// to which it is bound, its shown arguments are the final ones, and it ends once, with the correct
/// completeness. Holds for the same texts.
///
/// # Panics
///
/// If the law does not hold.
pub fn calls_are_announced_once(text: &str, registry: &Registry) {
    for length in PIECES {
        let (found, events) = streamed(text, length, registry);
        let mut announced = announced(text, &events);
        let shown = || format!("{text:?} by {length}: {events:?}");
        // A call's result, which shows that it was made before, follows its arguments.
        let mut results = announced.len().saturating_sub(found.calls().len());
        announced.retain(|one| {
            let is_done = results > 0 && has_result(one, &found);
            results -= usize::from(is_done);
            !is_done
        });
        // Calls before a lone end of reasoning are drafts, as only that end shows.
        let drafts = announced.len().saturating_sub(found.calls().len());
        assert!(drafts == 0 || ends_reasoning(text), "{}", shown());
        for draft in &announced[..drafts] {
            let is_taken_back = draft.is_superseded == (draft.complete == Some(true));
            assert!(is_taken_back, "{}", shown());
        }
        for (one, call) in announced[drafts..].iter().zip(found.calls()) {
            // For a duplicate member, the first value has been shown: this call must not be
            // executed.
            let is_doubled = call
                .notes()
                .iter()
                .any(|note| note.kind == NoteKind::DuplicateKey);
            assert_eq!(one.name, call.name(), "{}", shown());
            if is_doubled && one.complete == Some(false) {
                continue;
            }
            assert_eq!(one.complete, Some(call.is_complete()), "{}", shown());
            // A part of the text that is not searched is known at its end.
            let is_unsearched = found.unsearched().is_some() && !call.is_ok();
            assert!(is_unsearched || one.ok == call.is_ok(), "{}", shown());
            let Some(contract) = registry.get(call.name()).filter(|_| call.is_ok()) else {
                continue;
            };
            let joined = one.bound.as_ref().unwrap_or(&one.arguments);
            let (joined, bound) = (parse(joined), parse(call.arguments()));
            assert_eq!(joined.root(), bound.root(), "{}", shown());
            let report = contract.report(&*one.arguments);
            assert_eq!(
                report.canonical_arguments(),
                call.arguments(),
                "{}",
                shown()
            );
        }
        assert!(announced.len() >= found.calls().len(), "{}", shown());
    }
}

/// A call as reported by the events of a stream.
#[derive(Default)]
struct Announced {
    name: String,
    arguments: String,
    complete: Option<bool>,
    ok: bool,
    bound: Option<String>,
    is_superseded: bool,
}

/// Returns `true` if a call with a result in it was abandoned.
fn has_result(one: &Announced, found: &TextCalls) -> bool {
    let mut results = found
        .not_run()
        .iter()
        .filter(|shown| shown.reason() == NotRunReason::Result);
    one.complete == Some(false)
        && results.any(|shown| shown.arguments().starts_with(&one.arguments))
}

/// Returns the announced calls. Each of them begins once and ends once, after its arguments.
fn announced(text: &str, events: &[CallEvent]) -> Vec<Announced> {
    let mut announced: Vec<Announced> = Vec::new();
    for event in events {
        let shown = || format!("{event:?} in {events:?} of {text:?}");
        match event {
            CallEvent::Started { call, name } => {
                assert_eq!(*call, announced.len(), "{}", shown());
                let name = name.clone();
                announced.push(Announced {
                    name,
                    ..Announced::default()
                });
            }
            CallEvent::Arguments { call, text } => {
                assert_eq!(announced[*call].complete, None, "{}", shown());
                announced[*call].arguments.push_str(text);
            }
            CallEvent::Finished {
                call,
                complete,
                ok,
                reason,
                arguments,
            } => {
                let before = announced[*call].complete.replace(*complete);
                assert_eq!(before, None, "{}", shown());
                assert_eq!(*ok, reason.is_none() && *complete, "{}", shown());
                announced[*call].ok = *ok;
                announced[*call].bound.clone_from(arguments);
            }
            CallEvent::Superseded { call } => announced[*call].is_superseded = true,
            _ => {}
        }
    }
    let is_ended = announced.iter().all(|one| one.complete.is_some());
    assert!(is_ended, "{events:?} of {text:?}");
    announced
}

/// Returns `true` if a text may have an end of reasoning.
fn ends_reasoning(text: &str) -> bool {
    let ends = [
        "think",
        "thought",
        "reasoning",
        "THINK",
        "channel|>",
        "RESPONSE",
        "suffix|>",
    ];
    ends.iter().any(|end| text.contains(end))
}

/// Checks that whatever a stream announces has one beginning and one end, for any bytes.
///
/// # Panics
///
/// If the law does not hold.
pub fn events_of_calls_are_in_order(text: &str, registry: &Registry) {
    // Texts of every length take turns.
    let (_, events) = streamed(text, PIECES[text.len() % PIECES.len()], registry);
    announced(text, &events);
}

fn streamed(text: &str, length: usize, registry: &Registry) -> (TextCalls, Vec<CallEvent>) {
    let mut stream = CallReader::new(registry).stream();
    let mut events = Vec::new();
    for piece in text.as_bytes().chunks(length) {
        stream.push_bytes(piece).expect("it is UTF-8");
        events.extend(stream.events());
    }
    let (found, last) = stream.finish_with_events();
    events.extend(last);
    (found, events)
}

/// All but the work, which depends on the pieces.
fn shown(found: &TextCalls) -> String {
    let (content, reasoning) = (found.content(), found.reasoning());
    let unsearched = found.unsearched();
    format!(
        "{:?} {content:?} {reasoning:?} {unsearched:?}",
        found.calls()
    )
}
