import { ThreadPool } from "../thread/thread-pool.ts";

/** Listings at a time in the process: each holds a directory for every level of the tree open. */
export const MAX_LISTINGS = 8;
/** Parts that a listing is divided into, each for a thread. */
export const MAX_PARTS = 2;

/** Threads that list, for all tools and sets of tools: starting one takes as long as listing thousands of files. */
export const listThreads: ThreadPool = new ThreadPool(MAX_LISTINGS * MAX_PARTS);
