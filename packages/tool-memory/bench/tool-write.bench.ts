import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createToolRegistry } from "@dispatch/tools-interface";
// @boundaries-ignore benches measure in one way
import { median, metric } from "../../tools-interface/bench/measure.ts";
import { openMemory } from "../src/memory/open-memory.ts";
import { registerMemoryTools } from "../src/tools/memory-tools.ts";

/**
 * The cost of `memory_write` as a tool beside `manager.write`, in turns, in a directory of 1,000 blocks: it also looks for
 * blocks that say nearly the same.
 */
const BLOCKS = 1_000;
const PAIRS = 300;
const words = "tea morning budget release dog paris meeting plan owner friday kernel garden ticket review".split(" ");
const text = (n: number): string =>
  `${Array.from({ length: 25 }, (_, at) => words[(n * 7 + at * ((n % 5) + 1)) % words.length]).join(" ")} number${n}`;

const directory = mkdtempSync(join(tmpdir(), "tool-write-bench-"));
try {
  const memory = await openMemory(directory);
  const registry = registerMemoryTools(createToolRegistry(), memory);
  const { manager } = memory;
  await Promise.all(Array.from({ length: BLOCKS }, (_, n) => manager.write({ label: `block ${n}`, content: text(n) })));
  await memory.settled();
  const plain: number[] = [];
  const asTool: number[] = [];
  const time = async (times: number[], work: () => Promise<unknown>): Promise<void> => {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  };
  for (let n = 0; n < PAIRS; n++) {
    await time(plain, () => manager.write({ label: `plain ${n}`, content: text(BLOCKS + n) }));
    await time(asTool, () => registry.dispatch("memory_write", { label: `tool ${n}`, content: text(2 * BLOCKS + n) }));
  }
  await memory.close();
  metric("memory.write.p50_ms", median(plain), "ms");
  metric("memory.write.tool_p50_ms", median(asTool), "ms");
  metric("memory.write.tool_vs_manager", median(asTool) / median(plain), "x");
} finally {
  rmSync(directory, { recursive: true, force: true });
}
