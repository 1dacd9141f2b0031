// The program of a thread that words conflicts, whose differences may take long to find.
import { parentPort } from "node:worker_threads";
import { answerConflict, type ConflictWork } from "./answer-conflict.ts";

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.on("message", (work: ConflictWork) => parentPort?.postMessage(answerConflict(work)));
