//! An answer that is whole JSON, beside code and templates that look like damaged JSON.

use llmjson::{Schema, parse};

const SNIPPETS: &[&str] = &[
    // C#
    "{\n  [Column(\"id\")]\n}",
    "public class Crate\n{\n    [JsonProperty(\"weight\")]\n    public int Weight { get; set; }\n}",
    "[HttpGet(\"{id}\")]\npublic IActionResult Get(int id)\n{\n    return Ok(new { id, kind = \"crate\" });\n}",
    // Java
    "@Sizes({\"s\", \"m\"})\nvoid pack() {\n    int[] all = {1, 2, 3};\n    print(\"first: \" + all[0]);\n}",
    "Map<String, Integer> m = new HashMap<>() {{ put(\"a\", 1); }};",
    // CSS
    "main {\n  color: teal;\n  margin: 0 auto;\n}\n.a::after { content: \"[\"; }",
    "@media (max-width: 40em) {\n  .grid { display: none; }\n}",
    // Templates
    "{% for one in crates %}\n  {{ one.name }}: \"{{ one.size }}\"\n{% endfor %}",
    "{{#each crates}}\n  <li>{{name}} [{{size}}]</li>\n{{/each}}",
    "{\n  \"user\": {{ user | tojson }},\n  \"n\": {{ n }}\n}",
    // Shells
    "for f in *.txt; do\n  if [[ -f \"$f\" ]]; then echo \"${f%.txt}\"; fi\ndone\nawk '{print $1}' x",
    "pack() {\n  [ -z \"$1\" ] && { echo \"usage\"; exit 1; }\n  run -e \"A=${B:-c}\"\n}",
    // SQL
    "SELECT a[1], '{x}' FROM crates\nWHERE [id] = 5 AND name IN (\"a\", \"b\");",
    // Python
    "def f(x):\n    d = {\"a\": x, \"b\": [1, 2]}\n    return [y for y in d[\"b\"] if y]\n\nprint(f\"{f(3)!r}\")",
    "x = {i: chr(i) for i in range(3)}\nassert x[0] == \"\\x00\"",
    // Rust
    "fn main() {\n    let v = vec![1, 2, 3];\n    println!(\"{:?} {}\", v, v[0]);\n}",
    "#[derive(Debug)]\nstruct P { x: i32, y: i32 }\nimpl P { fn new() -> Self { Self { x: 1, y: 2 } } }",
    // HTML and scripts
    "<div data-x='{\"a\": 1}' class=\"b\">\n  <script>var x = {a: 1, b: [2]};</script>\n</div>",
    "return (\n  <List items={[1, 2]} show={(x) => { return <b key={x}>{x}</b>; }} />\n);",
    "import { x } from \"y\";\nexport default { data() { return { a: 1 }; } };",
    // YAML, TOML
    "name: x\nitems: [a, b]\nsteps:\n  - run: echo \"${{ secrets.X }}\"",
    "[package]\nname = \"x\"\n[dependencies]\nserde = { version = \"1\", features = [\"derive\"] }",
    // C++, Go
    "int main() {\n  std::map<std::string, int> m{{\"a\", 1}, {\"b\", 2}};\n  auto f = [&](int x) { return m[\"a\"] + x; };\n}",
    "func main() {\n\tm := map[string]int{\"a\": 1}\n\tfmt.Println(m[\"a\"])\n}",
    // PHP, Ruby
    "$a = [\"x\" => 1, 'y' => [2]];\nforeach ($a as $k => $v) { echo \"{$k}: $v[0]\"; }",
    "h = { a: 1, \"b\" => [2] }\nh.each { |k, v| puts \"#{k}: #{v}\" }",
    // Cut code, a log, tasks
    "function f() {\n  if (a[\"x\"]) {\n    g({ b: 1",
    "[2026-01-02 10:00:00] INFO {worker=1} started \"job\"\n[2026-01-02 10:00:01] WARN [x] y",
    "- [ ] first\n- [x] second\n- [link](http://a/{id})",
];

const ANSWERS: &[(&str, &str)] = &[
    (
        r#"{"score": 4, "why": "ok"}"#,
        r#"{"type": "object", "properties": {"score": {"type": "integer"}, "why": {"type": "string"}}, "required": ["score", "why"]}"#,
    ),
    (
        r#"{"name": "Ann", "tags": ["a", "b"], "home": {"city": "Oslo"}}"#,
        r#"{"type": "object", "properties": {"name": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}}, "home": {"type": "object"}}, "required": ["name", "tags"]}"#,
    ),
    (
        r#"[{"id": 1, "t": "x"}, {"id": 2, "t": "y"}]"#,
        r#"{"type": "array", "items": {"type": "object", "properties": {"id": {"type": "integer"}, "t": {"type": "string"}}, "required": ["id", "t"]}}"#,
    ),
];

/// A snippet and an answer in one reply.
fn frames(snippet: &str, answer: &str) -> [String; 9] {
    let indented = |text: &str, space: &str| text.replace('\n', &format!("\n{space}"));
    [
        format!("{snippet}\n{answer}"),
        format!("{snippet}\n\n```json\n{answer}\n```"),
        format!("Here is the code:\n\n{snippet}\n\nAnd the result:\n\n{answer}\n"),
        format!("The code:\n\n```\n{snippet}\n```\n\nThe result:\n\n{answer}\n"),
        format!("```x\n{snippet}\n```\n\n```json\n{answer}\n```\n"),
        format!(
            "Code:\n\n    {}\n\nResult:\n\n    {answer}\n",
            indented(snippet, "    ")
        ),
        format!(
            "1. Code:\n\n   {}\n\n2. Result:\n\n   {answer}\n",
            indented(snippet, "   ")
        ),
        format!("{answer}\n\nThis follows from the code:\n\n{snippet}\n"),
        format!("```json\n{answer}\n```\n\nThe code:\n\n```\n{snippet}\n```\n"),
    ]
}

/// Counts the replies that are not read as their answers.
fn missed(with_schema: bool) -> (usize, usize) {
    let (mut all, mut missed) = (0, 0);
    for (answer, schema) in ANSWERS {
        let schema = Schema::from_text(schema).unwrap();
        let json = llmjson::syntax::parse(answer).to_json();
        for text in SNIPPETS.iter().flat_map(|snippet| frames(snippet, answer)) {
            let parsed = parse(&text, Some(&schema).filter(|_| with_schema));
            let right = parsed.conforms() && parsed.to_json() == json;
            assert!(right || !with_schema, "{text:?}");
            (all, missed) = (all + 1, missed + usize::from(!right));
        }
    }
    (all, missed)
}

#[test]
fn whole_answers_are_read_beside_code() {
    assert_eq!(missed(true), (783, 0));
}

#[test]
fn whole_answers_are_read_without_a_schema() {
    let (all, missed) = missed(false);
    assert!(missed * 7 <= all, "{missed} of {all}");
}

#[test]
fn text_in_strings_stays_in_them() {
    for text in [
        "{\"md\": \"# T\n```json\n{\"a\": 1}\n```\nmore\", \"n\": 1}",
        "```json\n{\"md\": \"# T\n```json\n{\"a\": 1}\n```\nmore\", \"n\": 1}\n```",
        "{\"body\": \"\n{\"id\": 5, \"name\": \"x\"}\n\", \"n\": 1}",
        "```json\n{\"md\": \"```\nlet a = 1;\n```\ndone\", \"n\": 1,}\n```\nThat is all.",
    ] {
        let parsed = parse(text, None);
        let root = parsed.value().unwrap();
        let names: Vec<_> = root.members().map(|(name, _)| name.into_owned()).collect();
        assert_eq!(names.last().map(String::as_str), Some("n"), "{text:?}");
        assert_eq!(names.len(), 2, "{text:?}");
    }
}
