/** Who gets the result of a call: a model, another tool, or a program that a tool runs. */
export type ToolCaller = "model" | "tool" | "program";

/** A call whose tool makes another call. */
export interface ParentCall {
  /** Identifies the call. */
  readonly callId: string;
  /** Name of its tool. */
  readonly name: string;
  /** `program` when a program makes the call, which the tool runs. */
  readonly caller?: "program";
}
