/* Which of the two, list or item, is shown, by the address's fragment; and the keys. */
"use strict";

(() => {
  const sections = [...document.querySelectorAll("[data-page]")];
  const title = document.title;
  let shown = null;

  function route() {
    const hash = window.location.hash.slice(1);
    const name = hash.startsWith("item/") ? "item" : "list";
    const changed = name !== shown;
    shown = name;
    for (const one of sections) one.hidden = one.dataset.page !== name;
    VOXMEM.player.stop();
    document.title = title;
    if (changed) window.scrollTo(0, 0);
    if (name === "list") VOXMEM.list.restore(hash.split("?").slice(1).join("?"));
    else VOXMEM.item.open(...hash.split("/").slice(1).map(decodeURIComponent));
  }

  const LIST = {
    "/": () => VOXMEM.list.search(),
    j: () => VOXMEM.list.move(1), ArrowDown: () => VOXMEM.list.move(1),
    k: () => VOXMEM.list.move(-1), ArrowUp: () => VOXMEM.list.move(-1),
  };
  const ITEM = {
    j: () => VOXMEM.item.step(1), ArrowRight: () => VOXMEM.item.step(1),
    k: () => VOXMEM.item.step(-1), ArrowLeft: () => VOXMEM.item.step(-1),
    e: () => VOXMEM.timeline.toggle(),
    Escape: () => VOXMEM.list.back(),
  };

  function press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.getElementById("help").open) return;
    const typing = event.target.matches("input:not([type=checkbox]), select, textarea");
    let act = (shown === "list" ? LIST : ITEM)[event.key];
    if (typing) {
      act = null;
      if (event.key === "Escape") act = () => event.target.blur();
      else if (event.key === "ArrowDown" && event.target.type === "search") act = LIST.ArrowDown;
    }
    if (!act) return;
    event.preventDefault();
    act();
  }

  window.addEventListener("hashchange", route);
  window.addEventListener("keydown", press);
  route();
})();
