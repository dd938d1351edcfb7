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
  const KEPT = new Set(["evidence", "replacement"]);

  let only = false;
  let place = null;
  let cards = new Map();

  /** The whole history, or its evidence alone: a strip of its sessions, then a card each. */
  function timeline(page, history) {
    const voices = new Set(history.places.flatMap(([id]) => speakers(page.sessions[id])));
    const asker = voices.size > 1 ? page.asker : null;
    cards = new Map(history.places.map(([id, when, role]) => [id, card(page.sessions[id], when, role, asker)]));
    place = el("section", { class: "timeline", "aria-label": "History" },
      el("h2", {}, "History"),
      counts(history),
      choice(),
      strip(history),
      el("ol", {}, [...cards.values()]),
      el("p", { class: "now" }, el("time", {}, page.asked), " the question is asked"));
    place.classList.toggle("evidence-only", only);
    return place;
  }

  function choice() {
    const box = el("input", { type: "checkbox", onchange: (event) => show(event.target.checked) });
    box.checked = only;
    return el("label", { class: "only" }, box, " evidence only");
  }

  function show(evidence) {
    only = evidence;
    if (!place) return;
    place.classList.toggle("evidence-only", only);
    place.querySelector(".only input").checked = only;
  }

  /** Brings a session into view, opened. */
  function find(id) {
    const found = cards.get(id);
    if (!found) return;
    if (!KEPT.has(found.dataset.role)) show(false);
    found.querySelector("details").open = true;
    found.scrollIntoView({ block: "center" });
    found.querySelector("summary").focus({ preventScroll: true });
  }

  function counts(history) {
    const held = Object.keys(ROLES).map((role) => [role, history.places.filter((place) => place[2] === role).length]);
    return el("ul", { class: "roles" }, held.filter(([, n]) => n).map(([role, n]) =>
      el("li", { "data-role": role }, el("i", { "aria-hidden": "true" }), `${n} ${ROLES[role]}`)));
  }

  function strip(history) {
    return el("div", { class: "strip", "aria-hidden": "true" }, history.places.map(([id, when, role]) =>
      el("span", { "data-role": role, title: `${when}, ${ROLES[role]}`, onclick: () => find(id) })));
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
          el("span", { class: "voice" }, voices.some(Boolean) ? `voice ${voices.join(", ")}` : "", voices.includes(asker) ? el("small", {}, " asker") : null)),
        session.turns.map(turn)));
  }

  function turn(turn) {
    if (turn.role === "assistant") return el("p", { class: "assistant" }, turn.text);
    return el("div", { class: "user" },
      el("p", {}, marked(turn.text, turn.facts)),
      el("div", { class: "sounds" }, clips(turn.clips, turn.speaker ? `voice ${turn.speaker}` : "a turn"), turn.chips.map(chip)),
      VOXMEM.replies.people(turn.people));
  }

  /** Buttons for every rendition, the primary one first. */
  function clips(renditions, who) {
    if (!renditions.length) return [el("span", { class: "aside" }, "not spoken")];
    return renditions.map(([label, path, seconds]) => path
      ? VOXMEM.player.playButton([label, path, seconds], who)
      : el("span", { class: "absent" }, `${label}: not available`));
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

  VOXMEM.timeline = { timeline, clips, find, toggle: () => show(!only) };
})();
