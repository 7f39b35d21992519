//! The words of the help: commands and options begin with an imperative ("Read", "Print") or a noun phrase.

use crate::support::run;

/// Words that no help begins with: questions, relative clauses, adverbs and amounts.
const RIDDLES: &[&str] = &[
    "Also", "As", "How", "If", "So", "That", "The", "What", "When", "Whether", "Which", "Why",
];

/// Nouns in the plural, which look like verbs in the third person.
const PLURALS: &[&str] = &["Files"];

#[test]
fn commands_and_options_begin_with_an_imperative_or_a_noun() {
    let all = run(&["--help"], "").out;
    let commands: Vec<&str> = all
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(commands.len() >= 17, "{commands:?}");

    let mut seen = 0;
    for command in commands.iter().filter(|command| **command != "help") {
        let help = run(&[command, "--help"], "").out;
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

/// Returns the first word of a help text and those of its arguments and options.
fn openings(help: &str) -> Vec<&str> {
    let lines: Vec<&str> = help.lines().collect();
    let mut found = vec![first_word(lines[0])];
    for (index, line) in lines.iter().enumerate().skip(1) {
        let before = lines[index - 1].trim_start();
        let is_named = before.starts_with('-') || before.starts_with(['[', '<']);
        // Behind a default, the other names of an option.
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
