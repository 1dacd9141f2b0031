// The program of a thread that makes patches which may take long.
import { parentPort } from "node:worker_threads";
import { answerPatch, type PatchRequest } from "./answer-patch.ts";

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.on("message", (request: PatchRequest) => parentPort?.postMessage(answerPatch(request)));
