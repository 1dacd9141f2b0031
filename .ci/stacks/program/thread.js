// The whole program in a thread, which sends its result back.
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { runAll } from "./all.js";

if (isMainThread) {
  const thread = new Worker(new URL(import.meta.url));
  thread.on("message", (found) => process.stdout.write(`${JSON.stringify(found)}\n`));
} else parentPort.postMessage(await runAll());
