/* The list of items: one row a question, filtered in memory, drawn a page at a time. */
"use strict";

(() => {
  const { el, load } = VOXMEM;
  const PAGE = 60;
  const STEP = 9;
  const SVG = "http://www.w3.org/2000/svg";
  const form = document.getElementById("filters");
  const list = document.getElementById("list");
  const more = document.getElementById("more");
  let index = null;
  let found = [];
  let drawn = 0;
  let shown = "#list";

  const question = ([id, file, text, evidence, operation, subtype, refusal, gold, signs]) => ({
    id, file, text, evidence, operation, subtype, refusal, gold, signs,
    words: `${text} ${gold} ${id}`.toLowerCase(),
  });

  /** Loads the index once and fills the filters. */
  async function open() {
    if (index) return index;
    const data = await load("items");
    if (index) return index;
    index = { ...data, questions: data.questions.map(question) };
    const names = index.entrants.map(([name]) => name);
    const options = {
      evidence: index.evidence, operation: index.operations, subtype: index.subtypes,
      budget: index.budgets, entrant: names, entrant2: names,
    };
    for (const [name, values] of Object.entries(options)) {
      form.elements[name].append(...values.map((value, at) => el("option", { value: at }, value)));
    }
    document.getElementById("key").replaceChildren(...key(names));
    list.removeAttribute("aria-busy");
    filter();
    return index;
  }

  function key(names) {
    const columns = names.length > 6 ? "in the order of the filter" : `(${names.join(", ")})`;
    return [
      el("span", { class: "sign c" }), " right ", el("span", { class: "sign i" }), " wrong ",
      el("span", { class: "sign u" }), " not graded",
      el("small", {}, ` Lines are budgets (${index.budgets.join(", ")}), columns systems ${columns}.`),
    ];
  }

  /** Whether a sign is of the outcome that is looked for; "n" is whatever is neither right nor wrong. */
  const fits = (wanted) => (sign) => wanted === ""
    || (wanted === "n" ? sign !== "c" && sign !== "i" : wanted === "u" ? sign === "u" || sign === "j" : sign === wanted);

  /** Whether the responses to one item are those of one pair of filters. */
  function condition(entrant, wanted) {
    if (wanted === "") return () => true;
    const fit = fits(wanted);
    return entrant === "" ? (signs) => [...signs].some(fit) : (signs) => fit(signs[Number(entrant)] || "-");
  }

  function filter() {
    const chosen = Object.fromEntries(new FormData(form));
    const words = chosen.text.toLowerCase().split(/\s+/).filter(Boolean);
    const both = [condition(chosen.entrant, chosen.sign), condition(chosen.entrant2, chosen.sign2)];
    const some = (signs, at) => signs !== null && (chosen.budget === "" || at === Number(chosen.budget))
      && both.every((one) => one(signs));
    const is = (name, value) => chosen[name] === "" || value === Number(chosen[name]);
    found = index.questions.filter((row) =>
      is("evidence", row.evidence) && is("operation", row.operation) && is("subtype", row.subtype)
      && is("stratum", row.refusal) && words.every((word) => row.words.includes(word))
      && row.signs.some(some));
    const items = found.reduce((sum, row) => sum + row.signs.filter(some).length, 0);
    document.getElementById("found").textContent =
      `${found.length} of ${index.questions.length} questions, ${items.toLocaleString("en")} items`;
    remember(chosen);
    list.replaceChildren();
    drawn = 0;
    draw();
  }

  /** The address of the list as it is filtered. Names stand for numbers, so that it can be passed on. */
  function address(chosen) {
    const named = new URLSearchParams();
    for (const [name, value] of Object.entries(chosen)) {
      const options = form.elements[name].options;
      if (value !== "") named.set(name, options && !name.startsWith("sign") ? form.elements[name].selectedOptions[0].text : value);
    }
    const text = named.toString();
    return text ? `#list?${text}` : "#list";
  }

  function remember(chosen) {
    shown = address(chosen);
    if (!window.location.hash.startsWith("#item")) window.history.replaceState(null, "", shown);
  }

  /** Sets the filters as an address says; what it does not know stays as any. */
  async function restore(text) {
    await open();
    const named = new URLSearchParams(text);
    if (`#list${text ? `?${text}` : ""}` === shown) return;
    for (const field of form.querySelectorAll("input, select")) field.value = "";
    for (const [name, value] of named) {
      const field = form.elements[name];
      if (!field) continue;
      if (!field.options || name.startsWith("sign")) field.value = value;
      else for (const option of field.options) if (option.text === value) field.value = option.value;
    }
    filter();
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

  /** A small grid: a line a budget, a square an entrant. */
  function glyph(signs, budget) {
    const paths = { c: "", i: "", u: "" };
    signs.forEach((line, y) => [...(line || "")].forEach((sign, x) => {
      const kind = sign === "c" || sign === "i" ? sign : "u";
      const size = { c: 7, i: 6, u: 2 }[kind];
      const inset = (STEP - size) / 2;
      paths[kind] += `M${x * STEP + inset} ${y * STEP + inset}h${size}v${size}h${-size}z`;
    }));
    const width = STEP * Math.max(1, index.entrants.length);
    const height = STEP * Math.max(1, signs.length);
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

  /** How many were right at each budget: a list of all would be read for minutes. */
  function summary(signs) {
    return index.budgets.map((budget, at) => signs[at] === null ? `${budget}: not asked`
      : `${budget}: ${[...signs[at]].filter((sign) => sign === "c").length} of ${index.entrants.length} right`).join(", ");
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
  VOXMEM.list = {
    open, restore, neighbour, move,
    find: (id) => index.questions.find((row) => row.id === id),
    search: () => form.elements.text.focus(),
    back: () => { window.location.hash = shown; },
    address: () => shown,
  };
})();
