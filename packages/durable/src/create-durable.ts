import {
  type AnyToolRegistry,
  isToolResult,
  type JsonValue,
  type ToolCall,
  ToolError,
  type ToolResult,
} from "@dispatch/tools-interface";
import { checkOptions, hadNoEffects, readCall, readResult } from "@dispatch/tools-interface/internal";
import { identityOf } from "./call-identity.ts";
import { type CallIntent, readIntent, toIntent } from "./call-intent.ts";
import type { DurableEngine, OpenWait } from "./durable-engine.ts";
import { stoppedWaiting } from "./durable-error.ts";
import type { DurableSession, SessionParts } from "./durable-session.ts";
import { serveCalls, type ServeOptions } from "./serve-calls.ts";
import { SessionCall } from "./session-call.ts";
import { sessionTranscript } from "./session-transcript.ts";

/** Options of {@link createDurable}. */
export interface DurableOptions {
  /**
   * Receives records that could not be read or written; default: the affected call's result says it. Also receives, once for each
   * version of a tool, the notice that a worker leaves its calls to others because it has another one.
   */
  readonly onError?: (error: unknown) => void;
}

/** A call that was left to workers. */
export interface SubmittedCall {
  /** The name of its effect, as the tool sees it. */
  readonly effectId: string;
  /** Resolves with its result, whichever process makes it. Rejects when `signal` aborts. */
  outcome(options?: { readonly signal?: AbortSignal }): Promise<ToolResult>;
}

/** A call that is open. */
export interface OpenCall extends CallIntent {
  /** `submitted`: nobody has begun. `running`: a live process does the work. `broken`: its process has died. */
  readonly state: "submitted" | "running" | "broken";
  /** When it was recorded, Unix time in milliseconds. */
  readonly since: number;
}

/** Calls that outlive the process. Made by {@link createDurable}. */
export interface Durable {
  /** The engine that keeps them. */
  readonly engine: DurableEngine;
  /**
   * The calls of one conversation. Any text may name it; the same name is the same conversation in every process.
   *
   * @throws {TypeError} For a name that is no text, which several conversations could share.
   */
  session(name: string): DurableSession;
  /**
   * Leaves a call to workers: once this resolves it is not lost. Pins the version of its tool. The same call again changes
   * nothing, unless it ended without effects, for example as `approval_pending`: then it may run again.
   *
   * @throws {ToolError} Code `invalid_call` when the call has no id of its own, `tool_not_found` when there is no such tool.
   */
  submit(registry: AnyToolRegistry, call: ToolCall, options: { readonly session: string }): Promise<SubmittedCall>;
  /**
   * Makes this process a worker for the tools of a registry: it runs submitted calls, and takes over the calls of
   * processes that died.
   *
   * @returns Stops taking calls, and resolves when the taken ones have ended.
   */
  serve(registry: AnyToolRegistry, options?: ServeOptions): () => Promise<void>;
  /** Calls without a result, and questions without an answer: approvals, and outcomes that nobody knows, included. */
  open(): Promise<{ readonly calls: readonly OpenCall[]; readonly waits: readonly OpenWait[] }>;
  /** Answers a question. The first answer counts: `false` when it has one, has lapsed, or is unknown. */
  answer(key: string, answer: JsonValue): Promise<boolean>;
  /** Lets go of the engine, once the calls that this process runs have ended: cancel those that should not be waited for. */
  close(): Promise<void>;
}

/**
 * Calls that are neither lost nor run twice when their process dies.
 *
 * @example
 * ```ts
 * const durable = createDurable(await openSqliteEngine("calls.db"));
 * const session = durable.session("chat-42");
 * await registry.dispatchAll(calls, { context, durable: session, transcript: session.transcript });
 * ```
 */
export function createDurable(engine: DurableEngine, options: DurableOptions = {}): Durable {
  checkOptions("make calls durable", options, { onError: true });
  const { onError = () => {} } = options;
  const partsOf = (session: string): SessionParts => ({ engine, session, onError });
  const session = (name: string): DurableSession => {
    if (typeof name !== "string") throw new TypeError("Cannot name a session: the name is no text");
    const parts = partsOf(name);
    return {
      name,
      transcript: sessionTranscript(engine.transcript?.(name)),
      keep(call, parents, within) {
        const outer = within instanceof SessionCall ? within : undefined;
        const identity = outer === undefined ? identityOf(name, call) : outer.nested.next(call);
        return isToolResult(identity)
          ? identity
          : new SessionCall(parts, call, identity, { parents, parent: outer?.step });
      },
    };
  };
  return {
    engine,
    session,
    async submit(registry, call, given) {
      checkOptions("leave a call to workers", given, { session: true });
      const sent = readCall(call);
      const { fingerprint } = registry.get(sent.name);
      const identity = identityOf(given.session, sent);
      if (isToolResult(identity)) throw new ToolError(identity.error, { code: identity.code });
      const { effectId } = identity;
      const intent = toIntent(sent, { ...identity, session: given.session, parents: [], fingerprint });
      await engine.submit(await openStep(engine, effectId), intent);
      return { effectId, outcome: (waiting) => awaitOutcome(engine, effectId, waiting?.signal) };
    },
    serve: (registry, given = {}) => serveCalls({ engine, session, partsOf }, registry, given),
    async open() {
      const { steps, waits } = await engine.list();
      const calls = steps.flatMap(({ intent, state, since }): OpenCall[] => {
        const call = readIntent(intent);
        return call === undefined || state === "done" ? [] : [{ ...call, state, since }];
      });
      return { calls, waits };
    },
    answer: (key, answer) => engine.signal(key, answer),
    close: () => engine.close(),
  };
}

/** Between looks at a call that another process runs, in milliseconds: doubled from the first to the second. */
const PAUSE_MS = [10, 500] as const;

/** The step of a call that may run: the first one after those that ended without effects, or the one that is final. */
async function openStep(engine: DurableEngine, effectId: string): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const step = `${effectId}.${attempt}`;
    const found = await engine.find(step);
    if (found?.state !== "done" || !hadNoEffects(readResult(found.result))) return step;
  }
}

/** The result of a submitted call, whichever process makes it. Rejects when the signal aborts. */
async function awaitOutcome(
  engine: DurableEngine,
  effectId: string,
  signal: AbortSignal | undefined,
): Promise<ToolResult> {
  const [first, longest] = PAUSE_MS;
  let ended: ToolResult | undefined;
  let attempt = 1;
  for (let pause: number = first; ; pause = Math.min(pause * 2, longest)) {
    if (signal?.aborted) throw stoppedWaiting();
    const found = await engine.find(`${effectId}.${attempt}`);
    if (found === undefined && ended !== undefined) return ended;
    if (found?.state === "done") {
      ended = readResult(found.result);
      if (!hadNoEffects(ended)) return ended;
      attempt += 1;
      continue;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
