/* What the page shows of a clip: its words, what can be heard, what may be wrong with it. */
import { $, chip, el, nameOf, player, send, start, state, toggle } from "/page.js";

const failing = document.querySelector('[data-choice="fail"]');
failing.setAttribute("aria-expanded", "false");

function show(item) {
  $("plan").replaceChildren(...chips(item));
  $("text").replaceChildren(...words(item));
  $("renditions").replaceChildren(
    ...item.renditions.map(([label, sha], at) => player(label, sha, String(at + 1))),
  );
  $("others").replaceChildren(...item.others.map(([text, sha]) => player(text, sha)));
  toggle($("renditions").firstElementChild);
}

function chips(item) {
  const found = [
    el("span", {}, `Clip ${state.at + 1}`, item.shared ? ", heard by everyone" : ""),
    chip("voice", item.voice),
    chip("delivery", item.delivery),
  ];
  if (item.sound.length) {
    const [name, ...kinds] = item.sound;
    found.push(chip("sound", name, ` (${kinds.join(", ")}), ${item.snr} dB below the speech`));
  }
  return found;
}

/** The text: emphasised characters are bold, the words that answers rest on are underlined. */
function words(item) {
  const marks = item.critical.flatMap((phrase) => {
    const start = item.text.indexOf(phrase);
    return phrase && start >= 0 ? [["mark", start, start + phrase.length]] : [];
  });
  if (item.span) marks.push(["strong", ...item.span]);
  const edges = new Set([0, item.text.length, ...marks.flatMap(([, ...range]) => range)]);
  const cuts = [...edges].sort((one, two) => one - two);
  return cuts.slice(1).map((end, at) => {
    const start = cuts[at];
    return marks
      .filter(([, from, to]) => from <= start && end <= to)
      .reduce((inner, [tag]) => el(tag, {}, inner), item.text.slice(start, end));
  });
}

function said(before) {
  const fault = before.fault ? ` (${state.queue.faults[before.fault]})` : "";
  return `${nameOf(before.verdict)}${fault}`;
}

/** The next of the other clips of the voice. */
function compare() {
  const others = [...$("others").children];
  toggle(others[(others.indexOf(state.playing) + 1) % others.length]);
}

/* --- what is wrong ---------------------------------------------------------------------------- */

function expand(open) {
  $("faults").hidden = !open;
  failing.setAttribute("aria-expanded", String(open));
  if (!open) return;
  const kinds = Object.entries(state.queue.faults).map(([kind, meaning]) => {
    const button = el("button", { type: "button", textContent: meaning });
    button.append(el("kbd", { textContent: kind[0].toUpperCase() }));
    button.addEventListener("click", () => fail(kind));
    return button;
  });
  $("kinds").replaceChildren(...kinds);
  $("faults").scrollIntoView({ block: "nearest" });
}

const fail = (fault) => send({ verdict: "fail", fault });

function label(verdict) {
  if (verdict !== "fail") return { verdict, fault: null };
  expand($("faults").hidden);
  return null;
}

function press(key) {
  if (key === "escape") return () => expand(false);
  if (/^[1-9]$/.test(key)) return () => toggle($("renditions").children[Number(key) - 1]);
  const fault = Object.keys(state.queue.faults).find((kind) => kind[0] === key);
  return !$("faults").hidden && fault ? () => fail(fault) : undefined;
}

const keys = {
  v: compare,
  " ": () => toggle(state.playing || $("renditions").firstElementChild),
};

start({ show, label, said, chosen: (before) => before.verdict, keys, press, leave: () => expand(false) });
