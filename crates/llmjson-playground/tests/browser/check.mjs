// Uses the playground as a person would. Arguments: the folder of the modules, the browser, the address of the page,
// where pictures go ("-" for nowhere), and "-" where it does not matter how fast the page is. Prints what is wrong, one
// line each. LLMJSON_PLAYGROUND_PARTS names the parts to be looked at, all of them if it is not set.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , modules, browser, address, pictures, timed] = process.argv;
const require = createRequire(pathToFileURL(`${modules}/`));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const wrong = (what) => console.log(what);

const TABS = ["value", "repairs", "feedback", "calls", "stream", "policies", "retry", "others"];
const HOSTILE = "</script><script>alert(1)</script> </pre></textarea>--><img src=x onerror=alert(2)> \u202eevil\u2066 "
  + "{\"__proto__\": {\"hacked\": true}, \"constructor\": {\"prototype\": 1}, \"a<b>\": '\u202e\" onload=\"x&amp;', b: \"<i>x</i>\", \"c\": </details></main>}\n";
const HOSTILE_SCHEMA = "{\"properties\": {\"</b>\": {\"type\": \"integer\", \"description\": \"<script>alert(1)</script>\"},"
  + "\"b\": {\"enum\": [\"</small><script>alert(3)</script>\"]}}, \"required\": [\"</b>\"]}";
const HOSTILE_TOOLS = "[{\"name\": \"run\", \"description\": \"<script>alert(4)</script>\", \"parameters\": {\"type\": \"object\", \"properties\": {\"code\": {\"type\": \"integer\"}}}}]";
const HOSTILE_CALL = `${HOSTILE}<tool_call>\n{"name": "run", "arguments": {"code": "</script><img src=x onerror=alert(5)>"}}\n</tool_call>\n`
  + `<tool_call>\n{"name": "<img src=x onerror=alert(6)>", "arguments": {"__proto__": 1}}\n</tool_call>\n`;
// The README's example, which the pictures show.
const TRIP = "Sure, here is the plan:\n{\n  City: 'Oslo', // by train\n  \"days\": \"3\",\n  \"note\": \"ask for the \"quiet\" car\",\n  \"stops\": [\"Hamar\", \"Lillehammer\",],\n  \"budget\" 450\n";

const started = await chromium.launch({ executablePath: browser, args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"] });
const own = new URL(address);

async function open(colorScheme, width, height = 900) {
  const page = await started.newPage({ viewport: { width, height }, colorScheme, acceptDownloads: false });
  page.on("dialog", (dialog) => { wrong(`a script of the reply ran: ${dialog.message()}`); dialog.dismiss(); });
  page.on("pageerror", (error) => wrong(`an error: ${error}`));
  page.on("console", (message) => message.type() === "error" && wrong(`an error: ${message.text()}`));
  page.on("request", (request) => {
    const to = new URL(request.url());
    if (to.protocol !== "blob:" && to.protocol !== "data:" && (to.protocol !== own.protocol || to.host !== own.host)) wrong(`a request: ${request.url()}`);
  });
  await page.goto(address);
  await shown(page);
  return page;
}

// Waits until everything that was given is shown.
const shown = (page) => page.waitForFunction(() => {
  const panel = document.getElementById("panel");
  return panel.dataset.shown !== undefined && panel.dataset.shown === panel.dataset.wanted;
}, null, { timeout: 60_000, polling: 20 });

// As by pasting: typing a long text in is not what is looked at.
async function give(page, field, text) {
  await page.locator(`#${field}`).evaluate((input, text) => {
    input.value = text;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }, text);
  await shown(page);
}

async function openTab(page, tab) {
  await page.click(`#tab-${tab}`);
  await shown(page);
}

const text = (page) => page.locator("#panel").innerText();

async function expect(page, tab, ...parts) {
  await openTab(page, tab);
  const seen = await text(page);
  for (const part of parts) if (!seen.includes(part)) wrong(`${tab}: ${JSON.stringify(part)} is not shown, but ${JSON.stringify(seen.slice(0, 400))}`);
}

async function fits(page, at) {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (over > 0) wrong(`${at}: the page is ${over} points too wide`);
}

async function accessible(page, at) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run());
  for (const one of found.violations) wrong(`${at}: ${one.id}: ${one.nodes[0].html.slice(0, 200)}`);
}

const picture = (page, name) => pictures === "-" ? null : page.screenshot({ path: `${pictures}/${name}.png`, fullPage: name.endsWith("390") });
const others = (page) => page.waitForFunction(() => document.querySelectorAll("#panel .card").length === 3, null, { timeout: 20_000 });

// What each tab says of the examples.
async function tabs() {
  const page = await open("light", 1280, 860);
  await expect(page, "value", "\"Zoë \\\"Zo\\\" Miller\"", "\"total\": 84.30");
  await expect(page, "repairs", "The reply", "The value", "marks, one by one");
  await expect(page, "feedback", "Nothing is wrong");
  await page.selectOption("#gallery", { label: "An invoice that does not fit" });
  await expect(page, "feedback", "❌", "$input.issued");
  await expect(page, "retry", "assistant", "user", "does not fit the schema");
  await expect(page, "policies", "lenient", "strict", "conservative", "exact");
  await expect(page, "stream", "held back", "still to come", "The value so far");
  const slider = page.locator("#come");
  const most = Number(await slider.getAttribute("max"));
  for (const at of [0, Math.floor(most / 3), most]) {
    await slider.evaluate((input, at) => { input.value = at; input.dispatchEvent(new Event("input")); }, at);
    await page.waitForFunction((at) => document.querySelector(".replay output").textContent.startsWith(at), at === most ? "the end" : `${at} `);
  }
  if (await page.locator(".shown .open").evaluateAll((all) => all.length) > 1) wrong("stream: the end is not settled");
  await expect(page, "others", "llmjson");
  await others(page);
  await expect(page, "others", "llmjson");
  await page.selectOption("#gallery", { label: "Hermes, with a dict of Python" });
  await shown(page);
  await expect(page, "calls", "set_alarm", "can be run", "\"repeat\": true");
  const examples = await page.locator("#gallery option:not([disabled])").count();
  if (examples !== 30) wrong(`there are ${examples} examples`);
  for (let at = 0; at < examples; at += 1) {
    await page.selectOption("#gallery", String(at));
    await shown(page);
    if ((await text(page)).trim() === "") wrong(`example ${at} shows nothing`);
  }
  await page.close();
}

// The keyboard, links, code and reports.
async function tools() {
  const page = await open("light", 1280);
  await page.focus("#tab-value");
  await page.keyboard.press("ArrowRight");
  await shown(page);
  if (await page.evaluate(() => document.activeElement.id) !== "tab-repairs") wrong("arrows do not move between tabs");
  await give(page, "reply", TRIP);
  await page.selectOption("#policy", "exact");
  await shown(page);
  await page.click("#share");
  await page.waitForSelector("#dialog[open]");
  const link = await page.inputValue("#dialog-text");
  await accessible(page, "the dialog");
  await page.click("#dialog-close");
  const other = await started.newPage();
  await other.goto(link);
  await shown(other);
  const same = await other.evaluate(() => [document.getElementById("reply").value, document.getElementById("policy").value]);
  if (same[0] !== TRIP || same[1] !== "exact") wrong("the link holds something else");
  for (const fragment of ["1.AAAA", "1.%%%", "x", `1.${"A".repeat(2000)}`]) {
    await other.goto(`${address}#${fragment}`);
    await other.reload();
    await shown(other);
  }
  await other.close();
  await page.click("#copy");
  for (const [name, part] of [["Rust", "llmjson::Policy::exact()"], ["Python", "llmjson.parse(reply, schema, policy=\"exact\")"], ["TypeScript", "from 'llmjson'"]]) {
    await page.click(`#dialog-choices button:text-is("${name}")`);
    if (!(await page.inputValue("#dialog-text")).includes(part)) wrong(`${name}: ${part} is missing`);
  }
  await page.click("#dialog-close");
  await page.click("#bug");
  await page.waitForFunction(() => document.getElementById("dialog-text").value !== "");
  const report = await page.inputValue("#dialog-text");
  const minimal = report.split("```")[1]?.trim() ?? "";
  if (minimal.length === 0 || minimal.length >= TRIP.length * 0.8 || !report.includes("inner_quote")) wrong(`the report is not minimal: ${report}`);
  await page.click("#dialog-close");
  await give(page, "schema", "{\"type\": \"nothing\"}");
  if (!(await page.locator("#schema-problem").isVisible())) wrong("a schema that is none is taken");
  await give(page, "schema", "");
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click("[data-open=reply]")]);
  await chooser.setFiles({ name: "reply.txt", mimeType: "text/plain", buffer: Buffer.from("{dropped: 'file'}") });
  await page.waitForFunction(() => document.getElementById("reply").value.startsWith("{dropped"));
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(["{let: 'go'}"], "a.txt"));
    document.getElementById("reply").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  await page.waitForFunction(() => document.getElementById("reply").value === "{let: 'go'}");
  await page.close();
}

// Replies that try to be more than text, in each tab.
async function hostile() {
  const page = await open("light", 1280);
  await give(page, "schema", HOSTILE_SCHEMA);
  await give(page, "tools", HOSTILE_TOOLS);
  const item = "{\"k</b>\u202e\": 'v\"><img src=http://x.test/a onerror=alert(1)>', n: +1, \"t\": \"a \"q\" b\",},\n";
  const long = `${HOSTILE}[\n${item.repeat(Math.ceil(1_000_000 / item.length))}]\n`;
  for (const [name, reply] of [["short", HOSTILE], ["call", HOSTILE_CALL], ["long", long]]) {
    await give(page, "reply", reply);
    for (const tab of TABS) {
      await openTab(page, tab);
      if (tab === "others" && name !== "long") await others(page);
      const odd = await page.evaluate(() => [...document.querySelectorAll("#panel :is(script, img, i, b, iframe, object), main main")].filter((one) => one.closest(".value") === null).length);
      if (odd > 0) wrong(`hostile ${name}: ${tab}: markup of the reply is in the page`);
      if ((await text(page)).trim() === "") wrong(`hostile ${name}: ${tab} shows nothing`);
    }
  }
  if (await page.evaluate(() => ({}).hacked !== undefined)) wrong("a prototype was changed");
  await page.close();
}

// How it looks: every tab, wide and narrow, light and dark.
async function looks() {
  for (const [colorScheme, width] of [["light", 1280], ["dark", 1280], ["light", 390], ["dark", 390]]) {
    const page = await open(colorScheme, width, 860);
    for (const [tab, example] of [["value", 0], ["repairs", 0], ["feedback", 1], ["calls", 27], ["stream", 0], ["policies", 0], ["retry", 1], ["others", 0]]) {
      await page.selectOption("#gallery", String(example));
      await openTab(page, tab);
      if (tab === "others") await others(page);
      const at = `${tab} ${colorScheme} ${width}`;
      await fits(page, at);
      await accessible(page, at);
      await page.evaluate(() => { document.activeElement.blur(); scrollTo(0, 0); });
      const kept = width === 1280 ? colorScheme === "light" : colorScheme === "dark" && ["repairs", "stream"].includes(tab);
      if (kept) await picture(page, `${tab}-${colorScheme}-${width}`);
    }
    await give(page, "reply", HOSTILE_CALL);
    for (const tab of TABS) {
      await openTab(page, tab);
      await fits(page, `hostile ${tab} ${colorScheme} ${width}`);
    }
    await page.close();
  }
}

const median = (numbers) => numbers.sort((one, other) => one - other)[Math.floor(numbers.length / 2)];

// How fast it is: opening, and typing into a reply of 20 KB.
async function speed() {
  const first = [];
  for (let run = 0; run < 5; run += 1) {
    const page = await open("light", 1280);
    first.push(Number(await page.locator("#panel").getAttribute("data-first")));
    await page.close();
  }
  const page = await open("light", 1280);
  const item = "{name: 'Zoë', \"days\": \"3\", tags: [\"a\", \"b\",], ok: True},\n";
  await give(page, "schema", "{\"type\": \"array\", \"items\": {\"type\": \"object\", \"properties\": {\"days\": {\"type\": \"integer\"}}}}");
  await give(page, "reply", `[\n${item.repeat(Math.ceil(20_000 / item.length))}`);
  await openTab(page, "value");
  await page.focus("#reply");
  await page.keyboard.press("Control+End");
  await page.evaluate(() => {
    window.taken = [];
    const panel = document.getElementById("panel");
    let begun = 0;
    document.getElementById("reply").addEventListener("beforeinput", () => { begun = performance.now(); });
    new MutationObserver(() => { if (panel.dataset.shown === panel.dataset.wanted) requestAnimationFrame(() => window.taken.push(performance.now() - begun)); })
      .observe(panel, { attributeFilter: ["data-shown"] });
  });
  for (const sign of "{name: 'Ada Lovelace', days: '36', tags: ['x', 'yz".slice(0, 50)) {
    const before = await page.evaluate(() => window.taken.length);
    await page.keyboard.type(sign);
    await page.waitForFunction((before) => window.taken.length > before, before, { polling: 5 });
  }
  const typing = median(await page.evaluate(() => window.taken));
  await page.close();
  console.error(`first value: ${first.join(", ")} ms; a keystroke at 20 KB: ${typing.toFixed(1)} ms, median of 50`);
  if (timed === "-") return;
  // Others may be using the processors: the fastest of them says what the page needs.
  if (Math.min(...first) > 700) wrong(`the first value takes ${Math.min(...first)} ms`);
  if (typing > 50) wrong(`a keystroke takes ${typing} ms`);
}

const parts = { tabs, tools, hostile, looks, speed };
const only = process.env.LLMJSON_PLAYGROUND_PARTS?.split(",") ?? Object.keys(parts);
for (const part of only) {
  try {
    await parts[part]();
  } catch (error) {
    wrong(`${part}: ${error.stack.slice(0, 1_000)}`);
  }
}
await started.close();
