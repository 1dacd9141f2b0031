// @boundaries-ignore benches measure in one way
import { metric } from "../../tools-interface/bench/measure.ts";
import { openOn, sqlite } from "../test/engines.ts";
import { readFacts } from "./read-facts.ts";

/**
 * How often a write names the note that it makes out of date, and how often one that still holds. All notes are in one
 * memory. Prints one line a figure: `METRIC name value unit`; with `--missed` also the pairs that went wrong.
 */
const sql = await sqlite.open();
for (const name of ["hint-pairs", "changed-facts", "kept-facts"]) {
  const pairs = readFacts(name);
  const { manager, close } = await openOn(sql, { owner: name });
  for (const { notes } of pairs) if (notes[0] !== undefined) await manager.write({ ...notes[0], tier: "archival" });
  const told: Record<"changed" | "apart", boolean[]> = { changed: [], apart: [] };
  let others = 0;
  for (const { question, notes } of pairs) {
    const [old, later] = notes;
    if (old === undefined || later === undefined) continue;
    const kind = question === "changed" || name === "changed-facts" ? "changed" : "apart";
    const result = await manager.write({ ...later, tier: "archival", findSimilar: true });
    const labels = "similar" in result ? (result.similar ?? []).map(({ label }) => label) : [];
    const isTold = labels.includes(old.label);
    told[kind].push(isTold);
    others += labels.filter((label) => label !== old.label).length;
    if (isTold !== (kind === "changed") && process.argv.includes("--missed"))
      console.log(`${kind}: ${old.content} -> ${later.content}`, labels);
  }
  for (const [kind, found] of Object.entries(told)) {
    if (found.length > 0) metric(`memory.hints.${name}.${kind}`, found.filter(Boolean).length / found.length, "share");
  }
  metric(`memory.hints.${name}.others`, others / pairs.length, "blocks");
  await close();
}
await sql.close();
