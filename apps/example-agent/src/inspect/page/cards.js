import { announce, fill, h, newId } from "./dom.js";
import { editArguments } from "./edit.js";
import { ask } from "./server.js";
import { afterLook, diff } from "./texts.js";

const OUTCOMES = {
  approved: "Approved",
  refused: "Refused",
  later: "Left for later",
  gone: "Nobody waits for an answer any more",
};

/**
 * A question for the person, at the place in a list where it was asked. Once answered, a line with the answer.
 *
 * @param {object} entry An approval or a question, in its latest form.
 */
export function createCard(entry) {
  const element = h("li", { class: "asked" });
  const update = (changed) => {
    if (changed.state === "open") return;
    const hadFocus = element.contains(document.activeElement);
    const [line, ...more] = answered(changed);
    element.classList.remove("open");
    fill(element, line, ...more);
    if (hadFocus) line.focus();
    announce(line.textContent);
  };
  if (entry.state !== "open") fill(element, ...answered(entry));
  else {
    element.classList.add("open");
    fill(element, entry.kind === "approval" ? approvalCard(entry) : questionCard(entry));
    announce(`${entry.kind === "question" ? "The agent asks" : "Waiting for you"}: ${entry.text}`);
  }
  return { element, update };
}

/** How a question was answered, and where. */
function answered({ kind, text, state, where = "", reason, answer, changes }) {
  const outcomeOf = changes === undefined ? OUTCOMES[state] : "Approved with changes";
  const said = kind === "question" ? answer?.join(", ") || "no answer" : outcomeOf;
  const outcome = state === "gone" ? OUTCOMES.gone : `${said} ${where}${reason === undefined ? "" : `: ${reason}`}`;
  const attributes = { class: "answered", tabindex: "-1", "data-state": state };
  const line = h("p", attributes, h("span", { class: "question" }, text), " ", h("strong", {}, outcome));
  return changes === undefined ? [line] : [line, diff(changes, "Changes before it was approved")];
}

function cardOf(entry, ...parts) {
  const [title, words] = [newId(), newId()];
  const isAgents = entry.kind === "question";
  // The agent's questions must not look like the program's: no answer to them approves anything.
  const heading = h("h3", { id: title }, isAgents ? "The agent asks" : entry.text);
  const text = isAgents && h("p", { id: words, class: "words quoted" }, entry.text);
  const attributes = {
    class: isAgents ? "card agents" : "card",
    role: "group",
    tabindex: "-1",
    "aria-labelledby": isAgents ? `${title} ${words}` : title,
    "data-stop": true,
    "data-open": true,
  };
  return h("div", attributes, heading, text, ...parts, h("p", { class: "problem", role: "alert" }));
}

async function send(element, path, body) {
  const problem = element.querySelector(":scope > .problem");
  problem.textContent = "";
  await ask(path, body).catch(problemIn(element));
}

/** Shows a fault in a card. */
function problemIn(element) {
  return ({ message }) => (element.querySelector(":scope > .problem").textContent = message);
}

function approvalCard(entry) {
  const reason = newId();
  const why = h("input", { id: reason, type: "text", maxlength: "2000", autocomplete: "off" });
  const decide = (decision) => send(made, `/api/approvals/${entry.id}`, { ...decision, reason: why.value });
  const choice = (text, key, decision, kind) =>
    h(
      "button",
      { type: "button", class: kind, "aria-keyshortcuts": key, onclick: () => decide(decision) },
      text,
      h("kbd", { "aria-hidden": "true" }, key),
    );
  const choices = afterLook(
    choice("Approve", "a", { approved: true }, "yes"),
    choice("Refuse", "r", { approved: false }, "no"),
    choice("Later", "l", { approved: false, later: true }, "plain"),
  );
  const standing = afterLook(
    ...(entry.always ?? []).map(({ key, label }) => choice(label, key, { approved: true, always: key }, "plain")),
  );
  const place = h("div", {});
  const leave = () => {
    fill(place, ...shown);
    made.focus();
  };
  const approve = (edited) => send(made, `/api/approvals/${entry.id}`, { approved: true, edited });
  const edit = () => editArguments(place, { id: entry.id, approve, leave }).catch(problemIn(made));
  const [editor] = afterLook(
    h(
      "button",
      { type: "button", class: "plain edits", "aria-keyshortcuts": "c", onclick: edit },
      "Change",
      h("kbd", { "aria-hidden": "true" }, "c"),
    ),
  );
  const shown = [
    entry.detail.length > 0 && diff(entry.detail, "Everything that you approve"),
    standing.length > 0 && h("div", { class: "choices" }, h("span", { class: "hint" }, "Approve"), ...standing),
    h(
      "div",
      { class: "choices" },
      ...choices,
      entry.editable === true && editor,
      h("label", { for: reason }, "Why not"),
      why,
    ),
  ];
  fill(place, ...shown);
  const made = cardOf(entry, place);
  return made;
}

function questionCard(entry) {
  const name = newId();
  const ownId = newId();
  const words = h("textarea", { id: ownId, rows: "2", maxlength: "20000" });
  const type = entry.several ? "checkbox" : "radio";
  const choices = entry.choices.map(({ label, description }, index) => {
    const id = newId();
    const about = description === undefined ? "" : h("span", { class: "hint" }, description);
    const label_ = h("label", { for: id }, label, " ", about);
    return h("div", { class: "choice" }, h("input", { type, name, id, value: index }), label_);
  });
  const answer = (said) => send(made, `/api/questions/${entry.id}`, { answer: said });
  const taken = () => {
    const own = words.value.trim() === "" ? [] : [words.value.trim()];
    const chosen = [...made.querySelectorAll(`[name=${name}]:checked`)].map(({ value }) => entry.choices[value].label);
    return entry.several || own.length === 0 ? [...chosen, ...own] : own;
  };
  const answerTaken = () => {
    if (taken().length > 0) return answer(taken());
    made.querySelector(".problem").textContent = "Choose an answer or write one";
  };
  const buttons = afterLook(
    h("button", { type: "button", class: "yes", onclick: answerTaken }, "Answer"),
    h("button", { type: "button", class: "plain", onclick: () => answer([]) }, "Rather not"),
  );
  const made = cardOf(
    entry,
    choices.length > 0 && h("fieldset", {}, h("legend", {}, entry.several ? "Any of these" : "One of these"), choices),
    h("label", { for: ownId }, choices.length > 0 ? "Something else" : "Your answer"),
    words,
    h("div", { class: "choices" }, ...buttons),
  );
  return made;
}
