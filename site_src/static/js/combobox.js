// A text field that filters a list: the editable combobox of the ARIA Authoring Practices.
//
// The options stand in the page. Focus never leaves the text field; arrow keys move the mark,
// Enter takes what is marked, Escape closes. Whatever is typed stays, also when nothing matches.

(() => {
  "use strict";

  /** @param {HTMLInputElement} box */
  function setUp(box) {
    const list = /** @type {HTMLElement} */ (
      document.getElementById(box.getAttribute("aria-controls") ?? "")
    );
    const options = /** @type {HTMLElement[]} */ (Array.from(list.children));
    const words = options.map((option) => (option.textContent ?? "").toLowerCase());
    const status = /** @type {HTMLElement} */ (
      /** @type {HTMLElement} */ (list.parentElement).querySelector("[data-found]")
    );
    /** @type {HTMLElement | undefined} */
    let marked;

    const shown = () => options.filter((option) => !option.hidden);

    /** @param {HTMLElement | undefined} option */
    function mark(option) {
      marked?.setAttribute("aria-selected", "false");
      marked = option;
      if (option === undefined) {
        box.removeAttribute("aria-activedescendant");
        return;
      }
      option.setAttribute("aria-selected", "true");
      box.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    }

    /** @param {boolean} all every option, whatever stands in the field */
    function open(all) {
      const wanted = all ? [] : box.value.toLowerCase().split(/\s+/).filter(Boolean);
      options.forEach((option, index) => {
        option.hidden = !wanted.every((word) => words[index].includes(word));
      });
      const count = shown().length;
      list.hidden = count === 0;
      box.setAttribute("aria-expanded", String(count > 0));
      mark(undefined);
      const { one, many, none } = status.dataset;
      const text = count === 0 ? none : count === 1 ? one : many;
      status.textContent = (text ?? "").replace("{count}", String(count));
    }

    function close() {
      list.hidden = true;
      box.setAttribute("aria-expanded", "false");
      mark(undefined);
    }

    /** @param {HTMLElement} option */
    function take(option) {
      box.value = option.firstElementChild?.textContent ?? "";
      close();
      box.dispatchEvent(new Event("input", { bubbles: true, cancelable: false }));
      box.dispatchEvent(new Event("change", { bubbles: true }));
    }

    /** @param {number} step */
    function move(step) {
      if (list.hidden) open(true);
      const found = shown();
      if (found.length === 0) return;
      const at = marked === undefined ? (step > 0 ? -1 : 0) : found.indexOf(marked);
      mark(found[(at + step + found.length) % found.length]);
    }

    let taking = false;
    box.addEventListener("input", () => {
      if (!taking) open(false);
    });
    box.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        move(event.key === "ArrowDown" ? 1 : -1);
      } else if (event.key === "Enter" && marked !== undefined) {
        event.preventDefault();
        pick(marked);
      } else if (event.key === "Escape" && !list.hidden) {
        event.preventDefault();
        close();
      }
    });
    box.addEventListener("click", () => {
      if (!list.hidden) return;
      open(true);
      box.select();
    });
    box.addEventListener("blur", close);
    // It may stand open in a saved copy.
    close();
    // Before the field loses its focus, and with it the list.
    list.addEventListener("pointerdown", (event) => event.preventDefault());
    list.addEventListener("click", (event) => {
      const option = /** @type {HTMLElement} */ (event.target).closest('[role="option"]');
      if (option !== null) pick(/** @type {HTMLElement} */ (option));
    });

    /** @param {HTMLElement} option */
    function pick(option) {
      taking = true;
      take(option);
      taking = false;
    }
  }

  document.querySelectorAll('input[role="combobox"]').forEach((box) => {
    setUp(/** @type {HTMLInputElement} */ (box));
  });
})();
