// The page of a calculator: reads the form, asks the engine, puts its answer in place.
//
// No formula, no number formatting and no text are in here: all three come from the engine, or
// stand in the page already. A copy saved with Ctrl+S holds the DOM as this script left it, so
// that starting again on it must change nothing.

(() => {
  "use strict";

  /**
   * @typedef {object} Reply the engine's answer; see `calculator/web.py`
   * @property {boolean} ok
   * @property {boolean} empty
   * @property {Record<string, string>} slots
   * @property {Record<string, string>} problems
   * @property {string} summary
   * @property {string} notice
   * @property {string} announce
   * @property {string} query
   * @property {string} other_query
   */

  // Someone who is still typing is not told what is wrong so far.
  const PAUSE_BEFORE_MESSAGES = 700;
  const PAUSE_BEFORE_ANNOUNCING = 500;

  const form = vramForm.element;
  const calculator = form.dataset.calculator ?? "";
  const language = document.documentElement.lang;

  /** @param {string} id */
  const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

  // ------------------------------------------------------------------ the answer

  /** @param {HTMLElement} place @param {string} html made and escaped by the engine */
  function fill(place, html) {
    if (place.innerHTML !== html) place.innerHTML = html;
  }

  /** @type {Reply | undefined} */
  let latest;
  let messagesTimer = 0;
  let announceTimer = 0;

  /** @param {Reply} reply */
  function show(reply) {
    latest = reply;
    for (const [name, html] of Object.entries(reply.slots)) fill(byId(`slot-${name}`), html);
    const stale = !reply.ok && !reply.empty;
    byId("results").toggleAttribute("data-stale", stale);
    byId("stale").hidden = !stale;
    byId("ready-made").hidden = true;
    fill(byId("notice"), reply.notice);
    byId("notice").hidden = reply.notice === "";
    for (const field of vramForm.every()) {
      if (!(vramForm.nameOf(field) in reply.problems)) markField(field, "");
    }
    if (Object.keys(reply.problems).length < 2) showSummary("");
    if (messagesTimer === 0) showMessages();
    keepLink(reply);
    clearTimeout(announceTimer);
    announceTimer = window.setTimeout(() => {
      byId("announce").textContent = reply.announce;
    }, PAUSE_BEFORE_ANNOUNCING);
  }

  function showMessages() {
    clearTimeout(messagesTimer);
    messagesTimer = 0;
    if (latest === undefined) return;
    for (const field of vramForm.every()) {
      markField(field, latest.problems[vramForm.nameOf(field)] ?? "");
    }
    showSummary(latest.summary);
  }

  /** @param {HTMLElement} field @param {string} message empty: nothing is wrong */
  function markField(field, message) {
    const place = byId(`${vramForm.nameOf(field)}-error`);
    const text = /** @type {HTMLElement} */ (place.querySelector("[data-message]"));
    if (text.textContent !== message) text.textContent = message;
    place.hidden = message === "";
    field.classList.toggle("bad", message !== "");
    if (message !== "") field.querySelector("details")?.setAttribute("open", "");
    for (const input of field.querySelectorAll('input:not([type="radio"]), textarea, select')) {
      if (message === "") input.removeAttribute("aria-invalid");
      else input.setAttribute("aria-invalid", "true");
    }
  }

  /** @param {string} html */
  function showSummary(html) {
    fill(byId("summary"), html);
    byId("summary").hidden = html === "";
  }

  /**
   * The address bar keeps what is in the form, for a page that is loaded anew; and the history
   * keeps a configuration, which is too long for it.
   *
   * @param {string} query
   */
  function keepAddress(query) {
    const here = `${location.pathname}${query === "" ? "" : `?${query}`}${location.hash}`;
    const config = vramForm.values().config ?? "";
    try {
      if (
        here !== `${location.pathname}${location.search}${location.hash}` ||
        config !== (history.state?.config ?? "")
      ) {
        history.replaceState({ config }, "", here);
      }
    } catch {
      // Browsers limit how often the address may change; the next change catches up.
    }
  }

  /** And so does the way to the other language. @param {Reply} reply */
  function keepLink(reply) {
    keepAddress(reply.query);
    const link = /** @type {HTMLAnchorElement} */ (byId("other-language"));
    const path = (link.getAttribute("href") ?? "").split("?")[0];
    link.setAttribute("href", reply.other_query === "" ? path : `${path}?${reply.other_query}`);
  }

  // ------------------------------------------------------------------ asking

  let touched = false;
  let slowTimer = 0;

  function ask() {
    const request = JSON.stringify({ calculator, language, form: vramForm.values() });
    window.clearTimeout(slowTimer);
    slowTimer = window.setTimeout(() => byId("results").toggleAttribute("data-slow", true), 300);
    VramRuntime.ask(request, (reply) => {
      window.clearTimeout(slowTimer);
      byId("results").toggleAttribute("data-slow", false);
      show(JSON.parse(reply));
    });
    showState();
  }

  form.addEventListener("input", (event) => {
    touched = true;
    const input = /** @type {HTMLInputElement} */ (event.target);
    const field = /** @type {HTMLElement | null} */ (input.closest("[data-field]"));
    if (field !== null && input.type !== "radio") {
      const other = vramForm.radios(field).find((radio) => radio.dataset.other === input.id);
      if (other !== undefined) other.checked = true;
    }
    vramForm.keepInMarkup();
    clearTimeout(messagesTimer);
    messagesTimer = window.setTimeout(showMessages, PAUSE_BEFORE_MESSAGES);
    // The engine words the address better, but a page may be loaded anew before there is one.
    if (VramRuntime.state() !== "ready") {
      const { config, ...rest } = vramForm.values();
      keepAddress(new URLSearchParams(config === undefined ? rest : {}).toString());
    }
    ask();
  });
  form.addEventListener("change", (event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    if (input.type === "radio" && input.dataset.other !== undefined) {
      vramForm.otherBox(input).focus();
    }
    showMessages();
  });
  // Without a submit button, browsers submit on Enter only where there is one text field.
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    if (!(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    form.requestSubmit();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    showMessages();
    const wrong = latest === undefined ? [] : Object.keys(latest.problems);
    if (wrong.length > 1) byId("summary").focus();
    else if (wrong.length === 1) vramForm.focus(wrong[0]);
  });
  byId("summary").addEventListener("click", (event) => {
    const link = /** @type {HTMLElement} */ (event.target).closest("a");
    if (link === null) return;
    event.preventDefault();
    vramForm.focus((link.getAttribute("href") ?? "").slice(1));
  });

  byId("depth").hidden = false;
  byId("depth").addEventListener("click", (event) => {
    const { toDepth } = /** @type {HTMLElement} */ (event.target).dataset;
    if (toDepth === undefined || toDepth === vramForm.depth()) return;
    vramForm.setDepth(toDepth);
    touched = true;
    ask();
  });

  // ------------------------------------------------------------------ the runtime's state

  /** @type {string} */
  let failure = "";

  /** Words and bar follow what the runtime does; the ready-made results stay readable. */
  function showState() {
    const state = VramRuntime.state();
    document.documentElement.dataset.runtime = state;
    byId("loading").hidden = state !== "loading";
    byId("waiting").hidden = state !== "held";
    byId("failed").hidden = state !== "failed";
    byId("ready-made").hidden = !(touched && latest === undefined && state !== "ready");
    for (const text of byId("failed").querySelectorAll("[data-code]")) {
      /** @type {HTMLElement} */ (text).hidden =
        /** @type {HTMLElement} */ (text).dataset.code !== failure;
    }
  }

  byId("retry").addEventListener("click", () => {
    failure = "";
    VramRuntime.retry();
    showState();
    /** @type {HTMLElement} */ (form.querySelector("input")).focus();
  });

  const brought = vramForm.readLink();
  touched = brought;
  vramForm.keepInMarkup();
  VramRuntime.start({
    onProgress(loaded, total) {
      const bar = /** @type {HTMLProgressElement} */ (byId("progress"));
      const arrived = loaded >= total;
      if (arrived) bar.removeAttribute("value");
      else bar.value = loaded / total;
      byId("loading-download").hidden = arrived;
      byId("loading-start").hidden = !arrived;
      showState();
    },
    onReady: showState,
    onFail(code) {
      failure = code;
      window.clearTimeout(slowTimer);
      byId("results").toggleAttribute("data-slow", false);
      showState();
    },
  });
  // With data saving on, the ready-made answer to the form's first values is as good as a live one.
  if (brought || vramForm.depth() === "detailed" || VramRuntime.state() !== "held") ask();
  showState();
})();
