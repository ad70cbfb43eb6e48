// Keys for raters: 1…9, a / t / b, 0, x; Enter saves, g opens the guidelines; a slider is its number.
(() => {
  "use strict";
  document.documentElement.classList.add("js", "study-keys");
  const form = document.getElementById("rate");
  document.getElementById("problem")?.focus();
  if (!form) return;
  const questions = [...form.querySelectorAll("[data-question]")];
  const keyed = "input[data-key]";
  const done = (one) => [...one.querySelectorAll("input:not([type=range])")]
    .some((input) => (input.type === "number" ? input.value !== "" : input.checked));
  // The question that a key belongs to: where the focus is, else the first without an answer.
  const current = () => document.activeElement?.closest?.("[data-question]")
    ?? questions.find((one) => !done(one)) ?? questions.at(-1);

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const { target } = event;
    const typing = target.matches?.("textarea, input[type=number]");
    if (event.key === "Enter") {
      if (target.matches?.("input[type=radio], input[type=checkbox], input[type=range], body, fieldset, #problem")) {
        event.preventDefault();
        form.requestSubmit(document.getElementById("save"));
      }
      return;
    }
    const key = event.key.toLowerCase();
    if (typing) return;
    if (key === "g") {
      const guidelines = document.getElementById("guidelines");
      guidelines.open = !guidelines.open;
      if (guidelines.open) guidelines.querySelector("summary").focus();
      return;
    }
    const question = current();
    const input = [...question.querySelectorAll(keyed)].find((one) => one.dataset.key === key);
    if (!input) return;
    event.preventDefault();
    input.focus();
    input.click();
    // One choice is an answer: the next key belongs to the next question.
    if (input.type === "radio") questions.slice(questions.indexOf(question) + 1)
      .find((one) => !done(one))?.querySelector("input:not([type=range])")?.focus();
  });

  form.addEventListener("input", ({ target }) => {
    if (target.dataset.of) document.getElementById(target.dataset.of).value = target.value;
    else if (target.type === "number") {
      const slider = document.getElementById(`${target.id}-slider`);
      if (slider && target.value !== "") slider.value = target.value;
    }
  });
})();
