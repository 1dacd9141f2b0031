import type { ToolEvent } from "@dispatch/tools-interface";
import { checkOptions } from "@dispatch/tools-interface/internal";
import { SOURCES, type Source } from "../block/memory-block.ts";

/** Tracks how far the model's memory writes can be trusted: no further than the least trusted text it has read (taint tracking). */
export interface TrustTracker {
  /** The least trusted source that the model has read so far: `memorySource` for the context of its next call. */
  readonly source: Source;
  /** Takes a tool's result into account, including results of calls that a program made. An `onEvent` of `dispatch`. */
  readonly observe: (event: ToolEvent) => void;
  /** Takes a text into account that came into the conversation by other ways, such as `recall` or a file in the prompt. */
  readonly read: (source: Source | undefined) => void;
}

/** A call that has its result. */
interface Answered {
  readonly name: string;
  readonly result: { readonly success: boolean; readonly data?: unknown };
}

/** Options of a tracker. */
export interface TrustTrackerOptions {
  /** The sources of tools by their names, such as `{ web_search: "web", ask_user: "person" }`. Default for a tool: `tool`. */
  readonly sources?: Readonly<Record<string, Source>> | undefined;
  /** Calls of a resumed session. Default: none. */
  readonly before?: readonly Answered[] | undefined;
}

/**
 * Creates a tracker for one conversation. Trust never rises again. The tools of this package say themselves where their
 * texts come from; a failure of theirs counts as a tool's text, because it may show one.
 *
 * @example
 * ```ts
 * const trust = createTrustTracker({ sources: { web_search: "web", ask_user: "person" } });
 * await registry.dispatch(call, { context: { memorySource: trust.source }, onEvent: trust.observe });
 * ```
 */
export function createTrustTracker(options: TrustTrackerOptions = {}): TrustTracker {
  checkOptions("create a trust tracker", options, { sources: true, before: true });
  const { sources = {}, before = [] } = options;
  let least = 0;
  const read = (source: Source): void => {
    const at = SOURCES.indexOf(source);
    // One that is none is the least trusted.
    least = Math.max(least, at === -1 ? SOURCES.length - 1 : at);
  };
  const take = ({ name, result }: Answered): void => {
    for (const source of sourcesOf(name, result)) read(source);
  };
  const sourcesOf = (name: string, result: Answered["result"]): readonly Source[] => {
    if (Object.hasOwn(sources, name)) return [sources[name] ?? "tool"];
    const stored = OWN_TOOLS.has(name) && result.success ? (result.data as Stored | null | undefined) : undefined;
    if (Array.isArray(stored?.blocks)) return stored.blocks.map(toSource);
    const { block = stored?.mutation, mutation, similar = [] } = stored ?? {};
    const hidden = mutation?.supersedesSource ?? undefined;
    return [toSource(block), ...similar.map(toSource), ...(hidden === undefined ? [] : [toSource({ source: hidden })])];
  };
  before.forEach(take);
  return {
    get source() {
      return SOURCES[least] ?? "web";
    },
    observe(event) {
      if (event.type === "call-end" || event.type === "call-replayed") take(event);
    },
    read(source) {
      if (source !== undefined) read(source);
    },
  };
}

/** The tools that say where their texts come from. Tools of others may have names that begin so. */
const OWN_TOOLS: ReadonlySet<string> = new Set(["memory_read", "memory_write", "memory_list"]);

function toSource(text: { readonly source?: unknown } | null | undefined): Source {
  return SOURCES.find((known) => known === text?.source) ?? "tool";
}

/** The part of a memory tool's data that names the source of each block. */
interface Stored {
  readonly blocks?: readonly { readonly source?: unknown }[];
  readonly block?: { readonly source?: unknown };
  readonly mutation?: { readonly source?: unknown; readonly supersedesSource?: unknown };
  readonly similar?: readonly { readonly source?: unknown }[];
}
