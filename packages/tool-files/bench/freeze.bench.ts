import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { registerFileTools } from "@dispatch/tool-files";
import { createToolRegistry } from "@dispatch/tools-interface";
// @boundaries-ignore benches measure in one way
import { metric } from "../../tools-interface/bench/measure.ts";
import { freezeCases, type FreezeCase } from "./freeze-cases.ts";

/** Milliseconds after which a call is cancelled: its total duration is not measured. */
const PATIENT_MS = 3000;

/** The longest stall of the event loop in milliseconds, and the processor time this thread took in the longest. */
interface Stalls {
  readonly wall: number;
  readonly cpu: number;
}

const registry = registerFileTools(createToolRegistry(), {
  tools: ["read_file", "write_file", "edit_file", "list_files", "search_files", "apply_patch", "move_file"],
});

/** Makes a call and looks how long the event loop comes to no turn meanwhile. */
async function stallsOf({ files, fileSystem, tool, params, changed = {} }: FreezeCase): Promise<Stalls> {
  const root = await mkdtemp(join(tmpdir(), "freeze-bench-"));
  try {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
    }
    const args: Record<string, unknown> = { ...params };
    for (const [path, content] of Object.entries(changed)) {
      const read = await registry.dispatch("read_file", { path }, { context: { worktreePath: root } });
      args["if_version"] = /version (\S+)\]$/.exec(String(read))?.[1];
      await writeFile(join(root, path), content);
    }
    let [wall, cpu, running] = [0, 0, true];
    let last = [performance.now(), threadCpu()] as const;
    const look = () => {
      const now = [performance.now(), threadCpu()] as const;
      wall = Math.max(wall, now[0] - last[0]);
      cpu = Math.max(cpu, now[1] - last[1]);
      last = now;
      if (running) setImmediate(look);
    };
    setImmediate(look);
    const call = { name: tool, arguments: args };
    const context = { worktreePath: root, ...(fileSystem !== undefined && { fileSystem: fileSystem() }) };
    await registry.dispatch(call, { context, signal: AbortSignal.timeout(PATIENT_MS) });
    running = false;
    look();
    return { wall, cpu };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

function threadCpu(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

const [wanted = ""] = process.argv.slice(2);
const cases = freezeCases().filter(({ name }) => name.includes(wanted));
// The first call of each tool loads its modules.
for (const tool of registry.toolNames) {
  const first = cases.find((one) => one.tool === tool);
  if (first !== undefined) await stallsOf(first);
}
const stalls: (Stalls & { readonly name: string })[] = [];
for (const one of cases) stalls.push({ name: one.name, ...(await stallsOf(one)) });
const worst = stalls.toSorted((one, other) => other.cpu - one.cpu);
for (const { name, wall, cpu } of worst.slice(0, 12))
  console.error(`${cpu.toFixed(1)} ms cpu, ${wall.toFixed(1)} ms: ${name}`);
metric("files.freeze_cases", cases.length, "calls", 0);
metric("files.freeze_ms", Math.max(...stalls.map(({ wall }) => wall)), "ms", 1);
metric("files.freeze_cpu_ms", worst[0]?.cpu ?? 0, "ms", 1);
