import { takeIn } from "./entries.js";
import { listenForKeys } from "./keys.js";
import { showMemory } from "./memory.js";
import { showOpened } from "./opened.js";
import { follow } from "./server.js";
import { showAbout, showStatus } from "./status.js";
import { showTools } from "./tools.js";
import { showTranscript } from "./transcript.js";
import { showWaiting } from "./waiting.js";

const status = showStatus();
const transcript = showTranscript();
const parts = { transcript: transcript.show, tools: showTools(), memory: showMemory() };
showOpened(transcript);

/** Shows the part that the address names, and the entry in it that the address names. */
function showPart() {
  const [, name = "transcript", named = ""] = /^#\/(\w+)(?:\/(.*))?$/.exec(location.hash) ?? [];
  const part = Object.hasOwn(parts, name) ? name : "transcript";
  for (const other of Object.keys(parts)) document.querySelector(`#${other}`).hidden = other !== part;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash === `#/${part}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (part !== "transcript") scrollTo(0, 0);
  return parts[part](decoded(named));
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

listenForKeys({ toEnd: () => transcript.toEnd() });
addEventListener("hashchange", showPart);
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  document.querySelector("main").focus();
});
await showPart();
await showAbout();
await Promise.all([
  parts.memory(""),
  showWaiting(),
  follow({
    entries: takeIn,
    beginning: ({ leftOut }) =>
      leftOut > 0 &&
      takeIn([{ kind: "said", by: "notice", id: "left", text: `${leftOut} earlier entries are not kept any more` }]),
    connected: (...how) => status.connected(...how),
  }),
]);
