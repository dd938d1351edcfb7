/* What the page shows of a response: what was asked, what is right, what was said. */
import { $, chip, el, fold, nameOf, start, state } from "/page.js";

function show(item) {
  $("plan").replaceChildren(
    el("span", {}, `Response ${state.at + 1}`, item.shared ? ", judged by everyone" : ""),
    chip("item", item.refusal ? "cannot be answered" : "has an answer"),
  );
  $("question").textContent = item.question;
  $("reference").textContent = item.reference;
  $("options").textContent = item.options.join(" · ");
  $("options").hidden = $("options-name").hidden = !item.options.length;
  $("response").textContent = item.response;
  const rules = state.queue.rubric[item.refusal ? "refusal" : "answerable"];
  $("rules").replaceChildren(
    ...[...rules, state.queue.always].map((rule) => el("li", { textContent: rule })),
  );
}

start({
  show,
  label: (verdict) => ({ verdict }),
  said: (before) => nameOf(before.verdict),
  chosen: (before) => before.verdict,
  keys: { h: fold("rubric") },
});
