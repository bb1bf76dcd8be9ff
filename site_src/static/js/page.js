// On every page: the appearance switch in the foot, and the note that a saved copy is one.

(() => {
  "use strict";

  /** @type {HTMLButtonElement[]} */
  const buttons = Array.from(document.querySelectorAll("button[data-theme-choice]"));

  /** @param {string} choice "auto", "light" or "dark" */
  function show(choice) {
    for (const button of buttons) {
      button.setAttribute("aria-pressed", String(button.dataset.themeChoice === choice));
    }
  }

  /** @param {string} choice */
  function choose(choice) {
    if (choice === "auto") {
      delete document.documentElement.dataset.theme;
    } else {
      document.documentElement.dataset.theme = choice;
    }
    show(choice);
    try {
      if (choice === "auto") localStorage.removeItem("theme");
      else localStorage.setItem("theme", choice);
    } catch {
      // Storage is denied: the choice lasts as long as the page.
    }
  }

  for (const button of buttons) {
    button.addEventListener("click", () => choose(button.dataset.themeChoice ?? "auto"));
  }
  show(document.documentElement.dataset.theme ?? "auto");

  const saving = /** @type {HTMLButtonElement | null} */ (document.getElementById("save-data"));

  /** @returns {boolean} whether Python is to wait for the first changed value, from the next page on */
  function savesData() {
    try {
      return localStorage.getItem("data") === "save";
    } catch {
      return false;
    }
  }

  saving?.setAttribute("aria-pressed", String(savesData()));
  saving?.addEventListener("click", () => {
    try {
      if (savesData()) localStorage.removeItem("data");
      else localStorage.setItem("data", "save");
    } catch {
      // Storage is denied: there is no next page to tell.
    }
    saving.setAttribute("aria-pressed", String(savesData()));
  });

  if (location.protocol === "file:") {
    /** @type {HTMLElement} */ (document.getElementById("copy")).hidden = false;
  }
})();
