// On a reference page: the filter box, and headings that sort. Without it the table is whole.
//
// A copy saved with Ctrl+S holds the page as this script left it, sorted and filtered.

(() => {
  "use strict";

  const table = /** @type {HTMLTableElement} */ (document.getElementById("table"));
  const form = /** @type {HTMLFormElement} */ (document.getElementById("filter"));
  const input = /** @type {HTMLInputElement} */ (document.getElementById("q"));
  const shown = /** @type {HTMLElement} */ (document.getElementById("shown"));
  // Where rows go while they are sorted: groups make no sense then.
  const sorted = document.createElement("tbody");
  sorted.dataset.sorted = "";
  const saved = /** @type {HTMLTableSectionElement | null} */ (
    table.querySelector("tbody[data-sorted]")
  );
  saved?.remove();
  Array.from(saved?.rows ?? [])
    .sort((a, b) => Number(a.dataset.place) - Number(b.dataset.place))
    .forEach((row) => table.tBodies[Number(row.dataset.group)].append(row));
  const groups = Array.from(table.tBodies, (body) => ({
    body,
    rows: Array.from(body.rows).slice(1),
  }));
  groups.forEach(({ rows: members }, group) => {
    members.forEach((row, place) => Object.assign(row.dataset, { group, place }));
  });
  const rows = groups.flatMap(({ body, rows: members }) => {
    const group = body.rows[0].textContent ?? "";
    return members.map((row) => ({ row, held: folded(`${group} ${row.textContent}`) }));
  });
  let announcing = 0;

  /** Case and accents do not matter. @param {string} text */
  function folded(text) {
    return text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  }

  function filter() {
    // What is typed lives in a property; a saved copy keeps the attribute.
    input.setAttribute("value", input.value);
    const words = folded(input.value).split(/\s+/).filter(Boolean);
    let count = 0;
    for (const { row, held } of rows) {
      row.hidden = !words.every((word) => held.includes(word));
      if (!row.hidden) count += 1;
    }
    for (const { body, rows: members } of groups) {
      body.hidden = members.every((row) => row.hidden || row.parentNode !== body);
    }
    const template = (count < rows.length ? shown.dataset.some : shown.dataset.all) ?? "";
    const says = template.replace("{count}", String(count)).replace("{total}", String(rows.length));
    // A live region that changes at every key would never stop talking.
    clearTimeout(announcing);
    announcing = setTimeout(() => {
      shown.textContent = says;
    }, 400);
  }

  /** @param {number} column @param {HTMLTableRowElement} row */
  function valueOf(column, row) {
    const cell = row.cells[column];
    return cell.dataset.v === undefined ? (cell.textContent ?? "") : Number(cell.dataset.v);
  }

  /**
   * Sort by a column, or put every row back into its group.
   *
   * @param {number} column @param {string} order "ascending", "descending" or "none"
   */
  function sort(column, order) {
    if (order === "none") {
      sorted.remove();
      for (const { body, rows: members } of groups) body.append(...members);
    } else {
      const sign = order === "ascending" ? 1 : -1;
      const keyed = rows.map(({ row }) => ({ row, value: valueOf(column, row) }));
      const names = new Intl.Collator(document.documentElement.lang, { numeric: true });
      keyed.sort((a, b) =>
        typeof a.value === "number" && typeof b.value === "number"
          ? sign * (a.value - b.value)
          : sign * names.compare(String(a.value), String(b.value)),
      );
      sorted.append(...keyed.map(({ row }) => row));
      table.append(sorted);
    }
    filter();
  }

  const headings = Array.from(/** @type {HTMLTableSectionElement} */ (table.tHead).rows[0].cells);
  headings.forEach((heading, column) => {
    const button = heading.querySelector("button") ?? document.createElement("button");
    if (button.parentNode === null) {
      button.type = "button";
      button.append(...heading.childNodes);
      heading.append(button);
    }
    heading.setAttribute("aria-sort", "none");
    // Figures first from the largest, words from A.
    const first = rows[0]?.row.cells[column].dataset.v === undefined ? "ascending" : "descending";
    const second = first === "ascending" ? "descending" : "ascending";
    button.addEventListener("click", () => {
      const now = heading.getAttribute("aria-sort");
      const order = now === "none" ? first : now === first ? second : "none";
      for (const each of headings) each.setAttribute("aria-sort", "none");
      heading.setAttribute("aria-sort", order);
      sort(column, order);
    });
  });

  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  input.addEventListener("input", filter);
  const asked = new URLSearchParams(location.search).get("q");
  if (asked !== null) input.value = asked;
  // A browser that goes back restores what was typed.
  if (input.value !== "") filter();
})();
