/* The heat map and the table of the chosen system and budget. */
"use strict";

(() => {
  const form = document.getElementById("choose-cells");
  if (!form) return;
  const figure = document.getElementById("heat-map");
  const names = JSON.parse(figure.dataset.names);

  async function show() {
    const { system, budget } = Object.fromEntries(new FormData(form));
    const name = names[system][budget];
    for (const panel of document.querySelectorAll("[data-system]")) {
      panel.hidden = panel.dataset.system !== system;
    }
    document.getElementById("heat-map-file").href = `figures/${name}.svg`;
    const figures = await VOXMEM.load("figures");
    const drawn = new DOMParser().parseFromString(figures[name], "image/svg+xml").documentElement;
    figure.replaceChildren(document.importNode(drawn, true));
  }

  form.addEventListener("change", show);
})();
