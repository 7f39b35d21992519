//! Texts that are no values of small schemas, though names of these may stand in them.

/// Small schemas as people write them.
pub(crate) const SCHEMAS: &[&str] = &[
    r#"{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}"#,
    r#"{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"}},"required":["name","age"]}"#,
    r#"{"type":"object","properties":{"title":{"type":"string"},"description":{"type":"string"}},"required":["title"]}"#,
    r#"{"type":"object","properties":{"answer":{"type":"string"},"confidence":{"type":"number"}},"required":["answer"]}"#,
    r#"{"type":"object","properties":{"id":{"type":"integer"},"name":{"type":"string"},"version":{"type":"string"}},"required":["id","name"]}"#,
    r#"{"type":"object","properties":{"level":{"type":"string"},"message":{"type":"string"}},"required":["level","message"]}"#,
    r#"{"type":"object","properties":{"status":{"enum":["open","closed"]},"note":{"type":"string"}},"required":["status"]}"#,
    r#"{"type":"object","properties":{"summary":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}}},"required":["summary","tags"]}"#,
    r#"{"type":"array","items":{"type":"string"}}"#,
    r#"{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"price":{"type":"number"}},"required":["name","price"]}}"#,
    r#"{"type":"integer"}"#,
    r#"{"enum":["positive","negative","neutral"]}"#,
];

pub(crate) const TEXTS: &[(&str, &str)] = &[
    ("prose", "I'm sorry, but I can't help with that request."),
    (
        "prose",
        "Could you tell me the name of the person? I need it to fill in the form.",
    ),
    (
        "prose",
        "The name of the rose is a novel. Its title: unknown to many.\n\nNote: the author is Umberto Eco.",
    ),
    (
        "prose",
        "Let me think about this. There are two options: the first is fast, the second is cheap.\nI would choose the second: it saves money.",
    ),
    (
        "prose",
        "Dear Sir or Madam,\n\nthank you for your message of May 3: we have received it.\n\nKind regards,\nAnna",
    ),
    (
        "prose",
        "Summary of the meeting\n\nWe talked about tags, versions and names. Nobody had a message for the level above.\n",
    ),
    (
        "prose",
        "To answer the question properly I would need more context - the status of the project and a note from the team.\n\n- What is the budget?\n- Who decides?\n\nThen I can help.",
    ),
    (
        "prose",
        "1. Open the lid.\n2. Press the button.\n\nThat is all there is to it. Do not forget the price: 3 euros.",
    ),
    (
        "README",
        "# fastlib\n\nA fast library.\n\n## Installation\n\n```bash\nnpm install fastlib\n```\n\n## Usage\n\n```js\nconst lib = require('fastlib')\nlib.run({ name: 'x' })\n```\n\n- Fast\n- Small\n\n## License\n\nMIT\n",
    ),
    (
        "README",
        "# Project\n\n| Badge | Status |\n|---|---|\n| CI | passing |\n\nFeatures:\n\n* one\n* two\n\nSee CONTRIBUTING.md.\n",
    ),
    (
        "README",
        "## Getting started\n\nSet `name` in the configuration file, then run `make`.\n\n```yaml\nservice: web\nreplicas: 3\nimage: nginx\n```\n",
    ),
    (
        "source",
        "```python\nclass Person:\n    name: str\n    age: int = 3\n\n    def __init__(self, name):\n        self.name = name\n```",
    ),
    (
        "source",
        "def f(name: str, age: int) -> None:\n    title = name\n    print(title)\n",
    ),
    (
        "source",
        "```rust\nstruct Item {\n    name: String,\n    price: f64,\n}\n```",
    ),
    (
        "source",
        "```typescript\ninterface Person {\n  name: string\n  age: number\n}\n```",
    ),
    (
        "source",
        "#include <stdio.h>\nint main(void) {\n    int id = 3;\n    printf(\"name: %d\\n\", id);\n    return 0;\n}\n",
    ),
    (
        "source",
        "```go\ntype Item struct {\n\tName  string\n\tPrice float64\n}\n```",
    ),
    (
        "source",
        "```css\n.title {\n  color: red;\n  level: 1;\n}\n```",
    ),
    (
        "log",
        "2024-01-02 10:30:00 INFO  starting name=web id=3\n2024-01-02 10:30:01 ERROR message: connection refused\n2024-01-02 10:30:02 WARN level high\n",
    ),
    (
        "log",
        "[10:30:00] worker-1: started\n[10:30:01] worker-1: status: ok\n[10:30:02] worker-1: done\n",
    ),
    (
        "log",
        "$ cargo build\n   Compiling name v0.1.0\nwarning: unused variable: `id`\n --> src/main.rs:3:9\n    Finished dev in 3.2s\n",
    ),
    (
        "SQL",
        "```sql\nSELECT name, price FROM items WHERE id = 3;\n```",
    ),
    (
        "SQL",
        "CREATE TABLE items (\n  id INTEGER PRIMARY KEY,\n  name TEXT NOT NULL,\n  price REAL\n);\nINSERT INTO items (name, price) VALUES ('a', 1.5);\n",
    ),
    (
        "configuration",
        "[package]\nname = \"web\"\nversion = \"1.0\"\nedition = \"2021\"\nlicense = \"MIT\"\n\n[dependencies]\nserde = \"1\"\n",
    ),
    (
        "configuration",
        "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  ports:\n    - port: 80\n",
    ),
    (
        "configuration",
        "version: '3'\nservices:\n  web:\n    image: nginx\n    ports:\n      - 80:80\n",
    ),
    (
        "configuration",
        "server {\n  listen 80;\n  server_name example.org;\n}\n",
    ),
    (
        "configuration",
        "name: CI\non: [push]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n",
    ),
    (
        "HTML",
        "<html><head><title>Hello</title></head><body><p>Some text</p><a href=\"x\">link</a></body></html>",
    ),
    (
        "HTML",
        "Use the <code>name</code> attribute, for example <input name=\"age\"> in a form.",
    ),
    (
        "diff",
        "--- a/file\n+++ b/file\n@@ -1,2 +1,2 @@\n-name: old\n+name: new\n version: 1\n",
    ),
    (
        "mail",
        "From: anna@example.org\nTo: bob@example.org\nSubject: Hello\n\nHi Bob,\n\nsee you soon.\n",
    ),
    (
        "list",
        "Things to buy:\n- milk\n- bread\n\nDon't forget the bags.\n",
    ),
    (
        "table",
        "| Country | Capital |\n|---|---|\n| Norway | Oslo |\n| France | Paris |\n",
    ),
    ("thought", "<think>name: Anna\nage: 3</think>I don't know."),
    (
        "dialogue",
        "User: What is your name?\nAssistant: I have none.\nUser: And your age?\nAssistant: None either.\n",
    ),
    ("shell", "$ export NAME=web\n$ echo $NAME\nweb\n"),
    (
        "formula",
        "Let x = 3 and y = 4. Then x + y = 7, and the answer follows.\n",
    ),
];
