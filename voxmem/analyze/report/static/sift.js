/* A table's rows by the words in them. */
"use strict";

(() => {
  const form = document.querySelector(".sift");
  const rows = [...document.querySelectorAll("main tbody tr")];
  const texts = rows.map((row) => row.textContent.toLowerCase());

  function sift() {
    const words = form.elements.words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, at) => {
      row.hidden = !words.every((word) => texts[at].includes(word));
      shown += Number(!row.hidden);
    });
    const all = rows.length.toLocaleString("en");
    form.querySelector("output").textContent = shown === rows.length ? `${all} rows` : `${shown.toLocaleString("en")} of ${all} rows`;
  }

  form.addEventListener("input", sift);
  form.addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target.matches("input")) return;
    event.preventDefault();
    form.elements.words.focus();
  });
})();
