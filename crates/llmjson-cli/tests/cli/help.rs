//! The help texts: their first words, their lines, and the defaults that they name.

use crate::support::run;

/// Columns of the help on a terminal that has more.
const COLUMNS: usize = 96;

/// Words that no help begins with: questions, relative clauses, adverbs and amounts.
const RIDDLES: &[&str] = &[
    "Also", "As", "How", "If", "So", "That", "The", "What", "When", "Whether", "Which", "Why",
];

/// Nouns in the plural, which look like verbs in the third person.
const PLURALS: &[&str] = &["Files"];

/// Returns the names of the commands.
fn commands() -> Vec<String> {
    let all = run(&["--help"], "");
    assert_eq!(all.code, Some(0));
    assert!(all.out.contains("Exit codes:"), "{}", all.out);
    let commands: Vec<String> = all
        .out
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|command| *command != "help")
        .map(str::to_owned)
        .collect();
    assert!(commands.len() >= 16, "{commands:?}");
    commands
}

#[test]
fn commands_and_options_begin_with_an_imperative_or_a_noun() {
    let mut seen = 0;
    for command in commands() {
        let ran = run(&[&command, "--help"], "");
        assert_eq!(ran.code, Some(0), "{command}");
        let help = ran.out;
        assert!(help.contains("Usage: llmjson"), "{command}");
        for first in openings(&help) {
            seen += 1;
            let is_third_person =
                first.ends_with('s') && !first.ends_with("ss") && !PLURALS.contains(&first);
            let is_riddle = RIDDLES.contains(&first);
            assert!(!is_third_person && !is_riddle, "{command}: {first}\n{help}");
        }
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn lines_are_wrapped_without_orphans() {
    let commands = commands();
    let all = std::iter::once("").chain(commands.iter().map(String::as_str));
    for command in all {
        let arguments = [command, "--help"];
        let help = run(&arguments[usize::from(command.is_empty())..], "").out;
        let lines: Vec<&str> = help.lines().chain([""]).collect();
        let indent = |line: &str| line.len() - line.trim_start().len();
        let mut orphans = Vec::new();
        for around in lines.windows(3) {
            let [before, line, after] = around else {
                continue;
            };
            let columns = |line: &str| line.chars().count();
            let is_wrapped = !line.starts_with("Usage: ");
            assert!(!is_wrapped || columns(line) <= COLUMNS, "{command}: {line}");
            let is_short = match line.split_whitespace().count() {
                1 => columns(before) > 60,
                2 => columns(before) > 80 && indent(after) >= indent(line) && !after.is_empty(),
                _ => false,
            };
            if is_short && indent(line) == indent(before) {
                orphans.push(format!("{before}\n{line}"));
            }
        }
        assert!(orphans.is_empty(), "{command}: {orphans:#?}");
    }
}

#[test]
fn defaults_in_numbers_are_those_of_constants() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/args");
    for file in std::fs::read_dir(folder).expect("a folder") {
        let path = file.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a source");
        for default in text.split("[default: ").skip(1) {
            let is_number = default.starts_with(|first: char| first.is_ascii_digit());
            assert!(!is_number, "{}: use `default_value_t`", path.display());
        }
    }
}

/// The settings with the defaults of the help are those without settings.
#[cfg(feature = "gateway")]
#[test]
fn defaults_of_the_gateway_are_those_that_it_uses() {
    use llmjson_gateway::server::{self, mcp};

    let gateway = ["--upstream", "http://127.0.0.1:1/v1"];
    defaults_hold::<server::Settings>(&gateway, |settings| {
        format!(
            "{:?}",
            server::Config::new(settings).expect("valid settings")
        )
    });
    let proxy = ["--url", "http://127.0.0.1:1/mcp"];
    defaults_hold::<mcp::Settings>(&proxy, |settings| {
        let policy = llmjson::Policy::tool();
        format!(
            "{:?}",
            mcp::Config::new(settings, policy, &[]).expect("valid settings")
        )
    });
}

#[cfg(feature = "gateway")]
fn defaults_hold<S: clap::Args>(required: &[&str], shown: impl Fn(&S) -> String) {
    let command = S::augment_args(clap::Command::new("test"));
    let mut given: Vec<String> = Vec::new();
    for argument in command.get_arguments() {
        let help = argument.get_help().expect("a help text").to_string();
        if let Some((_, default)) = help.split_once("[default: ") {
            given.push(format!("--{}", argument.get_long().expect("a name")));
            given.push(default.trim_end_matches(']').to_owned());
        }
    }
    assert!(given.len() > 20, "{given:?}");
    let settings = |more: &[String]| {
        let arguments = ["test"].iter().chain(required).map(|one| (*one).to_owned());
        let matches = command
            .clone()
            .get_matches_from(arguments.chain(more.iter().cloned()));
        let shown = shown(&S::from_arg_matches(&matches).expect("settings"));
        // Each policy has its number.
        let mut parts = shown.split(" id: ");
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |all, part| {
            all + part.trim_start_matches(char::is_numeric)
        })
    };
    assert_eq!(settings(&given), settings(&[]));
}

/// Returns the first word of a help text and those of its arguments and options.
fn openings(help: &str) -> Vec<&str> {
    let lines: Vec<&str> = help.lines().collect();
    let mut found = vec![first_word(lines[0])];
    for (index, line) in lines.iter().enumerate().skip(1) {
        let before = lines[index - 1].trim_start();
        let is_named = before.starts_with('-') || before.starts_with(['[', '<']);
        // After the default, the other names of an option.
        let is_note = line.trim_start().starts_with('[');
        if line.starts_with("          ") && is_named && !is_note {
            found.push(first_word(line));
        }
    }
    found
}

fn first_word(line: &str) -> &str {
    let word = line.split_whitespace().next().unwrap_or_default();
    word.trim_end_matches([',', ';', ':', '.'])
}
