import { ThreadPool } from "../thread/thread-pool.ts";

/** Detects and decodes legacy encodings, which takes longer than the event loop may wait. One thread in all of the process. */
export const decodeThread: ThreadPool = new ThreadPool(1);
