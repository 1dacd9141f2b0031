import { cautionFor } from "../block/add-caution.ts";
import type { MemorySummary } from "../block/memory-block.ts";
import { isBelow } from "../block/provenance.ts";
import { escapeInvisible } from "../text/escape-invisible.ts";
import { toPath } from "./memory-path.ts";

const DEPTH = 2;
const MAX_ENTRIES = 1_000;

/**
 * Lists the files and directories below a label with their sizes, two levels deep, as Anthropic's memory tool prints them. A name
 * that only blocks of low trust have is quoted, with a caution.
 */
export function listDirectory(label: string, blocks: readonly MemorySummary[]): string {
  const base = label === "" ? 0 : label.split("/").length;
  const sizes = new Map<string, number>();
  const cautions = new Map<string, string>();
  const vouched = new Set([toPath(label)]);
  for (const block of blocks) {
    const parts = block.label.split("/");
    if (parts.includes("node_modules")) continue;
    const deepest = Math.min(parts.length, base + DEPTH);
    for (let depth = base; depth <= deepest; depth++) {
      const path = depth === base ? toPath(label) : toPath(parts.slice(0, depth).join("/"));
      sizes.set(path, (sizes.get(path) ?? 0) + block.characters);
      if (isBelow(block.trust, "medium")) cautions.set(path, cautionFor(block));
      else vouched.add(path);
    }
  }
  if (sizes.size === 0) sizes.set(toPath(label), 0);
  const entries = [...sizes].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const more =
    entries.length > MAX_ENTRIES ? [`… and ${entries.length - MAX_ENTRIES} more; view a directory of these`] : [];
  const toName = (path: string): string => {
    const caution = vouched.has(path) ? undefined : cautions.get(path);
    return escapeInvisible(caution === undefined ? path : `${JSON.stringify(path)}\t(${caution})`);
  };
  return [
    `Here're the files and directories up to ${DEPTH} levels deep in ${escapeInvisible(toPath(label))}, excluding hidden items and node_modules:`,
    ...entries.slice(0, MAX_ENTRIES).map(([path, size]) => `${toSize(size)}\t${toName(path)}`),
    ...more,
  ].join("\n");
}

function toSize(chars: number): string {
  const kilo = chars / 1024;
  return kilo < 1024 ? `${kilo.toFixed(1)}K` : `${(kilo / 1024).toFixed(1)}M`;
}
