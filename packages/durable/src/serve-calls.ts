import type { AnyToolRegistry, Approver, ToolEvent, ToolObserver, Transcript } from "@dispatch/tools-interface";
import { type DurableCalls, checkOptions } from "@dispatch/tools-interface/internal";
import { readIntent, sentCallOf, type CallIntent } from "./call-intent.ts";
import type { DurableEngine, DurableTranscript } from "./durable-engine.ts";
import { DurableError } from "./durable-error.ts";
import type { DurableSession, SessionParts } from "./durable-session.ts";
import { SessionCall } from "./session-call.ts";

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

interface Served {
  readonly engine: DurableEngine;
  readonly session: (name: string) => DurableSession;
  readonly partsOf: (session: string) => SessionParts;
}

/** Runs calls that were submitted, and takes over those of processes that died. */
export function serveCalls(
  { engine, session, partsOf }: Served,
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
  const leave = ({ session: of, name, fingerprint = "" }: CallIntent, own: string): void => {
    const version = `${name} ${fingerprint}`;
    if (left.has(version)) return;
    left.add(version);
    const versions = `${fingerprint.slice(0, 16)}, and this worker has ${own.slice(0, 16)}`;
    partsOf(of).onError(
      new DurableError(`${name} is left to other workers: calls wait for another version, ${versions}`),
    );
  };
  return engine.serve({
    maxConcurrency,
    accepts(intent) {
      const call = readIntent(intent);
      if (call === undefined) return false;
      if (!registry.has(call.name)) return false;
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
      const { name, transcript } = inSession;
      const answered: { by?: SessionCall; isRecorded: boolean } = { isRecorded: false };
      const own: DurableCalls = {
        keep(sent, parents, within) {
          if (within !== undefined) return inSession.keep(sent, parents, within);
          const { parents: around, parent } = call;
          answered.by = new SessionCall(partsOf(name), sent, call, {
            parents: around,
            parent,
            isOrphan: parent !== undefined,
          });
          return answered.by;
        },
      };
      const { id, turn, sent, caller } = sentCallOf(call);
      const result = await registry.dispatch({ id, turn, name: call.name, arguments: sent, caller }, {
        durable: own,
        transcript: transcript && withoutFaults(transcript),
        approve,
        approvalTimeoutMs,
        onEvent(event: ToolEvent) {
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
