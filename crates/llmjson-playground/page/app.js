
// The page itself: what is given on the left, and the tab that is open.

// Files that are larger are not opened.
const FILE_MAX = 10_000_000;
// The address is written once typing has paused for so long.
const PAUSE_MS = 400;

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

async function show(number) {
  const question = { reply: wellFormed(state.reply), schema: state.schema, tools: state.tools, policy: state.policy };
  const asked = async (ask, more = {}) => {
    const answer = await engine.ask({ ...question, ask, ...more });
    if (answer.problem) throw Object.assign(new Error(answer.problem.message), answer.problem);
    return answer;
  };
  for (const part of ["schema", "tools"]) complain(part, "");
  try {
    const begun = performance.now();
    const read = await asked("read");
    verdict(read, performance.now() - begun);
    counts(read);
    await tab().show(panel, read, asked);
  } catch (problem) {
    if (problem.part) complain(problem.part, problem.message);
    const where = { schema: "The schema cannot be used: see below it.", tools: "The tools cannot be used: see below them." };
    panel.replaceChildren(about(where[problem.part] ?? problem.message));
    if (problem.part !== "tools") element("verdict").replaceChildren(chip("not read", "bad"));
  }
  panel.dataset.shown = number;
  if (!("first" in panel.dataset)) panel.dataset.first = performance.now().toFixed(0);
}

function complain(part, message) {
  const problem = element(`${part}-problem`);
  if (!problem) return;
  problem.hidden = message === "";
  problem.textContent = visible(message);
  element(part).setAttribute("aria-invalid", message !== "");
}

function verdict(read, took) {
  const { counts: { repairs, changes, violations, refused } } = read;
  const has = state.schema.trim() !== "";
  const chips = [];
  if (read.value === null) chips.push(chip("no value", "bad"));
  else if (violations > 0) chips.push(chip("does not fit the schema", "bad"));
  else if (refused > 0) chips.push(chip("refused by the policy", "bad"));
  else chips.push(chip(has ? "fits the schema" : "a value", "good"));
  if (read.value !== null) {
    chips.push(chip(read.certainty === "guess" ? "a guess" : read.certainty, read.certainty));
    if (!read.complete) chips.push(chip("cut off", "cut"));
    chips.push(chip(repairs === 0 ? "no repairs" : plural(repairs, "repair")));
    if (changes > 0) chips.push(chip(`${plural(changes, "change")} for the schema`));
  }
  chips.push(put("span", { class: "chip took", text: milliseconds(took) }));
  element("verdict").replaceChildren(...chips);
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
let written = "";
function changed() {
  size();
  refresh();
  clearTimeout(pause);
  pause = setTimeout(async () => {
    const fragment = await fragmentOf();
    written = fragment.length > FRAGMENT_MAX ? "" : fragment;
    history.replaceState(null, "", `#${written}`);
  }, PAUSE_MS);
}

async function take(fragment) {
  const taken = await takeFragment(fragment).catch(() => false);
  if (!taken) return false;
  element("gallery").value = "";
  fill();
  return true;
}

function choose(index) {
  const { reply, schema = "", tools = "", policy = "lenient", tab: opened } = examples[index];
  Object.assign(state, { reply, schema, tools, policy });
  if (opened) state.tab = opened;
  else if (state.tab === "calls") state.tab = "value";
  fill();
}

async function openFile(part, file) {
  if (!file) return;
  if (file.size > FILE_MAX) return tellInDialog("The file is too large", "", `Files up to ${FILE_MAX / 1e6} MB can be opened.`);
  state[part] = element(part).value = await file.text();
  // A text field keeps line feeds alone; what is read is what the file holds.
  changed();
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

async function share() {
  const fragment = await fragmentOf();
  if (fragment.length > FRAGMENT_MAX) return tellInDialog("Link", "", "This is too long for a link: browsers and mail would cut it off.");
  const address = `${location.href.split("#")[0]}#${fragment}`;
  const where = location.protocol.startsWith("http") && location.hostname === "127.0.0.1"
    ? "The address works while this server runs. What stands behind # works behind the address of any copy of this page."
    : "Everything that is given stands behind the #, which browsers do not send to servers.";
  tellInDialog("Link", address, where);
}

async function reportBug() {
  tellInDialog("Bug report", "", "Pieces are taken out of the reply while the outcome stays the same …");
  const question = { reply: wellFormed(state.reply), schema: state.schema, policy: state.policy };
  try {
    const minimal = await engine.ask({ ...question, ask: "minimal" });
    if (minimal.problem) throw new Error(minimal.problem.message);
    const read = await engine.ask({ ...question, ask: "read", reply: minimal.reply });
    const link = location.protocol === "https:" ? `${location.href.split("#")[0]}#${await fragmentOf()}` : "";
    const from = plural(state.reply.length, "character");
    tellInDialog("Bug report", asReport(state, minimal, read, link),
      `From ${from} to ${minimal.reply.length}, with the same kinds of repairs, changes and complaints. Is it still what is wrong?`);
  } catch (problem) {
    tellInDialog("Bug report", "", problem.message);
  }
}

function listen() {
  for (const part of GIVEN) {
    const field = element(part);
    field.addEventListener("input", () => { state[part] = field.value; changed(); });
    field.addEventListener("dragover", (event) => { event.preventDefault(); field.classList.add("over"); });
    for (const name of ["dragleave", "drop"]) field.addEventListener(name, () => field.classList.remove("over"));
    field.addEventListener("drop", (event) => {
      if (event.dataTransfer.files.length === 0) return;
      event.preventDefault();
      openFile(part, event.dataTransfer.files[0]);
    });
  }
  let opening = "reply";
  for (const button of document.querySelectorAll("[data-open]")) {
    button.setAttribute("aria-label", `Open file: ${button.dataset.open}`);
    button.addEventListener("click", () => { opening = button.dataset.open; element("file").value = ""; element("file").click(); });
  }
  element("file").addEventListener("change", () => openFile(opening, element("file").files[0]));
  element("gallery").addEventListener("change", (event) => { choose(Number(event.target.value)); changed(); });
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
    const text = element("dialog-text");
    text.select();
    const copied = await navigator.clipboard?.writeText(text.value).then(() => true, () => false) || document.execCommand("copy");
    element("dialog-said").textContent = copied ? "Copied." : "It is selected: copy it by the keyboard.";
  });
  addEventListener("hashchange", async () => {
    const fragment = location.hash.slice(1);
    if (fragment !== written && await take(fragment)) refresh();
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
  listen();
  if (!await take(location.hash.slice(1))) {
    element("gallery").value = "0";
    choose(0);
  }
  await refresh();
}

begin();
