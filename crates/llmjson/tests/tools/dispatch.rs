//! Calls that are dispatched to the functions that run them, and the names by which tools are called.

use llmjson_testutil::table::rows_of;
use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use llmjson::Policy;
use llmjson::tools::{BindError, MatchingMode, Registry, Tool, calls_in};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::block_on::block_on;

/// The rows of the tests.
const FILE: &str = include_str!("dispatch.txt");

const SCHEMA: &str = r#"{"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
    "required": ["city"]}"#;

#[derive(Deserialize)]
struct Weather {
    city: String,
    days: Option<u8>,
}

fn registry(tool: Tool) -> Registry {
    let builder = Registry::builder().register_schema(tool, SCHEMA);
    builder.build().expect("it can be used")
}

fn weather() -> Tool {
    Tool::new("get_weather", "Tells the weather.")
}

#[test]
fn functions_of_every_sort_run_tools() {
    let forecast = |asked: Weather| (asked.city, asked.days.unwrap_or(1));
    let tools = [
        weather().with_handler(move |asked| Ok::<_, Infallible>(forecast(asked))),
        weather().with_async_handler(move |asked| async move { Ok::<_, String>(forecast(asked)) }),
        weather().with_async_handler(move |asked: Value| {
            let (sender, receiver) = mpsc::channel();
            std::thread::spawn(move || sender.send(asked));
            async move {
                std::future::ready(()).await;
                let asked = receiver.recv_timeout(Duration::from_secs(10))?;
                Ok::<_, Box<dyn std::error::Error + Send + Sync>>((asked["city"].clone(), 3))
            }
        }),
    ];
    for tool in tools {
        let registry = registry(tool);
        let running = registry.dispatch("get_weather", "{'city': 'Oslo', days: \"3\"}");
        // It owns what it needs, and can be sent.
        drop(registry);
        let answer = std::thread::spawn(|| block_on(running)).join();
        let answer = answer.expect("it does not panic").expect("it runs");
        assert_eq!(answer.value, r#"["Oslo",3]"#);
        assert_eq!(
            answer.report.canonical_arguments(),
            r#"{"city":"Oslo","days":3}"#
        );
    }
}

#[test]
fn answers_are_texts_or_json_in_declared_order() {
    #[derive(serde::Serialize)]
    struct Sky {
        zenith: &'static str,
        at: f64,
        degrees: i8,
    }
    let sky = Sky {
        zenith: "clear",
        at: 1.5,
        degrees: -3,
    };
    let sky = serde_json::to_string(&sky).unwrap();
    assert_eq!(sky, r#"{"zenith":"clear","at":1.5,"degrees":-3}"#);
    let table: [(Value, &str); 5] = [
        (json!("Snow.\n\"Much\""), "Snow.\n\"Much\""),
        (json!(""), ""),
        (json!(null), "null"),
        (json!("{}"), "{}"),
        (json!([1, "2"]), r#"[1,"2"]"#),
    ];
    for (value, told) in table {
        let answer = value.clone();
        let tool = weather().with_handler(move |_: Value| Ok::<_, Infallible>(answer.clone()));
        let answer = block_on(registry(tool).dispatch("get_weather", r#"{"city": "Oslo"}"#));
        let answer = answer.expect("it runs");
        assert_eq!(answer.value, told);
        let messages = [
            &answer.to_mcp_result()["content"][0]["text"],
            &answer.to_openai_message("1")["content"],
            &answer.to_anthropic_block("1")["content"],
        ];
        assert_eq!(messages, [told; 3]);
        assert_eq!(answer.to_mcp_result()["isError"], false);
    }
}

#[test]
fn only_what_is_bound_for_sure_runs() {
    let runs = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&runs);
    let tool = weather().with_handler(move |asked: Weather| {
        counted.fetch_add(1, Ordering::Relaxed);
        match asked.city.as_str() {
            "Oslo" => Ok("Snow."),
            city => Err(format!("there is no {city}")),
        }
    });
    let tools = registry(tool);
    let dispatch = |name: &str, text: &str| {
        let error = block_on(tools.dispatch(name, text)).expect_err(text);
        (error.explain(), error.is_retryable())
    };
    let (told, may) = dispatch("get_weather", "{}");
    assert!(told.contains("`city` is missing") && may, "{told}");
    let (told, may) = dispatch("weather", r#"{"city": "Oslo"}"#);
    assert!(told.starts_with("There is no tool") && !may, "{told}");
    // Cut off.
    let (told, may) = dispatch("get_weather", r#"{"city": "Os"#);
    assert!(told.contains("truncated") && may, "{told}");
    drop(tools.dispatch("get_weather", r#"{"city": "Oslo"}"#));
    assert_eq!(runs.load(Ordering::Relaxed), 0, "nothing was polled");

    let (told, may) = dispatch("get_weather", r#"{"city": "Rome"}"#);
    assert_eq!((&*told, may), ("The tool failed: there is no Rome", true));
    assert_eq!(runs.load(Ordering::Relaxed), 1);

    let plain = registry(weather());
    let error = block_on(plain.dispatch("get_weather", "{city: 'Oslo'}")).unwrap_err();
    let BindError::Unhandled(report) = error else {
        panic!("{error}");
    };
    assert_eq!(report.canonical_arguments(), r#"{"city":"Oslo"}"#);

    // A type that takes less than the schema.
    let tool = weather().with_handler(|_: Vec<u8>| Ok::<_, Infallible>(()));
    let error = block_on(registry(tool).dispatch("get_weather", r#"{"city": "Oslo"}"#));
    assert!(matches!(error, Err(BindError::Type(_))));
}

#[test]
fn calls_in_texts_run() {
    let tools = registry(weather().with_handler(|asked: Weather| Ok::<_, Infallible>(asked.city)));
    let reply = "<tool_call>{'name': 'getWeather', 'arguments': {'city': 'Oslo'}}</tool_call>";
    let found = calls_in(reply, &tools);
    let answer = block_on(found.calls()[0].run()).expect("it runs");
    assert_eq!(answer.value, "Oslo");
    // A refused call has a reason.

    for [rest, told] in rows_of(FILE, "calls in texts run") {
        let reply = format!("<tool_call>{{'name': {rest}");
        let found = calls_in(&reply, &tools);
        let error = block_on(found.calls()[0].run()).expect_err(told);
        assert!(error.explain().contains(told), "{}", error.explain());
    }
}

/// Returns a name of these words in each of the usual spellings.
fn spellings(words: &[&str]) -> Vec<String> {
    let title = |word: &&str| word[..1].to_uppercase() + &word[1..];
    let titles: Vec<_> = words.iter().map(title).collect();
    let camel = words[0].to_owned() + &titles[1..].concat();
    let mut all = vec![titles.concat(), titles.join(" "), camel];
    for separator in ["_", "-", ".", " ", ""] {
        all.push(words.join(separator));
        all.push(words.join(separator).to_uppercase());
    }
    all
}

#[test]
fn tools_are_found_by_another_spelling_of_their_names() {
    for words in [
        &["get", "weather"][..],
        &["pay"],
        &["list", "open", "issues"],
        &["get2", "sums"],
    ] {
        let names = spellings(words);
        for name in names.iter().filter(|name| !name.contains([' ', '.'])) {
            let tool = || Tool::new(&**name, "");
            let (usual, exact) = (
                registry(tool()),
                registry(tool().with_policy(Policy::exact())),
            );
            let strict = registry(tool().with_matching(MatchingMode::Exact));
            for called in &names {
                let arguments = r#"{"city": "Oslo"}"#;
                let bound = usual.bind_value(called, arguments).expect(called);
                let other = (called != name).then_some(&**called);
                let report = bound.report;
                assert_eq!(report.called(), other);
                assert_eq!(report.contract().name(), name);
                assert_eq!(report.has_repairs(), other.is_some());
                let class = report.certainty().name();
                assert_eq!(class, if other.is_some() { "likely" } else { "certain" });
                let json = serde_json::to_value(&report).unwrap();
                assert_eq!(json.get("called").and_then(Value::as_str), other);
                for registry in [&exact, &strict] {
                    assert_eq!(
                        registry.bind_value(called, arguments).is_ok(),
                        other.is_none()
                    );
                }
            }
            // Never by a part, by more, or by a letter that looks alike.
            let (part, more) = (words[0].to_owned() + "_", format!("my_{name}"));
            let alike = name.replace('a', "\u{430}").replace('e', "\u{435}");
            for called in [&*part, &*more, &*alike, "", "_"] {
                let is_name = names.iter().any(|one| one == called.trim_end_matches('_'));
                if called != name && !is_name {
                    let bound = usual.bind_value(called, r#"{"city": "Oslo"}"#);
                    let error = bound.expect_err(called);
                    assert!(
                        matches!(error, BindError::UnknownTool(_)),
                        "{called}: {error}"
                    );
                }
            }
        }
    }
}

#[test]
fn names_that_several_tools_share_find_none() {
    let builder = Registry::builder().register_schema(Tool::new("get_sum", ""), SCHEMA);
    let builder = builder.register_schema(Tool::new("getSum", ""), SCHEMA);
    let tools = builder.build().expect("they can be used");
    let call = r#"{"city": "Oslo"}"#;
    let error = tools.bind_value("GetSum", call).unwrap_err();
    assert!(error.explain().contains("did you mean"), "{error}");
    for name in ["get_sum", "getSum"] {
        let report = tools.report(name, call).expect("it is a tool");
        assert_eq!((report.contract().name(), report.called()), (name, None));
    }
}

#[test]
fn declared_order_is_kept_in_lists() {
    let schema = r#"{"type": "object", "properties": {"z": {"type": "string", "minLength": 1}, "b": {"maximum": 1.50}, "a": {}}, "required": ["z"]}"#;
    let tools = [
        Tool::new("plain", ""),
        Tool::new("groups", "")
            .with_required_any(["b", "a"])
            .with_alias("b", "bee")
            .with_example("z", "x"),
    ];
    for tool in tools {
        let registry = Registry::builder().register_schema(tool, schema);
        let registry = registry.build().expect("it can be used");
        let lists = [
            registry.to_openai_json(),
            registry.to_anthropic_json(),
            registry.to_gemini_json(),
            registry.to_mcp_json(),
        ];
        for list in lists {
            let places = ["\"z\":", "\"b\":", "\"a\":"].map(|name| list.find(name).expect(name));
            assert!(places.is_sorted(), "{list}");
            assert!(list.contains("1.50"), "{list}");
            let document = llmjson::syntax::parse(&list);
            assert_eq!(document.repairs(), []);
            let told = list.contains("At least one of `b` and `a` is needed.");
            assert_eq!(told, list.contains("groups"), "{list}");
        }
    }
}
