import type { ToolEvent } from "@dispatch/tools-interface";
import { SOURCES, type Source } from "../block/provenance.ts";

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
export function createTrustTracker({ sources = {}, before = [] }: TrustTrackerOptions = {}): TrustTracker {
  let least = 0;
  const read = (source: Source): void => void (least = Math.max(least, SOURCES.indexOf(source)));
  const take = ({ name, result }: Answered): void => {
    for (const source of sourcesOf(name, result)) read(source);
  };
  const sourcesOf = (name: string, result: Answered["result"]): readonly Source[] => {
    if (Object.hasOwn(sources, name)) return [sources[name] ?? "tool"];
    const stored = /^memory(?:_|$)/.test(name) && result.success ? (result.data as Stored | undefined) : undefined;
    if (stored === undefined) return ["tool"];
    return (stored.blocks ?? [stored.block ?? stored.mutation]).map((block) => toSource(block?.source));
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

function toSource(source: unknown): Source {
  return SOURCES.find((known) => known === source) ?? "tool";
}

/** The part of a memory tool's data that names the source of each block. */
interface Stored {
  readonly blocks?: readonly { readonly source?: unknown }[];
  readonly block?: { readonly source?: unknown };
  readonly mutation?: { readonly source?: unknown };
}
