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
  const page = await started.newPage({ viewport: { width, height }, colorScheme, acceptDownloads: true });
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

// Also what is out of view, which the browser has not laid out.
const text = (page) => page.locator("#panel").textContent();

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
// llmjson, JSON.parse, jsonrepair and, where it is carried along, json_repair, which takes long to begin.
const others = async (page) => {
  const count = await page.evaluate(() => document.getElementById("python").textContent === "" ? 3 : 4);
  await page.waitForFunction((count) => document.querySelectorAll("#panel .card").length === count, count, { timeout: 40_000 });
  return count;
};

// The repairs are marked behind what is written.
async function editor() {
  const page = await open("light", 1280);
  await give(page, "reply", "{city: 'Oslo', days: 3}");
  const marks = page.locator("#reply-marks mark");
  const texts = (await marks.allInnerTexts()).join("|");
  if (texts !== "city|'Oslo'|days") wrong(`marked are ${texts}`);
  const [field, mark] = [await page.locator("#reply").boundingBox(), await marks.first().boundingBox()];
  const isInside = mark.x > field.x && mark.y > field.y && mark.x + mark.width < field.x + field.width && mark.y + mark.height < field.y + field.height;
  const color = await marks.first().evaluate((mark) => getComputedStyle(mark).backgroundColor);
  if (!isInside || color === "rgba(0, 0, 0, 0)") wrong(`a mark is not seen: ${JSON.stringify(mark)}, ${color}`);
  await give(page, "reply", "{\"city\": \"Oslo\"}");
  if (await marks.count() > 0) wrong("marks stay where nothing is repaired");
  await page.close();
}

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
  // No other machine reaches the page: what works anywhere is what stands behind the address of a copy.
  const behind = await page.inputValue("#dialog-text");
  if (!behind.startsWith("#1.")) wrong(`the link works here alone: ${behind.slice(0, 100)}`);
  await page.click("#dialog-choices button:text-is(\"This machine\")");
  const link = await page.inputValue("#dialog-text");
  if (!link.endsWith(behind) || !link.startsWith(address)) wrong(`the link is ${link.slice(0, 100)}`);
  await accessible(page, "the dialog");
  await page.click("#dialog-close");
  await page.evaluate(() => { document.documentElement.dataset.site = "https://x.test/playground.html"; });
  await page.click("#share");
  await page.waitForFunction(() => document.getElementById("dialog-text").value.startsWith("https"));
  if ((await page.inputValue("#dialog-text")) !== `https://x.test/playground.html${behind}`) wrong("the link does not lead to the site");
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

const given = (page) => page.evaluate(() => ["reply", "schema", "tools", "gallery"].map((id) => document.getElementById(id).value));

async function paste(page, text) {
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    document.getElementById("reply").focus();
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    if (document.getElementById("reply").dispatchEvent(event)) document.execCommand("insertText", false, text);
  }, text);
  await shown(page);
}

async function expectGiven(page, about, ...wanted) {
  const have = await given(page);
  wanted.forEach((part, at) => { if (part !== undefined && have[at] !== part) wrong(`${about}: ${JSON.stringify(have[at].slice(0, 200))}, not ${JSON.stringify(part.slice(0, 200))}`); });
}

// A reply of one's own beside an example, and the ways back.
async function ownReply() {
  const page = await open("light", 1280);
  const [order, orderSchema] = await given(page);
  await page.selectOption("#gallery", "1");
  await shown(page);
  const [invoice, invoiceSchema] = await given(page);
  await paste(page, "Mine: {a: 'b'}");
  await expectGiven(page, "a reply of one's own", "Mine: {a: 'b'}", "", "", "");
  await expect(page, "value", "\"a\": \"b\"");
  await accessible(page, "a reply of one's own");
  await page.click("#left-back");
  await shown(page);
  await expectGiven(page, "the schema of the example", "Mine: {a: 'b'}", invoiceSchema);
  if (await page.locator("#left").isVisible()) wrong("what is back is said to have left");
  await page.goBack();
  await shown(page);
  await expectGiven(page, "once back", "Mine: {a: 'b'}", "");
  await page.goBack();
  await shown(page);
  await expectGiven(page, "twice back", invoice, invoiceSchema, "", "1");
  await page.goBack();
  await shown(page);
  await expectGiven(page, "thrice back", order, orderSchema, "", "0");
  for (let at = 0; at < 3; at += 1) await page.goForward();
  await shown(page);
  await expectGiven(page, "forward again", "Mine: {a: 'b'}", invoiceSchema);
  // A second paste goes where the cursor is, and leaves what is one's own.
  await page.locator("#reply").evaluate((field) => field.setSelectionRange(field.value.length, field.value.length));
  await paste(page, " x");
  await expectGiven(page, "a second paste", "Mine: {a: 'b'} x", invoiceSchema);
  await page.focus("#reply");
  await page.keyboard.press("Control+z");
  await shown(page);
  await expectGiven(page, "undone", "Mine: {a: 'b'}", invoiceSchema);
  // A schema that was taken back is one's own: it stays with the next reply.
  await page.focus("#reply");
  await page.keyboard.press("Control+a");
  await paste(page, "{other: 1}");
  await expectGiven(page, "the next reply", "{other: 1}", invoiceSchema);
  await page.goBack();
  await shown(page);
  // The keyboard takes back an example, too.
  await page.selectOption("#gallery", "27");
  await shown(page);
  for (let at = 0; at < 3; at += 1) {
    await page.focus("#reply");
    await page.keyboard.press("Control+z");
  }
  await shown(page);
  await expectGiven(page, "an example undone", "Mine: {a: 'b'}", invoiceSchema, "");
  // A reply that no link holds is there after Back and after a reload.
  let text = "";
  for (let at = 0; text.length < 250_000; at += 1) text += `${(at * 2_654_435_761 % 4_294_967_296).toString(36)} `;
  const long = JSON.stringify([text]);
  await give(page, "reply", long);
  await page.waitForTimeout(1_500);
  await page.selectOption("#gallery", "3");
  await shown(page);
  await page.goBack();
  await shown(page);
  await expectGiven(page, "a long reply", long, invoiceSchema);
  await page.reload();
  await shown(page);
  await expectGiven(page, "a long reply after a reload", long, invoiceSchema);
  await page.close();
}

// What is taken out of the page, by buttons and by keys.
async function keep() {
  const page = await open("light", 1280);
  const saved = async (act) => {
    const [download] = await Promise.all([page.waitForEvent("download"), act()]);
    return [download.suggestedFilename(), readFileSync(await download.path())];
  };
  const expectSaved = async (about, act, name, ...parts) => {
    const [found, bytes] = await saved(act);
    const text = bytes.toString();
    if (found !== name) wrong(`${about}: the file is ${found}`);
    for (const part of parts) if (!text.includes(part)) wrong(`${about}: ${part} is missing: ${text.slice(0, 300)}`);
    return text;
  };
  await give(page, "schema", "{\"properties\": {\"days\": {\"type\": \"integer\", \"maximum\": 2}, \"stops\": {\"items\": {\"minLength\": 6}}}}");
  await give(page, "reply", TRIP);
  const value = await expectSaved("the value", () => page.click("[data-keep=save-value]"), "value.json", "\"days\": 3");
  const text = await expectSaved("the repaired text", () => page.click("[data-keep=save-repaired]"), "repaired.json", "\"days\": \"3\"", "the \\\"quiet\\\" car");
  if (JSON.parse(value).city !== undefined || JSON.parse(value).City !== "Oslo" || JSON.parse(text).budget !== 450) wrong("what is downloaded is another value");
  await page.focus("#reply");
  if (await expectSaved("S", () => page.keyboard.press("Control+s"), "value.json") !== value) wrong("S downloads something else");
  if (await expectSaved("Shift and S", () => page.keyboard.press("Control+Shift+S"), "repaired.json") !== text) wrong("Shift and S download something else");
  const copied = async (act, wanted) => {
    await page.evaluate(() => {
      document.getElementById("kept").textContent = "";
      window.copied = null;
      Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText: async (text) => { window.copied = text; } } });
    });
    await act();
    await page.waitForFunction(() => document.getElementById("kept").textContent === "Copied.");
    const found = await page.evaluate(() => window.copied);
    if (found.trim() !== wanted.trim()) wrong(`copied is ${found.slice(0, 200)}`);
  };
  await copied(() => page.click("[data-keep=copy-value]"), value);
  await copied(() => page.keyboard.press("Control+Enter"), value);
  await copied(() => page.click("[data-keep=copy-repaired]"), text);
  await copied(() => page.keyboard.press("Control+Shift+Enter"), text);
  // Each misfit is marked on its line.
  const marks = () => page.locator("#panel .code mark").allInnerTexts();
  const said = await page.locator("#panel .code small").allInnerTexts();
  if ((await marks()).join("|") !== "\"days\": 3,|\"Hamar\"," || !said[0]?.includes("Maximum<2>")) wrong(`marked are ${await marks()}: ${said}`);
  await give(page, "schema", "");
  if ((await marks()).length > 0) wrong("marks stay where there is no misfit");
  // The library's time, and the others' in the same way.
  await page.waitForSelector(".took");
  if (!/^[\d.]+ (µs|ms)$/.test(await page.locator(".took").innerText())) wrong("the time is not told");
  await give(page, "reply", "{\"a\": [1, 2, 3]}");
  await openTab(page, "others");
  const count = await others(page);
  const times = await page.locator("#panel .card h3").evaluateAll((all) => all.map((title) => title.innerText.replace(/\s+/g, " ")));
  if (times.length !== count || !times.every((title) => /[\d.]+ (µs|ms)$/.test(title))) wrong(`the times are ${times}`);
  // Pictures of every tab.
  await page.selectOption("#gallery", "1");
  await shown(page);
  for (const tab of TABS) {
    await openTab(page, tab);
    if (tab === "others") await others(page);
    const svg = await expectSaved(`a picture of ${tab}`, () => page.click("[data-keep=svg]"), "llmjson.svg", "</svg>");
    const odd = await page.evaluate((svg) => {
      const root = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
      return root.querySelector("parsererror, script, foreignObject, a, image") !== null || root.querySelectorAll("text").length < 5;
    }, svg);
    if (odd) wrong(`a picture of ${tab} is none: ${svg.slice(0, 300)}`);
    const [name, bytes] = await saved(() => page.click("[data-keep=png]"));
    if (name !== "llmjson.png" || bytes.readUInt32BE(0) !== 0x89504e47 || bytes.readUInt32BE(16) < 800) wrong(`a picture of ${tab} as PNG is none`);
  }
  await openTab(page, "value");
  await give(page, "reply", JSON.stringify(["word ".repeat(5_000)]));
  await page.click("[data-keep=svg]");
  await page.waitForFunction(() => document.getElementById("kept").textContent.includes("too long"));
  await page.click("footer summary");
  const limits = await page.locator("#limits").innerText();
  for (const part of ["10 MB", "60,000", "200,000", "20,000", "seconds"]) if (!limits.includes(part)) wrong(`the limits do not say ${part}`);
  await accessible(page, "the limits");
  await give(page, "reply", "nothing");
  if (await page.locator("[data-keep]:not([disabled])").count() > 0) wrong("where there is no value, it can be taken out");
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
      if (name === "long") continue;
      const [download] = await Promise.all([page.waitForEvent("download"), page.click("[data-keep=svg]")]);
      const svg = readFileSync(await download.path(), "utf8");
      const tags = new Set(svg.match(/<\w+/g));
      if ([...tags].some((tag) => !["<svg", "<rect", "<line", "<text"].includes(tag)) || /[\u202a-\u202e\u2066-\u2069]/.test(svg)) wrong(`hostile ${name}: ${tab}: the picture has ${[...tags]}`);
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

const parts = { editor, tabs, tools, own: ownReply, keep, hostile, looks, speed };
const only = process.env.LLMJSON_PLAYGROUND_PARTS?.split(",") ?? Object.keys(parts);
for (const part of only) {
  try {
    await parts[part]();
  } catch (error) {
    wrong(`${part}: ${error.stack.slice(0, 1_000)}`);
  }
}
await started.close();
