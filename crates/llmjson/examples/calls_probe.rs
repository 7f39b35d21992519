use std::io::BufRead;
fn main() {
    let registry = llmjson::tools::Registry::builder().build().unwrap();
    for line in std::io::stdin().lock().lines() {
        let row: serde_json::Value = serde_json::from_str(&line.unwrap()).unwrap();
        let input = row["input"].as_str().unwrap();
        let reader = llmjson::tools::CallReader::new(&registry);
        let run = |size: usize| {
            let mut stream = reader.stream();
            let mut events = Vec::new();
            let chars: Vec<char> = input.chars().collect();
            for piece in chars.chunks(size) {
                stream.push(&piece.iter().collect::<String>());
                events.extend(stream.events());
            }
            let before = events.len();
            let (found, last) = stream.finish_with_events();
            events.extend(last);
            (found, events, before)
        };
        let show = |found: &llmjson::tools::TextCalls| {
            format!(
                "{:?} {:?} {:?}",
                found
                    .calls()
                    .iter()
                    .map(|c| (
                        c.name().to_owned(),
                        c.arguments().to_owned(),
                        c.is_complete(),
                        c.family().name(),
                        c.span()
                    ))
                    .collect::<Vec<_>>(),
                found.content(),
                found.reasoning()
            )
        };
        let (whole, _, _) = run(1 << 20);
        let whole = show(&whole);
        for size in [1, 2, 3, 7, 40, 400] {
            let (found, events, _) = run(size);
            if show(&found) != whole {
                eprintln!("DIFF {size} {input:?}\n  {}\n  {whole}", show(&found));
                break;
            }
            let mut args = vec![String::new(); found.calls().len()];
            let mut names = Vec::new();
            for event in &events {
                match event {
                    llmjson::tools::CallEvent::Started { call, name } => {
                        assert_eq!(*call, names.len());
                        names.push(name.clone());
                    }
                    llmjson::tools::CallEvent::Arguments { call, text } => {
                        if *call < args.len() {
                            args[*call].push_str(text)
                        }
                    }
                    _ => {}
                }
            }
            if names.len() != found.calls().len() {
                eprintln!("NAMES {size} {input:?} {names:?} {whole}");
                break;
            }
            for (i, call) in found.calls().iter().enumerate() {
                if names[i] != call.name() {
                    eprintln!("NAME {size} {input:?} {names:?} {whole}");
                }
                let read = llmjson::syntax::parse(&args[i]).to_json();
                let is = llmjson::syntax::parse(call.arguments()).to_json();
                if read != is {
                    eprintln!("ARGS {size} {input:?} {:?} {:?}", args[i], call.arguments());
                }
            }
        }
        let found = llmjson::tools::calls_in(row["input"].as_str().unwrap(), &registry);
        let calls: Vec<_> = found.calls().iter().map(|c| serde_json::json!({"name": c.name(), "arguments": serde_json::from_str::<serde_json::Value>(c.arguments()).unwrap_or(serde_json::Value::String(c.arguments().to_owned())), "complete": c.is_complete(), "certainty": c.certainty().name(), "family": c.family().name()})).collect();
        println!(
            "{}",
            serde_json::json!({"calls": calls, "content": found.content(), "reasoning": found.reasoning()})
        );
    }
}
