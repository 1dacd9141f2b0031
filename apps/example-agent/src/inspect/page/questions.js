import { announce, fill, h, newId } from "./dom.js";
import { listen } from "./entries.js";
import { ask } from "./server.js";
import { diff } from "./texts.js";

/** How long a question is there before it can be answered: what was under the finger when it came is no answer to it. */
const LOOK_MS = 700;
/** How long it stays when it has been answered. */
const STAY_MS = 4_000;
const OUTCOMES = {
  approved: "Approved",
  refused: "Refused",
  later: "Left for later",
  gone: "Nobody waits for it any more",
};

/** Shows what waits for the person, above all else. */
export function showQuestions() {
  const section = document.querySelector("#questions");
  const cards = document.querySelector("#cards");
  const open = new Map();
  const draw = () => (section.hidden = cards.childElementCount === 0);

  listen((entry) => {
    if (entry.kind !== "approval" && entry.kind !== "question") return;
    if (entry.state === "open" && !open.has(entry.id)) {
      const card = entry.kind === "approval" ? approvalCard(entry) : questionCard(entry);
      open.set(entry.id, card);
      cards.append(card);
      announce(`${entry.kind === "question" ? "The agent asks" : "Waiting for you"}: ${entry.text}`);
      setTimeout(() => card.querySelectorAll("button").forEach((one) => (one.disabled = false)), LOOK_MS);
    } else if (entry.state !== "open" && open.has(entry.id)) {
      const card = open.get(entry.id);
      open.delete(entry.id);
      close(card, entry);
      setTimeout(() => (card.remove(), draw()), STAY_MS);
    }
    draw();
  });
}

/** Says what was answered and where; whoever had the focus in it is not thrown out. */
function close(card, entry) {
  const { state, where = "", reason } = entry;
  const said = entry.kind === "question" ? entry.answer?.join(", ") || "no answer" : OUTCOMES[state];
  const text = state === "gone" ? OUTCOMES.gone : `${said} ${where}${reason === undefined ? "" : `: ${reason}`}`;
  const hadFocus = card.contains(document.activeElement);
  card.dataset.state = state;
  const [asked, words] = [...card.children];
  fill(card, asked, entry.kind === "question" && words, h("p", { class: "hint" }, text));
  if (hadFocus) card.focus();
  announce(text);
}

function cardOf(entry, ...parts) {
  const [title, words] = [newId(), newId()];
  const isAgents = entry.kind === "question";
  // What the agent asks must not look like a question of the program: no answer to it approves anything.
  const asked = isAgents ? h("h3", { id: title }, "The agent asks") : h("h3", { id: title }, entry.text);
  const text = isAgents && h("p", { id: words, class: "words quoted" }, entry.text);
  const labels = isAgents ? `${title} ${words}` : title;
  const made = h("div", {
    class: isAgents ? "card agents" : "card",
    role: "group",
    tabindex: "-1",
    "aria-labelledby": labels,
    "data-stop": true,
  });
  fill(made, asked, text, ...parts, h("p", { class: "problem", role: "alert" }));
  return made;
}

async function send(element, path, body) {
  const problem = element.querySelector(".problem");
  await ask(path, body).catch((error) => (problem.textContent = error.message));
}

function approvalCard(entry) {
  const reason = newId();
  const why = h("input", { id: reason, type: "text", maxlength: "2000", autocomplete: "off" });
  const decide = (decision) => send(made, `/api/approvals/${entry.id}`, { ...decision, reason: why.value });
  const choice = (text, key, decision, kind) =>
    h(
      "button",
      { type: "button", class: kind, disabled: true, "aria-keyshortcuts": key, onclick: () => decide(decision) },
      text,
      h("kbd", { "aria-hidden": "true" }, key),
    );
  const made = cardOf(
    entry,
    entry.detail.length > 0 && diff(entry.detail, "What a yes is a yes to"),
    h(
      "div",
      { class: "choices" },
      choice("Approve", "a", { approved: true }, "yes"),
      choice("Refuse", "r", { approved: false }, "no"),
      choice("Later", "l", { approved: false, later: true }, "plain"),
      h("label", { for: reason }, "Why not"),
      why,
    ),
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
    return h("div", {}, h("input", { type, name, id, value: index }), h("label", { for: id }, label, " ", about));
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
  const made = cardOf(
    entry,
    choices.length > 0 && h("fieldset", {}, h("legend", {}, entry.several ? "Any of these" : "One of these"), choices),
    h("label", { for: ownId }, choices.length > 0 ? "Something else" : "Your answer"),
    words,
    h(
      "div",
      { class: "choices" },
      h("button", { type: "button", class: "yes", disabled: true, onclick: answerTaken }, "Answer"),
      h("button", { type: "button", class: "plain", disabled: true, onclick: () => answer([]) }, "Rather not"),
    ),
  );
  return made;
}
