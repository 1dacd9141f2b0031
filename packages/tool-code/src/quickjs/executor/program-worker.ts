import { createRequire } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import { BusyClock } from "../engine/busy-clock.ts";
import { ProgramSession } from "../engine/program-session.ts";
import type { SessionMessage } from "../engine/session-message.ts";
import { strippedModule, type StripTypes } from "../engine/strip-types.ts";
import type { FromThread, ThreadData, ToThread } from "./thread-executor.ts";

/** The thread that runs programs for a {@link ThreadExecutor}. */
const { engine, cells, heapMb, amaro } = workerData as ThreadData;
const { transformSync } = createRequire(amaro)(amaro) as { readonly transformSync: StripTypes };
/** The number of the running program. Leftovers of an earlier one do not reach it. */
let current = 0;

function post(message: SessionMessage): void {
  const sent: FromThread = { run: current, message };
  const bytes = "frame" in message && typeof message.frame !== "string" ? [message.frame.buffer as ArrayBuffer] : [];
  parentPort?.postMessage(sent, bytes);
}

const session = new ProgramSession({
  engine: { ...engine, stripTypes: transformSync },
  clock: new BusyClock(cells),
  post,
});

parentPort?.on("message", (message: ToThread) => {
  if ("request" in message) {
    current = message.run;
    void session.run(message.request);
  } else if (message.run !== current) return;
  else if ("answer" in message) session.receive(message.answer);
  else {
    session.stop();
    void session.prepare(heapMb);
  }
});

// The first one compiles the parser, both ways.
strippedModule("enum A {}", transformSync);
// A rejection ends the thread, and is its error.
void session.prepare(heapMb).then(() => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage("ready" satisfies FromThread);
});
