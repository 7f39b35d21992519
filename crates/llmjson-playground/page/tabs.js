
// The tabs: what became of the reply, in several ways. Text of a reply gets into the page as text alone.

// Longer texts are not shown whole.
const SHOWN_MAX = 200_000;
const BLOCK_LINES = 40;
// Maximum number of reasons that are listed.
const REASONS_MAX = 6;

function put(name, given = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(given)) {
    if (key === "text") made.textContent = value;
    else if (key === "class") made.className = value;
    else made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

// Characters that would not show, or turn the direction of reading around, as escapes.
const visible = (text) => text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
  (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);

// A text in blocks of lines: those that are out of view are not laid out, and those that are as before stay. What is
// said of lines stands behind them.
function code(text, label, made = put("pre", { class: "code", tabindex: "0", "aria-label": label, role: "group" }), notes = []) {
  const rest = text.length - SHOWN_MAX;
  const shown = rest > 0 ? `${text.slice(0, SHOWN_MAX)}\n… and ${plural(rest, "more character")}` : text;
  const lines = visible(shown).split("\n");
  const said = new Map();
  for (const [line, note] of notes) said.set(line, [...said.get(line) ?? [], note]);
  const count = Math.ceil(lines.length / BLOCK_LINES);
  while (made.children.length > count) made.lastChild.remove();
  for (let at = 0; at < count; at += 1) {
    const [from, to] = [at * BLOCK_LINES, Math.min((at + 1) * BLOCK_LINES, lines.length)];
    const block = lines.slice(from, to).join("\n") + (at + 1 < count ? "\n" : "");
    if (at === made.children.length) made.append(put("span", { class: "lines" }));
    const span = made.children[at];
    const isMarked = span.querySelector("mark") !== null;
    const marks = said.size > 0 && lines.slice(from, to).some((line, number) => said.has(from + number));
    if (marks) span.replaceChildren(...marked(lines, from, to, said), at + 1 < count ? "\n" : "");
    else if (isMarked || span.textContent !== block) span.textContent = block;
  }
  made.firstChild?.classList.toggle("alone", count === 1);
  return made;
}

// Lines, with a mark on each that something is said of.
function marked(lines, from, to, said) {
  const parts = [];
  for (let line = from; line < to; line += 1) {
    const notes = said.get(line);
    const end = line + 1 < to ? "\n" : "";
    if (notes === undefined) parts.push(lines[line] + end);
    else {
      const indent = lines[line].length - lines[line].trimStart().length;
      parts.push(lines[line].slice(0, indent), put("mark", { text: lines[line].slice(indent) }),
        ...notes.map((note) => put("small", { text: visible(note) })), end);
    }
  }
  return parts;
}

const about = (text) => put("p", { class: "about", text });
const chip = (text, tone = "") => put("span", { class: `chip ${tone}`, text });
const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
// Two digits or more of a time in milliseconds.
function duration(took) {
  const [number, unit] = took < 1 ? [took * 1_000, "µs"] : [took, "ms"];
  return `${number < 10 ? number.toFixed(1) : Math.round(number)} ${unit}`;
}
const certaintyChip = ({ certainty }) => certainty ? chip(certainty, certainty) : chip("no value", "bad");

function card(title, chips, ...children) {
  return put("section", { class: "card" }, put("h3", {}, title, ...chips), ...children);
}

function showValue(panel, read) {
  if (read.value === null) panel.replaceChildren(about("There is no value in this reply."));
  else {
    const before = panel.querySelector(":scope > [aria-label='The value']") ?? undefined;
    const now = code(read.value, "The value", before, read.misfits);
    if (now !== before) panel.replaceChildren(now);
  }
}

async function showRepairs(panel, read, asked) {
  const { html } = await asked("repairs");
  // It comes from our own writer, which escapes; scripts in it would not run, by the parser and by the page's policy.
  panel.replaceChildren(...new DOMParser().parseFromString(html, "text/html").body.childNodes);
  for (const part of panel.querySelectorAll("pre")) part.tabIndex = 0;
}

function showFeedback(panel, { feedback, value }) {
  if (feedback === null) {
    panel.replaceChildren(about("Nothing is wrong with the value: there is nothing to tell the model."));
    return;
  }
  const words = value === null ? "What the model is told:" : "What the model is told, each complaint beside what it is about:";
  panel.replaceChildren(about(words), code(feedback, "The feedback"));
}

async function showCalls(panel, read, asked) {
  const { calls, notRun, unsearched, content, reasoning, tools } = await asked("calls");
  const known = tools.length > 0 ? `Bound to ${tools.join(", ")}.` : "Without tools, calls of every name are found, and none is bound.";
  const cards = calls.map((call) => {
    const said = call.bound?.feedback ?? null;
    const chips = [chip(call.ok ? "can be run" : "not to be run", call.ok ? "good" : "bad"), chip(call.certainty, call.certainty), chip(call.family)];
    if (!call.complete) chips.push(chip("truncated", "cut"));
    const made = card(call.name, chips, code(call.bound?.arguments ?? call.arguments, `The arguments of ${call.name}`),
      said !== null && put("h4", { text: "What the model is told" }), said !== null && code(said, "The feedback"));
    made.classList.add("wide");
    return made;
  });
  if (calls.length === 0) cards.push(about("There are no calls in this reply."));
  for (const shown of notRun) {
    cards.push(card(shown.name, [chip("not run", "bad"), chip(shown.reason), chip(shown.family)], code(shown.arguments, `The arguments of ${shown.name}`)));
  }
  if (unsearched !== null) cards.push(about(`From byte ${unsearched} on the reply was not searched, as the limit on the work was reached.`));
  for (const [title, text] of [["The text around the calls", content], ["Reasoning", reasoning]]) {
    if (calls.length > 0 && text.trim() !== "") cards.push(card(title, [], code(text, title)));
  }
  panel.replaceChildren(about(known), ...cards);
}

// How far the replay has come, as a part of the reply.
const replay = { share: 0.6, timer: null };

async function showStream(panel, read, asked) {
  clearInterval(replay.timer);
  const slider = put("input", { type: "range", min: "0", max: "1", step: "1", id: "come", "aria-label": "How much of the reply has come" });
  const place = put("output", { for: "come" });
  const play = put("button", { type: "button", text: "Play" });
  const [coming, shown, events] = [put("pre", { class: "coming code", tabindex: "0" }), put("pre", { class: "shown code", tabindex: "0" }), put("ul", { class: "events" })];
  const key = put("p", { class: "about coming shown" },
    put("span", { class: "key" }, put("span", { class: "held", text: "held back" }), " until more text says what it is"),
    put("span", { class: "key" }, put("span", { class: "to-come", text: "still to come" })),
    put("span", { class: "key" }, put("span", { class: "open", text: "shown" }), " and may still grow; the rest is settled"));
  let said = await asked("stream", { at: 0 });
  slider.max = said.pieces + 1;
  slider.value = Math.round(replay.share * said.pieces);
  let [wanted, busy] = [0, false];
  const draw = () => {
    const at = Number(slider.value);
    place.textContent = at > said.pieces ? "the end" : `${at} of ${plural(said.pieces, "piece")}`;
    coming.replaceChildren(visible(said.read.slice(-SHOWN_MAX)), put("span", { class: "held", text: visible(said.held) }),
      put("span", { class: "to-come", text: visible(said.toCome.slice(0, SHOWN_MAX)) }));
    const mark = coming.querySelector(".held");
    coming.scrollTop = mark.offsetTop - coming.offsetTop - coming.clientHeight / 2;
    const runs = said.shown.map(([text, settled]) => settled ? visible(text) : put("span", { class: "open", text: visible(text) }));
    shown.replaceChildren(...(runs.length > 0 ? runs : ["nothing yet"]));
    const told = said.events.map(([name, path, what]) => put("li", { text: `${name} ${path === "" ? "(the whole)" : visible(path)} ${visible(what).slice(0, 80)}` }));
    if (said.superseded) told.unshift(put("li", { text: "superseded: the whole reply means another value" }));
    events.replaceChildren(...(told.length > 0 ? told : [put("li", { text: "nothing: this piece alone says nothing yet" })]));
  };
  const move = async () => {
    replay.share = Number(slider.value) / Math.max(1, said.pieces);
    wanted += 1;
    if (busy) return;
    busy = true;
    for (let done = 0; done !== wanted;) {
      done = wanted;
      said = await asked("stream", { at: Number(slider.value) });
      draw();
    }
    busy = false;
  };
  slider.addEventListener("input", move);
  play.addEventListener("click", () => {
    const stop = () => { clearInterval(replay.timer); replay.timer = null; play.textContent = "Play"; };
    if (replay.timer) return stop();
    if (Number(slider.value) > said.pieces) slider.value = 0;
    play.textContent = "Pause";
    replay.timer = setInterval(() => {
      slider.value = Number(slider.value) + 1;
      if (Number(slider.value) > said.pieces || !play.isConnected) stop();
      move();
    }, 60);
  });
  await move();
  panel.replaceChildren(put("div", { class: "replay" }, play, slider, place), key,
    put("div", { class: "halves" }, card("The reply", [], coming), put("div", { class: "stack" }, card("The value so far", [], shown), card("The last piece", [], events))));
  // Once more: only now it has a size, and what is held back can come into view.
  draw();
}

async function showPolicies(panel, read, asked) {
  const { presets } = await asked("policies");
  const first = presets[0].value;
  panel.replaceChildren(about("The same reply under each preset: what it allows, and what comes out."), put("div", { class: "cards" }, ...presets.map((preset) => {
    const chips = [chip(preset.ok ? "allowed" : "refused", preset.ok ? "good" : "bad"), certaintyChip(preset)];
    const all = [
      ...preset.refused.map(({ name, sentence }) => `${sentence} (${name})`),
      ...preset.violations.map(({ path, expected }) => `${path}: expected ${expected}`),
    ];
    const distinct = [...new Set(all)];
    const reasons = distinct.slice(0, REASONS_MAX);
    if (distinct.length > reasons.length) reasons.push(`and ${distinct.length - reasons.length} more`);
    const same = preset.value === first && preset.name !== presets[0].name;
    return card(preset.name, chips,
      preset.value !== null && (same ? about("The same value.") : code(preset.value, `The value under ${preset.name}`)),
      reasons.length > 0 && put("ul", {}, ...reasons.map((text) => put("li", { text: visible(text) }))));
  })));
}

async function showRetry(panel, read, asked) {
  const { state: next, messages = [], why } = await asked("retry");
  const words = {
    "no schema": "Without a schema there is nothing that a model could be asked again for.",
    done: "The value fits: the model is not asked again.",
    again: "The model is asked again, with these messages behind those that it had:",
    failed: "The model is not asked again:",
  };
  panel.replaceChildren(about(words[next]), ...(why ? [code(why, "The reason")] : []), ...messages.map(({ role, content }) => {
    const made = card(role, [], code(content, `The message of the ${role}`));
    made.classList.add("wide");
    return made;
  }));
}

async function showOthers(panel, read, asked) {
  const ours = await asked("read", { schema: "" });
  const cards = put("div", { class: "cards" });
  const words = "The same reply without the schema, read by others in this browser. The times are those of the libraries alone, each warm: of llmjson and jsonrepair from text to JSON text, of the rest from text to a value";
  const slow = python === null ? "" : " Python takes some seconds to begin.";
  panel.replaceChildren(about(`${words}${hasModule ? "; all in one worker" : "; llmjson's is that of this machine, outside the browser"}.${slow}`), cards);
  const own = (told) => card("llmjson", [certaintyChip(ours), ...(told === undefined ? [] : [chip(duration(told))])],
    ours.value === null ? about("There is no value in this reply.") : code(ours.value, "The value of llmjson"));
  if (!hasModule) cards.append(own((await engine.time({ ...questionOf(), schema: "" })).took));
  const same = (text) => { try { return JSON.stringify(JSON.parse(text)) === JSON.stringify(JSON.parse(ours.value)); } catch { return false; } };
  race({ ...questionOf(), schema: "" }, (told) => {
    if (!cards.isConnected) return;
    if (told.why !== undefined) return cards.append(card("The rest", [chip("gave up", "bad")], about(told.why)));
    if (told.name === "llmjson") return cards.append(own(told.took));
    const chips = [told.ok ? chip(same(told.text) ? "the same value" : "another value", same(told.text) ? "good" : "likely") : chip("error", "bad")];
    if (told.took !== undefined) chips.push(chip(duration(told.took)));
    cards.append(card(told.name, chips, code(told.text ?? "undefined", `What ${told.name} says`)));
  });
}

const TABS = [
  { id: "value", title: "Value", show: showValue },
  { id: "repairs", title: "What was changed", show: showRepairs, count: ({ counts }) => counts.repairs + counts.changes },
  { id: "feedback", title: "Feedback", show: showFeedback, count: ({ counts }) => counts.violations + counts.refused },
  { id: "calls", title: "Calls", show: showCalls },
  { id: "stream", title: "Stream", show: showStream },
  { id: "policies", title: "Policies", show: showPolicies },
  { id: "retry", title: "Retry", show: showRetry },
  { id: "others", title: "Others", show: showOthers },
];
