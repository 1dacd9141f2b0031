import { announce, fill, h, newId } from "./dom.js";
import { ask } from "./server.js";
import { diff } from "./texts.js";

/** How long a question is there before it can be answered: a click that was meant for something else is no answer. */
const LOOK_MS = 700;
const OUTCOMES = {
  approved: "Approved",
  refused: "Refused",
  later: "Left for later",
  gone: "Nobody waits for an answer any more",
};

/** Buttons that can be used once they have been in sight for a moment. */
export function afterLook(...buttons) {
  for (const one of buttons) one.disabled = true;
  setTimeout(() => buttons.forEach((one) => (one.disabled = false)), LOOK_MS);
  return buttons;
}

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
    const line = answered(changed);
    element.classList.remove("open");
    fill(element, line);
    if (hadFocus) line.focus();
    announce(line.textContent);
  };
  if (entry.state !== "open") fill(element, answered(entry));
  else {
    element.classList.add("open");
    fill(element, entry.kind === "approval" ? approvalCard(entry) : questionCard(entry));
    announce(`${entry.kind === "question" ? "The agent asks" : "Waiting for you"}: ${entry.text}`);
  }
  return { element, update };
}

/** How a question was answered, and where. */
function answered({ kind, text, state, where = "", reason, answer }) {
  const said = kind === "question" ? answer?.join(", ") || "no answer" : OUTCOMES[state];
  const outcome = state === "gone" ? OUTCOMES.gone : `${said} ${where}${reason === undefined ? "" : `: ${reason}`}`;
  const attributes = { class: "answered", tabindex: "-1", "data-state": state };
  return h("p", attributes, h("span", { class: "question" }, text), " ", h("strong", {}, outcome));
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
  const problem = element.querySelector(".problem");
  problem.textContent = "";
  await ask(path, body).catch((error) => (problem.textContent = error.message));
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
  const made = cardOf(
    entry,
    entry.detail.length > 0 && diff(entry.detail, "Everything that you approve"),
    standing.length > 0 && h("div", { class: "choices" }, h("span", { class: "hint" }, "Approve"), ...standing),
    h("div", { class: "choices" }, ...choices, h("label", { for: reason }, "Why not"), why),
  );
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
