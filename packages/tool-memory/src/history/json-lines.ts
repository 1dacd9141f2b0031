import type { MemoryExport } from "../block/memory-export.ts";
import { escapeUnseen } from "../text/escape-unseen.ts";

/**
 * An export as JSON Lines, one piece a line: a heading, each block, event and proposal, and how many there were. What cannot
 * be seen is escaped, so that the lines can be looked at in a terminal.
 */
export function* toJsonLines({
  format,
  owner,
  exportedAt,
  blocks,
  events,
  mutations,
}: MemoryExport): Generator<string> {
  const line = (value: object): string => `${escapeUnseen(JSON.stringify(value))}\n`;
  yield line({ format, owner, exportedAt });
  for (const block of blocks) yield line({ block });
  for (const event of events) yield line({ event });
  for (const mutation of mutations) yield line({ mutation });
  yield line({ end: { blocks: blocks.length, events: events.length, mutations: mutations.length } });
}

/** The lines of a text that comes in pieces of any size. */
export async function* fromPieces(pieces: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  let rest = "";
  for await (const piece of pieces) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
