// Runs in the head, before anything is painted: the theme, and an early start for the downloads.
//
// A copy saved with Ctrl+S holds the DOM as these scripts left it, and some browsers rename the
// files of the copy. So: part scripts stand before this one and carry their name in an attribute,
// those that are there already are not asked for again, and no file name means anything.

var vramBoot = (() => {
  "use strict";

  const tag = /** @type {HTMLScriptElement} */ (document.currentScript);
  const base = tag.dataset.runtime ?? "";

  /** @typedef {{name: string, version: string, bytes: number}} Listed */

  /**
   * Every part that this page needs, in the order of use; none where they are in the page itself.
   *
   * @type {Listed[]}
   */
  const parts = (tag.dataset.parts ?? "")
    .split(" ")
    .filter(Boolean)
    .map((entry) => {
      const [name, version, bytes] = entry.split(":");
      return { name, version, bytes: Number(bytes) };
    });

  /** What became of each part's script: "load" or "error". @type {Map<string, string>} */
  const settled = new Map();

  const boot = {
    parts,
    settled,
    held: savesData(),
    /** Told when a part's script has run or failed. @param {string} _name */
    onsettled(_name) {},
    request,
  };

  /**
   * The visitor asked the browser to save data: nothing is loaded before the first input, unless
   * a service worker has it all on the disk.
   */
  function savesData() {
    const connection = /** @type {Navigator & {connection?: {saveData?: boolean}}} */ (navigator)
      .connection;
    return connection?.saveData === true && !navigator.serviceWorker?.controller;
  }

  /** @param {string} name */
  function element(name) {
    return document.querySelector(`script[data-part="${name}"]`);
  }

  /**
   * Ask for each named part; in a further attempt by an address that no cache knows.
   *
   * @param {string[]} names
   * @param {number} attempt 0 for the first
   */
  function request(names, attempt) {
    for (const { name, version } of parts) {
      const present = element(name);
      if (!names.includes(name) || (present && attempt === 0)) {
        continue;
      }
      const script = document.createElement("script");
      // In order, as the worker uses them. The attribute is for a saved copy: there the parser
      // meets these elements, and must not stop for them.
      script.async = false;
      script.setAttribute("defer", "");
      script.dataset.part = name;
      script.src = address(present, name, version, attempt);
      settled.delete(name);
      present?.remove();
      tag.before(script);
    }
  }

  /**
   * @param {Element | null} present
   * @param {string} name
   * @param {string} version
   * @param {number} attempt
   */
  function address(present, name, version, attempt) {
    const first = present?.getAttribute("src") ?? `${base}${name}.js?v=${version}`;
    if (attempt === 0) {
      return first;
    }
    const plain = first.replace(/[?&]again=\d+$/, "");
    return `${plain}${plain.includes("?") ? "&" : "?"}again=${attempt}`;
  }

  for (const type of ["load", "error"]) {
    document.addEventListener(
      type,
      (event) => {
        const name = event.target instanceof HTMLScriptElement && event.target.dataset.part;
        if (name) {
          settled.set(name, type);
          boot.onsettled(name);
        }
      },
      true,
    );
  }

  try {
    const theme = localStorage.getItem("theme");
    if (theme === "light" || theme === "dark") {
      document.documentElement.dataset.theme = theme;
    }
  } catch {
    // Storage denied: the system's theme it is.
  }

  if (!boot.held) {
    request(
      parts.map((part) => part.name),
      0,
    );
  }
  return boot;
})();
