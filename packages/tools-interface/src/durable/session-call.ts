import type { DurableRun, KeptCall, KeptParent, KeptTool } from "../call/kept-call.ts";
import type { SentCall } from "../call/parse-call.ts";
import type { JsonValue } from "../json/json-snapshot.ts";
import type { ToolResult } from "../result/tool-result.ts";
import { hadNoEffects } from "../transcript/recorded-result.ts";
import { NestedIdentities, type CallIdentity } from "./call-identity.ts";
import { readIntent, toIntent } from "./call-intent.ts";
import { DurableError } from "./durable-error.ts";
import {
  cancelledWaitResult,
  fromKept,
  harmlessResult,
  isUnknown,
  toKept,
  unavailableResult,
  unknownResult,
} from "./kept-result.ts";
import type { SessionParts } from "./session-parts.ts";
import { createDurableRun } from "./session-run.ts";
import { askOutcome } from "./unknown-outcome.ts";

/** Where a call stands. */
export interface CallPlace {
  readonly parents: readonly KeptParent[];
  /** The step of the call whose tool makes this one. */
  readonly parent?: string | undefined;
  /** Whether the call whose tool made it has ended without it: then it is only asked what became of it. */
  readonly isOrphan?: boolean;
}

/** One call of a session, from what was sent to its result. */
export class SessionCall implements KeptCall {
  readonly callId: string;
  readonly effectId: string;
  readonly parents: readonly KeptParent[];
  readonly run: DurableRun;
  /** The identities of the calls that it makes. */
  readonly nested: NestedIdentities;
  isApproved = false;
  readonly #parts: SessionParts;
  readonly #call: SentCall;
  readonly #place: CallPlace;
  #attempt = 1;
  #isReached = false;

  constructor(parts: SessionParts, call: SentCall, { callId, effectId }: CallIdentity, place: CallPlace) {
    this.callId = callId;
    this.effectId = effectId;
    this.parents = place.parents;
    this.nested = new NestedIdentities(effectId);
    this.run = createDurableRun(parts, { callId, effectId, name: call.name });
    this.#parts = parts;
    this.#call = { ...call, id: callId };
    this.#place = place;
  }

  /** The step of the running attempt. An attempt that ended without effects may be followed by another one. */
  get step(): string {
    return `${this.effectId}.${this.#attempt}`;
  }

  async dispatch(run: () => Promise<ToolResult>): Promise<ToolResult> {
    const { name } = this.#call;
    try {
      const known = await this.#known();
      if (known !== undefined) return known;
    } catch (error) {
      return unavailableResult(name, error);
    }
    const result = await run();
    if (this.#isReached || !this.isApproved) return result;
    // It had begun, and now it does not get that far any more, for example because its tool is gone.
    return this.#runOnce(this.#intent(undefined), name, undefined, () => Promise.resolve(unknownResult(name)));
  }

  async execute(
    tool: KeptTool,
    begin: () => ToolResult | Promise<ToolResult>,
    signal: AbortSignal | undefined,
  ): Promise<ToolResult> {
    this.#isReached = true;
    return this.#runOnce(this.#intent(tool.fingerprint()), tool.name, signal, (again) =>
      again === undefined ? begin() : this.#recover(tool, begin, again),
    );
  }

  /** The result of the call, if it has one; otherwise finds the attempt that is to run. */
  async #known(): Promise<ToolResult | undefined> {
    for (;;) {
      const found = await this.#parts.engine.find(this.step);
      if (found?.state !== "done") {
        this.isApproved = found?.state === "running" || found?.state === "broken";
        return undefined;
      }
      const result = await this.#settled(fromKept(found.result ?? null));
      if (!hadNoEffects(result)) return result;
      this.#attempt += 1;
    }
  }

  /** A person may have said since what became of a call of which nothing was known. */
  async #settled(result: ToolResult): Promise<ToolResult> {
    if (!isUnknown(result)) return result;
    const { session, engine } = this.#parts;
    const { callId, effectId, step } = this;
    const { name, sent } = this.#call;
    return (await askOutcome(engine, step, { session, callId, effectId, name, sent })) ?? result;
  }

  async #runOnce(
    intent: JsonValue,
    name: string,
    signal: AbortSignal | undefined,
    work: (again: JsonValue | undefined) => ToolResult | Promise<ToolResult>,
  ): Promise<ToolResult> {
    const { engine, onError } = this.#parts;
    let own: { readonly result: ToolResult; readonly kept: JsonValue } | undefined;
    let isBegun = false;
    try {
      const kept = await engine.run(this.step, {
        intent,
        signal,
        work: async (again) => {
          isBegun = true;
          const result = await work(again);
          own = { result, kept: toKept(result) };
          return own.kept;
        },
      });
      const result =
        own !== undefined && (own as { kept: JsonValue }).kept === kept
          ? (own as { result: ToolResult }).result
          : fromKept(kept);
      return await this.#settled(result);
    } catch (error) {
      onError(error);
      if (own !== undefined) return (own as { result: ToolResult }).result;
      if (isBegun) return unknownResult(name);
      return DurableError.isInstance(error) && error.code === "cancelled"
        ? cancelledWaitResult(name)
        : unavailableResult(name, error);
    }
  }

  /** The call had begun in a process that died. Nothing that acts twice is begun again. */
  async #recover(tool: KeptTool, begin: () => ToolResult | Promise<ToolResult>, again: JsonValue): Promise<ToolResult> {
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
