// Raters' pages: keys, answers saved as they are given, and a form that a lost network leaves alone.
(() => {
  "use strict";
  document.documentElement.classList.add("js", "study-keys");
  const PAUSE = 300, PATIENCE = 20_000;
  const digits = "input[data-key]", numbers = "input[inputmode]";
  // Of the page that is shown: its parts (the questions, then the comment), what the server has of
  // each, what was sent last, and the request that got no answer.
  let form, questions, parts, confirmed, tried, pending, acts, timer, keeping;

  const fields = (part) => [...part.querySelectorAll("input[name], textarea")];
  const state = (field) => (/radio|checkbox/.test(field.type) ? field.checked : field.value);
  const said = (part) => JSON.stringify(fields(part).map(state));
  const all = () => parts.map(said).join();
  const done = (part) => fields(part).some(state);
  const revision = (place) => form.elements[`r${place}`];
  const post = (to, body) => fetch(to, {
    method: "POST", body, headers: { "X-Next-Page": "true" }, signal: AbortSignal.timeout(PATIENCE),
  });
  const body = (key) => {
    const made = new URLSearchParams(new FormData(form));
    made.set("key", key);
    return made;
  };

  // What the server has not got is kept in this tab, over a reload and another language.
  const draft = () => `${location.pathname} ${form.elements.task.value}`;
  const write = () => {
    const open = parts.map((part, i) => (said(part) === confirmed[i] ? null
      : { said: said(part), revision: revision(i)?.value }));
    if (open.some(Boolean)) sessionStorage.setItem(draft(), JSON.stringify(open));
    else sessionStorage.removeItem(draft());
  };
  const restore = () => {
    const open = JSON.parse(sessionStorage.getItem(draft()) ?? "[]");
    open.forEach((one, i) => {
      if (!one || !parts[i] || one.said === confirmed[i]) return;
      const states = JSON.parse(one.said);
      fields(parts[i]).forEach((field, k) => {
        if (/radio|checkbox/.test(field.type)) field.checked = states[k];
        else field.value = states[k];
      });
      // Where another window has saved meanwhile, the server says so: it is not overwritten.
      if (revision(i)) revision(i).value = one.revision;
      if (parts[i].matches("details")) parts[i].open = true;
    });
  };

  const mark = (away = false) => parts.forEach((part, i) => {
    const place = part.querySelector(".kept");
    if (!place) return;
    const kept = said(part) === confirmed[i];
    place.classList.toggle("open", away && !kept);
    place.textContent = kept && done(part) && revision(i).value !== "0" ? place.dataset.kept
      : away && !kept ? place.dataset.open : "";
  });

  // One request at a time. One that got no answer is sent again as it was, before anything newer.
  const keep = () => (keeping ??= send().finally(() => { keeping = null; }));
  const send = async () => {
    while (pending || all() !== tried) {
      pending ??= { all: all(), parts: parts.map(said), body: body(`${form.elements.key.value}.${++acts}`) };
      const sent = pending;
      let answer;
      try {
        answer = await post(form.dataset.keep, sent.body);
        if (answer.status === 429 || answer.status >= 500) throw new Error(answer.status);
        const revisions = answer.ok ? await answer.json() : {};
        for (const [place, number] of Object.entries(revisions)) {
          revision(place).value = number;
          confirmed[place] = sent.parts[place];
          // The comment stands with the first question.
          if (place === "0" && parts.length > questions.length) confirmed[questions.length] = sent.parts.at(-1);
        }
      } catch {
        mark(true);
        return;
      }
      pending = null;
      tried = sent.all;
      write();
      mark(!answer.ok);
    }
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(keep, PAUSE);
  };

  const tell = (text) => {
    mark(true);
    const place = document.getElementById("away");
    place.hidden = false;
    place.textContent = text;
    place.focus();
  };
  const submit = async (event) => {
    event.preventDefault();
    if (form.inert) return;
    clearTimeout(timer);
    const to = event.submitter?.getAttribute("formaction") ?? form.getAttribute("action");
    form.inert = true;
    try {
      await (pending ? keep() : keeping);
      if (pending) throw new Error("away");
      const answer = await post(to, body(form.elements.key.value));
      const made = new DOMParser().parseFromString(await answer.text(), "text/html");
      // What is refused for now is said here, where the answers still are.
      if (answer.status === 429 || (answer.status >= 500 && !made.getElementById("rate"))) {
        form.inert = false;
        tell(made.querySelector("h1")?.textContent ?? document.getElementById("away").dataset.say);
        return;
      }
      if (answer.ok) {
        sessionStorage.removeItem(draft());
        history.replaceState(null, "", answer.url);
      }
      document.title = made.title;
      document.body.replaceWith(document.adoptNode(made.body));
      scrollTo(0, 0);
      (document.getElementById("problem") ?? document.getElementById("main")).focus();
      start(answer.ok ? null : confirmed);
    } catch {
      form.inert = false;
      tell(document.getElementById("away").dataset.say);
    }
  };

  const start = (before = null) => {
    form = document.getElementById("rate");
    if (!form) return;
    questions = [...form.querySelectorAll("[data-question]")];
    parts = [...form.querySelectorAll("[data-question], .comment")];
    [acts, pending, keeping] = [0, null, null];
    confirmed = before ?? parts.map(said);
    tried = all();
    if (before) write();
    else restore();
    form.querySelectorAll(numbers).forEach(slide);
    mark(true);
    form.addEventListener("submit", submit);
    form.addEventListener("input", ({ target }) => {
      if (target.dataset.of) document.getElementById(target.dataset.of).value = target.value;
      else slide(target);
      write();
      mark();
    });
    form.addEventListener("change", soon);
  };
  const slide = (field) => {
    const slider = field.matches(numbers) && document.getElementById(`${field.id}-slider`);
    if (slider && field.value !== "") slider.value = field.value.replace(",", ".");
  };

  // The question that a key belongs to: where the focus is, else the first without an answer.
  const current = () => document.activeElement?.closest?.("[data-question]")
    ?? questions.find((one) => !done(one)) ?? questions.at(-1);

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const { target } = event;
    if (form?.inert) {
      // What comes next is not there yet, and this is on its way: no key belongs to either.
      if (event.key !== "Tab") event.preventDefault();
      return;
    }
    if (event.key === "Enter") {
      if (form && target.matches?.("input[type=radio], input[type=checkbox], input[type=range], body, main, fieldset, #problem, #away")) {
        event.preventDefault();
        form.requestSubmit(document.getElementById("save"));
      }
      return;
    }
    if (target.matches?.(`textarea, ${numbers}`)) return;
    const key = event.key.toLowerCase();
    const guidelines = document.getElementById("guidelines");
    // Between batches and at the end there are guidelines, but no task.
    if (key === "g" && guidelines) {
      guidelines.open = !guidelines.open;
      if (guidelines.open) guidelines.querySelector("summary").focus();
      return;
    }
    if (!form) return;
    const question = current();
    const input = [...question.querySelectorAll(digits)].find((one) => one.dataset.key === key);
    if (!input) return;
    event.preventDefault();
    input.focus();
    input.click();
    // One choice is an answer: the next key belongs to the next question.
    if (input.type === "radio") questions.slice(questions.indexOf(question) + 1)
      .find((one) => !done(one))?.querySelector("input:not([type=range])")?.focus();
  });

  document.getElementById("problem")?.focus();
  start();
})();
