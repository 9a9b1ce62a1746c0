"use strict";
const DATA = JSON.parse(document.getElementById("data").textContent);
const list = document.getElementById("list");
const shown = document.getElementById("shown");
const PAGE = 200;
const filters = ["kind", "label", "language", "slice"];
let current = [], drawn = 0;

for (const key of filters) {
  const select = document.getElementById(key);
  const values = [...new Set(DATA.flatMap((one) => key === "kind" ? [one.kind, ...(one.leak ? ["leak"] : [])] : [one[key]]))];
  for (const value of values.filter((value) => value !== null).sort()) {
    select.add(new Option(value, value));
  }
  select.addEventListener("change", draw);
}
document.getElementById("words").addEventListener("input", draw);

function wanted(one) {
  const words = document.getElementById("words").value.toLowerCase();
  return filters.every((key) => {
    const value = document.getElementById(key).value;
    return !value || one[key] === value || (key === "kind" && value === "leak" && one.leak);
  }) && (!words || (one.id + " " + one.pieces.map((piece) => piece[0]).join("")).toLowerCase().includes(words));
}

function element(name, kind, text) {
  const made = document.createElement(name);
  made.className = kind;
  if (text !== undefined) made.textContent = text;
  return made;
}

function item(one) {
  const row = element("li", "");
  row.tabIndex = 0;
  const top = element("div", "");
  top.append(element("span", "tag", one.kind.replace("_", " ")));
  if (one.leak) top.append(element("span", "tag leak", "leaks"));
  const taken = one.taken_for && one.taken_for !== one.label ? " → " + one.taken_for : "";
  top.append(element("b", "", one.label + taken));
  const text = element("p", "text");
  text.dir = "auto";
  for (const [part, gold, masked] of one.pieces) {
    text.append(element("span", (gold ? "g " : "") + (masked ? "m" : ""), part));
  }
  const place = [one.id, "turn " + one.turn, one.source, one.start + "–" + one.end, one.language, one.slice, one.template];
  row.append(top, text, element("div", "soft small", place.filter(Boolean).join(" · ")));
  return row;
}

function draw() {
  current = DATA.filter(wanted);
  list.replaceChildren();
  drawn = 0;
  more();
}

function more() {
  list.append(...current.slice(drawn, drawn + PAGE).map(item));
  drawn = Math.min(current.length, drawn + PAGE);
  shown.textContent = `${current.length.toLocaleString("en")} of ${DATA.length.toLocaleString("en")}`;
}

function move(step) {
  const rows = [...list.children];
  const at = rows.indexOf(document.activeElement);
  if (at + step >= rows.length && drawn < current.length) { more(); return move(step); }
  const next = rows[Math.max(0, Math.min(rows.length - 1, at + step))];
  if (next) { next.focus({ preventScroll: true }); next.scrollIntoView({ block: "nearest" }); }
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = ["INPUT", "SELECT"].includes(document.activeElement.tagName);
  if (event.key === "Escape") document.activeElement.blur();
  if (typing) return;
  if (event.key === "j") move(1);
  else if (event.key === "k") move(-1);
  else if (event.key === "/") { event.preventDefault(); document.getElementById("words").focus(); }
});
addEventListener("scroll", () => {
  if (innerHeight + scrollY > document.body.offsetHeight - 600 && drawn < current.length) more();
});
draw();
