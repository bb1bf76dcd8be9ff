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

  const form = /** @type {HTMLFormElement} */ (document.getElementById("form"));
  const calculator = form.dataset.calculator ?? "";
  const language = document.documentElement.lang;

  /** @param {string} id */
  const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

  /** Fields that a link brought and the form doesn't know. @type {Record<string, string>} */
  const strangers = {};
  /** A link's value for a choice that doesn't exist, until a choice is made. @type {Record<string, string>} */
  const unmatched = {};

  // ------------------------------------------------------------------ the form

  /** @returns {HTMLElement[]} */
  const fields = () => Array.from(form.querySelectorAll("[data-field]"));

  /** @param {HTMLElement} field @returns {HTMLInputElement[]} */
  const radios = (field) => Array.from(field.querySelectorAll('input[type="radio"]'));

  /** @param {HTMLInputElement} radio the one for "another value" */
  const otherBox = (radio) =>
    /** @type {HTMLInputElement} */ (document.getElementById(radio.dataset.other ?? ""));

  /** @param {HTMLElement} field @returns {HTMLInputElement} the text box of a plain field */
  const textBox = (field) => /** @type {HTMLInputElement} */ (field.querySelector("input"));

  /** @param {HTMLElement} field @returns {string} what stands in it */
  function valueOf(field) {
    const choices = radios(field);
    if (choices.length === 0) return textBox(field).value;
    const chosen = choices.find((radio) => radio.checked);
    if (chosen === undefined) return unmatched[field.dataset.field ?? ""] ?? "";
    return chosen.dataset.other === undefined ? chosen.value : otherBox(chosen).value;
  }

  /** @param {HTMLElement} field @param {string} value */
  function setValue(field, value) {
    const choices = radios(field);
    if (choices.length === 0) {
      textBox(field).value = value;
      return;
    }
    const match = choices.find((radio) => radio.dataset.other === undefined && radio.value === value);
    const other = choices.find((radio) => radio.dataset.other !== undefined);
    if (match !== undefined) {
      match.checked = true;
    } else if (other !== undefined) {
      other.checked = true;
      otherBox(other).value = value;
    } else {
      for (const radio of choices) radio.checked = false;
      unmatched[field.dataset.field ?? ""] = value;
    }
  }

  /** @returns {Record<string, string>} */
  function values() {
    /** @type {Record<string, string>} */
    const found = { ...strangers };
    for (const field of fields()) found[field.dataset.field ?? ""] = valueOf(field);
    return found;
  }

  /** What is typed lives in properties; a saved copy keeps attributes. */
  function keepInMarkup() {
    for (const input of form.querySelectorAll("input")) {
      if (input.type === "radio") input.toggleAttribute("checked", input.checked);
      else if (input.getAttribute("value") !== input.value) input.setAttribute("value", input.value);
    }
  }

  /** @returns {boolean} whether the link brought anything */
  function readLink() {
    const link = new URLSearchParams(location.search);
    const known = new Map(fields().map((field) => [field.dataset.field ?? "", field]));
    let count = 0;
    for (const [name, value] of link) {
      const field = known.get(name);
      if (field !== undefined) setValue(field, value);
      else if (Object.keys(strangers).length < 5) strangers[name] = value;
      count += 1;
    }
    return count > 0;
  }

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
    for (const field of fields()) {
      if (!((field.dataset.field ?? "") in reply.problems)) markField(field, "");
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
    for (const field of fields()) {
      markField(field, latest.problems[field.dataset.field ?? ""] ?? "");
    }
    showSummary(latest.summary);
  }

  /** @param {HTMLElement} field @param {string} message empty: nothing is wrong */
  function markField(field, message) {
    const name = field.dataset.field ?? "";
    const place = byId(`${name}-error`);
    const text = /** @type {HTMLElement} */ (place.querySelector("[data-message]"));
    if (text.textContent !== message) text.textContent = message;
    place.hidden = message === "";
    field.classList.toggle("bad", message !== "");
    for (const input of field.querySelectorAll('input:not([type="radio"])')) {
      if (message === "") input.removeAttribute("aria-invalid");
      else input.setAttribute("aria-invalid", "true");
    }
  }

  /** @param {string} html */
  function showSummary(html) {
    fill(byId("summary"), html);
    byId("summary").hidden = html === "";
  }

  /** The address bar, and the way to the other language, keep what is in the form. @param {Reply} reply */
  function keepLink(reply) {
    const here = `${location.pathname}${reply.query === "" ? "" : `?${reply.query}`}${location.hash}`;
    try {
      if (here !== `${location.pathname}${location.search}${location.hash}`) {
        history.replaceState(history.state, "", here);
      }
    } catch {
      // Browsers limit how often the address may change; the next change catches up.
    }
    const link = /** @type {HTMLAnchorElement} */ (byId("other-language"));
    const path = (link.getAttribute("href") ?? "").split("?")[0];
    link.setAttribute("href", reply.other_query === "" ? path : `${path}?${reply.other_query}`);
  }

  // ------------------------------------------------------------------ asking

  let touched = false;
  let slowTimer = 0;

  function ask() {
    const request = JSON.stringify({ calculator, language, form: values() });
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
      const other = radios(field).find((radio) => radio.dataset.other === input.id);
      if (other !== undefined) other.checked = true;
    }
    keepInMarkup();
    clearTimeout(messagesTimer);
    messagesTimer = window.setTimeout(showMessages, PAUSE_BEFORE_MESSAGES);
    ask();
  });
  form.addEventListener("change", (event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    if (input.type === "radio" && input.dataset.other !== undefined) otherBox(input).focus();
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
    else if (wrong.length === 1) focusField(wrong[0]);
  });
  byId("summary").addEventListener("click", (event) => {
    const link = /** @type {HTMLElement} */ (event.target).closest("a");
    if (link === null) return;
    event.preventDefault();
    focusField((link.getAttribute("href") ?? "").slice(1));
  });

  /** @param {string} name */
  function focusField(name) {
    const field = fields().find((each) => each.dataset.field === name);
    if (field === undefined) return;
    const choices = radios(field);
    const chosen = choices.find((radio) => radio.checked) ?? choices[0];
    if (chosen === undefined) textBox(field).focus();
    else (chosen.dataset.other === undefined ? chosen : otherBox(chosen)).focus();
  }

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

  const brought = readLink();
  touched = brought;
  keepInMarkup();
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
  if (brought || VramRuntime.state() !== "held") ask();
  showState();
})();
