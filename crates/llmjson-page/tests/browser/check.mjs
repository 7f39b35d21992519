// Looks at a page in a browser, as a person would. Arguments: the page, the text that its reply has to
// show, the JSON that its value has to show, and where pictures go ("-" for nowhere).
// Prints what is wrong, one line each.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , modules, browser, page, reply, value, pictures] = process.argv;
const require = createRequire(pathToFileURL(`${modules}/`));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const wrong = (what) => console.log(what);

const started = await chromium.launch({ executablePath: browser, args: ["--no-sandbox"] });
for (const [colorScheme, width] of [["light", 1200], ["dark", 390], ["light", 390]]) {
  const tab = await started.newPage({ viewport: { width, height: 900 }, colorScheme });
  tab.on("dialog", (dialog) => { wrong("a script of the reply ran"); dialog.dismiss(); });
  tab.on("pageerror", (error) => wrong(`an error: ${error}`));
  tab.on("console", (message) => message.type() === "error" && wrong(message.text()));
  tab.on("request", (request) => request.url().startsWith("file:") || wrong(`a request: ${request.url()}`));
  await tab.goto(pathToFileURL(page).href);
  const at = `${colorScheme} ${width}`;
  const seen = await tab.evaluate(() => {
    const copy = (selector) => {
      const found = document.querySelector(selector);
      const copied = found && found.cloneNode(true);
      copied?.querySelectorAll("small").forEach((one) => one.remove());
      return copied ? copied.textContent : "";
    };
    const root = document.documentElement;
    return { reply: copy(".reply"), value: copy(".value"), over: root.scrollWidth - root.clientWidth };
  });
  if (seen.reply !== readFileSync(reply, "utf8")) wrong(`${at}: the reply is not what was given`);
  if (seen.value.trimEnd() !== readFileSync(value, "utf8")) wrong(`${at}: the value is not what was read`);
  if (seen.over > 0) wrong(`${at}: the page is ${seen.over} points too wide`);
  const mark = tab.locator("mark[tabindex]").first();
  if (await mark.count()) {
    await mark.focus();
    const about = await tab.locator(".llmjson-about").textContent();
    if (about !== (await mark.getAttribute("aria-description"))) wrong(`${at}: no sentence on focus`);
    // What belongs together lights up on both sides.
    await tab.locator(".reply span[data-l]").first().hover();
    if (!(await tab.locator(".value .lit").count())) wrong(`${at}: nothing lights up`);
  }
  if (seen.reply.length < 100_000) {
    await tab.evaluate(axe);
    const found = await tab.evaluate(() => window.axe.run());
    for (const one of found.violations) wrong(`${at}: ${one.id}: ${one.nodes[0].html}`);
  }
  if (pictures !== "-" && at !== "light 390") await tab.screenshot({ path: `${pictures}-${colorScheme}-${width}.png` });
  await tab.close();
}
await started.close();
