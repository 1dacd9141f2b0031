import { replayEvents } from "../src/block/memory-event.ts";
import { openMemory } from "../src/memory/open-memory.ts";

/**
 * Compares a memory that `write-mixed.ts` wrote to with what was acknowledged.
 *
 * @returns `lost`: acknowledged writes that no event tells of, and blocks that are not what the events make of them.
 */
export async function checkMixed(
  url: string,
  acknowledged: readonly string[],
): Promise<{ readonly lost: number; readonly found: number; readonly events: number }> {
  const { admin, close } = await openMemory(url, { owner: "mixed" });
  const { blocks, events } = await admin.export();
  await close();
  const seqs = events.map(({ seq }) => seq);
  if (seqs.some((seq, at) => seq !== at + 1)) throw new Error("the history has gaps");
  const replayed = replayEvents(events);
  const byLabel = (block: { label: string }, other: { label: string }): number => (block.label < other.label ? -1 : 1);
  const same = JSON.stringify(replayed.toSorted(byLabel)) === JSON.stringify(blocks.toSorted(byLabel));
  const appended = new Set(events.map(({ label, after }) => `${label.replace(" ", "_")} ${after.trim()}`));
  const replaced = new Set(events.map(({ label, version, after }) => `${label} ${version} ${after.split(" ").at(-1)}`));
  const lines = acknowledged.map((line) => [line.split(" ", 1)[0], line.slice(line.indexOf(" ") + 1)] as const);
  const claims = lines.filter(([kind]) => kind === "APPENDED" || kind === "REPLACED");
  const lost = claims.filter(([kind, rest]) => !(kind === "APPENDED" ? appended : replaced).has(rest)).length;
  return { lost: lost + (same ? 0 : 1), found: claims.length - lost, events: events.length };
}
