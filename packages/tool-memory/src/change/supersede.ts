import { nameOf } from "../block/caution.ts";
import { quote, toKey, toLabel, type Label } from "../block/label.ts";
import { toState, type BlockState, type MemoryBlock } from "../block/memory-block.ts";
import type { MemoryActor, MemoryEvent } from "../block/memory-event.ts";
import { selectBlock } from "../rows/block-rows.ts";
import type { LockedOwner } from "../rows/lock-owner.ts";
import { refuse, type Refusal } from "../text/refusal.ts";
import type { Rules } from "./apply-change.ts";

/** Maximum number of blocks that one block supersedes. */
const MAX_SUPERSEDED = 100;

/** Looks up the block that a write supersedes, which searches will no longer find; `null` for none. */
export async function lockSuperseded(
  { tx, owner }: LockedOwner,
  { actor, policy }: Rules,
  label: string,
  supersedes: string | undefined,
  block: MemoryBlock | null,
): Promise<MemoryBlock | Refusal | null> {
  if (supersedes === undefined) return null;
  const read = toLabel(supersedes, policy.limits);
  if ("outcome" in read) return read;
  if (read.key === toKey(label)) {
    return refuse(
      "invalid_value",
      `Write to ${quote(label)} refused: it would supersede itself, allowed is another label; leave supersedes out`,
    );
  }
  const count = block?.supersedes?.length ?? 0;
  if (count >= MAX_SUPERSEDED) {
    return refuse(
      "too_large",
      `Write to ${quote(label)} refused: it supersedes ${count} blocks, allowed are ${MAX_SUPERSEDED}; leave supersedes out or remove blocks that are out of date`,
    );
  }
  return judge(await selectBlock(tx, owner, read.key), read, label, actor.kind);
}

function judge(old: MemoryBlock | null, read: Label, label: string, actor: MemoryActor["kind"]): MemoryBlock | Refusal {
  if (old === null) {
    return refuse(
      "not_found",
      `Write to ${quote(label)} refused: there is no block ${quote(read.text)} to supersede, allowed is a label that exists; leave supersedes out or look the label up with memory_list`,
    );
  }
  if (actor === "agent" && old.permission === "readonly") {
    return refuse(
      "readonly",
      `Write to ${quote(label)} refused: ${nameOf(old)} is readonly, only a person can have it superseded; leave supersedes out or ask the person`,
    );
  }
  return old;
}

/** Adds a block to those that a state supersedes. */
export function withSuperseded(state: BlockState, id: string): BlockState {
  return toState({ ...state, supersedes: [...new Set(state.supersedes).add(id)] });
}

/** Undoes one event's effect on `supersedes`: starts from the current list, removes the ids the event added, restores those it removed. */
export function withoutSuperseded(now: BlockState, { was, is }: Pick<MemoryEvent, "was" | "is">): BlockState {
  const [before, after] = [was?.supersedes ?? [], is?.supersedes ?? []];
  const ended = before.filter((id) => !after.includes(id));
  const kept = (now.supersedes ?? []).filter((id) => before.includes(id) || !after.includes(id));
  return toState({ ...now, supersedes: [...new Set([...kept, ...ended])] });
}
