/* One history as cards in order of time. */
"use strict";

(() => {
  const { el } = VOXMEM;
  const ROLES = {
    evidence: "evidence",
    replacement: "replacement",
    samekey_haystack: "same-key haystack",
    topical_haystack: "topical haystack",
    filler: "filler",
  };

  /** The whole history: a strip of its sessions, then a card each. */
  function timeline(page, history) {
    const voices = new Set(history.places.flatMap(([id]) => speakers(page.sessions[id])));
    const asker = voices.size > 1 ? page.asker : null;
    const cards = history.places.map(([id, when, role]) => card(page.sessions[id], when, role, asker));
    return el("section", { class: "timeline", "aria-label": "History" },
      el("h2", {}, "History"),
      counts(history),
      strip(history, cards),
      el("ol", {}, cards),
      el("p", { class: "now" }, el("time", {}, page.asked), " the question is asked"));
  }

  function counts(history) {
    const held = Object.keys(ROLES).map((role) => [role, history.places.filter((place) => place[2] === role).length]);
    return el("ul", { class: "roles" }, held.filter(([, n]) => n).map(([role, n]) =>
      el("li", { "data-role": role }, el("i", { "aria-hidden": "true" }), `${n} ${ROLES[role]}`)));
  }

  function strip(history, cards) {
    return el("div", { class: "strip", "aria-hidden": "true" }, history.places.map(([, when, role], at) =>
      el("span", {
        "data-role": role,
        title: `${when}, ${ROLES[role]}`,
        onclick: () => {
          cards[at].querySelector("details").open = true;
          cards[at].scrollIntoView({ behavior: "smooth", block: "center" });
        },
      })));
  }

  const speakers = (session) =>
    [...new Set(session.turns.filter((turn) => turn.role === "user").map((turn) => turn.speaker))];

  /** One session; the asker is pointed out where there are others. */
  function card(session, when, role, asker) {
    const voices = speakers(session);
    return el("li", { class: "session", "data-role": role },
      el("details", { open: role !== "filler" },
        el("summary", {},
          el("time", {}, when),
          el("span", { class: "role" }, ROLES[role]),
          el("span", { class: "topic" }, session.topic),
          el("span", { class: "voice" }, `voice ${voices.join(", ")}`, voices.includes(asker) ? el("small", {}, " asker") : null)),
        session.turns.map(turn)));
  }

  function turn(turn) {
    if (turn.role === "assistant") return el("p", { class: "assistant" }, turn.text);
    return el("div", { class: "user" },
      el("p", {}, marked(turn.text, turn.facts)),
      el("div", { class: "sounds" }, clips(turn.clips, `voice ${turn.speaker}`), turn.chips.map(chip)));
  }

  /** Buttons for every rendition, the primary one first. */
  function clips(renditions, who) {
    return renditions.map((rendition) => VOXMEM.player.playButton(rendition, who));
  }

  function chip([kind, value, detail]) {
    return el("span", { class: `chip ${kind}`, title: detail }, value, el("small", {}, detail));
  }

  /** The text with its facts marked. Spans count code points, as Python does. */
  function marked(text, facts) {
    const signs = Array.from(text);
    const parts = [];
    let at = 0;
    for (const [start, end, what] of [...facts].sort((one, two) => one[0] - two[0])) {
      if (start < at) continue;
      parts.push(signs.slice(at, start).join(""), el("mark", { title: what }, signs.slice(start, end).join("")));
      at = end;
    }
    return [...parts, signs.slice(at).join("")];
  }

  VOXMEM.timeline = { timeline, clips };
})();
