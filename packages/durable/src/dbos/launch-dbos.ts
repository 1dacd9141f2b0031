import { DBOS, type DLogger } from "@dbos-inc/dbos-sdk";
import type { JsonValue } from "@dispatch/tools-interface";
import type { PatientPool } from "./patient-pool.ts";
import { ownQueue, QUEUE, registerOwnQueue, registerQueue } from "./step-queues.ts";
import { whileUnreachable } from "./while-unreachable.ts";

/** The arguments of the workflow of a step: its key and intent, and the token of the process that began it at once. */
export type StepArguments = readonly [key: string, intent: JsonValue, token: string | null];

/** The settings of DBOS in this process. */
export interface DbosSettings {
  readonly url: string;
  /** The name of this process. */
  readonly worker: string;
  /** Whether this process takes steps that any worker may do, and at most how many. */
  readonly serves: boolean;
  readonly maxTaken: number;
  /** Receives the errors that DBOS would log. */
  readonly onError: ((error: unknown) => void) | undefined;
}

/** Starts DBOS on the connections of the engine, with its queues. */
export async function launchDbos(
  pool: PatientPool,
  { url, worker, serves, maxTaken, onError }: DbosSettings,
): Promise<void> {
  DBOS.setConfig({
    name: "dispatch",
    systemDatabaseUrl: url,
    systemDatabasePool: pool,
    // So that looks at other processes' steps and queues leave a connection for everything else.
    systemDatabasePollingConcurrency: 1,
    maxConcurrentQueueDispatches: 1,
    executorID: worker,
    applicationVersion: "dispatch-1",
    logger: loggerOf(onError),
    listenQueues: [ownQueue(worker), ...(serves ? [QUEUE] : [])],
  });
  await whileUnreachable(async () => {
    try {
      await DBOS.launch();
    } catch (error) {
      await DBOS.shutdown();
      throw error;
    }
  });
  await whileUnreachable(() => registerQueue(QUEUE, maxTaken));
  await whileUnreachable(() => registerOwnQueue(worker));
}

/** The console is the host's. An error that ends a call is in the result of that call. */
function loggerOf(onError: (error: unknown) => void = () => undefined): DLogger {
  const ignore = (): void => undefined;
  return {
    info: ignore,
    debug: ignore,
    warn: ignore,
    error: (entry, metadata) => onError(metadata?.error ?? new Error(String(entry))),
  };
}
