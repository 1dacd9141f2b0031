// The program of a search thread: it answers each list of paths with the matches in them.
import { parentPort } from "node:worker_threads";
import { searchFiles, type SearchWork } from "./file-search.ts";

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.on("message", async (work: SearchWork) => parentPort?.postMessage(await searchFiles(work)));
