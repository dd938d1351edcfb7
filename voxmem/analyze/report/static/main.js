/* Which page is shown, by the address's fragment; and the keys. */
"use strict";

(() => {
  const pages = [...document.querySelectorAll("[data-page]")];
  const title = document.title;
  let shown = null;

  // Without script the sections are anchors; with it, no anchor may scroll the page.
  for (const page of pages) page.removeAttribute("id");

  function route() {
    const [name, ...rest] = window.location.hash.slice(1).split("/");
    const page = pages.find((one) => one.dataset.page === name) || pages[0];
    const changed = page !== shown;
    shown = page;
    for (const one of pages) one.hidden = one !== page;
    for (const link of document.querySelectorAll(".top nav a")) {
      const current = link.hash === `#${visible("item") ? "items" : page.dataset.page}`;
      if (current) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    VOXMEM.player.stop();
    document.title = title;
    if (changed) window.scrollTo(0, 0);
    if (visible("items")) VOXMEM.list.open();
    if (visible("item")) VOXMEM.item.open(decodeURIComponent(rest[0] || ""), rest[1]);
  }

  const visible = (name) => shown.dataset.page === name;

  function press(event) {
    const typing = event.target.matches("input, select, textarea");
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && visible("item")) window.location.hash = "#items";
    else if (event.key === "Escape" && typing) event.target.blur();
    else if (event.key === "ArrowDown" && visible("items") && (!typing || event.target.type === "search")) VOXMEM.list.move(1);
    else if (typing) return;
    else if (event.key === "/" && visible("items")) VOXMEM.list.search();
    else if (event.key === "ArrowUp" && visible("items")) VOXMEM.list.move(-1);
    else if (event.key === "ArrowLeft" && visible("item")) VOXMEM.item.step(-1);
    else if (event.key === "ArrowRight" && visible("item")) VOXMEM.item.step(1);
    else return;
    event.preventDefault();
  }

  window.addEventListener("hashchange", route);
  window.addEventListener("keydown", press);
  route();
})();
