
// What is taken out of the page: the value, the repaired text, and a picture of what is shown.

// Returns what to say about it. A field that holds the text is selected.
async function copyOut(text, field = null) {
  const isCopied = await navigator.clipboard?.writeText(text).then(() => true, () => false);
  if (isCopied) return "Copied.";
  const [holder, focused] = [field ?? put("textarea", { class: "unseen", readonly: "" }), document.activeElement];
  if (field === null) document.body.append(holder);
  holder.value = text;
  holder.select();
  const isTaken = document.execCommand("copy");
  if (field === null) holder.remove();
  if (field === null) focused?.focus();
  if (isTaken) return "Copied.";
  return field ? "It is selected: copy it by the keyboard." : "The browser does not let it be copied.";
}

function download(name, blob) {
  const address = URL.createObjectURL(blob);
  put("a", { href: address, download: name }).click();
  // A download that has not begun by then needs its address no more.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
  return `${name} is downloaded.`;
}

let read = null;
function keepable(answer) {
  read = answer;
  for (const button of document.querySelectorAll("[data-keep]")) button.disabled = (answer?.value ?? null) === null;
  element("kept").textContent = "";
}

const KEPT = {
  "copy-value": () => copyOut(read.value),
  "save-value": () => download("value.json", new Blob([read.value, "\n"], { type: "application/json" })),
  "copy-repaired": async () => copyOut(await repaired()),
  "save-repaired": async () => download("repaired.json", new Blob([await repaired()], { type: "application/json" })),
  svg: () => download("llmjson.svg", new Blob([pictureSvg(pictured())], { type: "image/svg+xml" })),
  png: async () => download("llmjson.png", await picturePng(pictured())),
};

async function repaired() {
  const { text, problem } = await engine.ask({ ...questionOf(), ask: "repaired" });
  if (problem) throw new Error(problem.message);
  // What stood around the value has left white space.
  return `${text.trim()}\n`;
}

async function keep(what) {
  if (read?.value == null) return;
  element("kept").textContent = await Promise.resolve().then(KEPT[what]).catch((error) => error.message);
}
