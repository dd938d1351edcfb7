/* The list of keys. */
"use strict";

(() => {
  const help = document.getElementById("help");
  window.addEventListener("keydown", (event) => {
    if (event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches("input, select, textarea")) return;
    event.preventDefault();
    if (help.open) help.close();
    else help.showModal();
  });
})();
