import { rmdirSync } from "node:fs";
import { rm } from "node:fs/promises";

/** With growing delays: ten seconds in all. */
const MAX_RETRIES = 20;
const RETRY_DELAY_MS = 50;

/**
 * Removes the directory of a process that has ended. Never rejects.
 *
 * Tries for ten seconds: on Windows a killed process releases its files a moment later, and a host may have no descriptor
 * free, which reading a directory takes. An empty directory needs none.

 */
export async function removeDirectory(directory: string): Promise<void> {
  try {
    rmdirSync(directory);
  } catch {
    await rm(directory, { recursive: true, force: true, maxRetries: MAX_RETRIES, retryDelay: RETRY_DELAY_MS }).catch(
      () => undefined,
    );
  }
}
