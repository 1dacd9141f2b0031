import { DBOS } from "@dbos-inc/dbos-sdk";
import { DurableError } from "../durable-error.ts";

let owner: string | undefined;

/**
 * Takes DBOS, of which there is one per process, and returns the name of this process as a worker.
 *
 * @throws {DurableError} While another engine, or the host, has it.
 */
export function takeProcess(): string {
  if (owner !== undefined || DBOS.isInitialized())
    throw new DurableError(
      "Cannot open the calls: DBOS is one per process and in use here. Close the engine that is open, or open this one in another process",
    );
  return (owner = crypto.randomUUID());
}

/** Ends DBOS, so that another engine may be opened. */
export async function leaveProcess(): Promise<void> {
  try {
    await DBOS.shutdown({ deregister: true });
  } finally {
    owner = undefined;
  }
}
