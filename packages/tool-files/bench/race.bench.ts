// A race of all tools that use the disk against a process that exchanges files and directories with links to the outside.
// `node race.bench.ts 100000` makes that many calls instead of a million, which take a few minutes.
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSandbox, registerFileTools, type FileToolsOptions } from "@dispatch/tool-files";
import { createToolRegistry, failure, success, type ToolResult } from "@dispatch/tools-interface";
import { layTrack, race, RACING_TOOLS, type Raced, type Track } from "../test/race.ts";

const OPERATIONS = Number(process.argv[2] ?? 1_000_000);
/** Calls in one worktree, after which a new one is made. */
const CHUNK = 50_000;
/** Calls to the weaker kind of sandbox, for comparison. */
const VERIFIED_OPERATIONS = Math.min(OPERATIONS, 30_000);

type Call = (name: string, params: unknown) => Promise<ToolResult>;

/** Runs one chunk in a worktree of its own. */
async function chunk(operations: number, callsIn: (track: Track) => readonly Call[]): Promise<Raced> {
  const home = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "tool-files-race-")));
  try {
    const track = { root: join(home, "root"), outside: join(home, "root-evil") };
    layTrack(track);
    // Files that leave through the working directory go into a directory that is removed.
    process.chdir(track.outside);
    return await race(track, callsIn(track), (so) => so.operations < operations);
  } finally {
    process.chdir(tmpdir());
    fs.rmSync(home, { recursive: true, force: true });
  }
}

function toolsOf({ root }: Track): readonly Call[] {
  return [{}, { ripgrep: false } as const].map((options: FileToolsOptions) => {
    const registry = registerFileTools(createToolRegistry(), { ...options, tools: RACING_TOOLS });
    return (name, params) => registry.dispatch({ name, arguments: params }, { context: { worktreePath: root } });
  });
}

/** Reading and writing through a sandbox of the weaker kind. */
function verifiedOf({ root }: Track): readonly Call[] {
  const sandbox = openSandbox(root, { strength: "verified" });
  const act = (name: string, { path, content = "" }: { path: string; content?: string }): string => {
    if (name === "write_file") return sandbox.writeFile(path, Buffer.from(content)).path;
    if (name === "create_file") return sandbox.createFile(path, Buffer.from(content)).path;
    const file = sandbox.openFile(path);
    try {
      return fs.readFileSync(file.fd, "utf8");
    } finally {
      file.close();
    }
  };
  return [
    async (name, params) => {
      try {
        return success(act(name, params as { path: string }));
      } catch (error) {
        return failure((error as Error).message);
      }
    },
  ];
}

function count({ succeeded }: Raced): number {
  return Object.values(succeeded).reduce((sum, one) => sum + one, 0);
}

let escapes = 0;
let successes = 0;
let naive = 0;
for (let done = 0; done < OPERATIONS; done += CHUNK) {
  const raced = await chunk(Math.min(CHUNK, OPERATIONS - done), toolsOf);
  escapes += raced.escapes.length;
  successes += count(raced);
  naive += raced.naive;
  for (const escape of raced.escapes.slice(0, 3)) console.error(escape.slice(0, 500));
  console.error(`${done + raced.operations} calls`, JSON.stringify(raced.succeeded), `${raced.naive} by name`);
}
const verified = await chunk(VERIFIED_OPERATIONS, verifiedOf);
console.log(`METRIC files.race.operations ${OPERATIONS} count`);
console.log(`METRIC files.race.escapes ${escapes} count`);
console.log(`METRIC files.race.liveness ${(successes / OPERATIONS).toFixed(3)} ratio`);
console.log(`METRIC files.race.naive_escapes ${((naive * 10) / OPERATIONS).toFixed(4)} ratio`);
console.log(`METRIC files.race.verified_escapes ${(verified.escapes.length / verified.operations).toFixed(5)} ratio`);
