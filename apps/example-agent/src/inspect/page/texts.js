import { h, newId } from "./dom.js";

/** A time for a person. */
export function duration(milliseconds) {
  return milliseconds < 1_000
    ? `${Math.max(1, Math.round(milliseconds))} ms`
    : `${(milliseconds / 1_000).toFixed(1)} s`;
}

/** Milliseconds that a call took, without those in which it waited for the person. `undefined`: not known. */
export function ownTime({ name, durationMs, waitedMs = 0 }) {
  // The time of an answer is the person's.
  return durationMs === undefined || name === "ask_user_question" ? undefined : durationMs - waitedMs;
}

/** When something was, on the clock. */
export function clock(time) {
  return new Date(time).toLocaleTimeString("en-GB");
}

/** A text as it stands, which scrolls when it is long. */
export function block(text, label, kind = "text") {
  return h("pre", { class: kind, tabindex: "0", role: "group", "aria-label": label }, text);
}

const SIGNS = { "+": "added", "-": "removed", "@": "place" };

/** Rows of a diff. Signs mark added and removed rows, colours only repeat it. */
export function diff(rows, label, leftOut = 0) {
  const lines = rows.map((row) => h("span", { class: `row ${SIGNS[row[0]] ?? "kept"}` }, row));
  if (leftOut > 0) lines.push(h("span", { class: "row place" }, `and ${leftOut.toLocaleString("en")} more lines`));
  return h("pre", { class: "diff", tabindex: "0", role: "group", "aria-label": label }, ...lines);
}

/** The arguments: each field by its name, texts of several lines as they stand. */
export function fields(sent) {
  const values = read(sent);
  if (values === undefined) return block(sent, "What was sent");
  const rows = Object.entries(values).flatMap(([name, value]) => {
    const isLong = typeof value === "string" && value.includes("\n");
    const shown = isLong
      ? block(value, name)
      : h("code", {}, typeof value === "string" ? value : JSON.stringify(value, null, 2));
    return [h("dt", {}, name), h("dd", {}, shown)];
  });
  return rows.length === 0 ? h("p", { class: "hint" }, "Nothing was sent") : h("dl", { class: "fields" }, ...rows);
}

function read(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** An element that opens and closes. Its contents are made when it is first opened. */
export function disclosure(title, make, attributes = {}) {
  const details = h("details", attributes, h("summary", {}, title));
  details.addEventListener("toggle", () => details.open && details.childElementCount === 1 && details.append(make()));
  return details;
}

/** A button, with its action and, if that fails, the reason. */
export function button(text, act, attributes = {}) {
  const problem = h("span", { class: "problem", role: "alert", id: newId() });
  const made = h("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", async () => {
    // Not `disabled`: that would take the focus away.
    if (made.ariaDisabled === "true") return;
    problem.textContent = "";
    made.ariaDisabled = "true";
    try {
      await act();
    } catch (error) {
      problem.textContent = error.message;
    }
    made.ariaDisabled = "false";
  });
  return [made, problem];
}

/** How long a question is there before it can be answered: a click that was meant for something else is no answer. */
const LOOK_MS = 700;

/** Buttons that can be used once they have been in sight for a moment. */
export function afterLook(...buttons) {
  for (const one of buttons) one.disabled = true;
  setTimeout(() => buttons.forEach((one) => (one.disabled = false)), LOOK_MS);
  return buttons;
}
