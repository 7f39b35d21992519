//! Replies in other notations with what comes of them, and their counterparts.

/// A schema by its members: names with `!` are required, and what follows a colon is the type.
const PERSON: &str = r#"{"title":"Person","type":"object","properties":{"full_name":{"type":"string"},"age":{"type":"integer"},"skills":{"type":"array","items":{"type":"string"}},"address":{"type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}},"required":["city"]}},"required":["full_name","age"]}"#;
const BIO: &str = r#"{"type":"object","properties":{"name":{"type":"string"},"bio":{"type":"string"}},"required":["name","bio"]}"#;
const INVOICE: &str = r#"{"type":"object","properties":{"number":{"type":"string"},"total":{"type":"number"},"items":{"type":"array","items":{"type":"object","properties":{"sku":{"type":"string"},"qty":{"type":"integer"}},"required":["sku","qty"]}}},"required":["number","items"]}"#;
const PEOPLE: &str = r#"{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"}},"required":["name","age"]}}"#;
const TEXTS: &str = r#"{"type":"array","items":{"type":"string"}}"#;
const NUMBER: &str = r#"{"type":"integer"}"#;
const MOOD: &str = r#"{"enum":["positive","negative","neutral"]}"#;
const ONE: &str =
    r#"{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}"#;

/// The schema, the reply, the notation with its class, and the value; without a notation there is no value of one.
type Row = (&'static str, &'static str, &'static str, &'static str);

pub(crate) const ROWS: &[Row] = &[
    // YAML.
    (
        PERSON,
        "full_name: Anna\nage: 30\nskills:\n  - Rust\n  - Go\naddress:\n  street: >\n    Main Street\n    1\n  city: \"Oslo\\n\"",
        "yaml likely",
        r#"{"full_name":"Anna","age":30,"skills":["Rust","Go"],"address":{"street":"Main Street 1","city":"Oslo\n"}}"#,
    ),
    (
        PERSON,
        "```yaml\n# the person\nperson:\n  full_name: 'Ann O''Hara'\n  age: 30 # years\n  skills: [Rust, \"Go\"]\n  address: {street: x, city: Oslo}\n```",
        "yaml likely",
        r#"{"full_name":"Ann O'Hara","age":30,"skills":["Rust","Go"],"address":{"street":"x","city":"Oslo"}}"#,
    ),
    (
        BIO,
        "name: Anna\nbio: |\n  She writes.\n\n  - a list\n  And more: yes.\n",
        "yaml likely",
        r#"{"name":"Anna","bio":"She writes.\n\n- a list\nAnd more: yes."}"#,
    ),
    (
        BIO,
        "name: Anna\nbio: a long text\n  that goes on\n  here\n",
        "yaml likely",
        r#"{"name":"Anna","bio":"a long text that goes on here"}"#,
    ),
    (
        PEOPLE,
        "Here they are:\n\n- name: Anna\n  age: 3\n- name: Bob\n  age: 4\n\nThat is all.",
        "yaml likely",
        r#"[{"name":"Anna","age":3},{"name":"Bob","age":4}]"#,
    ),
    (
        PEOPLE,
        "-\n  name: Anna\n  age: 3\n-\n  name: Bob\n  age: 4",
        "yaml likely",
        r#"[{"name":"Anna","age":3},{"name":"Bob","age":4}]"#,
    ),
    (
        INVOICE,
        "---\nnumber: A-1\nitems:\n- {sku: a, qty: 2}\n- sku: b\n  qty: 3\n...",
        "yaml likely",
        r#"{"number":"A-1","items":[{"sku":"a","qty":2},{"sku":"b","qty":3}]}"#,
    ),
    // Lines of names and values.
    (
        PERSON,
        "**Full Name:** Anna Berg\n**Age:** 30\n**Skills:** Rust; Go\n",
        "lines likely",
        r#"{"full_name":"Anna Berg","age":30,"skills":["Rust","Go"]}"#,
    ),
    (
        PERSON,
        "Here is the person:\n\n* **Full name**: Anna Berg\n* **Age**: 30\n* **Address**:\n    * Street: Main 1\n    * City: `Oslo`\n\nAnything else?",
        "lines likely",
        r#"{"full_name":"Anna Berg","age":30,"address":{"street":"Main 1","city":"Oslo"}}"#,
    ),
    (
        PERSON,
        "Full Name - Anna Berg\nAge - 30",
        "lines likely",
        r#"{"full_name":"Anna Berg","age":30}"#,
    ),
    (
        PERSON,
        "Full Name = Anna Berg\nAge = 30",
        "toml likely",
        r#"{"full_name":"Anna Berg","age":30}"#,
    ),
    (
        PERSON,
        "Full name........: Anna Berg\nAge..............: 30",
        "lines likely",
        r#"{"full_name":"Anna Berg","age":30}"#,
    ),
    (
        PERSON,
        "full_name: Anna\nage: 30\naddress:\nstreet: Main 1\ncity: Oslo",
        "yaml likely",
        r#"{"full_name":"Anna","age":30,"address":{"street":"Main 1","city":"Oslo"}}"#,
    ),
    (
        PEOPLE,
        "Name: Anna\nAge: 3\n\nName: Bob\nAge: 4",
        "yaml likely",
        r#"[{"name":"Anna","age":3},{"name":"Bob","age":4}]"#,
    ),
    (
        PEOPLE,
        "1. **Name:** Anna\n   **Age:** 3\n2. **Name:** Bob\n   **Age:** 4\n",
        "lines likely",
        r#"[{"name":"Anna","age":3},{"name":"Bob","age":4}]"#,
    ),
    (
        INVOICE,
        "**Number:** A-1\n**Items:**\n\n| SKU | Qty |\n|-----|----:|\n| a | 2 |\n\n**Total:** 3.50",
        "lines likely",
        r#"{"number":"A-1","items":[{"sku":"a","qty":2}],"total":3.50}"#,
    ),
    (
        INVOICE,
        "Number: A-1\nTotal: 3.50\n\n| SKU | Qty |\n|-----|----:|\n| a | 2 |\n",
        "yaml likely",
        r#"{"number":"A-1","total":3.50,"items":[{"sku":"a","qty":2}]}"#,
    ),
    (ONE, "Name: Anna", "yaml likely", r#"{"name":"Anna"}"#),
    (
        ONE,
        "I looked it up.\n\nName: Anna",
        "yaml guess",
        r#"{"name":"Anna"}"#,
    ),
    // Tables and fields.
    (
        PEOPLE,
        "| **Name** | Age |\n|:--|--:|\n| Anna | 3 |\n| Bob \\| Bo | 4 |",
        "table likely",
        r#"[{"name":"Anna","age":3},{"name":"Bob | Bo","age":4}]"#,
    ),
    (
        PEOPLE,
        "+------+-----+\n| name | age |\n+------+-----+\n| Anna | 3   |\n+------+-----+",
        "table likely",
        r#"[{"name":"Anna","age":3}]"#,
    ),
    (
        PEOPLE,
        "NAME    AGE\nAnna B  3\nBob     4\n",
        "csv likely",
        r#"[{"name":"Anna B","age":3},{"name":"Bob","age":4}]"#,
    ),
    (
        PEOPLE,
        "name,age\n\"Berg, Anna\",3\n",
        "csv likely",
        r#"[{"name":"Berg, Anna","age":3}]"#,
    ),
    // Tags.
    (
        PERSON,
        "<person>\n  <full_name>Anna &amp; Co</full_name>\n  <age>30</age>\n  <skills><skill>Rust</skill></skills>\n  <address street=\"Main 1\" city=\"Oslo\"/>\n</person>",
        "xml likely",
        r#"{"full_name":"Anna & Co","age":30,"skills":["Rust"],"address":{"street":"Main 1","city":"Oslo"}}"#,
    ),
    (
        BIO,
        "The answer is <name>Anna</name> and <bio><![CDATA[a < b]]></bio>.",
        "xml likely",
        r#"{"name":"Anna","bio":"a < b"}"#,
    ),
    (
        PEOPLE,
        "<?xml version=\"1.0\"?>\n<people>\n<person><name>Anna</name><age>3</age></person>\n<person><name>Bob</name><age>4</age></person>\n</people>",
        "xml likely",
        r#"[{"name":"Anna","age":3},{"name":"Bob","age":4}]"#,
    ),
    // The others.
    (
        INVOICE,
        "number = \"A-1\"\ntotal = 3.5\n\n[[items]]\nsku = \"a\"\nqty = 2\n\n[[items]]\nsku = 'b'\nqty = 3\n",
        "toml likely",
        r#"{"number":"A-1","total":3.5,"items":[{"sku":"a","qty":2},{"sku":"b","qty":3}]}"#,
    ),
    (
        PERSON,
        "[person]\nfull_name = Anna\nage = 30\n",
        "toml likely",
        r#"{"full_name":"Anna","age":30}"#,
    ),
    (
        INVOICE,
        "number: \"A-1\"\nitems {\n  sku: \"a\"\n  qty: 2\n}\n",
        "blocks likely",
        r#"{"number":"A-1","items":[{"sku":"a","qty":2}]}"#,
    ),
    (
        PERSON,
        "full_name: 'Anna'\nage: 30\nskills: [\n  'Rust'\n  'Go'\n]\naddress:\n  city: 'Oslo'\n",
        "yaml likely",
        r#"{"full_name":"Anna","age":30,"skills":["Rust","Go"],"address":{"city":"Oslo"}}"#,
    ),
    (
        PERSON,
        "## Full Name\nAnna\n\n## Age\n30\n\n## Skills\n- Rust\n- Go\n\n## Address\n### Street\nMain 1\n### City\nOslo\n",
        "headings likely",
        r#"{"full_name":"Anna","age":30,"skills":["Rust","Go"],"address":{"street":"Main 1","city":"Oslo"}}"#,
    ),
    // Notations without a name.
    (
        PERSON,
        "=== full name ===\nAnna\n\n=== age ===\n30\n",
        "headings likely",
        r#"{"full_name":"Anna","age":30}"#,
    ),
    (
        PERSON,
        "[full_name] Anna\n[age] 30\n[address]\n  [city] Oslo\n",
        "blocks likely",
        r#"{"full_name":"Anna","age":30,"address":{"city":"Oslo"}}"#,
    ),
    (
        PERSON,
        "$order->full_name = 'Anna';\n$order->age = 30;\n$order->address.city = 'Oslo';",
        "toml likely",
        r#"{"full_name":"Anna","age":30,"address":{"city":"Oslo"}}"#,
    ),
    (
        PERSON,
        "Person.builder().fullName(\"Anna\").age(30).skills(List.of(\"Rust\", \"Go\")).build()",
        "lines likely",
        r#"{"full_name":"Anna","age":30,"skills":["Rust","Go"]}"#,
    ),
    (
        PERSON,
        "--full-name \"Anna Berg\" --age 30",
        "lines likely",
        r#"{"full_name":"Anna Berg","age":30}"#,
    ),
    (
        PERSON,
        "((full_name . \"Anna\") (age . 30) (skills . (\"Rust\" \"Go\")))",
        "blocks likely",
        r#"{"full_name":"Anna","age":30,"skills":["Rust","Go"]}"#,
    ),
    (
        PERSON,
        "@full_name{Anna}\n@age{30}\n@address{@city{Oslo}}",
        "blocks likely",
        r#"{"full_name":"Anna","age":30,"address":{"city":"Oslo"}}"#,
    ),
    (
        INVOICE,
        "number: A-1\nitems[2]{sku,qty}:\n  a,2\n  b,3\n",
        "blocks likely",
        r#"{"number":"A-1","items":[{"sku":"a","qty":2},{"sku":"b","qty":3}]}"#,
    ),
    (
        PEOPLE,
        "BEGIN\nname ~> Anna\nage ~> 3\nEND\nBEGIN\nname ~> Bob\nage ~> 4\nEND",
        "lines likely",
        r#"[{"name":"Anna","age":3},{"name":"Bob","age":4}]"#,
    ),
    (
        PERSON,
        "set full_name \"Anna\"\nset age 30",
        "lines likely",
        r#"{"full_name":"Anna","age":30}"#,
    ),
    // Scalars and their lists.
    (
        NUMBER,
        "I counted them twice.\n\n**Answer:** 42.",
        "scalar guess",
        "42",
    ),
    (
        MOOD,
        "Sentiment: **positive**",
        "scalar likely",
        "\"positive\"",
    ),
    (TEXTS, "- a b\n- c\n", "items likely", r#"["a b","c"]"#),
    (
        TEXTS,
        "Here are the keywords:\n1. a b\n2. c\n",
        "items guess",
        r#"["a b","c"]"#,
    ),
    (TEXTS, "Tags: a b, c", "items guess", r#"["a b","c"]"#),
    // Counterparts.
    (NUMBER, "The answer is 42 or so.", "", ""),
    (NUMBER, "Page: 42", "", ""),
    (
        MOOD,
        "Sentiment: it is hard to say whether this is positive or negative",
        "",
        "",
    ),
    (
        TEXTS,
        "Two things matter.\n\n- a b\n- c\n\nWe will see.",
        "",
        "",
    ),
    (PERSON, "full_name: Anna", "", ""),
    (TEXTS, "### a.b = 3\nThat is all.", "", ""),
    (
        ONE,
        "Name: Anna\n\nI hope this is what you wanted, and that it helps.",
        "",
        "",
    ),
    (
        PERSON,
        "```python\nfull_name: str = 'Anna'\nage: int = 30\n```",
        "",
        "",
    ),
    (
        PERSON,
        "{\"full_name\": \"Anna\", \"age\": \"old\"}",
        "",
        "",
    ),
    (PERSON, "<think>full_name: Anna\nage: 30</think>", "", ""),
    // JSON was set aside.
    (
        PERSON,
        "{\"full_name\": \"Anna\"}\n\nfull_name: Anna\nage: 30",
        "yaml guess",
        r#"{"full_name":"Anna","age":30}"#,
    ),
];
