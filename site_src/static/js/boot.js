// Runs in the head, before anything is painted: the theme, and an early start for the downloads,
// of which it keeps the books.
//
// A copy saved with Ctrl+S holds the DOM as these scripts left it, and some browsers rename the
// files of the copy. So: part scripts stand before this one and carry their name in an attribute,
// those that are there already are not asked for again, and no file name means anything.

var vramBoot = (() => {
  "use strict";

  /**
   * @typedef {object} Chunk what a part says of itself
   * @property {string} kind
   * @property {number} index
   * @property {number} count
   * @property {string} version
   * @property {number} bytes what it weighs in gzip
   * @property {number} length of its text
   * @property {string} [needs] in the glue: the parts that belong with it
   *
   * @typedef {[Chunk, string]} Part
   *
   * @typedef {{name: string, version: string, bytes: number}} Listed
   */

  const GLUE = "glue-1";
  const tag = /** @type {HTMLScriptElement} */ (document.currentScript);
  const base = tag.dataset.runtime ?? "";
  /** What this page asks for, in the order of use; nothing where it holds the parts itself. */
  const asked = listed(tag.dataset.parts ?? "");

  /** What has arrived, by name. @type {Map<string, Part>} */
  const parts = new Map();
  /** Names of the scripts that have run or failed. @type {Set<string>} */
  const settled = new Set();
  /** How often the parts have been asked for anew. */
  let attempt = 0;

  const boot = {
    GLUE,
    parts,
    held: savesData(),
    /** Told of each arrival. */
    onarrival() {},
    /** Told of each part whose script failed, or ran and handed nothing over, as one cut short. */
    onloss() {},
    request,
    again,
    forget,
    wanted,
    matching,
    lost,
  };

  /** @param {string} list `name:version:bytes`, separated by spaces @returns {Listed[]} */
  function listed(list) {
    return list
      .split(" ")
      .filter(Boolean)
      .map((entry) => {
        const [name, version, bytes] = entry.split(":");
        return { name, version, bytes: Number(bytes) };
      });
  }

  /**
   * The visitor asked the browser, or this site, to save data: nothing is loaded before the first
   * input, unless a service worker has it all on the disk.
   */
  function savesData() {
    const connection = /** @type {Navigator & {connection?: {saveData?: boolean}}} */ (navigator)
      .connection;
    let asked = connection?.saveData === true;
    try {
      asked ||= localStorage.getItem("data") === "save";
    } catch {
      // Storage denied: what the browser says is all there is.
    }
    return asked && !navigator.serviceWorker?.controller;
  }

  /** @param {Chunk} chunk */
  function nameOf(chunk) {
    return `${chunk.kind}-${chunk.index}`;
  }

  /** The parts that a single-file page holds in itself. @returns {[Chunk, Element][]} */
  function payloads() {
    return Array.from(document.querySelectorAll("script[data-chunk]"), (element) => [
      JSON.parse(element.getAttribute("data-chunk") ?? ""),
      element,
    ]);
  }

  /**
   * Everything that Python needs. The glue knows; before it is there, the page's own list has to
   * do, which may be of an older deployment.
   *
   * @returns {Listed[]}
   */
  function wanted() {
    const glue = parts.get(GLUE)?.[0];
    if (glue) {
      return [{ ...glue, name: GLUE }, ...listed(glue.needs ?? "")];
    }
    return [...asked, ...payloads().map(([chunk]) => ({ ...chunk, name: nameOf(chunk) }))];
  }

  /** Whether all parts that are here belong together. */
  function matching() {
    return wanted().every(({ name, version }) => {
      const part = parts.get(name);
      return !part || !parts.has(GLUE) || part[0].version === version;
    });
  }

  /** Whether a part is missing and not on its way. */
  function lost() {
    return wanted().some(({ name }) => settled.has(name) && !parts.has(name));
  }

  /** Ask for whatever is missing and not on its way; at first, for nothing twice. */
  function request() {
    if (asked.length === 0) {
      if (document.readyState !== "loading") {
        readPayloads();
      }
      return;
    }
    for (const { name } of wanted()) {
      const present = document.querySelector(`script[data-part="${name}"]`);
      if (parts.has(name) || (present && (attempt === 0 || !settled.has(name)))) {
        continue;
      }
      const script = document.createElement("script");
      // In order, as the worker uses them. The attribute is for a saved copy: there the parser
      // meets these elements, and must not stop for them.
      script.async = false;
      script.setAttribute("defer", "");
      script.dataset.part = name;
      script.src = address(name, present);
      settled.delete(name);
      present?.remove();
      tag.before(script);
    }
  }

  /** Ask once more, by addresses that no cache knows. */
  function again() {
    attempt += 1;
    request();
  }

  /** @param {string} name @param {Element | null} present */
  function address(name, present) {
    const version = asked.find((part) => part.name === name)?.version ?? "";
    const first = present?.getAttribute("src") ?? `${base}${name}.js?v=${version}`;
    if (attempt === 0) {
      return first;
    }
    const plain = first.replace(/[?&]again=\d+$/, "");
    return `${plain}${plain.includes("?") ? "&" : "?"}again=${attempt}`;
  }

  /** One at a time, so that no task of the page gets long. */
  async function readPayloads() {
    for (const [chunk, element] of payloads()) {
      if (!parts.has(nameOf(chunk))) {
        accept([chunk, element.textContent ?? ""]);
        await new Promise((resume) => setTimeout(resume));
      }
    }
  }

  /** @param {Part} part */
  function accept(part) {
    parts.set(nameOf(part[0]), part);
    if (part[0].needs && asked.length > 0) {
      // Of another deployment than the page, it may need parts that the page does not list.
      request();
    }
    boot.onarrival();
  }

  /** A part that turned out to be damaged. @param {string} name */
  function forget(name) {
    parts.delete(name);
    settled.add(name);
  }

  /** @param {Event} event of any script */
  function settle(event) {
    const name = event.target instanceof HTMLScriptElement && event.target.dataset.part;
    if (name) {
      settled.add(name);
      if (lost()) {
        boot.onloss();
      }
    }
  }

  /** The theme that the visitor chose, if any. */
  function applyTheme() {
    try {
      const theme = localStorage.getItem("theme");
      if (theme === "light" || theme === "dark") {
        document.documentElement.dataset.theme = theme;
      }
    } catch {
      // Storage denied: the system's theme it is.
    }
  }

  applyTheme();
  document.addEventListener("load", settle, true);
  document.addEventListener("error", settle, true);
  const scope = /** @type {{vramParts?: Part[] | {push: typeof accept}}} */ (
    /** @type {unknown} */ (self)
  );
  // In a saved copy the parts' scripts may have run before this one.
  const early = /** @type {Part[]} */ (scope.vramParts ?? []);
  scope.vramParts = { push: accept };
  early.forEach(accept);
  if (asked.length === 0) {
    // A single-file page holds them behind its text, where the parser has not been yet.
    document.addEventListener("DOMContentLoaded", readPayloads);
  } else if (!boot.held) {
    request();
  }
  return boot;
})();
