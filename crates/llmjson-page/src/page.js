(() => {
  // Lights up what belongs together. Once for a page, however many cells stand on it.
  if (window.llmjsonLights) return;
  window.llmjsonLights = true;
  let lit = [];
  let about = null;
  const light = (target) => {
    for (const one of lit) one.classList.remove("lit");
    lit = [];
    const root = target && target.closest ? target.closest(".llmjson") : null;
    const names = new Set();
    for (let at = root && target.closest("[data-l]"); at && root.contains(at); at = at.parentElement && at.parentElement.closest("[data-l]"))
      for (const name of at.dataset.l.split(" ")) names.add(name);
    for (const name of names)
      for (const one of root.querySelectorAll(`[data-l~="${name}"]`)) { one.classList.add("lit"); lit.push(one); }
    const mark = root && target.closest("mark[aria-description]");
    if (!mark) { if (about) about.hidden = true; return; }
    if (!about) {
      about = document.createElement("p");
      about.className = "llmjson-about";
      about.setAttribute("aria-hidden", "true");
      document.body.append(about);
    }
    root.classList.add("live");
    about.textContent = mark.getAttribute("aria-description");
    about.hidden = false;
  };
  document.addEventListener("pointerover", (event) => light(event.target));
  document.addEventListener("focusin", (event) => light(event.target));
})();
