import { fork } from "node:child_process";
import { once } from "node:events";

/**
 * Runs a module in a process of its own and answers the one message that it sends.
 *
 * @throws An `Error` when the process ends without one.
 */
export async function fromProcess(module: URL, args: readonly string[]): Promise<unknown> {
  const child = fork(module, args, {
    execArgv: ["--conditions=@dispatch/source", "--expose-gc"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(child, "exit").then(() => undefined);
  const sent = await Promise.race([once(child, "message"), ended]);
  child.kill();
  if (sent === undefined)
    throw new Error(`Cannot compare: ${module.pathname.split("/").at(-1)} ${args.join(" ")} sent nothing`);
  return sent[0] as unknown;
}
