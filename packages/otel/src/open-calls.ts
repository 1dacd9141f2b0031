import type { Context, Span } from "@opentelemetry/api";

/** A call that has a span and no result yet. */
export interface OpenCall {
  /** Identifies the call; two calls may have one id, because models make ids up. */
  readonly callId: string;
  /** The name that was asked for. */
  readonly name: string;
  /** The call's span. */
  readonly span: Span;
  /** The context in which the span is the active one. */
  readonly context: Context;
  /** When it started, by the clock of `performance`. */
  readonly startedAt: number;
  /** Whether its tool has been started within the context. */
  isEntered: boolean;
}

/** Limit for calls without a result: calls that never end must not fill the memory. */
const MAX_OPEN = 4_096;

/** The calls that have a span and no result yet, the oldest first. */
export class OpenCalls {
  readonly #calls = new Map<string, OpenCall[]>();
  readonly #abandon: (call: OpenCall) => void;
  #size = 0;

  /** `abandon` ends the span of a call that is no longer waited for. */
  constructor(abandon: (call: OpenCall) => void) {
    this.#abandon = abandon;
  }

  add(call: OpenCall): void {
    const same = this.#calls.get(call.callId);
    if (same === undefined) this.#calls.set(call.callId, [call]);
    else same.push(call);
    this.#size += 1;
    if (this.#size <= MAX_OPEN) return;
    const [oldest] = this.#calls.values();
    if (oldest?.[0] !== undefined) this.#abandon(this.#remove(oldest, 0));
  }

  /** A call of this id, the latest one. */
  find(callId: string | undefined): OpenCall | undefined {
    return callId === undefined ? undefined : this.#calls.get(callId)?.at(-1);
  }

  /** The call whose tool is about to start. */
  enter(callId: string, name: string): OpenCall | undefined {
    const call = this.#calls.get(callId)?.find((one) => one.name === name && !one.isEntered);
    if (call !== undefined) call.isEntered = true;
    return call;
  }

  /** The call that has ended, which is then open no longer. */
  take(callId: string, name: string): OpenCall | undefined {
    const same = this.#calls.get(callId);
    const index = same?.findIndex((one) => one.name === name) ?? -1;
    return same === undefined || index < 0 ? undefined : this.#remove(same, index);
  }

  #remove(same: OpenCall[], index: number): OpenCall {
    const [call] = same.splice(index, 1) as [OpenCall];
    if (same.length === 0) this.#calls.delete(call.callId);
    this.#size -= 1;
    return call;
  }
}
