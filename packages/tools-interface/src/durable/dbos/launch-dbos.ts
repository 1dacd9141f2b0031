import { DBOS } from "@dbos-inc/dbos-sdk";
import type { PatientPool } from "./patient-pool.ts";
import { ownQueue, QUEUE } from "./step-queues.ts";
import { whileUnreachable } from "./while-unreachable.ts";

/** The settings of DBOS in this process. */
export interface DbosSettings {
  readonly url: string;
  /** The name of this process. */
  readonly worker: string;
  /** Whether this process takes steps that any worker may do, and at most how many. */
  readonly serves: boolean;
  readonly maxTaken: number;
}

/** Starts DBOS on the connections of the engine, with its queues. */
export async function launchDbos(pool: PatientPool, { url, worker, serves, maxTaken }: DbosSettings): Promise<void> {
  DBOS.setConfig({
    name: "dispatch",
    systemDatabaseUrl: url,
    systemDatabasePool: pool,
    // So that looks at other processes' steps and queues leave a connection for everything else.
    systemDatabasePollingConcurrency: 1,
    maxConcurrentQueueDispatches: 1,
    executorID: worker,
    applicationVersion: "dispatch-1",
    logLevel: "error",
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
  await whileUnreachable(() => register(QUEUE, maxTaken));
  await whileUnreachable(() => registerOwnQueue(worker));
}

/** Registers the queue of this process: again while it lives, because others remove it when they take this process for dead. */
export function registerOwnQueue(worker: string): Promise<unknown> {
  return register(ownQueue(worker), 1_000);
}

function register(queue: string, most: number): Promise<unknown> {
  return DBOS.registerQueue(queue, { workerConcurrency: most, minPollingIntervalMs: 100, onConflict: "always_update" });
}
