import { batched, fill, h } from "./dom.js";
import { isLive, listen, openQuestions } from "./entries.js";
import { goToQuestion } from "./keys.js";
import { ask } from "./server.js";

const TITLE = "Dispatch";

/**
 * Shows the run's activity, and the questions for the person: in the column, in the title and in the icon of the tab.
 */
export function showStatus() {
  const place = document.querySelector("#status");
  const shown = { isConnected: false, why: "Connecting", state: "resting", text: "Nothing runs" };

  const draw = batched(() => {
    const { isConnected, why, state, text } = shown;
    const count = isConnected ? openQuestions().length : 0;
    place.dataset.state = !isConnected ? "lost" : count > 0 ? "waiting" : state;
    if (count === 0) fill(place, isConnected ? text : why);
    else if (place.querySelector("button") === null) {
      fill(
        place,
        h(
          "button",
          { type: "button", onclick: goToQuestion },
          "Waiting for you ",
          h("span", { class: "count" }, count),
        ),
      );
    } else place.querySelector(".count").textContent = count;
    document.body.toggleAttribute("data-waits", count > 0);
    document.title = count > 0 ? `(${count}) Waiting for you · ${TITLE}` : TITLE;
    const icon = count > 0 ? "icon-waiting.svg" : "icon.svg";
    const link = document.querySelector("#icon");
    if (link.getAttribute("href") !== icon) link.setAttribute("href", icon);
  });
  listen((entry) => {
    if (entry.kind === "status") Object.assign(shown, { state: entry.state, text: entry.text });
    draw();
  });
  return {
    connected(isConnected, why = "") {
      Object.assign(shown, { isConnected, why });
      draw();
    },
  };
}

/** Shows the run's state, with its calls and tokens so far. */
export async function showAbout() {
  const about = await ask("/api/about").catch(() => ({}));
  const [calls, tokens] = [h("dd", {}, "0"), h("dd", {}, "none reported")];
  const rows = Object.entries(about).flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]);
  fill(document.querySelector("#about"), ...rows, h("dt", {}, "calls"), calls, h("dt", {}, "tokens"), tokens);

  const failed = new Set();
  const used = new Map();
  let made = 0;
  const draw = batched(() => {
    const count = made.toLocaleString("en");
    calls.textContent = failed.size === 0 ? count : `${count}, ${failed.size.toLocaleString("en")} refused or failed`;
    if (used.size === 0) return;
    const sum = (part) => [...used.values()].reduce((all, usage) => all + usage[part], 0).toLocaleString("en");
    tokens.textContent = `${sum("input")} in, ${sum("cached")} of them cached, ${sum("output")} out`;
  });
  listen((entry, isNew) => {
    if (!isLive(entry)) return;
    if (entry.kind === "call" && isNew) made += 1;
    if (entry.kind === "call" && entry.state === "failed") failed.add(entry.id);
    if (entry.kind === "turn" && entry.usage !== undefined) used.set(entry.id, entry.usage);
    if (entry.kind === "call" || entry.kind === "turn") draw();
  });
}
