// The program of a thread that lists large trees.
import { parentPort } from "node:worker_threads";
import { answerList, type ListWork } from "./answer-list.ts";

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.on("message", async (work: ListWork) => parentPort?.postMessage(await answerList(work)));
