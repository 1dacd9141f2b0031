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

/** For a call that no tool makes. */
export const NO_PARENTS: readonly ParentCall[] = Object.freeze([]);

/** The caller of a call: the host's own code if a tool makes it. */
export function callerOf(caller: "program" | undefined, parents: readonly ParentCall[]): ToolCaller {
  const parent = parents.at(-1);
  return parent === undefined ? (caller ?? "model") : (parent.caller ?? "tool");
}
