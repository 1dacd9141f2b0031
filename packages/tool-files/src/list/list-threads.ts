// A file of its own: the listing runs in threads too, and what a thread runs cannot import the pool that starts its program.
import { ThreadPool } from "../thread/thread-pool.ts";

/** Listings at a time in the process: each holds a directory for every level of the tree open. */
export const MAX_LISTINGS = 8;

/** Threads that list and list for searches, for all sets of tools: starting one takes as long as listing thousands of files. */
export const listThreads: ThreadPool = new ThreadPool(2 * MAX_LISTINGS);
