import {
  failure,
  type JsonValue,
  type ParentCall,
  success,
  type ToolResult,
  type TranscriptEntry,
} from "@dispatch/tools-interface";
import {
  checkOptions,
  type DurableCall,
  type DurableRun,
  type DurableTool,
  hadNoEffects,
  isJsonObject,
  jsonOrReason,
  jsonSnapshot,
  nextSequence,
  nextTurn,
  readResult,
  type SentCall,
  thrownMessage,
  type WaitAnswer,
} from "@dispatch/tools-interface/internal";
import { type CallIdentity, NestedIdentities } from "./call-identity.ts";
import { readIntent, toIntent } from "./call-intent.ts";
import { toIndexed } from "./columns.ts";
import type { DurableEngine } from "./durable-engine.ts";
import { DurableError } from "./durable-error.ts";
import {
  cancelledWaitResult,
  harmlessResult,
  isUnknown,
  toRecorded,
  unavailableResult,
  unknownResult,
} from "./recorded-result.ts";

/** The parts that the calls of a session share. */
export interface SessionParts {
  readonly engine: DurableEngine;
  readonly session: string;
  /** Receives a record that could not be written after the tool had run. */
  readonly onError: (error: unknown) => void;
}

/** Why a call that was left to workers does not run here: its arguments were meant for another tool. */
const OTHER_VERSION =
  "it waits for a worker with the version of the tool that it was made for, and here is another version or none";

/** Where a call stands. */
export interface CallPlace {
  readonly parents: readonly ParentCall[];
  /** The step of the call whose tool makes this one. */
  readonly parent?: string | undefined;
  /** Whether the call whose tool made it has ended without it: then only its outcome is asked for. */
  readonly isOrphan?: boolean;
}

/** One call of a session, from its data to its result. */
export class SessionCall implements DurableCall {
  readonly callId: string;
  readonly effectId: string;
  readonly parents: readonly ParentCall[];
  readonly run: DurableRun;
  /** The identities of the calls that it makes. */
  readonly nested: NestedIdentities;
  isApproved = false;
  readonly #parts: SessionParts;
  readonly #call: SentCall;
  readonly #place: CallPlace;
  #attempt = 1;
  #startedAt = 0;
  /** Records the call's result, once its tool was reached, and returns the result that counts. */
  #end: ((result: ToolResult) => Promise<ToolResult>) | undefined;
  /** Whether `dispatch` was reached. */
  #isDispatched = false;
  /** Whether somebody left the call to workers, so that its outcome is recorded even if the tool is never reached. */
  #isSubmitted = false;
  /** Fingerprint of the tool that the call was left to workers for. */
  #pinned: string | undefined;

  constructor(parts: SessionParts, call: SentCall, { callId, effectId }: CallIdentity, place: CallPlace) {
    this.callId = callId;
    this.effectId = effectId;
    this.parents = place.parents;
    this.nested = new NestedIdentities(effectId);
    this.run = createDurableRun(parts, { callId, effectId }, call.name);
    this.#parts = parts;
    this.#call = { ...call, id: callId };
    this.#place = place;
  }

  /** The step of the running attempt. An attempt that ended without effects may be followed by another one. */
  get step(): string {
    return `${this.effectId}.${this.#attempt}`;
  }

  async dispatch(run: () => Promise<ToolResult>, fingerprint?: () => string | undefined): Promise<ToolResult> {
    const { name } = this.#call;
    this.#startedAt = Date.now();
    this.#isDispatched = true;
    try {
      const known = await this.#known();
      if (known !== undefined) return known;
    } catch (error) {
      this.#parts.onError(error);
      return unavailableResult(name, error);
    }
    if (this.#pinned !== undefined && fingerprint !== undefined && fingerprint() !== this.#pinned)
      return unavailableResult(name, new Error(OTHER_VERSION));
    const result = await run();
    if (this.#end !== undefined) return this.#end(result);
    if (!this.isApproved && !this.#isSubmitted) return result;
    // A call that had begun may not get that far any more, for example because its tool is gone.
    const instead = this.isApproved ? unknownResult(name) : result;
    return this.#runOnce(this.#intent(undefined), undefined, () => Promise.resolve(instead));
  }

  /**
   * Ends the step of a call that was answered without `dispatch`, so that no worker is given it again.
   *
   * @param isRecorded Whether the transcript had the answer: a process that lost the step may have recorded it there.
   */
  async settle(result: ToolResult, isRecorded: boolean): Promise<void> {
    if (this.#isDispatched) return;
    if (!isRecorded) await this.dispatch(() => Promise.resolve(result));
    else if ((await this.#known()) === undefined)
      await this.#runOnce(this.#intent(undefined), undefined, () => Promise.resolve(result), { isRecorded });
  }

  /**
   * Returns the tool's result at once. The recorded result is the one at the end of `dispatch`, because the repairs of
   * the call are added in between.
   */
  execute(
    tool: DurableTool,
    begin: () => ToolResult | Promise<ToolResult>,
    signal: AbortSignal | undefined,
  ): Promise<ToolResult> {
    return new Promise((answer) => {
      let end!: (result: ToolResult) => void;
      const ended = new Promise<ToolResult>((resolve) => (end = resolve));
      const recorded = this.#runOnce(this.#intent(tool.fingerprint()), signal, async (again) => {
        answer(await (again === undefined ? begin() : this.#recover(tool, begin, again)));
        return ended;
      });
      this.#end = (result) => {
        end(result);
        return recorded;
      };
      // Another process has done the work, or none could.
      void recorded.then(answer);
    });
  }

  /** The result of the call, if it has one; otherwise finds the attempt that is to run. */
  async #known(): Promise<ToolResult | undefined> {
    for (;;) {
      const found = await this.#parts.engine.find(this.step);
      if (found?.state !== "done") {
        this.#isSubmitted = found?.state === "submitted";
        this.#pinned = this.#isSubmitted ? readIntent(found?.intent ?? null)?.fingerprint : undefined;
        this.isApproved = found?.state === "running" || found?.state === "broken";
        return undefined;
      }
      const result = await this.#settled(readResult(found.result));
      if (!hadNoEffects(result)) return result;
      this.#attempt += 1;
    }
  }

  /** A person may since have recorded the outcome of a call whose outcome was unknown. */
  async #settled(result: ToolResult): Promise<ToolResult> {
    if (!isUnknown(result)) return result;
    const { session, engine } = this.#parts;
    return (await askOutcome(engine, this.step, session, this, this.#call)) ?? result;
  }

  async #runOnce(
    intent: JsonValue,
    signal: AbortSignal | undefined,
    work: (again: JsonValue | undefined) => Promise<ToolResult>,
    { isRecorded = false } = {},
  ): Promise<ToolResult> {
    const { engine, session, onError } = this.#parts;
    const { name } = this.#call;
    const own: { result?: ToolResult; recorded?: JsonValue } = {};
    let isBegun = false;
    try {
      const recorded = await engine.run(this.step, {
        intent,
        notBegun: toRecorded(unavailableResult(name, new Error("the server did not answer"))),
        signal,
        work: async (again) => {
          isBegun = true;
          const result = await work(again);
          // Asked before it is recorded, so that no outcome is unknown without a question.
          await this.#settled(result);
          own.result = result;
          own.recorded = toRecorded(result);
          return { result: own.recorded, entry: isRecorded ? undefined : { session, entry: this.#entry(result) } };
        },
      });
      return await this.#settled(
        own.recorded === recorded && own.result !== undefined ? own.result : readResult(recorded),
      );
    } catch (error) {
      onError(error);
      if (own.result !== undefined) return own.result;
      if (isBegun) return unknownResult(name);
      const isCancelled = DurableError.isInstance(error) && error.code === "cancelled";
      return isCancelled ? cancelledWaitResult(name) : unavailableResult(name, error);
    }
  }

  #entry(result: ToolResult): TranscriptEntry {
    const { turn, name, sent } = this.#call;
    const parentCallId = this.parents.at(-1)?.callId;
    return {
      callId: this.callId,
      ...(turn !== undefined && { turn }),
      ...(parentCallId !== undefined && { parentCallId }),
      name,
      arguments: jsonOrReason(sent),
      result,
      startedAt: this.#startedAt,
      durationMs: Date.now() - this.#startedAt,
      sequence: nextSequence(),
    };
  }

  /** The call had begun in a process that died. Nothing that acts twice is begun again. */
  async #recover(
    tool: DurableTool,
    begin: () => ToolResult | Promise<ToolResult>,
    again: JsonValue,
  ): Promise<ToolResult> {
    const { name, annotations, resumable, reconcile, fingerprint } = tool;
    const pinned = readIntent(again)?.fingerprint;
    if (pinned !== undefined && pinned !== fingerprint()) return unknownResult(name, "the tool has changed since");
    const isRepeatable = annotations.readOnly === true || annotations.idempotent === true || resumable;
    if (isRepeatable && this.#place.isOrphan !== true) return begin();
    if (annotations.readOnly === true) return harmlessResult(name);
    return (await reconcile?.()) ?? unknownResult(name);
  }

  #intent(fingerprint: string | undefined): JsonValue {
    const { callId, effectId } = this;
    const { parents, parent } = this.#place;
    return toIntent(this.#call, { session: this.#parts.session, callId, effectId, parents, parent, fingerprint });
  }
}

const WAIT_OPTIONS = { kind: true, expiresInMs: true, patienceMs: true, signal: true };

/**
 * The steps and questions of one call. Their keys are those of the call with the name that it gives them. Each lets the event
 * loop turn now and then: an engine may answer at once, and a tool may ask until there is an answer.
 */
function createDurableRun(
  { engine, session }: SessionParts,
  { callId, effectId }: CallIdentity,
  tool: string,
): DurableRun {
  return {
    async step<Result>(name: string, work: () => Result | Promise<Result>): Promise<Result> {
      await nextTurn();
      for (let attempt = 1; ; attempt += 1) {
        let failed: { readonly thrown: unknown } | undefined;
        const recorded = await engine.run(`${effectId}/${toIndexed(name)}#${attempt}`, {
          intent: { kind: "step", session, parent: effectId, name },
          notBegun: { failed: "the server did not answer" },
          work: async () => {
            try {
              return { result: { value: jsonSnapshot(await work()) ?? null } };
            } catch (thrown) {
              failed = { thrown };
              return { result: { failed: thrownMessage(thrown) } };
            }
          },
        });
        if (failed !== undefined) throw (failed as { thrown: unknown }).thrown;
        if (isJsonObject(recorded) && "value" in recorded) return recorded["value"] as Result;
      }
    },
    async wait(name, question, options = {}): Promise<WaitAnswer | undefined> {
      await nextTurn();
      checkOptions("wait for an answer", options, WAIT_OPTIONS);
      const { kind = "question", expiresInMs, patienceMs, signal } = options;
      const shown: JsonValue = { session, callId, effectId, tool, name, asked: jsonSnapshot(question) ?? null };
      const expiresAt = expiresInMs === undefined ? undefined : Date.now() + expiresInMs;
      return engine.wait(`${effectId}?${toIndexed(name)}`, { kind, question: shown, expiresAt, patienceMs, signal });
    },
  };
}

/**
 * Makes an outcome that nobody knows a question to a person, which is listed with the others, and reads the answer if there
 * is one: `{ happened: true, output? }` or `{ happened: false }`.
 */
async function askOutcome(
  engine: DurableEngine,
  step: string,
  session: string,
  { callId, effectId }: CallIdentity,
  { name, sent }: SentCall,
): Promise<ToolResult | undefined> {
  const question = { session, callId, effectId, name, arguments: jsonOrReason(sent) ?? null };
  const answered = await engine.wait(`unknown:${step}`, { kind: "unknown", question, patienceMs: 0 });
  const answer = answered?.answer;
  if (!isJsonObject(answer) || typeof answer["happened"] !== "boolean") return undefined;
  if (!answer["happened"]) {
    const text = `${name} had begun when its process ended. A person found that it was not done: you may call it again`;
    return failure(text, { code: "interrupted", effects: "none" });
  }
  const output = answer["output"];
  return success(typeof output === "string" ? output : `${name} was done, as a person found. Its answer is lost`);
}
