import { fill, h, newId } from "./dom.js";
import { editArguments } from "./edit.js";
import { listen } from "./entries.js";
import { ask } from "./server.js";
import { afterLook, diff } from "./texts.js";

/** Delay after a change before the page asks for waiting entries again. */
const SETTLE_MS = 300;
const UNKNOWN = "Its process ended while it ran. Look at what it changes, then say what happened.";

/**
 * Shows the waiting entries of the directory of `--durable`: approvals, also of earlier processes, and calls of unknown
 * outcome.
 */
export async function showWaiting() {
  const place = document.querySelector("#waiting");
  const shown = new Map();
  const draw = ({ approvals, unknown }) => {
    const cards = [
      ...approvals.map((one) => [one.key, () => approvalCard(one, refresh)]),
      ...unknown.map((one) => [one.key, () => unknownCard(one, refresh)]),
    ];
    // A question that stays keeps its element, and so the focus and the words in it.
    for (const key of shown.keys()) if (!cards.some(([other]) => other === key)) shown.delete(key);
    for (const [key, make] of cards) if (!shown.has(key)) shown.set(key, make());
    place.hidden = shown.size === 0;
    for (const child of Array.from(place.children)) if (![...shown.values()].includes(child)) child.remove();
    for (const one of shown.values()) if (!one.isConnected) place.append(one);
  };
  const refresh = async () => {
    const found = await ask("/api/waiting").catch(() => undefined);
    if (found !== undefined) draw(found);
  };
  let timer;
  listen((entry) => {
    if (entry.kind !== "approval" && entry.kind !== "call") return;
    clearTimeout(timer);
    timer = setTimeout(refresh, SETTLE_MS);
  });
  await refresh();
}

function approvalCard({ key, tool, agent, session, parents, detail, risk, policy, editable }, refresh) {
  const chain = [agent, ...parents.map(({ name, caller }) => (caller === "program" ? `a program of ${name}` : name))];
  const about = [`asked by ${chain.join(" › ")}`, `session ${session}`, `risk ${risk.level}`, ...risk.reasons];
  const rules = policy === undefined ? [] : [`rules ${policy.rules.join(", ")}`];
  const decide = (approved, edited) => ({ path: "/api/waiting/approval", body: { key, approved, edited } });
  return card(
    `${tool} waits for an approval`,
    [...about, ...rules],
    diff(detail, "Everything that you approve"),
    refresh,
    [
      ["Approve", decide(true)],
      ["Refuse", decide(false)],
    ],
    editable && { id: key, approval: (edited) => decide(true, edited) },
  );
}

function unknownCard({ key, tool, session, detail }, refresh) {
  const settle = (happened) => ({ path: "/api/waiting/unknown", body: { key, happened } });
  const sent = diff(detail, "What was sent");
  return card(`It is not known what ${tool} did`, [UNKNOWN, `session ${session}`], sent, refresh, [
    ["It happened", settle(true)],
    ["It did not happen", settle(false)],
  ]);
}

function card(title, about, shown, refresh, answers, edit) {
  const id = newId();
  const problem = h("p", { class: "problem", role: "alert" });
  const send = async ({ path, body }) => {
    problem.textContent = "";
    await ask(path, body).catch((error) => (problem.textContent = error.message));
    await refresh();
  };
  const buttons = answers.map(([label, answer], index) =>
    h("button", { type: "button", class: index === 0 ? "yes" : "no", onclick: () => send(answer) }, label),
  );
  const made = h("div", { class: "card", role: "group", tabindex: "-1", "aria-labelledby": id });
  const lines = about.map((line) => h("li", {}, line));
  const place = h("div", {});
  const leave = () => {
    fill(place, ...parts);
    made.focus();
  };
  const change = async () => {
    problem.textContent = "";
    const approve = (key) => send(edit.approval(key));
    await editArguments(place, { id: edit.id, approve, leave }).catch(({ message }) => (problem.textContent = message));
  };
  if (edit) buttons.push(h("button", { type: "button", class: "plain", onclick: change }, "Change"));
  const parts = [shown, h("div", { class: "choices" }, ...afterLook(...buttons))];
  fill(place, ...parts);
  fill(made, h("h3", { id }, title), h("ul", { class: "hint" }, ...lines), place, problem);
  return made;
}
