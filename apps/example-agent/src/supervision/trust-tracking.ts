import { SOURCES, type Source } from "@dispatch/tool-memory";
import type { ToolEvent, ToolResultRecord } from "@dispatch/tools-interface";

/** How far what the model writes into its memory may be believed: no further than the least trusted thing before it. */
export interface Influence {
  /** The least trusted of all that the model has read so far. */
  readonly source: Source;
  /** Takes in what a tool answers, to a program of the model's too. */
  readonly hear: (event: ToolEvent) => void;
}

/** What is known of one call that has been answered. */
interface Answered {
  readonly name: string;
  readonly result: Pick<ToolResultRecord, "success" | "data">;
}

/**
 * Follows what the model reads. Whatever is not known better comes from a tool; there is no way up again.
 *
 * @param before What was answered before, in a session that goes on.
 */
export function createInfluence(before: readonly Answered[]): Influence {
  let least = 0;
  const take = ({ name, result }: Answered): void => {
    for (const source of sourcesOf(name, result)) least = Math.max(least, SOURCES.indexOf(source));
  };
  before.forEach(take);
  return {
    get source() {
      return SOURCES[least] ?? "web";
    },
    hear(event) {
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

/** What the memory's tools answer: blocks with where each comes from. */
interface Stored {
  readonly blocks?: readonly { readonly source: Source }[];
  readonly block?: { readonly source: Source };
  readonly mutation?: { readonly source: Source };
}
