import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A child process that runs a script from source and talks in lines. */
export interface Child {
  /** The process. */
  readonly process: ChildProcess;
  /** The lines it has printed. */
  readonly lines: readonly string[];
  /** Resolves when it has printed this many lines, or has ended. */
  printed(lines: number): Promise<void>;
  /** Resolves when it has ended and all it printed was read. */
  readonly ended: Promise<void>;
}

/** Starts a script with arguments in the Node.js of the tests. */
export function startChild(script: URL, ...args: readonly string[]): Child {
  const process_ = spawn(process.execPath, ["--conditions=@dispatch/source", fileURLToPath(script), ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const reader = createInterface({ input: process_.stdout });
  reader.on("line", (line) => {
    lines.push(line);
    for (const check of waiting) check();
  });
  const killed = (): void => void process_.kill("SIGKILL");
  process.once("exit", killed);
  const ended = new Promise<void>((resolve) =>
    process_.once("close", () => {
      process.off("exit", killed);
      resolve();
    }),
  );
  const printed = (count: number): Promise<void> =>
    Promise.race([
      ended,
      new Promise<void>((resolve) => {
        const check = (): void => {
          if (lines.length >= count) resolve();
        };
        waiting.add(check);
        check();
      }),
    ]);
  return { process: process_, lines, printed, ended };
}
