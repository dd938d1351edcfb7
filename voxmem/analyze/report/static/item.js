/* The page of one question: what is asked, what was answered, and the history at one budget. */
"use strict";

(() => {
  const { el, load, signMark, signWord } = VOXMEM;
  const place = document.getElementById("item");
  let shown = null;

  /** Opens a question at a budget, or at its longest one. */
  async function open(id, budget) {
    const index = await VOXMEM.list.open();
    const row = VOXMEM.list.find(id);
    if (!row) return fail(`There is no question ${id} in this report.`);
    try {
      const page = await load(`questions/${row.file}`);
      const budgets = index.budgets.filter((name) => name in page.histories);
      const again = shown === id;
      shown = id;
      draw(page, budgets, budgets.includes(budget) ? budget : budgets[budgets.length - 1]);
      if (!again) window.scrollTo(0, 0);
    } catch (error) {
      fail(error.message);
    }
  }

  function fail(message) {
    shown = null;
    place.replaceChildren(el("p", { class: "note" }, message), el("p", {}, el("a", { href: "#items" }, "All items")));
  }

  const link = (row, text, label, rel) => row
    ? el("a", { href: `#item/${encodeURIComponent(row.id)}`, rel, "aria-label": label }, text)
    : el("span", { class: "off", "aria-hidden": "true" }, text);

  function draw(page, budgets, budget) {
    VOXMEM.player.stop();
    const history = page.histories[budget];
    place.replaceChildren(
      el("nav", { class: "steps", "aria-label": "Items" },
        el("a", { href: "#items", rel: "up" }, "All items"),
        link(VOXMEM.list.neighbour(page.id, -1), "← previous", "Previous item", "prev"),
        link(VOXMEM.list.neighbour(page.id, 1), "next →", "Next item", "next"),
        el("code", {}, history ? history.item : page.id)),
      el("div", { class: "item" },
        el("div", { class: "side" }, asked(page), switcher(page, budgets, budget), history ? length(history) : null, gold(page), responses(page.responses[budget] || [])),
        history ? VOXMEM.timeline.timeline(page, history) : null));
    document.title = `${page.text} · VoxMem report`;
  }

  function asked(page) {
    return el("header", { class: "asked" },
      el("p", { class: "kicker" }, `${page.evidence} · ${page.operation} · ${page.subtype.toLowerCase()}`),
      el("h1", {}, page.text),
      el("div", { class: "sounds" }, VOXMEM.timeline.clips(page.clips, `the question, voice ${page.asker}`)),
      el("p", { class: "aside" }, `asked by voice ${page.asker} on ${page.asked}`));
  }

  function switcher(page, budgets, budget) {
    return el("nav", { class: "budgets", "aria-label": "Budget" }, budgets.map((name) =>
      el("a", {
        href: `#item/${encodeURIComponent(page.id)}/${name}`,
        "aria-current": name === budget ? "true" : null,
      }, name)));
  }

  function length(history) {
    const minutes = (history.seconds / 60).toFixed(1);
    return el("p", { class: "aside" },
      `${history.tokens.toLocaleString("en")} reference tokens (${history.audio_tokens.toLocaleString("en")} of audio, ${history.text_tokens.toLocaleString("en")} of text), ${history.places.length} sessions, ${history.clips} clips, ${minutes} min`);
  }

  function gold(page) {
    return el("section", { class: "gold" },
      el("h2", {}, "Expected"),
      el("p", { class: "answer" }, page.gold),
      page.refusal ? refusal(page.refusal) : null,
      el("p", { class: "aside" }, `answer type: ${page.answer_type.toLowerCase()}`,
        page.options.length ? `; options: ${page.options.join(", ")}` : null));
  }

  function refusal({ derivation, rule, reason, source, source_operation }) {
    return el("p", {},
      derivation ? el("b", {}, `${derivation}. `) : null,
      rule ? `${rule} ` : null,
      reason ? `So ${reason}.` : null,
      source ? el("span", { class: "source" }, " Made from ",
        el("a", { href: `#item/${encodeURIComponent(source)}` }, "its answerable source"), ` (${source_operation.toLowerCase()}).`) : null);
  }

  function responses(rows) {
    return el("section", { class: "responses" },
      el("h2", {}, "Responses"),
      rows.length ? el("ul", {}, rows.map(response)) : el("p", { class: "aside" }, "No system was evaluated at this budget."));
  }

  function response(row) {
    const said = row.text === null ? el("em", {}, row.error || row.outcome.replaceAll("_", " ")) : row.text;
    return el("li", {},
      el("span", { class: `verdict ${row.sign}`, title: signWord(row.sign) }, signMark(row.sign)),
      el("div", {},
        el("b", {}, row.system),
        el("p", { class: "said" }, said),
        el("p", { class: "aside" }, row.status, row.outcome === "ok" ? null : ` · ${row.outcome.replaceAll("_", " ")}`, row.detail ? ` · ${row.detail}` : null)));
  }

  const step = (by) => {
    const next = shown && VOXMEM.list.neighbour(shown, by);
    if (next) window.location.hash = `#item/${encodeURIComponent(next.id)}`;
  };

  VOXMEM.item = { open, step };
})();
