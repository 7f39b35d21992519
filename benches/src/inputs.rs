//! The documents that are measured, made up by code: the same bytes on every machine.

use crate::orders::{self, Flaws};
use crate::tree::{Damage, Layout, Tree};

/// The names of all inputs, in the order of the tables.
const NAMES: [&str; 5] = ["tool300", "extract2k", "code8k", "list20k", "list1m"];

/// Documents besides that are measured only as valid text: long lists of numbers with a fraction, and
/// objects of many members.
const DENSE: [&str; 2] = ["floats40k", "wide40k"];

/// A document that can be written valid or damaged.
pub(crate) struct Input {
    /// The column's name.
    pub(crate) name: &'static str,
    tree: Tree,
    layout: Layout,
}

impl Input {
    /// All inputs, in the order of the tables.
    pub(crate) fn all() -> Vec<Self> {
        NAMES.iter().filter_map(|name| Self::named(name)).collect()
    }

    /// All that is measured as valid text.
    pub(crate) fn valid() -> Vec<Self> {
        let names = NAMES.iter().chain(&DENSE);
        names.filter_map(|name| Self::named(name)).collect()
    }

    /// The input of that name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let (name, tree, layout) = match name {
            "empty" => ("empty", Tree::Object(Vec::new()), Layout::Compact),
            "tool46" => ("tool46", small_call(), Layout::Spaced),
            "tool300" => ("tool300", tool_call(), Layout::Spaced),
            "extract2k" => ("extract2k", extraction(), Layout::Pretty),
            "code8k" => ("code8k", code_edit(), Layout::Spaced),
            "list20k" => ("list20k", records(72), Layout::Compact),
            "list1m" => ("list1m", records(3550), Layout::Compact),
            "floats40k" => ("floats40k", outline(1200), Layout::Compact),
            "wide40k" => ("wide40k", wide(40), Layout::Compact),
            "order700" => ("order700", orders::order(3, Flaws::None), Layout::Spaced),
            "order8k" => ("order8k", orders::order(103, Flaws::None), Layout::Spaced),
            "order700-bad" => (
                "order700-bad",
                orders::order(3, Flaws::Three),
                Layout::Spaced,
            ),
            "order8k-bad" => (
                "order8k-bad",
                orders::order(103, Flaws::Three),
                Layout::Spaced,
            ),
            "order8k-1-text" => (
                "order8k-1-text",
                orders::order(103, Flaws::Texts(1)),
                Layout::Spaced,
            ),
            "order8k-10-texts" => (
                "order8k-10-texts",
                orders::order(103, Flaws::Texts(10)),
                Layout::Spaced,
            ),
            "order8k-100-texts" => (
                "order8k-100-texts",
                orders::order(103, Flaws::Texts(100)),
                Layout::Spaced,
            ),
            "order8k-200-bad" => (
                "order8k-200-bad",
                orders::order(103, Flaws::Many),
                Layout::Spaced,
            ),
            _ => return None,
        };
        Some(Self { name, tree, layout })
    }

    /// A list of so many records, of about 280 bytes each.
    pub(crate) fn records(count: u64) -> Self {
        Self {
            name: "records",
            tree: records(count),
            layout: Layout::Compact,
        }
    }

    /// The document with that damage.
    pub(crate) fn text(&self, damage: Damage) -> String {
        damage.write(&self.tree, self.layout)
    }

    /// What the document with that damage means, as valid JSON.
    pub(crate) fn meant(&self, damage: Damage) -> String {
        Damage::Valid.write(&damage.meant(&self.tree), self.layout)
    }
}

/// A linear congruential generator: enough to keep branch predictors from learning a document.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn pick(&mut self, words: &[&'static str]) -> &'static str {
        words[self.below(words.len())]
    }

    fn sentence(&mut self, words: usize) -> String {
        const WORDS: [&str; 24] = [
            "the",
            "delivery",
            "arrived",
            "late",
            "but",
            "customer",
            "accepted",
            "a",
            "partial",
            "refund",
            "after",
            "speaking",
            "with",
            "support",
            "über",
            "telefon",
            "and",
            "wants",
            "replacement",
            "sent",
            "before",
            "Friday",
            "to",
            "new address",
        ];
        let words: Vec<&str> = (0..words).map(|_| self.pick(&WORDS)).collect();
        words.join(" ")
    }
}

/// The arguments of a call as they mostly are.
fn small_call() -> Tree {
    Tree::Object(vec![
        ("city", Tree::text("Paris")),
        ("days", Tree::whole(3)),
        ("unit", Tree::text("metric")),
    ])
}

fn tool_call() -> Tree {
    let arguments = vec![
        ("origin", Tree::text("Lisbon")),
        ("destination", Tree::text("Oslo")),
        ("departure_date", Tree::text("2025-06-14")),
        ("return_date", Tree::Null),
        ("passengers", Tree::whole(2)),
        ("cabin", Tree::text("economy")),
        ("max_price", Tree::Number("419.95".into())),
        ("flexible", Tree::Bool(true)),
        (
            "airlines",
            Tree::List(vec![Tree::text("TP"), Tree::text("SK")]),
        ),
        ("note", Tree::text("window seat, no overnight connections")),
    ];
    Tree::Object(vec![
        ("id", Tree::text("call_9f27")),
        ("name", Tree::text("search_flights")),
        ("arguments", Tree::Object(arguments)),
    ])
}

fn extraction() -> Tree {
    let mut dice = Dice(2);
    let people = (0..4).map(|index| {
        Tree::Object(vec![
            (
                "name",
                Tree::text(
                    [
                        "Ada Lovelace",
                        "Grace Hopper",
                        "Emmy Noether",
                        "Sofia Kovalevskaya",
                    ][index],
                ),
            ),
            (
                "role",
                Tree::text(dice.pick(&["buyer", "seller", "witness"])),
            ),
            ("age", Tree::whole(30 + dice.below(40) as u64)),
            (
                "confidence",
                Tree::Number(format!("0.{}", 71 + dice.below(28))),
            ),
            (
                "email",
                if index == 1 {
                    Tree::Null
                } else {
                    Tree::text("someone@example.com")
                },
            ),
        ])
    });
    let people = people.collect();
    let clauses = (1..5).map(|number| {
        Tree::Object(vec![
            ("number", Tree::whole(number)),
            ("title", Tree::text(dice.sentence(3))),
            ("summary", Tree::text(dice.sentence(9))),
            ("binding", Tree::Bool(number != 2)),
            (
                "pages",
                Tree::List(
                    (0..2)
                        .map(|_| Tree::whole(1 + dice.below(30) as u64))
                        .collect(),
                ),
            ),
        ])
    });
    let clauses = clauses.collect();
    let total = vec![
        ("amount", Tree::Number("125000.5".into())),
        ("currency", Tree::text("EUR")),
        ("due", Tree::text("2025-09-30")),
    ];
    Tree::Object(vec![
        ("document_type", Tree::text("purchase agreement")),
        ("language", Tree::text("en")),
        ("parties", Tree::List(people)),
        ("clauses", Tree::List(clauses)),
        ("total", Tree::Object(total)),
        (
            "keywords",
            Tree::List(["land", "escrow", "title"].map(Tree::text).into()),
        ),
        ("signed", Tree::Bool(true)),
    ])
}

/// A tool call whose one long string is source code.
fn code_edit() -> Tree {
    let mut dice = Dice(3);
    let mut code = String::from("import csv\n\n");
    while code.len() < 6_600 {
        let name = dice.pick(&["load", "merge", "render", "resolve", "collect"]);
        let number = dice.below(1000);
        code.push_str(&format!(
            "\ndef {name}_{number}(rows):\n    \"\"\"{}.\"\"\"\n",
            dice.sentence(5)
        ));
        for _ in 0..3 + dice.below(5) {
            let key = dice.pick(&["id", "name", "city", "price"]);
            let line = match dice.below(5) {
                0 => format!("    {key} = rows[\"{key}\"]\n"),
                1 => format!("    if len(rows) > {number}:\n        return None\n"),
                2 => format!("    log(\"{}\\n\", \"{key}\")\n", dice.sentence(2)),
                3 => format!("    columns = [\"{key}\", \"{name}\", \"total\"]\n"),
                _ => format!("    print(f\"{key}: {{rows}}\", end=';')\n"),
            };
            code.push_str(&line);
        }
        code.push_str("    return {\"rows\": rows}\n");
    }
    let arguments = vec![
        ("path", Tree::text("tables/render.py")),
        ("content", Tree::Text(code)),
        ("overwrite", Tree::Bool(true)),
    ];
    Tree::Object(vec![
        ("name", Tree::text("write_file")),
        ("arguments", Tree::Object(arguments)),
    ])
}

/// A list of records with 13 members each, in an object, since tools answer with objects.
fn records(count: u64) -> Tree {
    let mut dice = Dice(4);
    let record = |id: u64| {
        let name = dice.pick(&["Ann Archer", "Bo Lindqvist", "Chidi Okafor", "Dana Weiss"]);
        let words = 3 + dice.below(8);
        let tags = (0..dice.below(4)).map(|_| Tree::text(dice.pick(&["new", "gift", "express"])));
        let tags = tags.collect();
        let day = 1 + dice.below(28);
        Tree::Object(vec![
            ("id", Tree::whole(10_000 + id)),
            (
                "order_number",
                Tree::Text(format!("A-{:06}", dice.below(1_000_000))),
            ),
            ("customer_name", Tree::text(name)),
            (
                "email",
                Tree::Text(format!("user{}@example.com", dice.below(5000))),
            ),
            (
                "status",
                Tree::text(dice.pick(&["open", "paid", "shipped", "returned"])),
            ),
            ("quantity", Tree::whole(1 + dice.below(12) as u64)),
            ("unit_price", Tree::cents(100 + dice.below(90_000) as u64)),
            (
                "discount",
                if dice.below(3) == 0 {
                    Tree::cents(dice.below(100) as u64)
                } else {
                    Tree::Null
                },
            ),
            ("is_gift", Tree::Bool(dice.below(4) == 0)),
            (
                "created_at",
                Tree::Text(format!("2025-03-{day:02}T09:{:02}:00Z", dice.below(60))),
            ),
            ("tags", Tree::List(tags)),
            (
                "latitude",
                Tree::Number(format!("{}.{}7", dice.below(80), 100 + dice.below(900))),
            ),
            ("note", Tree::Text(dice.sentence(words))),
        ])
    };
    Tree::Object(vec![
        ("total", Tree::whole(count)),
        ("orders", Tree::List((0..count).map(record).collect())),
    ])
}

/// The outline of a country: pairs of numbers with 15 digits. More digits are not rounded to the nearest
/// by everybody.
fn outline(points: usize) -> Tree {
    let mut dice = Dice(5);
    let mut number = |whole: usize| {
        let (high, low) = (dice.below(1_000_000), dice.below(1_000_000));
        Tree::Number(format!("-{}.{high:06}{low:06}7", 10 + dice.below(whole)))
    };
    let points = (0..points).map(|_| Tree::List(vec![number(89), number(80)]));
    Tree::Object(vec![
        ("type", Tree::text("Polygon")),
        (
            "coordinates",
            Tree::List(vec![Tree::List(points.collect())]),
        ),
    ])
}

/// Records of 40 members, as the interfaces of large services give them.
fn wide(count: u64) -> Tree {
    const NAMES: [&str; 40] = [
        "created_at",
        "id",
        "id_str",
        "text",
        "source",
        "truncated",
        "in_reply_to_status_id",
        "in_reply_to_status_id_str",
        "in_reply_to_user_id",
        "in_reply_to_user_id_str",
        "in_reply_to_screen_name",
        "geo",
        "coordinates",
        "place",
        "contributors",
        "retweet_count",
        "favorite_count",
        "favorited",
        "retweeted",
        "possibly_sensitive",
        "lang",
        "name",
        "screen_name",
        "location",
        "description",
        "url",
        "protected",
        "followers_count",
        "friends_count",
        "listed_count",
        "utc_offset",
        "time_zone",
        "geo_enabled",
        "verified",
        "statuses_count",
        "is_translator",
        "profile_background_color",
        "profile_image_url",
        "default_profile",
        "notifications",
    ];
    let mut dice = Dice(6);
    let mut record = |_| {
        let members = NAMES.map(|name| {
            let value = match dice.below(5) {
                0 => Tree::whole(dice.below(1_000_000) as u64),
                1 => Tree::Bool(dice.below(2) == 0),
                2 => Tree::Null,
                _ => Tree::Text(dice.sentence(1 + name.len() % 4)),
            };
            (name, value)
        });
        Tree::Object(members.into())
    };
    Tree::Object(vec![(
        "statuses",
        Tree::List((0..count).map(&mut record).collect()),
    )])
}
