import type { HistoryHead, Verified } from "../block/memory-admin.ts";
import { toState, type MemoryBlock } from "../block/memory-block.ts";
import { type MemoryEvent, replayEvent } from "../block/memory-event.ts";
import { selectBlocks } from "../rows/block-rows.ts";
import { hashBody, hashLink, selectEventsAfter } from "../rows/event-rows.ts";
import type { LockedOwner } from "../rows/lock-owner.ts";

/** Number of events read at a time. */
const PAGE = 1_000;

/** Checks the events of a history, one after the other. */
export function createChainCheck() {
  const blocks = new Map<string, MemoryBlock>();
  let head: HistoryHead = { seq: 0, hash: "" };
  return {
    /** The blocks, by id, that result from the events so far. */
    blocks,
    /** The last event so far. */
    head: (): HistoryHead => head,
    /** Describes why the next event is invalid; `undefined` when it is valid. */
    next(event: MemoryEvent): string | undefined {
      const { seq, kind, bodyHash, previousHash, hash } = event;
      if (seq !== head.seq + 1) return `event ${seq} follows event ${head.seq}, allowed is a history without gaps`;
      if (previousHash !== head.hash) return `event ${seq} does not name the hash of the event before it`;
      if (hash !== hashLink(previousHash, bodyHash)) return `event ${seq} has a hash that is not its own`;
      if (kind !== "forgotten" && bodyHash !== hashBody(event)) return `event ${seq} does not say what was hashed`;
      try {
        replayEvent(blocks, event);
      } catch {
        return `event ${seq} does not follow from the events before it`;
      }
      head = { seq, hash };
      return undefined;
    },
  };
}

/** Checks an owner's whole history and that the blocks result from it. The owner must be locked. */
export async function verifyHistory(counted: LockedOwner, noted: HistoryHead | undefined): Promise<Verified> {
  const { tx, owner } = counted;
  const check = createChainCheck();
  for (;;) {
    // What they hold is checked here, one after the other.
    const events = await selectEventsAfter(tx, owner, check.head().seq, PAGE, (event) => event);
    for (const event of events) {
      const reason =
        check.next(event) ??
        (event.seq === noted?.seq && event.hash !== noted.hash
          ? `event ${event.seq} is not the one that was noted`
          : undefined);
      if (reason !== undefined) return { ok: false, seq: event.seq, reason };
    }
    if (events.length < PAGE) break;
  }
  const head = check.head();
  const blocks = await selectBlocks(tx, owner);
  const chars = blocks.reduce((sum, { content }) => sum + content.length, 0);
  const reason =
    noted !== undefined && noted.seq > head.seq
      ? `the history ends at event ${head.seq}, event ${noted.seq} was noted`
      : (whyOtherBlocks(blocks, check.blocks)?.reason ??
        (counted.blocks === blocks.length && counted.chars === chars
          ? undefined
          : "the counts of the memory are not those of its blocks"));
  return reason === undefined ? { ok: true, head } : { ok: false, seq: head.seq + 1, reason };
}

/** The first block that differs from the replayed events; `undefined` when none does. */
export function whyOtherBlocks(
  blocks: readonly MemoryBlock[],
  replayed: ReadonlyMap<string, MemoryBlock>,
): { readonly reason: string; readonly block?: MemoryBlock } | undefined {
  const toText = (block: MemoryBlock): string =>
    JSON.stringify([toState(block), block.content, block.version, block.createdAt, block.updatedAt]);
  const block = blocks.find((found) => {
    const expected = replayed.get(found.id);
    return expected === undefined || toText(found) !== toText(expected);
  });
  if (block !== undefined) return { block, reason: `block ${block.label} is not what the events amount to` };
  if (blocks.length < replayed.size) return { reason: "a block is missing that the events amount to" };
  return undefined;
}
