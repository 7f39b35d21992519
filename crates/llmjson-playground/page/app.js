
// The page itself: what is given on the left, and the tab that is open.

// Files that are larger are not opened.
const FILE_MAX = 10_000_000;
// The address is written once typing has paused for so long.
const PAUSE_MS = 400;
// The browser takes long to type longer texts.
const UNDO_MAX = 200_000;

const GIVEN = ["reply", "schema", "tools"];
const panel = element("panel");
const examples = JSON.parse(held("examples"));
const tab = () => TABS.find(({ id }) => id === state.tab) ?? TABS[0];

let [wanted, busy] = [0, false];

// Shows what is given now; what is given while that is being done is shown next.
async function refresh() {
  wanted += 1;
  panel.dataset.wanted = wanted;
  if (busy) return;
  busy = true;
  for (let done = 0; done !== wanted;) {
    done = wanted;
    await show(done);
  }
  busy = false;
}

const questionOf = () => ({ reply: wellFormed(state.reply), schema: state.schema, tools: state.tools, policy: state.policy });

async function show(number) {
  const question = questionOf();
  const asked = async (ask, more = {}) => {
    const answer = await engine.ask({ ...question, ask, ...more });
    if (answer.problem) throw Object.assign(new Error(answer.problem.message), answer.problem);
    return answer;
  };
  for (const part of ["schema", "tools"]) complain(part, "");
  try {
    const read = await asked("read");
    verdict(read);
    mark(read.marks);
    counts(read);
    keepable(read);
    await tab().show(panel, read, asked);
  } catch (problem) {
    if (problem.part) complain(problem.part, problem.message);
    const where = { schema: "The schema cannot be used: see below it.", tools: "The tools cannot be used: see below them." };
    panel.replaceChildren(about(where[problem.part] ?? problem.message));
    keepable(null);
    if (problem.part !== "tools") element("verdict").replaceChildren(chip("not read", "bad"));
  }
  panel.dataset.shown = number;
  if (!("first" in panel.dataset)) panel.dataset.first = performance.now().toFixed(0);
}

// Highlights the repairs in the editor by their class.
function mark(marks) {
  const [under, reply] = [element("reply-marks"), state.reply];
  const plain = (text) => text.replace(/\r\n?/g, "\n");
  const parts = [];
  let at = 0;
  for (const [start, end, tone] of marks) {
    if (start < at) continue;
    parts.push(plain(reply.slice(at, start)), put("mark", { class: tone, text: plain(reply.slice(start, end)) }));
    at = end;
  }
  // A block ignores a line feed at its end.
  under.replaceChildren(...(marks.length > 0 ? [...parts, plain(reply.slice(at)), "\n"] : []));
  under.scrollTop = element("reply").scrollTop;
}

function complain(part, message) {
  const problem = element(`${part}-problem`);
  if (!problem) return;
  problem.hidden = message === "";
  problem.textContent = visible(message);
  element(part).setAttribute("aria-invalid", message !== "");
}

function verdict(read) {
  const { counts: { repairs, changes, violations, refused } } = read;
  const has = state.schema.trim() !== "";
  const chips = [];
  if (read.value === null) chips.push(chip("no value", "bad"));
  else if (violations > 0) chips.push(chip("does not fit the schema", "bad"));
  else if (refused > 0) chips.push(chip("refused by the policy", "bad"));
  else chips.push(chip(has ? "fits the schema" : "a value", "good"));
  if (read.value !== null) {
    chips.push(chip(read.certainty === "guess" ? "a guess" : read.certainty, read.certainty));
    if (!read.complete) chips.push(chip("truncated", "cut"));
    chips.push(chip(repairs === 0 ? "no repairs" : plural(repairs, "repair")));
    if (changes > 0) chips.push(chip(`${plural(changes, "change")} for the schema`));
  }
  element("verdict").replaceChildren(...chips);
}

// How long the library takes to read what is given and to print the value: measured once typing pauses.
async function showTime() {
  const number = wanted;
  const { took } = await engine.time(questionOf()).catch(() => ({}));
  if (took === undefined || number !== wanted) return;
  element("verdict").querySelector(".took")?.remove();
  element("verdict").append(put("span", { class: "chip took", title: "The library's own time, from the reply to the printed value", text: duration(took) }));
}

function counts(read) {
  for (const { id, count } of TABS) {
    if (count === undefined) continue;
    const number = element(`tab-${id}`).querySelector("i");
    number.hidden = count(read) === 0;
    number.textContent = count(read);
  }
}

function openTab(id, focus = false) {
  state.tab = id;
  state.tab = tab().id;
  for (const { id } of TABS) {
    const button = element(`tab-${id}`);
    button.setAttribute("aria-selected", id === state.tab);
    button.tabIndex = id === state.tab ? 0 : -1;
  }
  panel.setAttribute("aria-labelledby", `tab-${state.tab}`);
  if (focus) element(`tab-${state.tab}`).focus();
  panel.scrollTop = 0;
}

// Writes what is given into its fields.
function fill() {
  for (const part of GIVEN) if (element(part).value !== state[part]) element(part).value = state[part];
  if (!POLICIES.includes(state.policy)) state.policy = "lenient";
  element("policy").value = state.policy;
  openTab(state.tab);
  size();
}

function size() {
  element("reply-size").textContent = plural(new TextEncoder().encode(state.reply).length, "byte");
}

let pause = null;
function changed() {
  size();
  named();
  refresh();
  clearTimeout(pause);
  pause = setTimeout(async () => {
    hold();
    await putAddress();
    await showTime();
  }, PAUSE_MS);
}

// Begins an entry of the history where a text is about to be replaced: Back brings it again.
function replacing(change) {
  clearTimeout(pause);
  hold();
  change();
  hold(true);
  changed();
}

// The example of which parts may still be there; none where the reply is one's own.
let origin = {};
const isOfExample = (part) => state[part].trim() !== "" && state[part] === origin[part];

// Says of which example everything is that is given, if it is one's.
function named() {
  const at = examples.findIndex((example) => GIVEN.every((part) => (example[part] ?? "") === state[part]));
  element("gallery").value = at < 0 ? "" : at;
  if (at >= 0) origin = examples[at];
}

// Puts a text into a field as if it were typed, so that the keyboard's undo takes it back.
let writing = false;
function write(part, text) {
  const [field, focused] = [element(part), document.activeElement];
  state[part] = text;
  if (field.value === text) return;
  writing = true;
  field.focus({ preventScroll: true });
  field.select();
  const isTyped = text.length <= UNDO_MAX && document.execCommand(text === "" ? "delete" : "insertText", false, text);
  // A text field keeps line feeds alone; what is read is what was given.
  if (!isTyped) field.value = text;
  field.setSelectionRange(0, 0);
  field.scrollTop = 0;
  writing = false;
  if (focused !== field) focused?.focus({ preventScroll: true });
}

function writeAll() {
  for (const part of GIVEN) write(part, state[part]);
  fill();
}

function choose(index) {
  const { reply, schema = "", tools = "", policy = "lenient", tab: opened } = examples[index];
  Object.assign(state, { reply, schema, tools, policy });
  if (opened) state.tab = opened;
  else if (state.tab === "calls") state.tab = "value";
  left([]);
}

// Takes a reply of one's own.
function takeOwn(reply) {
  replacing(() => {
    leaveExample();
    write("reply", reply);
    element("reply").setSelectionRange(reply.length, reply.length);
  });
}

// Drops the example's schema and tools, because they say nothing about another reply.
function leaveExample() {
  const parts = ["schema", "tools"].filter(isOfExample);
  const before = parts.map((part) => [part, state[part]]);
  for (const part of parts) write(part, "");
  origin = {};
  left(before);
}

// Says what has left with an example.
function left(parts) {
  element("left").hidden = parts.length === 0;
  element("left-what").textContent = `The example's ${parts.map(([part]) => part).join(" and ")} left with it.`;
  element("left-back").onclick = () => {
    replacing(() => { for (const [part, text] of parts) write(part, text); });
    left([]);
    element("reply").focus();
  };
}

async function openFile(part, file) {
  if (!file) return;
  if (file.size > FILE_MAX) return tellInDialog("The file is too large", "", `Files up to ${FILE_MAX / 1e6} MB can be opened.`);
  const text = await file.text();
  if (part === "reply") return takeOwn(text);
  replacing(() => write(part, text));
}

function tellInDialog(title, text, about, choices = []) {
  element("dialog-title").textContent = title;
  element("dialog-about").textContent = about;
  element("dialog-text").value = text;
  element("dialog-said").textContent = "";
  element("dialog-choices").replaceChildren(...choices.map(([name, make], at) => {
    const button = put("button", { type: "button", text: name, "aria-pressed": at === 0 });
    button.addEventListener("click", () => {
      for (const other of button.parentElement.children) other.setAttribute("aria-pressed", other === button);
      element("dialog-text").value = make();
    });
    return button;
  }));
  if (!element("dialog").open) element("dialog").showModal();
}

// The address of the page that links lead to, or nothing where only this machine reaches the page.
function hosted() {
  const site = document.documentElement.dataset.site;
  const isLocal = !location.protocol.startsWith("http") || ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);
  return site || (isLocal ? "" : location.href.split("#")[0]);
}

async function share() {
  const fragment = await fragmentOf();
  if (fragment.length > FRAGMENT_MAX) return tellInDialog("Link", "", `This is too long for a link: browsers and mail cut off what has more than ${grouped(FRAGMENT_MAX)} characters.`);
  const anywhere = `${hosted()}#${fragment}`;
  if (hosted() !== "") return tellInDialog("Link", anywhere, "Everything that is given stands behind the #, which browsers do not send to servers.");
  tellInDialog("Link", anywhere,
    "Only this machine reaches this page. Put the text behind the address of any copy of the page that is one file, or take the link for this machine.",
    [["Behind any copy", () => anywhere], ["This machine", () => `${location.href.split("#")[0]}#${fragment}`]]);
}

async function reportBug() {
  tellInDialog("Bug report", "", "Pieces are taken out of the reply while the outcome stays the same …");
  const question = { reply: wellFormed(state.reply), schema: state.schema, policy: state.policy };
  try {
    const minimal = await engine.ask({ ...question, ask: "minimal" });
    if (minimal.problem) throw new Error(minimal.problem.message);
    const read = await engine.ask({ ...question, ask: "read", reply: minimal.reply });
    const link = hosted() !== "" ? `${hosted()}#${await fragmentOf()}` : "";
    const from = plural(state.reply.length, "character");
    tellInDialog("Bug report", asReport(state, minimal, read, link),
      `From ${from} to ${minimal.reply.length}, with the same kinds of repairs, changes and complaints. Is it still what is wrong?`);
  } catch (problem) {
    tellInDialog("Bug report", "", problem.message);
  }
}

function listen() {
  let replaced = false;
  for (const part of GIVEN) {
    const field = element(part);
    field.addEventListener("input", () => {
      if (writing) return;
      state[part] = field.value;
      if (part === "reply" && replaced) leaveExample();
      mark([]);
      changed();
    });
    field.addEventListener("dragover", (event) => { event.preventDefault(); field.classList.add("over"); });
    for (const name of ["dragleave", "drop"]) field.addEventListener(name, () => field.classList.remove("over"));
    field.addEventListener("drop", (event) => {
      if (event.dataTransfer.files.length === 0) return;
      event.preventDefault();
      openFile(part, event.dataTransfer.files[0]);
    });
  }
  const reply = element("reply");
  // Typing over the whole reply, or into an empty field, begins another reply.
  reply.addEventListener("beforeinput", () => {
    if (!writing) replaced = reply.selectionStart === 0 && reply.selectionEnd === reply.value.length;
  });
  reply.addEventListener("scroll", () => { element("reply-marks").scrollTop = reply.scrollTop; });
  reply.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    const isWhole = reply.selectionStart === 0 && reply.selectionEnd === reply.value.length;
    if (text === "" || !(isOfExample("reply") || isWhole)) return;
    event.preventDefault();
    takeOwn(text);
  });
  let opening = "reply";
  for (const button of document.querySelectorAll("[data-open]")) {
    button.setAttribute("aria-label", `Open file: ${button.dataset.open}`);
    button.addEventListener("click", () => { opening = button.dataset.open; element("file").value = ""; element("file").click(); });
  }
  element("file").addEventListener("change", () => openFile(opening, element("file").files[0]));
  element("gallery").addEventListener("change", (event) => replacing(() => { choose(Number(event.target.value)); writeAll(); }));
  element("policy").addEventListener("change", (event) => { state.policy = event.target.value; changed(); });
  element("share").addEventListener("click", share);
  element("bug").addEventListener("click", reportBug);
  element("copy").addEventListener("click", () => {
    const given = { ...state, reply: wellFormed(state.reply) };
    const ways = [["Rust", () => asRust(given)], ["Python", () => asPython(given)], ["TypeScript", () => asTypeScript(given)]];
    tellInDialog("Copy as code", asRust(given), "", ways);
  });
  element("dialog-close").addEventListener("click", () => element("dialog").close());
  element("dialog-copy").addEventListener("click", async () => {
    element("dialog-said").textContent = await copyOut(element("dialog-text").value, element("dialog-text"));
  });
  for (const button of document.querySelectorAll("[data-keep]")) button.addEventListener("click", () => keep(button.dataset.keep));
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || element("dialog").open) return;
    const what = { Enter: event.shiftKey ? "copy-repaired" : "copy-value", s: "save-value", S: "save-repaired" }[event.key];
    if (what === undefined) return;
    event.preventDefault();
    keep(what);
  });
  addEventListener("popstate", async (event) => {
    clearTimeout(pause);
    // What was typed last is there after Forward.
    if (entry !== null) entries.set(entry, partsOf());
    if (!await takeEntry(event.state)) return;
    origin = {};
    left([]);
    writeAll();
    changed();
  });
  element("tabs").addEventListener("keydown", (event) => {
    const at = TABS.indexOf(tab());
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    openTab(TABS.at(to % TABS.length).id, true);
    changed();
  });
}

async function begin() {
  for (const { id, title } of TABS) {
    const button = put("button", { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": "panel" }, title, put("i", { hidden: "" }));
    button.addEventListener("click", () => { openTab(id); changed(); });
    element("tabs").append(button);
  }
  element("policy").append(...POLICIES.map((name) => put("option", { value: name, text: name })));
  const kinds = new Map();
  examples.forEach(({ kind, name }, at) => {
    if (!kinds.has(kind)) kinds.set(kind, put("optgroup", { label: kind }));
    kinds.get(kind).append(put("option", { value: at, text: name }));
  });
  element("gallery").append(put("option", { value: "", text: "your own", disabled: "" }), ...kinds.values());
  element("engine").textContent = `Answered by ${engine.name}. What is put in stays on this machine.`;
  for (const limit of limits()) element("limits").append(put("li", { text: limit }));
  listen();
  if (!await takeEntry(history.state)) choose(0);
  fill();
  for (const part of GIVEN) element(part).setSelectionRange(0, 0);
  changed();
}

const grouped = (number) => number.toLocaleString("en");
const limits = () => [
  `Files of up to ${FILE_MAX / 1e6} MB can be opened. A reply is read within the limits of the library, on depth and on work, which the book describes; an answer may take ${PATIENCE_MS / 1e3} seconds.`,
  `Of a text, ${grouped(SHOWN_MAX)} characters are shown; copies and downloads have all of it.`,
  `A link has up to ${grouped(FRAGMENT_MAX)} characters, which hold replies that are longer than that, as they are compressed.`,
  `The keyboard's undo brings back texts of up to ${grouped(UNDO_MAX)} characters, and Back those of any length; once the page is loaded anew, those of up to ${grouped(HISTORY_MAX)}.`,
  `A picture shows up to ${grouped(PICTURED_MAX)} characters.`,
  `The others and llmjson may together take ${PEERS_MS / 1e3} seconds to read a reply.`,
];

begin();
