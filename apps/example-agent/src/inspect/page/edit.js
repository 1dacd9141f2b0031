import { argumentsForm } from "./arguments-form.js";
import { fill, h } from "./dom.js";
import { ask } from "./server.js";
import { afterLook, button, diff } from "./texts.js";

/**
 * Lets the person change the arguments of a call before they approve it. What they approve is what was checked and shown.
 *
 * @param {Element} place Holds the form, then the changes, in place of all that a question offers.
 * @param {{ id: string, approve: (key: string) => unknown, leave: () => void }} of The id of the question; how the checked
 *   changes are approved, by their key; how to go back to the question.
 */
export async function editArguments(place, { id, approve, leave }) {
  const path = `/api/edits/${encodeURIComponent(id)}`;
  const { tool, schema, arguments: params } = await ask(path);
  const { form, swap, read } = argumentsForm(`Change the arguments of ${tool}`, schema, JSON.stringify(params));
  const check = async () => {
    const value = read();
    if (value === undefined) return;
    const { key, changes } = await ask(path, { arguments: value });
    showChanges(key, changes);
  };
  const [checker, problem] = button("Show the changes", check, { type: "submit", class: "yes" });
  const leaver = h("button", { type: "button", onclick: leave }, "Leave it unchanged");
  const fields = h("div", { class: "edit" }, ...form.childNodes);
  form.append(fields, h("div", { class: "choices" }, checker, swap[0], leaver), problem, swap[1]);

  const showForm = () => {
    fill(place, form);
    fields.querySelector("input, textarea, select")?.focus();
  };
  const showChanges = (key, changes) => {
    const rows = diff(changes, "Your changes");
    const yes = h(
      "button",
      { type: "button", class: "yes", "aria-keyshortcuts": "a", onclick: () => approve(key) },
      "Approve as changed",
      h("kbd", { "aria-hidden": "true" }, "a"),
    );
    const back = h("button", { type: "button", onclick: showForm }, "Change more");
    const unchanged = h("button", { type: "button", onclick: leave }, "Leave it unchanged");
    fill(place, rows, h("div", { class: "choices" }, ...afterLook(yes), back, unchanged));
    rows.focus();
  };
  showForm();
}
