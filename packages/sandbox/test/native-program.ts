import { execFile, spawnSync } from "node:child_process";
import { chmodSync, existsSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { OrphanGuard } from "../src/process/orphan-guard.ts";
import { killTree } from "../src/process/process-tree.ts";
import { startWalled } from "../src/process/start-walled.ts";
import { bubblewrapWall } from "../src/wall/bubblewrap.ts";
import { findWall, tryWall } from "../src/wall/find-wall.ts";
import { namespaceWall } from "../src/wall/namespace-wall.ts";
import { programIdentity } from "../src/wall/program-identity.ts";
import type { Wall } from "../src/wall/wall.ts";
import { AS_USER, directoryOfUser } from "./ordinary-user.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const COMPILERS = ["/usr/bin/cc", "/usr/bin/gcc", "/usr/bin/clang"];

/** Compiles `escape-attempts.c`. `undefined` where there is no compiler or no Linux. */
export function compileAttempts(): string | undefined {
  const compiler = COMPILERS.find((file) => existsSync(file));
  if (compiler === undefined || process.platform !== "linux") return undefined;
  const program = path.join(temporaryDirectory(), "attempts");
  // Some walls run it as another user.
  chmodSync(path.dirname(program), 0o755);
  const source = path.join(import.meta.dirname, "escape-attempts.c");
  const { status, stderr } = spawnSync(compiler, ["-w", "-o", program, source], { encoding: "utf8" });
  if (status !== 0) throw new Error(`Compiling the attempts: found ${stderr}`);
  return program;
}

/** How a wall around a program is tried. */
function trialOf(program: string) {
  return { program, tempDir: temporaryDirectory(), trial: ["--version"], environment: () => ({}) };
}

/** The wall that `DenoRuntime` would take, around any program. */
export function wallFor(program: string, cwd: string | undefined): Wall | undefined {
  return findWall({ ...trialOf(program), identity: programIdentity(cwd) }).wall;
}

/** The wall that `DenoRuntime` takes where only `bwrap` may make namespaces. `undefined` where it may not either. */
export function bubblewrapFor(program: string, cwd: string | undefined): Wall | undefined {
  return ifItWorks(program, () => bubblewrapWall({ program, identity: programIdentity(cwd) }));
}

/** A filter of one instruction, which allows every call. */
const ALLOW_ALL = "060000000000ff7f";

/** The wall without its filter: what namespaces hold by themselves. `undefined` where there are none. */
export function unfilteredFor(program: string, cwd: string | undefined): Wall | undefined {
  return ifItWorks(program, () => {
    const wall = namespaceWall({ program, identity: programIdentity(cwd) });
    return {
      ...wall,
      enclose(...given) {
        const { command, args } = wall.enclose(...given);
        return { command, args: args.map((arg, at) => (args[at - 1] === "filter" ? ALLOW_ALL : arg)) };
      },
    };
  });
}

function ifItWorks(program: string, make: () => Wall): Wall | undefined {
  try {
    const wall = make();
    tryWall(wall, trialOf(program));
    return wall;
  } catch {
    return undefined;
  }
}

export interface NativeRun {
  readonly wall: Wall | undefined;
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd?: string | undefined;
  readonly readOnly?: boolean;
  readonly network?: boolean;
  /** Its own temporary directory. Default a new one. */
  readonly directory?: string;
}

/** A program's printed output until it ends. */
export async function printedBy({ wall, program, args, ...access }: NativeRun): Promise<string> {
  const { cwd, readOnly = false, network = false, directory = temporaryDirectory() } = access;
  const child = startWalled({
    wall,
    program,
    args,
    env: {},
    access: { directory, cwd, readOnly, network },
    input: "ignore",
  });
  let printed = "";
  child.stdout?.on("data", (bytes) => (printed += String(bytes)));
  child.stderr?.on("data", (bytes) => (printed += String(bytes)));
  await new Promise((resolve) => child.once("close", resolve));
  return printed;
}

/**
 * The same in a host that an ordinary user runs: the wall is then one that no root makes.
 *
 * @param before - A command that runs the host. Default none.
 */
export async function printedForUser(
  { program, args, cwd, readOnly = false }: Omit<NativeRun, "wall">,
  before: readonly string[] = [],
): Promise<string> {
  const source = (file: string): string => JSON.stringify(path.join(import.meta.dirname, "../src", file));
  const lines = `import { findWall } from ${source("wall/find-wall.ts")};
import { startWalled } from ${source("process/start-walled.ts")};
const { directory, program, args, cwd, readOnly } = JSON.parse(process.argv[1]);
const { wall, missing } = findWall({ program, identity: undefined, tempDir: directory, trial: ["--version"], environment: () => ({}) });
if (wall === undefined) throw new Error(missing.join());
const access = { directory, cwd, readOnly, network: false };
const { stdout, stderr } = startWalled({ wall, program, args, env: {}, access, input: "ignore" });
for (const output of [stdout, stderr]) output.pipe(process.stdout);`;
  const run = JSON.stringify({ directory: directoryOfUser(), program, args, cwd, readOnly });
  const [command = "", ...user] = [...before, ...AS_USER];
  const node = [process.execPath, "--conditions=@dispatch/source", "--input-type=module-typescript", "-e", lines, run];
  const { stdout, stderr } = await promisify(execFile)(command, [...user, ...node], { cwd: "/" });
  return stdout + stderr;
}

/**
 * Starts a program that does not end, waits for its first output, looks at it, and ends it as a runtime does, as its guard
 * does, or as the kernel does when host and guard are killed: it kills the outermost process.
 */
export async function startAndEnd(
  { wall, program, args, directory = temporaryDirectory() }: NativeRun,
  by: "runtime" | "guard" | "kernel",
  look: (pid: number, printed: string) => void = () => undefined,
): Promise<void> {
  const access = { directory, cwd: undefined, readOnly: true, network: false };
  const child = startWalled({ wall, program, args, env: {}, access, input: "ignore" });
  const closed = new Promise((resolve) => child.once("close", resolve));
  const guard = new OrphanGuard();
  guard.add(Number(child.pid), directory);
  const printed = await new Promise((resolve) => child.stdout?.once("data", resolve));
  look(Number(child.pid), String(printed));
  if (by === "runtime") killTree(child);
  else if (by === "guard") guard.close();
  else child.kill("SIGKILL");
  await closed;
  guard.close();
}

/** Ids of the processes that run a program, in a wall or not. */
export function processesOf(name: string): string {
  return spawnSync("/bin/sh", ["-c", `grep -lax '${name}.*' /proc/[0-9]*/cmdline 2>/dev/null`], {
    encoding: "utf8",
  }).stdout;
}
