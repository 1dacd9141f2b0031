import type { MemoryBlock, MemoryEvent } from "@dispatch/tool-memory";
import { textDiff } from "../text/text-diff.ts";

/** One change of a block, for a person. */
export interface BlockChange extends Pick<MemoryEvent, "seq" | "kind" | "version" | "reason" | "undoes" | "at"> {
  /** Who did it. */
  readonly actor: string;
  /** Its change to the text, as rows of a diff. */
  readonly diff: readonly string[];
  /** Its other changes, as in `working → core`. */
  readonly moved: string;
}

/**
 * The changes of blocks, latest first, with the changed lines of each. Events hold only the replaced text; the lines
 * around it come from going back from the present text.
 *
 * @param block The block as it is; `null` if it is gone.
 * @param events Latest first.
 */
export function blockHistory(block: MemoryBlock | null, events: readonly MemoryEvent[]): readonly BlockChange[] {
  const texts = new Map<string, string | undefined>(block === null ? [] : [[block.id, block.content]]);
  return events.map((event) => {
    const { seq, kind, version, reason, undoes, at, actor, blockId, offset, before, after, was, is } = event;
    const now = texts.has(blockId) ? texts.get(blockId) : is === null ? "" : undefined;
    const fits = now !== undefined && now.slice(offset, offset + after.length) === after;
    const then = fits ? now.slice(0, offset) + before + now.slice(offset + after.length) : undefined;
    texts.set(blockId, then);
    const diff = then === undefined || now === undefined ? textDiff(before, after) : textDiff(then, now);
    const moves = (["label", "tier", "permission"] as const).filter((key) => was && is && was[key] !== is[key]);
    const moved = moves.map((key) => `${was?.[key] ?? ""} → ${is?.[key] ?? ""}`).join(", ");
    return { seq, kind, version, reason, undoes, at, actor: actor.id, diff, moved };
  });
}
