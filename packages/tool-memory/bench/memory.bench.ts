import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openMemory } from "../src/open-memory.ts";

/** Writes and searches an embedded memory of 1,000 blocks. Prints one line a figure: `METRIC name value unit`. */
const BLOCKS = 1_000;
const READS = 200;
const words =
  "tea morning budget release vitest postgres dog paris meeting plan owner friday kernel garden ticket review".split(
    " ",
  );
const text = (n: number): string =>
  Array.from({ length: 40 }, (_, at) => words[(n * 7 + at * ((n % 5) + 1)) % words.length]).join(" ");

const folder = mkdtempSync(join(tmpdir(), "memory-bench-"));
try {
  const opening = performance.now();
  const { manager, close } = await openMemory(join(folder, "memory"));
  metric("memory.first_open.ms", performance.now() - opening, "ms");

  const writing = performance.now();
  for (let n = 0; n < BLOCKS; n++) await manager.write({ label: `block ${n}`, content: `${text(n)} number${n}` });
  metric("memory.write.per_s", (BLOCKS * 1_000) / (performance.now() - writing), "1/s");

  const times: number[] = [];
  for (let n = 0; n < READS; n++) {
    const reading = performance.now();
    const hits = await manager.read(`${words[n % words.length]} ${words[(n * 3 + 1) % words.length]} number${n}`);
    times.push(performance.now() - reading);
    if (hits[0]?.label !== `block ${n}`) throw new Error(`the best hit for number${n} was ${hits[0]?.label}`);
  }
  times.sort((a, b) => a - b);
  metric("memory.read.p50_ms", times[READS / 2] ?? Number.NaN, "ms");
  metric("memory.read.p95_ms", times[READS * 0.95] ?? Number.NaN, "ms");
  await close();

  const reopening = performance.now();
  const again = await openMemory(join(folder, "memory"));
  metric("memory.reopen.ms", performance.now() - reopening, "ms");
  await again.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function metric(name: string, value: number, unit: string): void {
  console.log(`METRIC ${name} ${value.toFixed(1)} ${unit}`);
}
