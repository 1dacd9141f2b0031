import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
// @boundaries-ignore benches measure in one way
import { metric } from "../../tools-interface/bench/measure.ts";
import { openOn, sqlite } from "../test/engines.ts";
import { forgetOnDisk } from "../test/forgotten-bytes.ts";
import { createTarget, hostileCalls } from "../test/hostile-calls.ts";
import { poison } from "../test/poison.ts";
import { storedInjections } from "../test/stored-injections.ts";
import { trustAttacks } from "../test/trust-attacks.ts";

/**
 * Attacks a memory: 200 stored injections by every way an agent has, 10,000 hostile calls of its tools (another number as
 * the first argument), sequences that would hide or raise trust unseen, and a search of the disk for forgotten texts. Prints one line a figure: `METRIC name value unit`.
 */
const CALLS = Number(process.argv[2] ?? 10_000);
const ROUNDS = 10;

const root = mkdtempSync(join(tmpdir(), "memory-trust-"));
try {
  const sql = await sqlite.open();
  const open = (owner: string, options = {}) => openOn(sql, { owner, ...options });
  const free = { permissions: { core: "readwrite" }, limits: { pendingMutations: 10_000 } } as const;
  const { unfenced, inCore } = await poison(await open("poisoned", free), storedInjections);
  metric("memory.unfenced", unfenced.length + inCore, "texts");

  const target = await createTarget(await open("attacked", { limits: { pendingMutations: 100 } }), await open("other"));
  const changed: string[] = [];
  let calls = 0;
  for (const [n, list] of fc.sample(hostileCalls, { numRuns: CALLS, seed: Date.now() }).entries()) {
    if (calls >= CALLS) break;
    calls += list.length;
    await target.attack(list);
    // Looking at everything takes longer the longer the history is. A forbidden change stays visible.
    if (n % 25 === 0) changed.push(...(await target.findChanged()));
  }
  changed.push(...(await target.findChanged()));
  console.log(`${calls} calls, ${storedInjections.length} stored texts`);
  metric("memory.fuzz.changed", changed.length, "changes");
  let risenOrHidden = 0;
  for (const [n, { name, run }] of trustAttacks.entries()) {
    const { risen, hidden } = await run(await open(`attack ${n}`, { embedder: "none" }));
    if (risen.length + hidden.length > 0) console.log(`${name}: ${[...risen, ...hidden].join(", ")}`);
    risenOrHidden += risen.length + hidden.length;
  }
  console.log(`${trustAttacks.length} sequences of mixed sources`);
  metric("memory.hidden_trust", risenOrHidden, "blocks");
  await sql.close();

  const { before, found, ok } = await forgetOnDisk(join(root, "memory"), ROUNDS);
  if (!ok || Math.min(...before) === 0) throw new Error("the secrets were not on disk, or the history does not hold");
  metric("memory.forgotten_bytes_found", found.length, "files");
} finally {
  rmSync(root, { recursive: true, force: true });
}
