/* Shows the things of a queue one after the other and sends what is said of them. What is shown of
   a thing, and which labels need more than a key, is the task's: see start(). */
export const $ = (id) => document.getElementById(id);
export const state = { annotator: "", queue: {}, items: [], at: 0, playing: null, sending: false };
const audio = $("audio");
const choices = [...document.querySelectorAll("[data-choice]")];
let task = {};

/** The task's part of the page.
 *  show(item): fills the page; may be asynchronous.
 *  label(choice): the fields of a label, or null if there is more to ask first.
 *  said(before): in words, what was said before.
 *  chosen(before): which choice that was.
 *  keys: key → what it does.
 *  press(key): what a key does in the task's state of things, before all others; undefined: nothing.
 *  leave(): before another thing is shown. */
export function start(given) {
  task = { press: () => undefined, leave: () => {}, keys: {}, ...given };
  begin().catch((error) => complain(`The queue cannot be read: ${error.message}`));
}

export function el(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

export function complain(text) {
  $("problem").hidden = !text;
  $("problem").textContent = text || "";
}

export async function ask(path, body) {
  const sent = body && {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  };
  const reply = await fetch(path, sent || {});
  const found = await reply.json();
  if (!reply.ok) throw new Error(found.error);
  return found;
}

/* --- who labels ------------------------------------------------------------------------------- */

async function begin() {
  const { annotator } = await ask("/api/annotator");
  const name = annotator || localStorage.getItem("annotator") || "";
  if (name) return enter(name);
  return askName();
}

function askName() {
  stop();
  for (const id of ["item", "bar", "done", "annotator"]) $(id).hidden = true;
  $("who").hidden = false;
  $("name").value = state.annotator;
  $("name").focus();
}

async function enter(name) {
  state.annotator = name;
  localStorage.setItem("annotator", name);
  state.queue = await ask(`/api/queue?annotator=${encodeURIComponent(name)}`);
  state.items = state.queue.items;
  $("source").textContent = state.queue.source;
  $("annotator").textContent = name;
  $("annotator").hidden = false;
  $("who").hidden = true;
  return next(-1);
}

/* --- one thing -------------------------------------------------------------------------------- */

export const current = () => state.items[state.at];

/** The next one after a place that has no label yet; from the start, if there is none behind. */
function next(place) {
  const open = (item) => !item.said;
  const behind = state.items.findIndex((item, at) => at > place && open(item));
  const any = state.items.findIndex(open);
  return go(behind >= 0 ? behind : any);
}

function go(at) {
  stop();
  const finished = at < 0 || at >= state.items.length;
  $("done").hidden = !finished;
  $("item").hidden = $("bar").hidden = finished;
  if (!finished) state.at = at;
  count();
  return finished ? undefined : show();
}

function count() {
  const labelled = state.items.filter((item) => item.said).length;
  $("progress").max = state.items.length || 1;
  $("progress").value = labelled;
  $("count").textContent = `${labelled} of ${state.items.length}`;
}

async function show() {
  const item = current();
  complain("");
  task.leave();
  $("note").value = item.said ? item.said.note : "";
  $("before").disabled = state.at === 0;
  $("after").disabled = state.at === state.items.length - 1;
  showSaid(item.said);
  scrollTo(0, 0);
  try {
    await task.show(item);
  } catch (error) {
    complain(`This cannot be shown: ${error.message}`);
  }
}

function showSaid(before) {
  for (const button of choices) {
    const chosen = Boolean(before) && task.chosen(before) === button.dataset.choice;
    button.setAttribute("aria-pressed", String(chosen));
  }
  $("said").textContent = before
    ? `You said: ${task.said(before)}. Another label is added to it, and then counts.`
    : "";
}

/** A small fact above the text: its name, its value, and more. */
export function chip(name, value, more = "") {
  return el("span", {}, el("i", { textContent: `${name} ` }), el("b", { textContent: value }), more);
}

/** What is said of a choice on its button, without its key. */
export function nameOf(choice) {
  const button = choices.find((each) => each.dataset.choice === choice);
  return button ? button.firstChild.textContent.trim().toLowerCase() : choice;
}

/** Opens and closes an explanation, which stays as it was left, also on the next visit. */
export function fold(id) {
  const details = $(id);
  details.open = localStorage.getItem(id) !== "closed";
  details.addEventListener("toggle", () =>
    localStorage.setItem(id, details.open ? "open" : "closed"),
  );
  return () => {
    details.open = !details.open;
  };
}

/* --- listening -------------------------------------------------------------------------------- */

export function player(label, sha, key) {
  const button = el("button", { type: "button" }, el("span", { textContent: label }));
  if (key) button.append(el("kbd", { textContent: key }));
  if (!label) button.setAttribute("aria-label", "Play");
  button.dataset.src = `/audio/${sha}`;
  button.setAttribute("aria-pressed", "false");
  button.addEventListener("click", () => toggle(button));
  return button;
}

export function toggle(button) {
  if (!button) return;
  if (state.playing !== button) {
    stop();
    state.playing = button;
    audio.src = button.dataset.src;
    button.setAttribute("aria-pressed", "true");
  } else if (!audio.paused) {
    audio.pause();
    return;
  }
  audio.play().catch((error) => {
    // Browsers let nothing sound before the page was touched, and a clip may give way to another.
    if (!["NotAllowedError", "AbortError"].includes(error.name)) complain(unplayable());
  });
}

const unplayable = () => "This clip cannot be played: its file may be damaged, see voxmem verify.";

function stop() {
  audio.pause();
  if (!state.playing) return;
  state.playing.setAttribute("aria-pressed", "false");
  state.playing.style.removeProperty("--at");
  delete state.playing.dataset.playing;
  state.playing = null;
}

audio.addEventListener("playing", () => state.playing && (state.playing.dataset.playing = ""));
audio.addEventListener("pause", () => state.playing && delete state.playing.dataset.playing);
audio.addEventListener("error", () => state.playing && complain(unplayable()));
audio.addEventListener("timeupdate", () => {
  if (!state.playing || !audio.duration) return;
  state.playing.style.setProperty("--at", `${(100 * audio.currentTime) / audio.duration}%`);
});

/* --- labels ----------------------------------------------------------------------------------- */

function choose(choice) {
  const fields = task.label(choice);
  return fields && send(fields);
}

export async function send(fields) {
  if (state.sending) return;
  state.sending = true;
  const place = state.at;
  const item = current();
  const note = $("note").value.trim();
  try {
    await ask("/api/labels", { ...item.key, annotator: state.annotator, ...fields, note });
    item.said = { ...fields, note };
    if (state.at === place) next(place);
  } catch (error) {
    complain(`The label was not kept: ${error.message}`);
  } finally {
    state.sending = false;
  }
}

/* --- keys ------------------------------------------------------------------------------------- */

const back = () => state.at > 0 && go(state.at - 1);
const onward = () => state.at + 1 < state.items.length && go(state.at + 1);

function byChoice(key) {
  const button = choices.find((each) => each.dataset.keys.split(" ").includes(key));
  return button && (() => choose(button.dataset.choice));
}

const keys = { m: () => $("note").focus(), arrowleft: back, arrowright: onward };

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("item").hidden) return;
  const key = event.key.toLowerCase();
  if (event.target.matches("textarea, input")) {
    if (key === "escape") event.target.blur();
    return;
  }
  const act = task.press(key) || task.keys[key] || keys[key] || byChoice(key);
  if (!act) return;
  event.preventDefault();
  act();
});

for (const button of choices) button.addEventListener("click", () => choose(button.dataset.choice));
$("before").addEventListener("click", back);
$("after").addEventListener("click", onward);
$("review").addEventListener("click", () => go(0));
$("annotator").addEventListener("click", askName);
$("who").addEventListener("submit", (event) => {
  event.preventDefault();
  const name = $("name").value.trim();
  if (name) enter(name).catch((error) => complain(error.message));
});
