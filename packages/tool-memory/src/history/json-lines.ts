import type { MemoryExport } from "../block/memory-export.ts";
import { escapeInvisible } from "../text/escape-invisible.ts";

/**
 * Formats an export as JSON Lines: a heading, then each block, event and proposal, then their numbers. Yields one line at a
 * time. Invisible characters are escaped, so the lines are safe to print in a terminal.
 *
 * @example
 * ```ts
 * for (const line of toJsonLines(await memory.steward.export())) file.write(line);
 * ```
 */
export function* toJsonLines({
  format,
  owner,
  exportedAt,
  blocks,
  events,
  mutations,
}: MemoryExport): Generator<string> {
  const line = (value: object): string => `${escapeInvisible(JSON.stringify(value))}\n`;
  yield line({ format, owner, exportedAt });
  for (const block of blocks) yield line({ block });
  for (const event of events) yield line({ event });
  for (const mutation of mutations) yield line({ mutation });
  yield line({ end: { blocks: blocks.length, events: events.length, mutations: mutations.length } });
}

/** Splits a text that arrives in pieces of any size into lines. */
export async function* fromPieces(pieces: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  let rest = "";
  for await (const piece of pieces) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
