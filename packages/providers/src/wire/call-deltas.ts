import type { WireNames } from "@dispatch/tools-interface/internal";

/** A piece of a call's arguments, while the model still makes the call. Nothing may be run for it: more may follow. */
export interface CallDelta {
  /** Marks the kind of event. */
  readonly type: "call-delta";
  /** Identifies the call. Empty when the provider has not said it. */
  readonly callId: string;
  /** The tool, by its own name. */
  readonly name: string;
  /** The next piece of the arguments' JSON text. Empty for the first piece of a call without any. */
  readonly delta: string;
}

/** Reads the events of one stream, in their order. Anything else answers none. */
export type CallDeltaReader = (event: unknown) => CallDelta[];

export type WireNamesOf = { readonly names: Pick<WireNames, "fromWire"> } | undefined;

/** The calls that a stream has begun, by the key that its events use for them. */
export class StreamedCalls {
  readonly #calls = new Map<unknown, { readonly callId: string; readonly name: string }>();
  readonly #wire: WireNamesOf;

  constructor(wire: WireNamesOf) {
    this.#wire = wire;
  }

  begin(key: unknown, id: unknown, wireName: unknown): void {
    const name = typeof wireName === "string" ? wireName : "";
    const callId = typeof id === "string" ? id : "";
    this.#calls.set(key, { callId, name: this.#wire?.names.fromWire(name) ?? name });
  }

  delta(key: unknown, delta: unknown = ""): CallDelta[] {
    const call = this.#calls.get(key);
    return call === undefined || typeof delta !== "string" ? [] : [{ type: "call-delta", ...call, delta }];
  }
}
