import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { makeDirectory } from "../process/remove-directory.ts";
import { bubblewrapWall } from "./bubblewrap.ts";
import { namespaceWall } from "./namespace-wall.ts";
import { seatbeltWall } from "./seatbelt-wall.ts";
import type { Wall, WalledProgram } from "./wall.ts";

/** Requirements of the search for containment. */
export interface WallSearch extends WalledProgram {
  /** Where the trial may make a directory. */
  readonly tempDir: string;
  /** Arguments with which it shows that it runs: it ends with status 0. */
  readonly trial: readonly string[];
  /** The environment of a process, from its own temporary directory. */
  readonly environment: (directory: string) => NodeJS.ProcessEnv;
}

/** The strongest wall that works here. */
export interface FoundWall {
  /** `undefined` when none works. */
  readonly wall: Wall | undefined;
  /** Why each stronger one does not work. */
  readonly missing: readonly string[];
}

type Candidate = readonly [name: string, make: () => Wall];

const TRIAL_TIMEOUT_MS = 10_000;
const found = new Map<string, FoundWall>();

/** Looks for the strongest wall, by running the program in it. The answer is kept for the life of this process. */
export function findWall(search: WallSearch): FoundWall {
  const key = JSON.stringify([search.program, search.identity]);
  const answer = found.get(key) ?? firstOf(candidates(search), search);
  found.set(key, answer);
  return answer;
}

function candidates({ program, identity }: WallSearch): readonly Candidate[] {
  if (process.platform === "darwin") return [["a sandbox profile", seatbeltWall]];
  if (process.platform !== "linux") return [];
  return [
    ["namespaces made by Perl", () => namespaceWall({ program, identity })],
    ["bubblewrap", () => bubblewrapWall({ program, identity })],
  ];
}

function firstOf(choice: readonly Candidate[], search: WallSearch): FoundWall {
  const missing = choice.length === 0 ? [`there is no wall for ${process.platform} yet`] : [];
  for (const [name, make] of choice) {
    try {
      const wall = make();
      tryWall(wall, search);
      return { wall, missing };
    } catch (error) {
      missing.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { wall: undefined, missing };
}

/** @throws {Error} When the program does not run in the wall. */
export function tryWall(wall: Wall, { program, tempDir, trial, environment }: Omit<WallSearch, "identity">): void {
  const directory = makeDirectory(tempDir);
  try {
    const access = { directory, cwd: undefined, readOnly: true, network: false };
    const { command, args } = wall.enclose(program, trial, access);
    const { status, error, stderr } = spawnSync(command, args, {
      cwd: "/",
      encoding: "utf8",
      timeout: TRIAL_TIMEOUT_MS,
      killSignal: "SIGKILL",
      env: { ...environment(directory), LC_ALL: "C" },
      stdio: ["ignore", "ignore", "pipe"],
    });
    if (error !== undefined) throw error;
    const said = stderr.trim().split("\n").at(-1)?.slice(0, 200) ?? "";
    if (status !== 0) throw new Error(said === "" ? `it ended with status ${String(status)}` : said);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
