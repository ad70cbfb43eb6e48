// What a browser can do better than a form: one step back per field, keys in the table, copying.
(() => {
  "use strict";
  document.documentElement.classList.add("js");

  // Typing on in one field is one step of history: the server is told that it goes on. It goes on
  // from what was answered; a request that the next key overtook has made no step.
  let field = null;
  document.addEventListener("htmx:config:request", (event) => {
    const { ctx } = event.detail;
    const source = ctx.sourceEvent;
    ctx.field = source?.type === "input" ? source.detail?.field ?? source.target.id : null;
    ctx.request.headers["X-Page-Language"] = document.documentElement.lang;
    if (ctx.field && ctx.field === field) ctx.request.headers["X-Further-Key"] = "true";
    if (!ctx.field) field = null;
  });
  document.addEventListener("htmx:after:swap", (event) => {
    const { ctx } = event.detail;
    if (ctx.response?.status === 200) field = ctx.field ?? null;
  });

  // A field of the form that stands elsewhere on the page: the form is told.
  document.addEventListener("input", ({ target }) => {
    if (target.form?.id === "lab" && !target.form.contains(target)) {
      target.form.dispatchEvent(new CustomEvent("input", { detail: { field: target.id } }));
    }
  });

  // A field that is sent by its button, not by every key.
  document.addEventListener("input", (event) => {
    if (event.target.matches("[data-still]")) event.stopPropagation();
  }, true);

  const at = (grid, row, column) =>
    grid.querySelector(`[data-row="${row}"][data-column="${column}"]`);

  document.addEventListener("keydown", (event) => {
    const cell = event.target.closest?.("[data-row]");
    const grid = cell?.closest("[data-grid]");
    if (!grid || event.ctrlKey || event.metaKey || event.altKey) return;
    const row = Number(cell.dataset.row), column = Number(cell.dataset.column);
    const typing = cell.matches("input");
    const edge = !typing || (cell.selectionStart === cell.selectionEnd &&
      (event.key === "ArrowLeft" ? cell.selectionStart === 0
        : cell.selectionEnd === cell.value.length)) || cell.selectionEnd - cell.selectionStart === cell.value.length;
    const to = {
      ArrowUp: [row - 1, column], ArrowDown: [row + 1, column],
      ArrowLeft: edge && [row, column - 1], ArrowRight: edge && [row, column + 1],
    }[event.key];
    const next = to && at(grid, ...to);
    if (next) {
      event.preventDefault();
      next.focus();
      next.select?.();
    } else if (typing && (event.key === "+" || event.key === "-")) {
      event.preventDefault();
      cell.value = String(Math.max(0, (parseInt(cell.value, 10) || 0) + (event.key === "+" ? 1 : -1)));
      cell.dispatchEvent(new Event("input", { bubbles: true }));
    }
  });

  // A block of cells, as a spreadsheet copies it.
  document.addEventListener("paste", (event) => {
    const cell = event.target.closest?.("input[data-row]");
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!cell || !/[\t\n]/.test(text.trim())) return;
    event.preventDefault();
    const grid = cell.closest("[data-grid]");
    const lines = text.trim().split(/\r?\n/).map((line) => line.split("\t"));
    const row = Number(cell.dataset.row), column = Number(cell.dataset.column);
    const fits = lines.every((line, i) => line.every((value, j) =>
      /^\s*\d*\s*$/.test(value) && at(grid, row + i, column + j)));
    if (!fits && grid.dataset.paste) {
      // Larger than the table, or with names: it is read as a table of its own.
      location.href = `${grid.dataset.paste}?${new URLSearchParams({ paste: text })}`;
      return;
    }
    let last = null;
    lines.forEach((line, i) => line.forEach((value, j) => {
      const target = at(grid, row + i, column + j);
      if (target?.matches("input")) { target.value = value.trim(); last = target; }
    }));
    last?.dispatchEvent(new Event("input", { bubbles: true }));
  });

  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("[data-copy]");
    if (!button) return;
    const source = document.getElementById(button.dataset.copy);
    const before = button.textContent;
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = button.dataset.done;
      setTimeout(() => { button.textContent = before; }, 1500);
    } catch {
      getSelection().selectAllChildren(source);
    }
  });
})();
