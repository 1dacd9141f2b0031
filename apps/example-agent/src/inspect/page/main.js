import { batched, fill, h } from "./dom.js";
import { listen, takeIn } from "./entries.js";
import { listenForKeys } from "./keys.js";
import { showMemory } from "./memory.js";
import { showQuestions } from "./questions.js";
import { ask, follow } from "./server.js";
import { showTools } from "./tools.js";
import { showTranscript } from "./transcript.js";

const status = document.querySelector("#status");
const parts = { transcript: () => {}, tools: showTools(), memory: showMemory() };
const shown = { isConnected: false, why: "Connecting", state: "resting", text: "Ready" };
const asked = new Set();
const calls = { made: 0, failed: new Set() };

/** Says what is going on: first what keeps the page from knowing, then what waits for the person. */
function showStatus() {
  const { isConnected, why, state, text } = shown;
  status.dataset.state = isConnected ? (asked.size > 0 ? "waiting" : state) : "lost";
  fill(status, isConnected ? (asked.size > 0 ? "Waiting for you" : text) : why);
}

const showCalls = batched(() => {
  const { made, failed } = calls;
  document.querySelector("#calls").textContent =
    failed.size === 0 ? made.toLocaleString("en") : `${made.toLocaleString("en")}, ${failed.size} refused or failed`;
});

/** Shows the part that the address names. */
function showPart() {
  const name = Object.keys(parts).find((one) => location.hash === `#/${one}`) ?? "transcript";
  for (const other of Object.keys(parts)) document.querySelector(`#${other}`).hidden = other !== name;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash === `#/${name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  return parts[name]();
}

async function showAbout() {
  const about = await ask("/api/about").catch(() => ({}));
  const values = { ...about, calls: "0" };
  const rows = Object.entries(values).flatMap(([name, value]) => [
    h("dt", {}, name),
    h("dd", { id: name === "calls" && name }, value),
  ]);
  fill(document.querySelector("#about"), ...rows);
}

showTranscript();
showQuestions();
listenForKeys();
listen((entry, isNew) => {
  if (entry.kind === "status") Object.assign(shown, { state: entry.state, text: entry.text });
  else if (entry.kind === "call") {
    if (isNew) calls.made += 1;
    if (entry.state === "failed") calls.failed.add(entry.id);
    return showCalls();
  } else if (entry.state === "open") asked.add(entry.id);
  else asked.delete(entry.id);
  showStatus();
});
addEventListener("hashchange", showPart);
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  document.querySelector("main").focus();
});
await showPart();
await showAbout();
await Promise.all([
  parts.memory(),
  follow({
    entries: takeIn,
    beginning: ({ leftOut }) =>
      leftOut > 0 &&
      takeIn([
        { kind: "said", by: "notice", id: "left-out", text: `${leftOut} earlier entries are not kept any more` },
      ]),
    connected(isConnected, why = "") {
      Object.assign(shown, { isConnected, why });
      showStatus();
    },
  }),
]);
