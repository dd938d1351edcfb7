/* One audio element for the whole report: a clip is loaded when its button is pressed, and starting
   one stops the other. */
"use strict";

(() => {
  const { el } = VOXMEM;
  let audio = null;
  let active = null;

  function element() {
    if (!audio) {
      audio = el("audio", { preload: "none" });
      audio.addEventListener("timeupdate", progress);
      audio.addEventListener("playing", () => mark("playing"));
      audio.addEventListener("pause", () => mark("paused"));
      audio.addEventListener("ended", () => mark("ended"));
      audio.addEventListener("error", () => mark("failed"));
      document.body.append(audio);
    }
    return audio;
  }

  function mark(state) {
    if (!active) return;
    active.dataset.state = state;
    active.setAttribute("aria-pressed", String(state === "playing"));
    if (state === "ended") active.style.removeProperty("--at");
    if (state === "failed") active.title = "this clip cannot be played";
  }

  function progress() {
    if (active && audio.duration) {
      active.style.setProperty("--at", `${(100 * audio.currentTime) / audio.duration}%`);
    }
  }

  function toggle(button) {
    const player = element();
    if (button === active && !player.paused) return player.pause();
    if (button !== active) {
      stop();
      active = button;
      player.src = button.dataset.src;
    }
    return player.play().catch(() => mark("failed"));
  }

  /** Silence, as when another page is opened. */
  function stop() {
    if (audio) audio.pause();
    if (active) {
      active.style.removeProperty("--at");
      mark("idle");
    }
    active = null;
  }

  /** A button that plays one rendition: [label, path, seconds]. */
  function playButton([label, path, seconds], who) {
    return el("button", {
      type: "button",
      class: "play",
      "data-src": path,
      "aria-pressed": "false",
      "aria-label": `Play ${who}, ${label}, ${seconds} seconds`,
      onclick: (event) => toggle(event.currentTarget),
    }, el("i", { "aria-hidden": "true" }), el("span", {}, label), el("small", {}, `${seconds.toFixed(1)} s`));
  }

  VOXMEM.player = { playButton, stop };
})();
