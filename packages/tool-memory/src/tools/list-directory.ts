import type { MemorySummary } from "../block/memory-block.ts";
import { toPath } from "./memory-path.ts";

const DEPTH = 2;
const MAX_ENTRIES = 1_000;

/** Lists the files and directories below a label with their sizes, two levels deep, as Anthropic's memory tool prints them. */
export function listDirectory(label: string, blocks: readonly MemorySummary[]): string {
  const base = label === "" ? 0 : label.split("/").length;
  const sizes = new Map<string, number>();
  for (const block of blocks) {
    const parts = block.label.split("/");
    if (parts.includes("node_modules")) continue;
    const deepest = Math.min(parts.length, base + DEPTH);
    for (let depth = base; depth <= deepest; depth++) {
      const path = depth === base ? toPath(label) : toPath(parts.slice(0, depth).join("/"));
      sizes.set(path, (sizes.get(path) ?? 0) + block.characters);
    }
  }
  if (sizes.size === 0) sizes.set(toPath(label), 0);
  const entries = [...sizes].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const more =
    entries.length > MAX_ENTRIES ? [`… and ${entries.length - MAX_ENTRIES} more; view a directory of these`] : [];
  return [
    `Here're the files and directories up to ${DEPTH} levels deep in ${toPath(label)}, excluding hidden items and node_modules:`,
    ...entries.slice(0, MAX_ENTRIES).map(([path, size]) => `${toSize(size)}\t${path}`),
    ...more,
  ].join("\n");
}

function toSize(chars: number): string {
  const kilo = chars / 1024;
  return kilo < 1024 ? `${kilo.toFixed(1)}K` : `${(kilo / 1024).toFixed(1)}M`;
}
