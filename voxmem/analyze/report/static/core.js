/* The report's namespace: data that is loaded when it is needed, and elements made without markup. */
"use strict";

window.VOXMEM_DATA ||= {};

window.VOXMEM = (() => {
  const waiting = new Map();

  /** The value that data/<name>.js assigns; the script is loaded on first use. */
  function load(name) {
    if (name in window.VOXMEM_DATA) return Promise.resolve(window.VOXMEM_DATA[name]);
    if (!waiting.has(name)) {
      waiting.set(name, new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = `data/${name}.js`;
        script.onload = () => resolve(window.VOXMEM_DATA[name]);
        script.onerror = () => {
          waiting.delete(name);
          reject(new Error(`data/${name}.js cannot be read`));
        };
        document.head.append(script);
      }));
    }
    return waiting.get(name);
  }

  /** An element. Strings become text, never markup; null children and attributes are left out. */
  function el(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null || value === undefined || value === false) continue;
      if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
      else made.setAttribute(name, value === true ? "" : value);
    }
    made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
    return made;
  }

  const SIGNS = {
    c: ["✓", "right"],
    i: ["✕", "wrong"],
    u: ["?", "verdict cannot be read"],
    j: ["!", "the judge failed"],
    f: ["–", "failed"],
    r: ["⊘", "rejected by the provider"],
    o: ["∅", "cannot be asked"],
    "-": ["·", "no response"],
  };

  /** What a sign of the item index stands for. */
  const signMark = (sign) => (SIGNS[sign] || SIGNS["-"])[0];
  const signWord = (sign) => (SIGNS[sign] || SIGNS["-"])[1];

  return { load, el, signMark, signWord };
})();
