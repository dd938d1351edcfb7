/* Plays the clips of a queue one after the other and sends what is said of them. */
const $ = (id) => document.getElementById(id);
const audio = $("audio");
const state = { annotator: "", clips: [], faults: {}, at: 0, playing: null, sending: false };

function el(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

function complain(text) {
  $("problem").hidden = !text;
  $("problem").textContent = text || "";
}

async function ask(path, body) {
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

/* --- who listens ------------------------------------------------------------------------------ */

async function begin() {
  const { annotator } = await ask("/api/annotator");
  const name = annotator || localStorage.getItem("annotator") || "";
  if (name) return enter(name);
  return askName();
}

function askName() {
  stop();
  for (const id of ["clip", "bar", "done", "annotator"]) $(id).hidden = true;
  $("who").hidden = false;
  $("name").value = state.annotator;
  $("name").focus();
}

async function enter(name) {
  state.annotator = name;
  localStorage.setItem("annotator", name);
  const queue = await ask(`/api/queue?annotator=${encodeURIComponent(name)}`);
  state.clips = queue.clips;
  state.faults = queue.faults;
  $("source").textContent = queue.source;
  $("annotator").textContent = name;
  $("annotator").hidden = false;
  $("who").hidden = true;
  next(-1);
}

/* --- one clip --------------------------------------------------------------------------------- */

const clip = () => state.clips[state.at];

/** The next clip after a place that has no verdict yet; from the start, if there is none behind. */
function next(place) {
  const open = (item) => !item.said;
  const behind = state.clips.findIndex((item, at) => at > place && open(item));
  const any = state.clips.findIndex(open);
  return go(behind >= 0 ? behind : any);
}

function go(at) {
  stop();
  const finished = at < 0 || at >= state.clips.length;
  $("done").hidden = !finished;
  $("clip").hidden = $("bar").hidden = finished;
  if (!finished) state.at = at;
  count();
  if (!finished) show();
}

function count() {
  const heard = state.clips.filter((item) => item.said).length;
  $("progress").max = state.clips.length || 1;
  $("progress").value = heard;
  $("count").textContent = `${heard} of ${state.clips.length}`;
}

function show() {
  const item = clip();
  complain("");
  $("plan").replaceChildren(...chips(item));
  $("text").replaceChildren(...words(item));
  $("renditions").replaceChildren(
    ...item.renditions.map(([label, sha], at) => player(label, sha, String(at + 1))),
  );
  $("others").replaceChildren(...item.others.map(([text, sha]) => player(text, sha)));
  $("note").value = item.said ? item.said.note : "";
  $("before").disabled = state.at === 0;
  $("after").disabled = state.at === state.clips.length - 1;
  expand(false);
  said();
  scrollTo(0, 0);
  toggle($("renditions").firstElementChild);
}

function chips(item) {
  const chip = (name, value, more = "") =>
    el("span", {}, el("i", { textContent: `${name} ` }), el("b", { textContent: value }), more);
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

function said() {
  const { said: before } = clip();
  for (const button of document.querySelectorAll("[data-verdict]")) {
    const chosen = Boolean(before) && before.verdict === button.dataset.verdict;
    button.setAttribute("aria-pressed", String(chosen));
  }
  const fault = before && before.fault ? ` (${state.faults[before.fault]})` : "";
  $("said").textContent = before
    ? `You said: ${before.verdict}${fault}. Another verdict is added to it, and then counts.`
    : "";
}

/* --- listening -------------------------------------------------------------------------------- */

function player(label, sha, key) {
  const button = el("button", { type: "button" }, el("span", { textContent: label }));
  if (key) button.append(el("kbd", { textContent: key }));
  button.dataset.src = `/audio/${sha}.flac`;
  button.setAttribute("aria-pressed", "false");
  button.addEventListener("click", () => toggle(button));
  return button;
}

function toggle(button) {
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

/** The next of the other clips of the voice. */
function compare() {
  const others = [...$("others").children];
  toggle(others[(others.indexOf(state.playing) + 1) % others.length]);
}

/* --- verdicts --------------------------------------------------------------------------------- */

function expand(open) {
  $("faults").hidden = !open;
  document.querySelector('[data-verdict="fail"]').setAttribute("aria-expanded", String(open));
  if (!open) return;
  const kinds = Object.entries(state.faults).map(([kind, meaning]) => {
    const button = el("button", { type: "button", textContent: meaning });
    button.append(el("kbd", { textContent: kind[0].toUpperCase() }));
    button.addEventListener("click", () => send("fail", kind));
    return button;
  });
  $("kinds").replaceChildren(...kinds);
  $("faults").scrollIntoView({ block: "nearest" });
}

function judge(verdict) {
  if (verdict === "fail") return expand($("faults").hidden);
  return send(verdict, null);
}

async function send(verdict, fault) {
  if (state.sending) return;
  state.sending = true;
  const place = state.at;
  const item = clip();
  const note = $("note").value.trim();
  try {
    await ask("/api/verdicts", {
      clip_id: item.id, sha256: item.sha256, annotator: state.annotator, verdict, fault, note,
    });
    item.said = { verdict, fault, note };
    if (state.at === place) next(place);
  } catch (error) {
    complain(`The verdict was not kept: ${error.message}`);
  } finally {
    state.sending = false;
  }
}

/* --- keys ------------------------------------------------------------------------------------- */

const keys = {
  p: () => judge("pass"),
  f: () => judge("fail"),
  u: () => judge("unsure"),
  v: compare,
  m: () => $("note").focus(),
  " ": () => toggle(state.playing || $("renditions").firstElementChild),
  arrowleft: () => state.at > 0 && go(state.at - 1),
  arrowright: () => state.at + 1 < state.clips.length && go(state.at + 1),
};

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("clip").hidden) return;
  const key = event.key.toLowerCase();
  if (event.target.matches("textarea, input")) {
    if (key === "escape") event.target.blur();
    return;
  }
  if (key === "escape") return expand(false);
  const fault = Object.keys(state.faults).find((kind) => kind[0] === key);
  let act = keys[key];
  if (!$("faults").hidden && fault) act = () => send("fail", fault);
  if (/^[1-9]$/.test(key)) act = () => toggle($("renditions").children[Number(key) - 1]);
  if (!act) return;
  event.preventDefault();
  act();
});

for (const button of document.querySelectorAll("[data-verdict]")) {
  button.addEventListener("click", () => judge(button.dataset.verdict));
}
$("before").addEventListener("click", () => go(state.at - 1));
$("after").addEventListener("click", () => go(state.at + 1));
$("review").addEventListener("click", () => go(0));
$("annotator").addEventListener("click", askName);
$("who").addEventListener("submit", (event) => {
  event.preventDefault();
  const name = $("name").value.trim();
  if (name) enter(name).catch((error) => complain(error.message));
});
begin().catch((error) => complain(`The queue cannot be read: ${error.message}`));
