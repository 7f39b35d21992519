
// What is copied out of the page: code that does the same, and a report of a bug.

// The presets, which are also the names of functions in Rust.
const POLICIES = ["lenient", "strict", "shape", "conservative", "tool", "exact"];

// A raw string of Rust with as many signs as the text needs. It cannot hold a carriage return of its own.
function rustText(text) {
  if (/[\r\u202a-\u202e\u2066-\u2069\0]/.test(text)) {
    const escaped = text.replace(/[\\"]/g, "\\$&").replace(/[\r\n\t\0\u202a-\u202e\u2066-\u2069]/g, (sign) =>
      ({ "\r": "\\r", "\n": "\\n", "\t": "\\t" })[sign] ?? `\\u{${sign.codePointAt(0).toString(16)}}`);
    return `"${escaped}"`;
  }
  let signs = text.includes("\"") || text.includes("\\") ? "#" : "";
  while (text.includes(`"${signs}`) && signs !== "") signs += "#";
  return signs === "" ? `"${text}"` : `r${signs}"${text}"${signs}`;
}

// A string of JSON is one of Python and of TypeScript too.
const quoted = (text) => JSON.stringify(text).replace(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069\u2028\u2029\ufeff]/g,
  (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);

function asRust({ reply, schema, policy }) {
  const has = schema.trim() !== "";
  const lines = ["// llmjson = { path = \"…\" } in Cargo.toml", "fn main() -> Result<(), Box<dyn std::error::Error>> {"];
  lines.push(`    let reply = ${rustText(reply)};`);
  if (has) lines.push(`    let schema = llmjson::Schema::from_text(${rustText(schema)})?;`);
  const given = has ? "Some(&schema)" : "None";
  const call = policy === "lenient" ? `parse(reply, ${given})` : `parse_with(reply, ${given}, &llmjson::Policy::${policy}())`;
  lines.push(`    let parsed = llmjson::${call};`);
  lines.push("    println!(\"{:?} {:?}\", parsed.to_json(), parsed.certainty());");
  lines.push("    if let Err(failure) = parsed.into_result() {", "        println!(\"{}\", llmjson::stringify(&failure));", "    }");
  return `${lines.join("\n")}\n    Ok(())\n}\n`;
}

function asPython({ reply, schema, policy }) {
  const has = schema.trim() !== "";
  const lines = [has ? "import json\n\nimport llmjson\n" : "import llmjson\n", `reply = ${quoted(reply)}`];
  if (has) lines.push(`schema = json.loads(${quoted(schema)})`);
  const named = policy === "lenient" ? "" : `, policy=${quoted(policy)}`;
  lines.push(`parsed = llmjson.parse(reply${has ? ", schema" : ""}${named})`);
  lines.push("print(parsed.value if parsed.ok else parsed.feedback, parsed.certainty)");
  return `${lines.join("\n")}\n`;
}

function asTypeScript({ reply, schema, policy }) {
  const has = schema.trim() !== "";
  const lines = ["import { parse } from 'llmjson'", "", `const reply = ${quoted(reply)}`];
  if (has) lines.push(`const schema = JSON.parse(${quoted(schema)})`);
  const named = policy === "lenient" ? "" : `, { policy: ${quoted(policy)} }`;
  const given = has ? ", schema" : named === "" ? "" : ", undefined";
  lines.push(`const parsed = parse(reply${given}${named})`);
  lines.push("console.log(parsed.ok ? parsed.value : parsed.feedback, parsed.certainty)");
  return `${lines.join("\n")}\n`;
}

// A fence that is longer than any in the text.
function fenced(text, language = "") {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}`;
}

function asReport({ schema, policy }, { reply, outcome }, read, link) {
  const parts = ["## A reply that is read wrongly", "", "**The reply**, as short as the outcome stays the same:", "", fenced(reply)];
  if (schema.trim() !== "") parts.push("", "**The schema**", "", fenced(schema.trim(), "json"));
  parts.push("", `**What came out** (policy \`${policy}\`, llmjson ${read.version})`, "");
  parts.push(...outcome.map((line) => `- ${line}`));
  if (read.value !== null) parts.push("", "Its value:", "", fenced(read.value, "json"));
  parts.push("", "**What should have come out**", "", "(please say)");
  if (link) parts.push("", `[The whole reply in the playground](${link})`);
  return `${parts.join("\n")}\n`;
}
