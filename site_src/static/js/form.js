// What stands in a calculator's form, whatever the kind of its fields; in and out as texts by name.

var vramForm = (() => {
  "use strict";

  /** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Box */

  const form = /** @type {HTMLFormElement} */ (document.getElementById("form"));

  /** Fields that a link brought and the form doesn't know. @type {Record<string, string>} */
  const strangers = {};
  /** A link's value for a choice that doesn't exist, until a choice is made. @type {Record<string, string>} */
  const unmatched = {};

  /** @returns {HTMLElement[]} all fields, of both depths */
  const every = () => Array.from(form.querySelectorAll("[data-field]"));

  /** @returns {string} "simple" or "detailed" */
  const depth = () => form.dataset.depth ?? "simple";

  /** @returns {HTMLElement[]} the fields that are shown */
  const fields = () =>
    every().filter((field) => [depth(), "both"].includes(field.dataset.depth ?? "both"));

  /** @param {HTMLElement} field */
  const nameOf = (field) => field.dataset.field ?? "";

  /** @param {HTMLElement} field @returns {HTMLInputElement[]} */
  const radios = (field) => Array.from(field.querySelectorAll('input[type="radio"]'));

  /** @param {HTMLInputElement} radio the one for "another value" */
  const otherBox = (radio) => /** @type {Box} */ (document.getElementById(radio.dataset.other ?? ""));

  /** @param {HTMLElement} field @returns {Box} where a field without choices is typed */
  const box = (field) => /** @type {Box} */ (field.querySelector("[data-value]"));

  /** @param {HTMLElement} field @returns {string} what stands in it */
  function valueOf(field) {
    const choices = radios(field);
    if (choices.length === 0) return box(field).value;
    const chosen = choices.find((radio) => radio.checked);
    if (chosen === undefined) return unmatched[nameOf(field)] ?? "";
    return chosen.dataset.other === undefined ? chosen.value : otherBox(chosen).value;
  }

  /** @param {HTMLElement} field @param {string} value */
  function setValue(field, value) {
    const choices = radios(field);
    if (choices.length === 0) {
      const option = field.querySelector(`[role="option"][data-value="${CSS.escape(value)}"]`);
      box(field).value = option?.firstElementChild?.textContent ?? value;
      return;
    }
    const match = choices.find((radio) => radio.dataset.other === undefined && radio.value === value);
    const other = choices.find((radio) => radio.dataset.other !== undefined);
    if (match !== undefined) {
      match.checked = true;
      return;
    }
    if (other !== undefined) {
      other.checked = true;
      otherBox(other).value = value;
      if (otherBox(other).value === value) return;
    }
    for (const radio of choices) radio.checked = false;
    unmatched[nameOf(field)] = value;
  }

  /**
   * What the engine is asked. A configuration stands in place of a model where there is one.
   *
   * @returns {Record<string, string>}
   */
  function values() {
    /** @type {Record<string, string>} */
    const found = { ...strangers };
    for (const field of fields()) found[nameOf(field)] = valueOf(field);
    if ("config" in found) delete found[found.config.trim() === "" ? "config" : "model"];
    return found;
  }

  /** What is typed lives in properties; a saved copy keeps attributes. */
  function keepInMarkup() {
    for (const input of form.querySelectorAll("input")) {
      if (input.type === "radio") input.toggleAttribute("checked", input.checked);
      else if (input.type !== "file" && input.getAttribute("value") !== input.value) {
        input.setAttribute("value", input.value);
      }
    }
    for (const area of form.querySelectorAll("textarea")) {
      if (area.textContent !== area.value) area.textContent = area.value;
    }
    for (const option of form.querySelectorAll("option")) {
      option.toggleAttribute("selected", option.selected);
    }
  }

  /** @param {string} wanted "simple" or "detailed"; what is typed stays */
  function setDepth(wanted) {
    form.dataset.depth = wanted;
    for (const part of form.querySelectorAll("[data-depth]")) {
      const own = /** @type {HTMLElement} */ (part);
      own.hidden = ![wanted, "both"].includes(own.dataset.depth ?? "both");
    }
    for (const button of form.querySelectorAll("[data-to-depth]")) {
      button.setAttribute(
        "aria-pressed",
        String(/** @type {HTMLElement} */ (button).dataset.toDepth === wanted),
      );
    }
  }

  /** @returns {boolean} whether the link, or what goes with it, brought anything */
  function readLink() {
    const link = new URLSearchParams(location.search);
    const known = new Map(every().map((field) => [nameOf(field), field]));
    let count = 0;
    for (const [name, value] of link) {
      const field = known.get(name);
      if (field !== undefined) setValue(field, value);
      else if (Object.keys(strangers).length < 5) strangers[name] = value;
      count += 1;
    }
    if (count > 0) setDepth(link.has("model") ? "detailed" : "simple");
    const config = known.get("config");
    if (config !== undefined && history.state?.config) {
      setValue(config, history.state.config);
      setDepth("detailed");
      count += 1;
    }
    return count > 0;
  }

  /** @param {string} name of a field that is shown */
  function focus(name) {
    const field = fields().find((each) => nameOf(each) === name);
    if (field === undefined) return;
    field.querySelector("details")?.setAttribute("open", "");
    const choices = radios(field);
    const chosen = choices.find((radio) => radio.checked) ?? choices[0];
    if (chosen === undefined) box(field).focus();
    else (chosen.dataset.other === undefined ? chosen : otherBox(chosen)).focus();
  }

  return {
    element: form,
    every,
    depth,
    nameOf,
    radios,
    otherBox,
    values,
    keepInMarkup,
    setDepth,
    readLink,
    focus,
  };
})();
