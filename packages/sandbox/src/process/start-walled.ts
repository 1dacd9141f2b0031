import type { ChildProcess } from "node:child_process";
import { accessSync, closeSync, constants, existsSync, openSync, writeFileSync } from "node:fs";
import { devNull, setPriority } from "node:os";
import path from "node:path";
import type { Wall, WalledCommand, WrapAccess } from "../wall/wall.ts";
import { inheritedDescriptors } from "./inherited-descriptors.ts";
import { inOwnGroup } from "./process-tree.ts";
import { spawnChild } from "./spawn-child.ts";

/** The process to start. */
export interface WalledStart {
  /** Its containment. `undefined` for none. */
  readonly wall: Wall | undefined;
  readonly program: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly access: WrapAccess;
  /** Whether it is sent anything. Its output always is read. */
  readonly input: "pipe" | "ignore";
}

/**
 * A third of the processor time that the host gets when both want it. With four programs that compute on two cores the 99th
 * percentile of the host's event loop delay is 0.1 s, without it 0.8 s; a program takes up to three times as long on a busy machine.
 */
const NICENESS = 5;
const SETPRIV = "/usr/bin/setpriv";

/**
 * Starts a program inside a wall, as the first process of a group.
 *
 * @throws {Error} When the wall cannot be made or the process cannot be started.
 */
export function startWalled({ wall, program, args, env, access, input }: WalledStart): ChildProcess {
  const start: WalledCommand = wall?.enclose(program, args, access) ?? dyingWithHost(program, args);
  const stdio: ("pipe" | "ignore" | number)[] = [input, "pipe", "pipe"];
  const descriptors: number[] = [];
  try {
    // A program can open a descriptor by its number, and so read and write what the host was given by others.
    for (const descriptor of inheritedDescriptors()) {
      while (stdio.length < descriptor) stdio.push("ignore");
      // One for each: where the host runs in Deno, none can be passed on twice.
      const nothing = openSync(devNull, "r");
      descriptors.push(nothing);
      stdio.push(nothing);
    }
    const child = spawnChild(start.command, start.args, {
      // No file of the working directory may affect the start.
      cwd: path.parse(access.directory).root,
      env,
      stdio,
      detached: inOwnGroup,
      shell: false,
      windowsHide: true,
    });
    yieldToOthers(child.pid);
    return child;
  } finally {
    for (const descriptor of descriptors) closeSync(descriptor);
  }
}

/**
 * The command with the order that Linux ends it when the thread of the host that started it ends, also where a host and its
 * guard are killed together. Walls have orders of their own.
 *
 * @throws {Error} When the command cannot be executed.
 */
function dyingWithHost(command: string, args: readonly string[]): WalledCommand {
  if (process.platform !== "linux" || !existsSync(SETPRIV)) return { command, args };
  accessSync(command, constants.X_OK);
  return { command: SETPRIV, args: ["--pdeathsig=KILL", "--", command, ...args] };
}

/** Lets others go first where processor time is short, and has Linux end it first where memory is. What it starts inherits both. */
function yieldToOthers(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, NICENESS);
    if (process.platform !== "linux") return;
    writeFileSync(`/proc/${pid}/oom_score_adj`, "1000");
    // Some kernels weigh sessions against each other, and processes only within one.
    writeFileSync(`/proc/${pid}/autogroup`, String(NICENESS));
  } catch {
    // The process has ended, the kernel has no such file, or this is not permitted. Either way it is only a precaution.
  }
}
