// The program of a thread that makes edits which may take long.
import { parentPort } from "node:worker_threads";
import { answerEdit } from "./answer-edit.ts";
import type { EditRequest } from "./make-edit.ts";

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.on("message", (request: EditRequest) => parentPort?.postMessage(answerEdit(request)));
