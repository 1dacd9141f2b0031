import { MemoryError } from "../text/memory-error.ts";
import { type BlockState, toState, type MemoryBlock } from "./memory-block.ts";

/** The author of a change. Bound when a memory is opened; no call can choose it. */
export interface MemoryActor {
  /** `agent` through the manager, `person` through the admin. */
  readonly kind: "agent" | "person";
  /** The name given when the memory was opened. */
  readonly id: string;
}

/** Every {@link MemoryEventKind}. */
export const EVENT_KINDS = ["created", "edited", "moved", "permission_changed", "removed", "forgotten"] as const;

/** The kind of a change. `moved`: to another tier or label. `forgotten`: only the event's place in the hash chain is left. */
export type MemoryEventKind = (typeof EVENT_KINDS)[number];

/** A change of a text: at `offset`, `before` was replaced by `after`. */
export interface Splice {
  /** Offset of the change, in UTF-16 code units. */
  readonly offset: number;
  /** The replaced text. */
  readonly before: string;
  /** The new text. */
  readonly after: string;
}

/**
 * One change of one block. Events are only added, never changed. Replayed in order they give the present blocks.
 *
 * The text changes by one splice. An addition to a block stores only the addition: `before` is empty and `offset` is the
 * previous length.
 */
export interface MemoryEvent extends Splice {
  /** Position in the owner's history: 1, 2, 3, … without gaps. */
  readonly seq: number;
  /** The block, empty when forgotten. */
  readonly blockId: string;
  /** The block's label after it, or the last it had; empty when forgotten. */
  readonly label: string;
  /** The kind of the change. */
  readonly kind: MemoryEventKind;
  /** The version the block has after it, 0 when forgotten. */
  readonly version: number;
  /** The block before it, `null` when there was none or it was forgotten. */
  readonly was: BlockState | null;
  /** The block after it, `null` when it was removed or forgotten. */
  readonly is: BlockState | null;
  /** The author of the change. For an approved proposal: the person who approved. */
  readonly actor: MemoryActor;
  /** The session, `null` when the memory was opened without one. */
  readonly session: string | null;
  /** The reason, if one was given. */
  readonly reason: string | null;
  /** The id of the approved proposal, `null` for a direct write. */
  readonly mutationId: string | null;
  /** The `seq` of the event that this one undid, `null` for none. */
  readonly undoes: number | null;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Random, so that a forgotten short text cannot be guessed from its hash. Erased when the event is forgotten. */
  readonly salt: string;
  /** SHA-256, in hex, of all fields above. Kept when the event is forgotten. */
  readonly bodyHash: string;
  /** The `hash` of the event before it, empty for the first. */
  readonly previousHash: string;
  /** SHA-256, in hex, of `previousHash` and `bodyHash`. */
  readonly hash: string;
}

/** `text` with `before` at `offset` replaced by `after`; `undefined` when the text at `offset` is not `before`. */
export function splice(text: string, { offset, before, after }: Splice): string | undefined {
  const end = offset + before.length;
  if (offset < 0 || end > text.length || text.slice(offset, end) !== before) return undefined;
  return text.slice(0, offset) + after + text.slice(end);
}

/**
 * The blocks that result from a history, by label. From the events up to some `seq` it gives the memory as it was then,
 * without content that was forgotten since.
 *
 * @param events one owner's events in order of `seq`, from the first.
 * @throws MemoryError `memory_history` when an event does not follow from those before it.
 *
 * @example
 * ```ts
 * const { events } = await memory.admin.export();
 * const blocks = replayEvents(events);
 * ```
 */
export function replayEvents(events: readonly MemoryEvent[]): readonly MemoryBlock[] {
  const blocks = new Map<string, MemoryBlock>();
  for (const event of events) replayEvent(blocks, event);
  return [...blocks.values()].toSorted((a, b) => (a.label < b.label ? -1 : 1));
}

/** Applies one event to the blocks, by id, that result from the events before it. Throws as {@link replayEvents} does. */
export function replayEvent(blocks: Map<string, MemoryBlock>, event: MemoryEvent): void {
  if (event.kind === "forgotten") return;
  const block = blocks.get(event.blockId);
  const content = splice(block?.content ?? "", event);
  const { blockId: id, version, at, was, is } = event;
  const known = block === undefined ? null : toState(block);
  const fits = block === undefined ? event.kind === "created" : block.version === version - 1;
  if (content === undefined || !fits || JSON.stringify(known) !== JSON.stringify(was && toState(was))) {
    throw new MemoryError(
      `Cannot replay the history: event ${event.seq} does not follow from the events before it, allowed is a history without gaps`,
      "memory_history",
    );
  }
  if (is === null) blocks.delete(id);
  else blocks.set(id, { id, ...toState(is), content, version, createdAt: block?.createdAt ?? at, updatedAt: at });
}
