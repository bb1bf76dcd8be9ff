// A configuration file, chosen or dropped, goes into the text field as if it had been pasted.

(() => {
  "use strict";

  const text = /** @type {HTMLTextAreaElement | null} */ (document.getElementById("config"));
  if (text === null) return;
  const file = /** @type {HTMLInputElement} */ (document.getElementById("config-file"));
  const clear = /** @type {HTMLButtonElement} */ (document.getElementById("config-clear"));
  const area = /** @type {HTMLElement} */ (text.closest("[data-field]"));
  const details = /** @type {HTMLDetailsElement} */ (text.closest("details"));

  // One character more than the engine takes is enough for it to say that the file is too long.
  const MOST_BYTES = 2_000_001;

  /** @param {string} value */
  function put(value) {
    /** @type {HTMLTextAreaElement} */ (text).value = value;
    details.open = true;
    text?.dispatchEvent(new Event("input", { bubbles: true }));
    text?.dispatchEvent(new Event("change", { bubbles: true }));
  }

  /** @param {File | undefined} chosen */
  async function take(chosen) {
    if (chosen !== undefined) put(await chosen.slice(0, MOST_BYTES).text());
  }

  file.addEventListener("change", () => {
    void take(file.files?.[0]);
    file.value = "";
  });
  clear.addEventListener("click", () => {
    put("");
    text.focus();
  });
  area.addEventListener("dragover", (event) => {
    event.preventDefault();
    area.classList.add("dropping");
  });
  area.addEventListener("dragleave", () => area.classList.remove("dropping"));
  area.addEventListener("drop", (event) => {
    event.preventDefault();
    area.classList.remove("dropping");
    void take(event.dataTransfer?.files[0]);
  });
})();
