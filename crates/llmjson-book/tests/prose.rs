//! The prose of the repository: constructions that read as translated, in Markdown, comments and docstrings.
//!
//! `prose.txt` has the number of hits that each file is allowed, which may only fall; any other file is allowed none.
//! `UPDATE_SNAPSHOTS=1` writes it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use fancy_regex::Regex as Rule;
use regex::{Regex, RegexSet};

/// A rule, its pattern, which runs on a sentence without code and quotations, and what to write instead.
#[rustfmt::skip]
const RULES: &[(&str, &str, &str)] = &[
    ("who", r"^who(ever)? (?!is\b.*\?)", "name the reader: \"If you …\", \"Callers that …\""),
    ("of-first", r"^of (several|the|these|those|two|each|all|a|an|duplicate|more|what)\b", "the subject first: \"The last of several rows is used\""),
    ("what-first", r"^(and |but )?what (?!(is|are|does|do|did|was|were) [^.]*\?)(?!['’]s\b)", "a noun: \"Text that …\", \"Unknown members …\""),
    ("that-first", r"^that (is|was|are|has|an?|the|it|so|of|no|which) ", "the subject first"),
    ("such", r"^such an? |\bsuch an? (call|value|text|name|reply|schema|member|pointer|file|part|test|place)\b", "\"this\", \"one of these\", or the noun again"),
    (PRONOUN, r"^(those|the same|its|theirs|the one|the ones|the other|the others|so (is|are|does|do|has)|it) (?!(is (an error|safe|recommended|possible))\b)", "the noun again"),
    ("what-noun", r"\b(of|to|from|with|in|for|than|by|on|behind|before|after|at|and|but|or|about|into|as|beside|around) what (?!to\b|kind\b|if\b)[a-z]+\b(?![^.]*\?)", "a noun: \"the rest\", \"the corrected value\""),
    ("that-of", r"\b(that|those) of (a|an|the|its|their|each|this|these|such|all|another|other|what|one|some|(?-i:[A-Z])\w+)\b", "the noun again: \"the kind's class\""),
    ("behind", r"\bbehind\b(?! (a |an |the )?(features?|flags?|cfg|load balancer|proxy|nat|firewall|server|it is (a|the)\b))(?<!furthest behind)", "\"after\""),
    ("stands", r"\b(stands?|stood|standing)\b(?! (for|in for|out|alone|still))", "\"is\", \"appears\", \"occurs\""),
    ("alone", r"^(?!.*\bleav(e|es|ing) [^.]*\balone\b).*(?<!let )(?<!stands )(?<!stand )\balone\b", "\"only\", \"by itself\""),
    ("besides", r"\bbesides\b", "\"also\", \"in addition\""),
    ("anew", r"\banew\b", "\"again\", \"re-\""),
    ("archaic", r"\b(seldom|dear(er|est|ly)?|lest|for want of|hence|all else|in one go|many a|be it|but for|as good as|as well as it can|thereof|whither)\b", "\"rarely\", \"expensive\", \"everything else\", \"except\""),
    ("otherwise", r"\b(read|decided|treated|done|laid out|written|spelled|named|told|differs?|behaves?|taken|counts?) otherwise\b|\botherwise than\b", "\"differently\""),
    ("is-no", r"(?<!there )\b(is|are|was|were|be) no (?!longer\b|more\b|less\b|fewer\b|different\b|need\b|way\b|later\b)[a-z-]+", "\"is not a …\""),
    ("sign", r"\b(another|other|odd|first|next|each|last|single|both|these|of|a|an|the) signs?\b(?! (bit|extension|of (life|trouble)))|\bsigns (that|of|for|in|between|around|beside)\b", "\"character\", \"delimiter\", \"symbol\""),
    ("told", r"\b(is|are|was|were|be|been|being) told\b(?! apart)|\btells? (by|of|which|whether|how|what|that|its|nothing|no|so)\b|\bcan be told\b|\bto tell\b", "\"report\", \"show\", \"distinguish\""),
    ("goes-on", r"\b(go|goes|going|went) on\b", "\"continue\""),
    ("put", r"\bputs? (\w+ ){0,3}?(in|right|together|back|up)\b(?! (a|an|the|their|its|place|this) (file|crate|module|folder))", "\"insert\", \"fix\", \"assemble\", \"restore\""),
    ("of-its-own", r"\bof (its|their|our|one's) own\b", "\"its own …\", \"a separate …\""),
    ("n-of-ns", r"\b(calls?|limits?|marks?|settings?|names?|servers?|clients?|streams?|tests?|turns?|bod(y|ies)|blocks?|answers?|values?|order|account|time|table|kinds?|texts?) of (tools?|tokens?|members?|texts?|policies|formats|models?|chat|code|requests?|repl(y|ies)|speakers?|work|lines|shells?|schemas|TLS|HTTP|MCP|YAML|XML|TOML|HTML|Python|JavaScript|Windows|CSV)\b", "a compound: \"tool calls\", \"token limit\""),
    ("one-that", r"\b(the one|the ones|one|those) (that|which|whose|of which|in which)\b", "the noun again"),
    ("comes", r"\b(has|have|had) come\b|\bcomes? (of|to|from|more than once|again|twice|at|so|by)\b|\bstill coming\b|\bas (it|they) comes?\b|\bwhile (it|they|the \w+) comes?\b", "\"arrives\", \"occurs\", \"is repeated\""),
    ("as-it-is", r"\bas (it|they) (is|are|was|were|has|have)\b(?! (possible|necessary|written))", "\"unchanged\", \"as written\""),
    ("coined", r"\b(floors?|carriers?|carried (by|repl|text)|libert(y|ies)|misfits?|riddles?|heaps? of|the house|in doubt|a doubt|doubts|begun anew|surroundings|the account|looks? (at|of|for) (the )?text|takes off|gives up|given up)\b", "the field's word"),
];

/// Only the first sentence of a comment lacks the noun before it that a pronoun may refer to.
const PRONOUN: &str = "pronoun-first";

/// The rule about the first line of a doc comment: a verb in the third person, as functions need, or a noun phrase.
const FIRST_LINE: &str = "first-line";
const NO_NOUN_PHRASE: &str = r"^(also|and|as|at|because|but|by|for|from|how|if|in|nobody|nothing|not|on|once|or|since|so|than|then|there|they|this|though|to|under|when|where|whether|which|while|whose|why|with|within|without)\b";
const THIRD_PERSON: &str = r"^[A-Z][a-z]*[a-z]s\b";

/// Folders whose files are generated, or are data or tests.
const SKIPPED: &[&str] = &[
    "target",
    "node_modules",
    "package",
    "dist",
    "tests",
    "corpus",
];

/// The start of a line that is a comment by itself; the rest of it is prose.
const MARKS: &[(&str, &[&str])] = &[
    ("md", &[""]),
    ("rs", &["///", "//!", "//"]),
    ("py pyi", &["\"\"\"", "# "]),
    ("js mjs ts", &["/**", "//"]),
];

/// A paragraph of prose.
struct Paragraph {
    line: usize,
    text: String,
    is_in_comment: bool,
    /// The line of code that a doc comment is about, if this is its first paragraph.
    item: Option<String>,
}

fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a pattern")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            if !name.starts_with('.') && !SKIPPED.contains(&&*name) {
                files(&path, found);
            }
        } else if !marks(&path).is_empty() && !name.starts_with("CHANGELOG") {
            found.push(path);
        }
    }
}

fn marks(path: &Path) -> &'static [&'static str] {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    let row = MARKS
        .iter()
        .find(|(extensions, _)| extensions.split(' ').any(|one| one == extension));
    row.map_or(&[], |(_, marks)| marks)
}

/// Returns each line of a file with the mark of its comment, if it is one, and its prose.
fn comments<'t>(text: &'t str, marks: &[&'static str]) -> Vec<Option<(&'static str, &'t str)>> {
    // The mark and the end of a comment, or of a string of code, over several lines.
    let mut block: Option<(Option<&str>, &str)> = None;
    let mut comment = |line: &'t str| {
        if marks == [""] {
            return Some(("", line));
        }
        let line = line.trim();
        if let Some((mark, end)) = block {
            let prose = line.split_once(end).map(|(before, _)| {
                block = None;
                before
            });
            let prose = prose.unwrap_or(line).trim();
            return mark.map(|mark| (mark, prose.strip_prefix('*').unwrap_or(prose)));
        }
        let line = &line[usize::from(line.starts_with("r\""))..];
        let mark = marks.iter().find(|mark| line.starts_with(**mark));
        let Some(mark) = mark else {
            let is_string = marks.contains(&"\"\"\"") && line.matches("\"\"\"").count() % 2 == 1;
            block = is_string.then_some((None, "\"\"\""));
            return None;
        };
        let prose = &line[mark.len()..];
        let end = match *mark {
            "/**" => "*/",
            "\"\"\"" => mark,
            _ => return Some((mark, prose)),
        };
        let closed = prose.split_once(end);
        block = closed.is_none().then_some((Some(mark), end));
        let prose = closed.map_or(prose, |(before, _)| before);
        // The first line of the comment is then the next one.
        (!prose.trim().is_empty()).then_some((*mark, prose))
    };
    text.lines().map(&mut comment).collect()
}

/// Returns the paragraphs of a file, each item of a list and each cell of a table by itself, without headings and code.
fn paragraphs(text: &str, marks: &[&'static str]) -> Vec<Paragraph> {
    let lines: Vec<&str> = text.lines().collect();
    let list = pattern(r"^\s*([-*]|\d+\.)\s+");
    let mut found: Vec<Paragraph> = Vec::new();
    let (mut last, mut fence, mut is_open) = ("", None, false);
    for (index, comment) in comments(text, marks).into_iter().enumerate() {
        let Some((mark, prose)) = comment else {
            (last, fence, is_open) = ("", None, false);
            continue;
        };
        let is_first = mark != last;
        (is_open, last) = (is_open && !is_first, mark);
        let content = prose.trim();
        let ticks = content.len() - content.trim_start_matches('`').len();
        if ticks >= 3 && fence.is_none_or(|fence| ticks >= fence) {
            fence = fence.is_none().then_some(ticks);
        }
        let is_table = content.starts_with('|');
        let is_skipped = fence.is_some() || ticks >= 3 || content.starts_with(['#', '!', '>']);
        if content.is_empty() || is_skipped {
            is_open = false;
            continue;
        }
        let mut add = |text: &str| {
            found.push(Paragraph {
                line: index + 1,
                text: text.to_owned(),
                is_in_comment: !mark.is_empty(),
                item: is_first.then(|| item(&lines, index, mark)).flatten(),
            });
        };
        if is_table {
            let cells = content
                .split('|')
                .filter(|cell| cell.split_whitespace().count() >= 4);
            cells.for_each(|cell| add(cell.trim()));
        } else if is_open && !list.is_match(prose) {
            let paragraph = found.last_mut().expect("an open paragraph");
            paragraph.text = format!("{} {content}", paragraph.text);
            continue;
        } else {
            add(list.replace(prose, "").trim());
        }
        is_open = !is_table;
    }
    found
}

/// Returns the line of code that the doc comment at a line is about; for the head of a file, nothing.
fn item(lines: &[&str], start: usize, mark: &str) -> Option<String> {
    let is_code = |line: &&&str| !line.trim_start().starts_with(['/', '#', ')', ']']);
    let item = match mark {
        "\"\"\"" => {
            let begins = |line: &&str| {
                ["def ", "async def ", "class "]
                    .iter()
                    .any(|word| line.trim_start().starts_with(word))
            };
            let head = lines[..start].iter().rposition(begins);
            // A property is a noun.
            let head = head.filter(|head| !lines[head.saturating_sub(1)].contains("property"));
            head.map(|head| &lines[head])
        }
        "///" => lines[start..].iter().find(is_code),
        "/**" => lines[start..]
            .iter()
            .skip_while(|line| !line.contains("*/"))
            .nth(1),
        "//!" => return Some(String::new()),
        _ => return None,
    };
    Some(item.map_or_else(String::new, |item| item.trim().to_owned()))
}

/// The patterns of the rules, and those that prepare a text for them.
struct Checker {
    /// The rules without lookaround: a sentence that none matches, which is found in one pass, has no hit.
    filter: RegexSet,
    rules: Vec<(&'static str, Rule, &'static str)>,
    plain: Vec<(Regex, &'static str)>,
    function: Regex,
    third_person: Regex,
    no_noun_phrase: Regex,
}

impl Checker {
    fn new() -> Self {
        let ignoring_case = |rule: &str| format!("(?i){rule}");
        let rules = RULES.iter().map(|(name, rule, hint)| {
            let rule = Rule::new(&ignoring_case(rule)).expect("a rule");
            (*name, rule, *hint)
        });
        let filter = RULES
            .iter()
            .map(|(_, rule, _)| ignoring_case(&without_lookaround(rule)));
        // Code and quotations become a name; links their text; a sentence begins on a line.
        let plain = [
            (r"`+[^`]*`+", "X"),
            (r"\[([^\]]*)\]\([^)]*\)", "$1"),
            (r"\[([^\]]*)\]", "$1"),
            (r#""[^"]*"|“[^”]*”"#, "X"),
            (r"[*_]{1,2}", ""),
            (r"([.!?:;])\s+([A-Za-z(])", "$1\n$2"),
        ];
        Self {
            filter: RegexSet::new(filter).expect("rules"),
            rules: rules.collect(),
            plain: plain.map(|(from, to)| (pattern(from), to)).into(),
            function: pattern(
                r"^(pub (async |const |unsafe )*fn |export (declare )?(async )?function |(async )?def [a-z])",
            ),
            third_person: pattern(THIRD_PERSON),
            no_noun_phrase: pattern(&format!("(?i){NO_NOUN_PHRASE}")),
        }
    }

    /// Returns the hits of a file: the line, the rule, the advice and the sentence.
    fn hits(&self, text: &str, marks: &[&'static str]) -> Vec<String> {
        let mut found = Vec::new();
        for paragraph in paragraphs(text, marks) {
            let prepare = |text: String, (from, to): &(Regex, &str)| {
                from.replace_all(&text, *to).into_owned()
            };
            let plain = self.plain.iter().fold(paragraph.text.clone(), prepare);
            let mut hit = |rule: &str, hint: &str, sentence: &str| {
                found.push(format!(
                    "{}: {rule}: write {hint}: {sentence}",
                    paragraph.line
                ));
            };
            if let Some(item) = &paragraph.item {
                let is_wrong = match self.function.is_match(item) {
                    true => !self.third_person.is_match(&paragraph.text),
                    false => self.no_noun_phrase.is_match(&plain),
                };
                if is_wrong {
                    hit(
                        FIRST_LINE,
                        "a third-person verb (\"Returns\") or a noun phrase",
                        &plain,
                    );
                }
            }
            let sentences = plain
                .lines()
                .filter(|sentence| sentence.split_whitespace().count() >= 2);
            for (place, sentence) in sentences.enumerate() {
                let is_opening = place == 0 && paragraph.is_in_comment;
                for index in self.filter.matches(sentence) {
                    let (name, rule, hint) = &self.rules[index];
                    let is_hit = rule.is_match(sentence).expect("a match that ends");
                    if is_hit && (is_opening || *name != PRONOUN) {
                        hit(name, hint, sentence);
                    }
                }
            }
        }
        found
    }
}

/// Returns a pattern without `(?!…)`, `(?<!…)` and the like.
fn without_lookaround(pattern: &str) -> String {
    let mut rest = pattern;
    let mut kept = String::new();
    while let Some(start) = ["(?!", "(?<!"]
        .iter()
        .filter_map(|open| rest.find(open))
        .min()
    {
        let mut depth = 0;
        let end = rest[start..].find(|letter| {
            depth += i32::from(letter == '(') - i32::from(letter == ')');
            depth == 0
        });
        kept.push_str(&rest[..start]);
        rest = &rest[start + end.expect("it is closed") + 1..];
    }
    kept + rest
}

#[test]
fn no_file_has_more_hits_than_before() {
    let baseline = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/prose.txt");
    let allowed = fs::read_to_string(&baseline).unwrap_or_default();
    let allowed: BTreeMap<&str, usize> = allowed
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(count, path)| (path, count.parse().expect("a number of hits")))
        .collect();
    let checker = Checker::new();
    let (mut sources, mut now, mut wrong) = (Vec::new(), String::new(), String::new());
    files(&root(), &mut sources);
    sources.sort();
    assert!(sources.len() > 500, "only {} files", sources.len());
    for source in sources {
        let text = fs::read_to_string(&source).expect("a source");
        let path = source.strip_prefix(root()).expect("within the repository");
        let path = path.to_string_lossy().replace('\\', "/");
        let hits = checker.hits(&text, marks(&source));
        let before = allowed.get(&*path).copied().unwrap_or(0);
        if !hits.is_empty() {
            writeln!(now, "{} {path}", hits.len()).expect("a string");
        }
        if hits.len() > before {
            let hits: String = hits
                .iter()
                .map(|hit| format!("\n    {path}:{hit}"))
                .collect();
            let count = hits.lines().count() - 1;
            writeln!(wrong, "{path}: {count} hits, {before} allowed:{hits}").expect("a string");
        }
    }
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        fs::write(baseline, now).expect("the baseline can be written");
    } else {
        assert!(wrong.is_empty(), "{wrong}");
    }
}

#[test]
fn only_prose_is_checked() {
    let checker = Checker::new();
    let rules = |text: &str, path: &str| -> Vec<String> {
        let hits = checker.hits(text, marks(Path::new(path)));
        let place = |hit: String| hit.split(": ").take(2).collect::<Vec<_>>().join(" ");
        hits.into_iter().map(place).collect()
    };
    let md = "# What behind\n\nText.\nBehind `behind`, \"behind\".\n```\nbehind\n```\n- one\n- seldom so\n| what it is that goes on | x |\n";
    assert_eq!(
        rules(md, "a.md"),
        ["3 behind", "9 archaic", "10 what-first", "10 goes-on"]
    );
    let rust = "//! If so.\nlet behind = 1; // behind\n/// Reads.\n///\n/// Its end.\n#[must_use]\npub fn read() {}\n/// The end.\npub const fn end() {}\n";
    assert_eq!(
        rules(rust, "a.rs"),
        ["1 first-line", "5 pronoun-first", "8 first-line"]
    );
    let python = "def f(\n    x,\n):\n    \"\"\"Read it.\n\n    Seldom.\n    \"\"\"\n    # seldom so\n    seldom = 1\n";
    assert_eq!(rules(python, "a.py"), ["4 first-line", "8 archaic"]);
    let js = "/**\n * End here.\n * It goes on.\n */\nexport function f() {}\n// What is.\n/** The end. */\nexport function g() {}";
    assert_eq!(
        rules(js, "a.ts"),
        ["2 first-line", "2 goes-on", "6 what-first", "7 first-line"]
    );
}
