// The program of a search thread: it answers each list of paths with the matches in them.
import { parentPort, workerData } from "node:worker_threads";
import { FileSearch, type FileSearchSettings } from "./file-search.ts";

const search = new FileSearch(workerData as FileSearchSettings);

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.on("message", async (paths: readonly string[]) => parentPort?.postMessage(await search.searchPaths(paths)));
