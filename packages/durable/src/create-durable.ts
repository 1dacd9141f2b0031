import {
  type AnyToolRegistry,
  type Approver,
  isToolResult,
  type JsonValue,
  type ToolCall,
  ToolError,
  type ToolObserver,
  type ToolResult,
  type Transcript,
  type TranscriptEntry,
} from "@dispatch/tools-interface";
import {
  canonicalText,
  checkOptions,
  type DurableCalls,
  hadNoEffects,
  readCall,
  readResult,
} from "@dispatch/tools-interface/internal";
import { identityOf } from "./call-identity.ts";
import { type CallIntent, readIntent, toIntent } from "./call-intent.ts";
import type { DurableEngine, DurableTranscript, OpenWait } from "./durable-engine.ts";
import { DurableError, stoppedWaiting } from "./durable-error.ts";
import { isOpen } from "./recorded-result.ts";
import { SessionCall, type SessionParts } from "./session-call.ts";

/** Options of {@link createDurable}. */
export interface DurableOptions {
  /**
   * Receives records that could not be read or written; default: the affected call's result says it. Also receives, once for each
   * version of a tool, the notice that a worker leaves its calls to others because it has another one.
   */
  readonly onError?: (error: unknown) => void;
}

/** Options of `Durable.serve`. */
export interface ServeOptions {
  /** Most calls at a time. Default 8. */
  readonly maxConcurrency?: number;
  /** The context of a call. Default none. */
  readonly context?: (call: CallIntent) => object;
  /** Decides about calls that need approval. Without it such calls are denied. */
  readonly approve?: Approver;
  /** How long `approve` may take, in milliseconds. Default 600,000 (ten minutes). */
  readonly approvalTimeoutMs?: number;
  /** Receives events as they happen. */
  readonly onEvent?: ToolObserver;
}

/** The calls of one conversation: pass it as `durable` to `dispatch` and `dispatchAll`, and its transcript as `transcript`. */
export interface DurableSession extends DurableCalls {
  /** Its name. */
  readonly name: string;
  /** The transcript on the same database. `undefined` when the engine has none. */
  readonly transcript: DurableTranscript | undefined;
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
  const session = (name: string): DurableSession => {
    if (typeof name !== "string") throw new TypeError("Cannot name a session: the name is no text");
    const parts: SessionParts = { engine, session: name, onError };
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
      await engine.submit((await lastAttempt(engine, effectId)).step, intent);
      return { effectId, outcome: (waiting) => awaitOutcome(engine, effectId, waiting?.signal) };
    },
    serve: (registry, given = {}) => serveCalls(engine, session, onError, registry, given),
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

/** The attempt of a call that may run or is final: the first one after those that ended without effects, whose last result is `ended`. */
async function lastAttempt(engine: DurableEngine, effectId: string) {
  let ended: ToolResult | undefined;
  for (let attempt = 1; ; attempt += 1) {
    const step = `${effectId}.${attempt}`;
    const found = await engine.find(step);
    const result = found?.state === "done" ? readResult(found.result) : undefined;
    if (result === undefined || !hadNoEffects(result)) return { step, isKnown: found !== undefined, result, ended };
    ended = result;
  }
}

/** The result of a submitted call, whichever process makes it. Rejects when the signal aborts. */
async function awaitOutcome(
  engine: DurableEngine,
  effectId: string,
  signal: AbortSignal | undefined,
): Promise<ToolResult> {
  const [first, longest] = PAUSE_MS;
  for (let pause: number = first; ; pause = Math.min(pause * 2, longest)) {
    if (signal?.aborted) throw stoppedWaiting();
    const { isKnown, result, ended } = await lastAttempt(engine, effectId);
    const outcome = result ?? (isKnown ? undefined : ended);
    if (outcome !== undefined) return outcome;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** Runs calls that were submitted, and takes over those of processes that died. */
function serveCalls(
  engine: DurableEngine,
  session: Durable["session"],
  onError: SessionParts["onError"],
  registry: AnyToolRegistry,
  options: ServeOptions,
): () => Promise<void> {
  checkOptions("serve calls", options, {
    maxConcurrency: true,
    context: true,
    approve: true,
    approvalTimeoutMs: true,
    onEvent: true,
  });
  const { maxConcurrency = 8, context, approve, approvalTimeoutMs, onEvent } = options;
  const left = new Set<string>();
  /** Says once of each version of a tool that this worker does not have it. */
  const leave = ({ name, fingerprint = "" }: CallIntent, own: string): void => {
    const version = `${name} ${fingerprint}`;
    if (left.has(version)) return;
    left.add(version);
    const versions = `${fingerprint.slice(0, 16)}, and this worker has ${own.slice(0, 16)}`;
    onError(new DurableError(`${name} is left to other workers: calls wait for another version, ${versions}`));
  };
  return engine.serve({
    maxConcurrency,
    accepts(intent) {
      const call = readIntent(intent);
      if (call === undefined || !registry.has(call.name)) return false;
      const { fingerprint } = registry.get(call.name);
      if (call.fingerprint === undefined || call.fingerprint === fingerprint) return true;
      leave(call, fingerprint);
      return false;
    },
    async handle(_key, intent) {
      const call = readIntent(intent);
      // One that another call made is found again by that one, as long as it may still run.
      if (call === undefined || !(await isOnItsOwn(engine, call))) return;
      const inSession = session(call.session);
      const { transcript } = inSession;
      const answered: { by?: SessionCall; isRecorded: boolean } = { isRecorded: false };
      const own: DurableCalls = {
        keep(sent, parents, within) {
          if (within !== undefined) return inSession.keep(sent, parents, within);
          const place = { parents: call.parents, parent: call.parent, isOrphan: call.parent !== undefined };
          return (answered.by = new SessionCall({ engine, session: call.session, onError }, sent, call, place));
        },
      };
      const { callId: id, turn, name, arguments: sent, caller } = call;
      const result = await registry.dispatch({ id, turn, name, arguments: sent ?? undefined, caller }, {
        durable: own,
        transcript: transcript && withoutFaults(transcript),
        approve,
        approvalTimeoutMs,
        onEvent(event: Parameters<ToolObserver>[0]) {
          answered.isRecorded ||= event.type === "call-replayed";
          onEvent?.(event);
        },
        context: context?.(call) ?? {},
      } as object);
      await answered.by?.settle(result, answered.isRecorded);
    },
  });
}

/** A transcript without the calls that this process could not look up or record: they are not over, others go on with them. */
function withoutFaults(transcript: DurableTranscript): Transcript {
  return {
    append: ({ result, ...entry }) =>
      result.success || result.code !== "durable_unavailable" ? transcript.append({ ...entry, result }) : undefined,
    find: (callId, turn) => transcript.find(callId, turn),
  };
}

/** Whether nobody else will dispatch a call again: a model's call, or one whose caller has its result already. */
async function isOnItsOwn(engine: DurableEngine, { parent }: CallIntent): Promise<boolean> {
  return parent === undefined || (await engine.find(parent))?.state === "done";
}

/**
 * A session's transcript. An outcome that its writer did not know is not found, unless another entry of the call knows it: the record of the
 * call answers instead, because a person may since have recorded the outcome.
 */
function sessionTranscript(transcript: DurableTranscript | undefined): DurableTranscript | undefined {
  if (transcript === undefined) return undefined;
  return {
    append: (entry) => transcript.append(entry),
    entries: async () => knownEntries(await transcript.entries()),
    async find(callId, turn) {
      const entry = await transcript.find(callId, turn);
      return entry !== undefined && isOpen(entry.result) ? knownTwin(entry, await transcript.entries()) : entry;
    },
  };
}

/**
 * The entries without those of an unknown outcome, where another one of the same call has its outcome. Both are written
 * when a process runs a tool to its end but cannot record that in time, and another process takes the call over; or when a
 * process waits for a call of another one and is cancelled.
 */
function knownEntries(entries: readonly TranscriptEntry[]): readonly TranscriptEntry[] {
  if (!entries.some(({ result }) => isOpen(result))) return entries;
  const known = new Set(entries.filter(hasOutcome).map(callOf));
  return entries.filter((entry) => !isOpen(entry.result) || !known.has(callOf(entry)));
}

/** The last entry with the outcome of the call of an entry. */
function knownTwin(entry: TranscriptEntry, entries: readonly TranscriptEntry[]): TranscriptEntry | undefined {
  const call = callOf(entry);
  return entries.findLast((other) => hasOutcome(other) && callOf(other) === call);
}

/** Whether an entry tells what its call did. A process that did not see the end of its tool, such as after a timeout, knows no more than others. */
function hasOutcome({ result }: TranscriptEntry): boolean {
  const isEnded = result.success || result.stopped !== false;
  return isEnded && !isOpen(result) && !hadNoEffects(result);
}

/** The same for all entries of one call. */
function callOf({ callId, turn, parentCallId, name, arguments: sent }: TranscriptEntry): string {
  return canonicalText([callId, turn ?? null, parentCallId ?? null, name, sent ?? null]);
}
