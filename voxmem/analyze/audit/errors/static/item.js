/* What the page shows of an error: question, reference, response, and the whole conversation. */
import { $, ask, chip, current, el, fold, nameOf, player, start, state } from "/page.js";

async function show(item) {
  $("plan").replaceChildren(
    el("span", {}, `Error ${state.at + 1}`, item.shared ? ", classed by everyone" : ""),
    chip("at", item.budget),
    ...item.kind.map((name) => el("span", { textContent: name })),
  );
  $("question").textContent = item.question;
  $("reference").textContent = item.reference;
  $("options").textContent = item.options.join(" · ");
  $("options").hidden = $("options-name").hidden = !item.options.length;
  $("response").textContent = item.response;
  $("meanings").replaceChildren(...Object.entries(state.queue.classes).flatMap(meaning));
  $("rest").open = false;
  for (const id of ["asked", "evidence", "others", "rest-name"]) $(id).replaceChildren();
  const found = await ask(`/api/details?id=${encodeURIComponent(item.id)}`);
  if (current() === item) converse(found);
}

function meaning([name, text]) {
  return [el("dt", { textContent: nameOf(name) }), el("dd", { textContent: text })];
}

function converse(found) {
  const by = found.asker ? ` by ${found.asker}` : "";
  $("asked").replaceChildren(`${found.asked}${by}`, ...listen(found.question_audio));
  const is = (session) => session.mark === "evidence";
  const others = found.sessions.filter((session) => !is(session));
  $("evidence").replaceChildren(...found.sessions.filter(is).map((each) => shownSession(each)));
  $("rest").hidden = !others.length;
  $("rest-name").textContent = `The other ${others.length} of ${found.sessions.length} sessions`;
  $("others").replaceChildren(...others.map(foldedSession));
}

/* --- sessions --------------------------------------------------------------------------------- */

const about = (session) =>
  [session.time, session.topic, ...new Set(speakers(session))].filter(Boolean).join(" · ");
const speakers = (session) =>
  session.turns.map((turn) => turn.who).filter((who) => who !== "Assistant");

function head(session) {
  return [
    el("b", { textContent: `Session ${session.number}` }),
    el("span", { className: `mark ${session.mark}`, textContent: session.mark }),
    el("span", { className: "when", textContent: about(session) }),
    ...session.sounds.map(([event, ...kinds]) =>
      el("span", { className: "sound", textContent: `♪ ${event} (${kinds.join(", ")})` }),
    ),
  ];
}

function shownSession(session) {
  return el(
    "section",
    { className: "session" },
    el("h3", {}, ...head(session)),
    ...session.turns.map(turn),
  );
}

/** Its words are only made when it is opened: there may be hundreds of sessions. */
function foldedSession(session) {
  const made = el("details", { className: "session" }, el("summary", {}, ...head(session)));
  made.addEventListener("toggle", () => made.append(...session.turns.map(turn)), { once: true });
  return made;
}

function turn(said) {
  const line = el(
    "p",
    { className: said.who === "Assistant" ? "turn assistant" : "turn" },
    el("b", { textContent: said.who }),
    " ",
    ...said.cues.map(([value, phrase]) =>
      el("i", { textContent: phrase ? `${value}: “${phrase}”` : value }),
    ),
    said.text || "(spoken; its words are not published)",
    ...listen(said.audio),
  );
  return line;
}

function listen(sha) {
  return sha ? [el("span", { className: "plays" }, player("", sha))] : [];
}

/* --- labels ----------------------------------------------------------------------------------- */

start({
  show,
  label: (error_class) => ({ error_class }),
  said: (before) => nameOf(before.error_class),
  chosen: (before) => before.error_class,
  keys: {
    h: fold("classes"),
    s: () => {
      $("rest").open = !$("rest").open;
    },
  },
});
