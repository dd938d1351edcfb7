/* The list of items: one row a question, filtered in memory, drawn a page at a time. */
"use strict";

(() => {
  const { el, load, signWord } = VOXMEM;
  const PAGE = 60;
  const STEP = 9;
  const SVG = "http://www.w3.org/2000/svg";
  const form = document.getElementById("filters");
  const list = document.getElementById("list");
  const more = document.getElementById("more");
  let index = null;
  let found = [];
  let drawn = 0;

  const question = ([id, file, text, evidence, operation, subtype, refusal, gold, signs]) => ({
    id, file, text, evidence, operation, subtype, refusal, gold, signs,
    words: `${text} ${gold} ${id}`.toLowerCase(),
  });

  /** Loads the index once and fills the filters. */
  async function open() {
    if (index) return index;
    const data = await load("items");
    index = { ...data, questions: data.questions.map(question) };
    const options = { evidence: index.evidence, operation: index.operations, budget: index.budgets, system: index.systems };
    for (const [name, values] of Object.entries(options)) {
      form.elements[name].append(...values.map((value, at) => el("option", { value: at }, value)));
    }
    document.getElementById("key").replaceChildren(...key());
    filter();
    return index;
  }

  function key() {
    const columns = index.systems.length > 6 ? "in the order of the filter" : `(${index.systems.join(", ")})`;
    return [
      el("span", { class: "sign c" }), " right ", el("span", { class: "sign i" }), " wrong ",
      el("span", { class: "sign u" }), " not graded",
      el("small", {}, ` Lines are budgets (${index.budgets.join(", ")}), columns systems ${columns}.`),
    ];
  }

  const matches = {
    c: (sign) => sign === "c",
    i: (sign) => sign === "i",
    n: (sign) => sign !== "c" && sign !== "i",
  };

  function filter() {
    const { text, evidence, operation, expected, budget, system, sign } = Object.fromEntries(new FormData(form));
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = matches[sign];
    const some = (signs, at) => signs !== "" && (budget === "" || at === Number(budget))
      && (!fits || (system === "" ? [...signs].some(fits) : fits(signs[Number(system)])));
    found = index.questions.filter((row) =>
      (evidence === "" || row.evidence === Number(evidence))
      && (operation === "" || row.operation === Number(operation))
      && (expected === "" || row.refusal === Number(expected))
      && words.every((word) => row.words.includes(word))
      && row.signs.some(some));
    const items = found.reduce((sum, row) => sum + row.signs.filter(some).length, 0);
    document.getElementById("found").textContent =
      `${found.length} of ${index.questions.length} questions, ${items} items`;
    list.replaceChildren();
    drawn = 0;
    draw();
  }

  function draw() {
    const budget = form.elements.budget.value;
    const page = found.slice(drawn, drawn + PAGE);
    list.append(...page.map((row) => listRow(row, budget)));
    drawn += page.length;
    const left = found.length - drawn;
    more.replaceChildren(...(left
      ? [el("button", { type: "button", onclick: draw }, `Show ${Math.min(left, PAGE)} more of ${left}`)]
      : []));
  }

  function listRow(row, budget) {
    const chosen = budget === "" ? "" : `/${index.budgets[Number(budget)]}`;
    return el("li", {}, el("a", { href: `#item/${encodeURIComponent(row.id)}${chosen}` },
      el("span", { class: "what" },
        el("span", { class: "question" }, row.text),
        el("span", { class: "gold" }, row.refusal ? el("em", {}, row.gold) : row.gold)),
      el("span", { class: "kind" }, index.evidence[row.evidence],
        el("small", {}, `${index.operations[row.operation]} · ${index.subtypes[row.subtype].toLowerCase()}`)),
      glyph(row.signs, budget)));
  }

  /** A small grid: a line a budget, a square a system. */
  function glyph(signs, budget) {
    const paths = { c: "", i: "", u: "" };
    signs.forEach((line, y) => [...line].forEach((sign, x) => {
      const kind = sign === "c" || sign === "i" ? sign : "u";
      const size = { c: 7, i: 6, u: 2 }[kind];
      const inset = (STEP - size) / 2;
      paths[kind] += `M${x * STEP + inset} ${y * STEP + inset}h${size}v${size}h${-size}z`;
    }));
    const width = STEP * index.systems.length;
    const height = STEP * signs.length;
    const svg = document.createElementNS(SVG, "svg");
    const attributes = { class: "glyph", width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": summary(signs) };
    for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value);
    if (budget !== "") svg.append(part("rect", { class: "chosen", x: 0, y: STEP * Number(budget), width, height: STEP, rx: 2 }));
    for (const [kind, d] of Object.entries(paths)) if (d) svg.append(part("path", { class: kind, d }));
    return svg;
  }

  function part(name, attributes) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  }

  function summary(signs) {
    return index.systems.map((system, at) =>
      `${system}: ${index.budgets.map((budget, y) => `${budget} ${signWord(signs[y][at] || "-")}`).join(", ")}`).join("; ");
  }

  /** The question before or after one, in the order of the list as it is filtered. */
  function neighbour(id, step) {
    const at = found.findIndex((row) => row.id === id);
    return at < 0 ? null : found[at + step] || null;
  }

  function move(step) {
    const links = [...list.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement);
    const next = links[Math.max(0, Math.min(links.length - 1, at + step))];
    if (next) next.focus();
  }

  form.addEventListener("input", filter);
  form.addEventListener("reset", () => setTimeout(filter));
  form.addEventListener("submit", (event) => event.preventDefault());
  VOXMEM.list = { open, neighbour, move, find: (id) => index.questions.find((row) => row.id === id), search: () => form.elements.text.focus() };
})();
