import { Worker, type WorkerOptions } from "node:worker_threads";

/** A thread's program: the URL of its source, or in the published package its text with all that it imports. */
export type ThreadProgram = () => Promise<URL | string>;

/** Starts a thread. It gets nothing of the host's environment. */
export async function startThread(
  program: ThreadProgram,
  options: Pick<WorkerOptions, "workerData" | "resourceLimits">,
): Promise<Worker> {
  const found = await program();
  const isText = typeof found === "string";
  return new Worker(found, {
    ...options,
    env: {},
    eval: isText,
    execArgv: isText ? [] : ["--conditions=@dispatch/source"],
  });
}
