// The program of a thread that reads notebooks.
import { parentPort } from "node:worker_threads";
import { notebookCells, type NotebookRequest } from "./notebook-cells.ts";

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.on("message", (request: NotebookRequest) => parentPort?.postMessage(notebookCells(request)));
