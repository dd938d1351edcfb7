/* The page of one question: what is asked, what was answered, and the history at one budget. */
"use strict";

(() => {
  const { el, load } = VOXMEM;
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
      draw(page, budgets, budgets.includes(budget) ? budget : budgets[budgets.length - 1], index.entrants);
      if (!again) window.scrollTo(0, 0);
    } catch (error) {
      fail(error.message);
    }
  }

  function fail(message) {
    shown = null;
    place.replaceChildren(el("p", { class: "note" }, message), el("p", {}, el("a", { href: VOXMEM.list.address() }, "All items")));
  }

  const link = (row, text, label, rel) => row
    ? el("a", { href: `#item/${encodeURIComponent(row.id)}`, rel, "aria-label": label }, text)
    : el("span", { class: "off", "aria-hidden": "true" }, text);

  function draw(page, budgets, budget, entrants) {
    VOXMEM.player.stop();
    const history = page.histories[budget];
    place.replaceChildren(
      el("nav", { class: "steps", "aria-label": "Items" },
        el("a", { href: VOXMEM.list.address(), rel: "up" }, "All items"),
        link(VOXMEM.list.neighbour(page.id, -1), "← previous", "Previous item", "prev"),
        link(VOXMEM.list.neighbour(page.id, 1), "next →", "Next item", "next"),
        el("code", {}, history ? history.item : page.id)),
      el("div", { class: "item" },
        el("div", { class: "side", tabindex: "0", role: "region", "aria-label": "Question and responses" }, asked(page), switcher(page, budgets, budget), history ? length(history) : null, gold(page), VOXMEM.replies.replies(page.replies[budget] || [], entrants)),
        history ? VOXMEM.timeline.timeline(page, history) : null));
    document.title = `${page.text} · VoxMem report`;
  }

  function asked(page) {
    return el("header", { class: "asked" },
      el("p", { class: "kicker" }, `${page.evidence} · ${page.operation} · ${page.subtype.toLowerCase()}`),
      el("h1", {}, page.text),
      el("div", { class: "sounds" }, VOXMEM.timeline.clips(page.clips, page.asker ? `the question, voice ${page.asker}` : "the question")),
      el("p", { class: "aside" }, page.asker ? `asked by voice ${page.asker} on ${page.asked}` : `asked on ${page.asked}`));
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
      page.variants.length ? variants(page.variants) : null,
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

  function variants(ids) {
    return el("p", { class: "aside variants" }, ids.length > 1 ? "Its refusal items: " : "Its refusal item: ",
      ids.map((id, at) => [at ? ", " : "", el("a", { href: `#item/${encodeURIComponent(id)}` }, id)]));
  }

  const step = (by) => {
    const next = shown && VOXMEM.list.neighbour(shown, by);
    if (next) window.location.hash = `#item/${encodeURIComponent(next.id)}`;
  };

  VOXMEM.item = { open, step };
})();
