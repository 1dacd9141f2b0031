import { SOURCES, type Source } from "@dispatch/tool-memory";
import type { ToolEvent, ToolResultRecord } from "@dispatch/tools-interface";

/** Tracks how far the model's memory writes can be trusted: no further than the least trusted text it has read (taint tracking). */
export interface TrustTracker {
  /** The least trusted source that the model has read so far. */
  readonly source: Source;
  /** Takes a tool's result into account, including results of calls that a program made. */
  readonly observe: (event: ToolEvent) => void;
}

/** A call that has its result. */
interface Answered {
  readonly name: string;
  readonly result: Pick<ToolResultRecord, "success" | "data">;
}

/**
 * Creates a tracker. A result of unknown origin counts as a tool's. Trust never rises again.
 *
 * @param before - Calls of a resumed session.
 */
export function createTrustTracker(before: readonly Answered[]): TrustTracker {
  let least = 0;
  const take = ({ name, result }: Answered): void => {
    for (const source of sourcesOf(name, result)) least = Math.max(least, SOURCES.indexOf(source));
  };
  before.forEach(take);
  return {
    get source() {
      return SOURCES[least] ?? "web";
    },
    observe(event) {
      if (event.type === "call-end" || event.type === "call-replayed") take(event);
    },
  };
}

function sourcesOf(name: string, result: Answered["result"]): readonly Source[] {
  if (name === "web_search") return ["web"];
  if (name === "ask_user_question") return ["person"];
  const stored = name.startsWith("memory_") && result.success ? (result.data as Stored | undefined) : undefined;
  if (stored === undefined) return ["tool"];
  return (stored.blocks ?? [stored.block ?? stored.mutation]).map((block) => block?.source ?? "tool");
}

/** The part of a memory tool's data that names the source of each block. */
interface Stored {
  readonly blocks?: readonly { readonly source: Source }[];
  readonly block?: { readonly source: Source };
  readonly mutation?: { readonly source: Source };
}
