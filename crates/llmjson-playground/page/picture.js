
// A picture of what is shown: every text and every ground and line around it, where the browser has put them.

// Longer texts make no picture.
const PICTURED_MAX = 20_000;
// Canvases are not higher.
const PNG_HEIGHT_MAX = 16_000;
const MARGIN = 12;

const isSeen = (colour) => colour !== "transparent" && !/^rgba\(.*, 0\)$/.test(colour);
const pixels = (length) => Number.parseFloat(length) || 0;

// Returns the parts of the picture in the order in which they are painted, and its size.
function pictured() {
  const roots = [element("verdict"), panel];
  if (roots.reduce((sum, root) => sum + root.textContent.length, 0) > PICTURED_MAX) throw new Error(`This is too long for a picture, which shows up to ${grouped(PICTURED_MAX)} characters.`);
  panel.classList.add("pictured");
  panel.scrollTop = 0;
  try {
    const origin = element("verdict").getBoundingClientRect();
    const parts = [];
    paint(roots[0], parts);
    const chips = parts.length;
    paint(panel, parts);
    // The tabs between them are left out.
    const gap = panel.getBoundingClientRect().top - origin.bottom;
    for (const part of parts.slice(chips)) part.y -= gap;
    const bottom = Math.max(...parts.map(({ y, height = 0 }) => y + height));
    const [width, height] = [Math.ceil(origin.width + 2 * MARGIN), Math.ceil(bottom - origin.top + 2 * MARGIN)];
    for (const part of parts) {
      part.x += MARGIN - origin.left;
      part.y += MARGIN - origin.top;
    }
    const paper = getComputedStyle(element("verdict").parentElement).backgroundColor;
    return { width, height, parts: [{ x: 0, y: 0, width, height, radius: 0, fill: paper }, ...parts] };
  } finally {
    panel.classList.remove("pictured");
  }
}

function paint(node, parts) {
  if (node.nodeType === Node.TEXT_NODE) return paintText(node, parts);
  if (node.nodeType !== Node.ELEMENT_NODE) return;
  const style = getComputedStyle(node);
  if (style.visibility !== "visible" || node.matches("button, input")) return;
  const boxes = [...node.getClientRects()];
  for (const [at, box] of boxes.entries()) paintBox(box, style, at === 0, parts);
  for (const place of ["::before", "::after"]) paintGenerated(node, place, boxes, parts);
  for (const child of node.childNodes) paint(child, parts);
}

// Of a box that is broken over lines only the first has a line before it.
function paintBox({ left: x, top: y, width, height }, style, isFirst, parts) {
  const side = (name) => ({ width: pixels(style[`border${name}Width`]), kind: style[`border${name}Style`], colour: style[`border${name}Color`] });
  const sides = ["Top", "Right", "Bottom", "Left"].map(side).filter(({ width, kind, colour }) => width > 0 && kind !== "none" && isSeen(colour));
  const radius = Math.min(pixels(style.borderTopLeftRadius), height / 2);
  const fill = isSeen(style.backgroundColor) ? style.backgroundColor : "none";
  const stroke = sides.length === 4 ? sides[0].colour : "none";
  if (fill !== "none" || stroke !== "none") parts.push({ x, y, width, height, radius, fill, stroke });
  if (sides.length === 4) return;
  const { borderBottomColor: colour, borderBottomStyle: kind } = style;
  const [below, before] = [side("Bottom"), side("Left")];
  // A double line is two; others differ in their gaps.
  const gaps = { dashed: [5, 3], dotted: [2, 2] }[kind];
  const line = (at, thick) => parts.push({ x, y: y + height - at, length: width, thick, colour, gaps });
  if (sides.some((one) => one.width === below.width && one.kind === kind) && below.width > 0) {
    if (kind === "double") for (const at of [below.width - 0.5, 0.5]) line(at, 1);
    else line(below.width / 2, below.width);
  }
  if (isFirst && before.width > 0 && before.kind !== "none" && isSeen(before.colour)) parts.push({ x, y, width: before.width, height, radius: 0, fill: before.colour });
}

// Signs that the style puts before or behind an element; where they stand, only its own box tells.
function paintGenerated(node, place, [box], parts) {
  const style = getComputedStyle(node, place);
  if (box === undefined || style.content === "none" || style.content === "normal") return;
  const text = [...style.content.matchAll(/"([^"]*)"|attr\(([^)]*)\)/g)].map(([, said, name]) => said ?? node.getAttribute(name) ?? "").join("");
  if (text.trim() === "" || (place === "::after" && node.textContent !== "")) return;
  const own = getComputedStyle(node);
  const line = Math.min(box.height, pixels(own.lineHeight) || box.height);
  words(text, style, box.left + pixels(own.paddingLeft) + pixels(own.borderLeftWidth), box.top, line, 0, parts);
}

function paintText(node, parts) {
  if (node.data.trim() === "" || node.parentElement.closest("details:not([open]) > :not(summary)")) return;
  const style = getComputedStyle(node.parentElement);
  const range = document.createRange();
  let [from, line] = [0, null];
  const end = (to) => {
    if (line !== null) words(node.data.slice(from, to), style, line.left, line.top, line.height, line.right - line.left, parts);
    line = null;
  };
  let at = 0;
  for (const sign of node.data) {
    range.setStart(node, at);
    range.setEnd(node, at + sign.length);
    const box = range.getClientRects()[0];
    if (box === undefined || (line !== null && Math.abs(box.top - line.top) > 2)) end(at);
    if (box !== undefined && box.width > 0) {
      if (line === null) [from, line] = [at, { left: box.left, right: box.right, top: box.top, height: box.height }];
      line.left = Math.min(line.left, box.left);
      line.right = Math.max(line.right, box.right);
    }
    at += sign.length;
  }
  end(at);
}

const measure = document.createElement("canvas").getContext("2d");

// Adds a text on one line, whose letters stand between the top and the bottom of a box.
function words(text, style, x, top, height, length, parts) {
  const said = text.replace(/[\n\r\t]+/g, " ").trimEnd();
  if (said === "") return;
  const font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  measure.font = font;
  const { fontBoundingBoxAscent: over, fontBoundingBoxDescent: under } = measure.measureText(said);
  const isCut = said.length < text.length;
  parts.push({ x, y: top + (height - over - under) / 2 + over, text: said, font, style, length: isCut ? 0 : length, colour: style.color });
}

const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`).replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
const rounded = (number) => Number(number.toFixed(2));

function pictureSvg({ width, height, parts }) {
  const lines = parts.map((part) => {
    const [x, y] = [rounded(part.x), rounded(part.y)];
    if (part.text !== undefined) {
      const { fontSize, fontWeight, fontStyle, fontFamily } = part.style;
      const length = part.length > 0 && part.text.length > 1 ? ` textLength="${rounded(part.length)}" lengthAdjust="spacingAndGlyphs"` : "";
      return `<text x="${x}" y="${y}"${length} fill="${part.colour}" font-family="${escaped(fontFamily)}" font-size="${pixels(fontSize)}" font-weight="${fontWeight}" font-style="${fontStyle}" xml:space="preserve">${escaped(part.text)}</text>`;
    }
    if (part.thick !== undefined) {
      const gaps = part.gaps ? ` stroke-dasharray="${part.gaps.join(" ")}"` : "";
      return `<line x1="${x}" y1="${y}" x2="${rounded(part.x + part.length)}" y2="${y}" stroke="${part.colour}" stroke-width="${part.thick}"${gaps}/>`;
    }
    return `<rect x="${x}" y="${y}" width="${rounded(part.width)}" height="${rounded(part.height)}" rx="${rounded(part.radius)}" fill="${part.fill}" stroke="${part.stroke ?? "none"}"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">\n${lines.join("\n")}\n</svg>\n`;
}

function picturePng({ width, height, parts }) {
  const scale = Math.min(2, PNG_HEIGHT_MAX / height);
  const canvas = put("canvas", { width: Math.ceil(width * scale), height: Math.ceil(height * scale) });
  const pen = canvas.getContext("2d");
  pen.scale(scale, scale);
  for (const part of parts) {
    const { x, y, colour } = part;
    if (part.text !== undefined) {
      pen.font = part.font;
      pen.fillStyle = colour;
      pen.fillText(part.text, x, y);
    } else if (part.thick !== undefined) {
      pen.strokeStyle = colour;
      pen.lineWidth = part.thick;
      pen.setLineDash(part.gaps ?? []);
      pen.beginPath();
      pen.moveTo(x, y);
      pen.lineTo(x + part.length, y);
      pen.stroke();
    } else {
      pen.setLineDash([]);
      pen.beginPath();
      pen.roundRect(x, y, part.width, part.height, part.radius);
      if (part.fill !== "none") { pen.fillStyle = part.fill; pen.fill(); }
      if ((part.stroke ?? "none") !== "none") { pen.strokeStyle = part.stroke; pen.lineWidth = 1; pen.stroke(); }
    }
  }
  return new Promise((tell, fail) => canvas.toBlob((blob) => blob ? tell(blob) : fail(new Error("The browser makes no picture.")), "image/png"));
}
