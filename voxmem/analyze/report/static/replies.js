/* What was said to an item: every response with its verdicts, votes and attributed errors. */
"use strict";

(() => {
  const { el, signMark, signWord } = VOXMEM;

  /** The responses at one budget, those of one outcome together if asked. */
  function replies(rows, entrants) {
    return el("section", { class: "responses", "aria-label": "Responses" },
      el("h2", {}, "Responses"),
      rows.length ? tally(rows) : null,
      rows.length
        ? el("ul", {}, rows.map((row) => reply(row, entrants[row.entrant])))
        : el("p", { class: "aside" }, "No system was evaluated at this budget."));
  }

  function tally(rows) {
    const right = rows.filter((row) => row.sign === "c").length;
    return el("p", { class: "aside" }, `${right} of ${rows.length} right`);
  }

  function reply(row, [name, page]) {
    const said = row.text === undefined ? el("em", {}, row.error || row.outcome || "nothing") : row.text;
    return el("li", {},
      el("span", { class: `verdict ${row.sign}`, "aria-hidden": "true" }, signMark(row.sign)),
      el("div", {},
        el("p", { class: "who" }, el("a", { href: page }, name), el("span", { class: "word" }, ` ${signWord(row.sign)}`)),
        el("p", { class: "said", tabindex: "0" }, said),
        row.outcome && row.text !== undefined ? el("p", { class: "aside" }, row.outcome) : null,
        (row.verdicts || []).map(verdict),
        (row.errors || []).map(attribution),
        people(row.people || []),
        el("p", { class: "aside call" }, call(row))));
  }

  function verdict(one) {
    const line = [`${one.judge}: ${one.status}`, one.detail ? ` · ${one.detail}` : ""];
    if (!one.reply && !one.votes) return el("p", { class: "aside" }, line);
    return el("details", { class: "aside" },
      el("summary", {}, line),
      one.votes ? el("ul", { class: "votes" }, one.votes.map(([judge, status, detail]) =>
        el("li", {}, `${judge}: ${status}`, detail ? ` · ${detail}` : ""))) : null,
      one.reply ? el("p", { class: "said" }, one.reply) : null);
  }

  function attribution(one) {
    const found = one.excluded ? `not attributed: ${one.excluded}` : one.found || "the auditor’s record cannot be read";
    return el("div", { class: "error" },
      el("p", {}, el("b", {}, found), el("span", { class: "aside" }, ` ${one.auditor}${one.rule ? ` · ${one.rule}` : ""}`)),
      one.quote ? el("blockquote", {}, one.quote) : null,
      one.session ? el("p", { class: "aside" }, el("a", { href: "#", onclick: (event) => {
        event.preventDefault();
        VOXMEM.timeline.find(one.session);
      } }, "the session it came from")) : null);
  }

  /** What people said, a line each. */
  function people(rows) {
    return rows.map(([annotator, label, note]) =>
      el("p", { class: "aside people" }, el("b", {}, `${annotator}: ${label}`), note ? ` · ${note}` : ""));
  }

  function call(row) {
    const parts = [
      row.seconds ? `${row.seconds} s` : "",
      row.tokens ? `${row.tokens.toLocaleString("en")} tokens` : "",
      row.thinking ? `${row.thinking.toLocaleString("en")} of thinking` : "",
      row.dollars ? `$${row.dollars.toFixed(4)}` : "",
      ...(row.notes || []),
    ];
    return parts.filter(Boolean).join(" · ");
  }

  VOXMEM.replies = { replies, people };
})();
