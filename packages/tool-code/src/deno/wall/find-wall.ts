import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { makeDirectory } from "../process/remove-directory.ts";
import { bubblewrapWall } from "./bubblewrap-wall.ts";
import { namespaceWall } from "./namespace-wall.ts";
import type { ProgramIdentity } from "./program-identity.ts";
import { seatbeltWall } from "./seatbelt-wall.ts";
import type { Wall } from "./wall.ts";

/** Requirements of the search for containment. */
export interface WallSearch {
  /** Real path of the program that will run inside. */
  readonly program: string;
  /** Who it runs as. `undefined`: who the host runs as. */
  readonly identity: ProgramIdentity | undefined;
  /** Where the trial may make a directory. */
  readonly tempDir: string;
  /** Default: the platform of this process. */
  readonly platform?: string;
}

/** The strongest wall that works here. */
export interface FoundWall {
  /** `undefined` when none works. */
  readonly wall: Wall | undefined;
  /** Why each stronger one does not work. */
  readonly missing: readonly string[];
}

/** Has Deno start its engine: a profile may allow it to start and not to run. */
const RUNS_CODE = ["run", "--quiet", "--no-config", "--no-lock", "data:application/typescript,const a: number = 1;"];
type Candidate = readonly [name: string, make: () => Wall];

const TRIAL_TIMEOUT_MS = 10_000;
const found = new Map<string, FoundWall>();

/**
 * Looks for the strongest wall, by running the program in it to print its version. The answer is kept for the life of
 * this process.
 */
export function findWall(search: WallSearch): FoundWall {
  const { program, identity, platform = process.platform } = search;
  const key = JSON.stringify([program, identity, platform]);
  const known = found.get(key);
  if (known !== undefined) return known;
  const answer = look(search, platform);
  found.set(key, answer);
  return answer;
}

function look({ program, identity, tempDir }: WallSearch, platform: string): FoundWall {
  if (platform === "darwin") return firstOf([["a sandbox profile", seatbeltWall]], program, tempDir, RUNS_CODE);
  if (platform !== "linux") return { wall: undefined, missing: [`there is no wall for ${platform} yet`] };
  const candidates: readonly Candidate[] = [
    ["namespaces made by Perl", () => namespaceWall({ program, identity })],
    ["bubblewrap", () => bubblewrapWall({ program, identity })],
  ];
  return firstOf(candidates, program, tempDir);
}

function firstOf(
  candidates: readonly Candidate[],
  program: string,
  tempDir: string,
  args?: readonly string[],
): FoundWall {
  const missing: string[] = [];
  for (const [name, make] of candidates) {
    try {
      const wall = make();
      tryWall(wall, program, tempDir, args);
      return { wall, missing };
    } catch (error) {
      missing.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { wall: undefined, missing };
}

/**
 * Runs the program in a wall, by default to print its version.
 *
 * @throws {Error} When it does not run there.
 */
export function tryWall(wall: Wall, program: string, tempDir: string, trial: readonly string[] = ["--version"]): void {
  const directory = makeDirectory(tempDir);
  try {
    const access = { directory, cwd: undefined, readOnly: true, network: false };
    const { command, args } = wall.enclose(program, trial, access);
    const { status, error, stderr } = spawnSync(command, args, {
      cwd: "/",
      encoding: "utf8",
      timeout: TRIAL_TIMEOUT_MS,
      killSignal: "SIGKILL",
      env: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1", DENO_DIR: directory, LC_ALL: "C" },
      stdio: ["ignore", "ignore", "pipe"],
    });
    if (error !== undefined) throw error;
    const said = stderr.trim().split("\n").at(-1)?.slice(0, 200) ?? "";
    if (status !== 0) throw new Error(said === "" ? `it ended with status ${String(status)}` : said);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
