import { toKey, toLabel, type Label } from "../block/label.ts";
import type { MemoryActor } from "../block/memory-actor.ts";
import { toState, type BlockState, type MemoryBlock } from "../block/memory-block.ts";
import type { MemoryEvent } from "../block/memory-event.ts";
import { lockBlock } from "../rows/block-rows.ts";
import type { Turn } from "../rows/turn.ts";
import { refuse, type Refusal } from "../text/refusal.ts";
import type { Scope } from "./scope.ts";

/** Most blocks that one supersedes. */
const MOST = 100;

/** A block that a write puts in the place of another. */
export interface Superseding {
  /** The block that will no longer be found. */
  readonly old: MemoryBlock;
  /** Whether a person has to agree. */
  readonly queue: boolean;
}

/**
 * Reads what a write is to supersede; `null` when nothing. The permission of the old block holds: what may not be changed
 * may not be put out of sight either. Nothing of the old block changes, so `append` is no hindrance.
 */
export async function toSuperseding(
  { tx, owner }: Turn,
  { actor, policy }: Scope,
  label: string,
  supersedes: string | undefined,
  block: MemoryBlock | null,
): Promise<Superseding | Refusal | null> {
  if (supersedes === undefined) return null;
  const read = toLabel(supersedes, policy.limits);
  if ("outcome" in read) return read;
  if (read.key === toKey(label)) {
    return refuse(
      "invalid_value",
      `Write to ${label} refused: it would supersede itself, allowed is another label; leave supersedes out`,
    );
  }
  const count = block?.supersedes?.length ?? 0;
  if (count >= MOST) {
    return refuse(
      "too_large",
      `Write to ${label} refused: it supersedes ${count} blocks, allowed are ${MOST}; leave supersedes out or remove blocks that are out of date`,
    );
  }
  return judge(await lockBlock(tx, owner, read.key), read, label, actor.kind);
}

function judge(old: MemoryBlock | null, read: Label, label: string, actor: MemoryActor["kind"]): Superseding | Refusal {
  if (old === null) {
    return refuse(
      "not_found",
      `Write to ${label} refused: there is no block ${read.text} to supersede, allowed is a label that exists; leave supersedes out or look the label up with memory_list`,
    );
  }
  if (actor === "agent" && old.permission === "readonly") {
    return refuse(
      "readonly",
      `Write to ${label} refused: ${old.label} is readonly, only a person can have it superseded; leave supersedes out or ask the person`,
    );
  }
  return { old, queue: actor === "agent" && old.permission === "familiar" };
}

/** What a block is that supersedes another too. */
export function withSuperseded(state: BlockState, id: string): BlockState {
  return toState({ ...state, supersedes: [...new Set(state.supersedes).add(id)] });
}

/** What a block is when it supersedes what it does by `now`, without what an event had it supersede, and with what that event ended. */
export function withoutSuperseded(now: BlockState, { was, is }: Pick<MemoryEvent, "was" | "is">): BlockState {
  const [before, after] = [was?.supersedes ?? [], is?.supersedes ?? []];
  const ended = before.filter((id) => !after.includes(id));
  const kept = (now.supersedes ?? []).filter((id) => before.includes(id) || !after.includes(id));
  return toState({ ...now, supersedes: [...new Set([...kept, ...ended])] });
}
