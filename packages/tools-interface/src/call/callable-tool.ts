import type { InvalidParamsHandler } from "../repair/invalid-params.ts";
import type { CompiledSchema } from "../schema/compiled-schema.ts";
import { isThenable, toPromise } from "../wait/thenable.ts";
import type { RunningCall } from "./running-call.ts";
import type { Tool } from "./tool.ts";

/** The meaning of a call that was made in the form of another tool. */
export interface Translation {
  /** The parameters as this tool takes them. They are checked like those of any call. */
  readonly params: Readonly<Record<string, unknown>>;
  /** One short sentence for each change, without a full stop: `"file_path" was taken for "path"`. */
  readonly changes: readonly string[];
}

/** Reads a call that was made in the shape of another tool. `undefined`: there is nothing to change. */
export type Translate = (sent: Readonly<Record<string, unknown>>) => Translation | undefined;

/** A tool with its schemas compiled, as the steps of a call read it. */
export interface CallableTool extends Pick<
  Tool,
  "name" | "description" | "annotations" | "timeoutMs" | "maxOutputChars" | "repair"
> {
  readonly parameters: CompiledSchema;
  readonly output: CompiledSchema | undefined;
  /** Checks the host's context; `undefined` if the tool needs none. */
  readonly context: CompiledSchema["validate"] | undefined;
  readonly needsApproval: ApprovalRule;
  /** Reads the part of the context that an approval is bound to. */
  readonly approvalContext: ((context: unknown) => unknown) | undefined;
  /** Reads calls in the shape of another tool. */
  readonly translate: Translate | undefined;
  readonly execute: (params: unknown, run: RunningCall) => unknown;
  /** Asks the destination for the outcome of an effect; `undefined` if the tool cannot. */
  readonly reconcile: ((params: unknown, run: RunningCall) => unknown) | undefined;
  /** Whether `execute` may be begun again after its process died. */
  readonly resumable: boolean;
  /** Computes the fingerprint of the definition at the first call. */
  readonly fingerprint: () => string;
  /** Made at the first call with invalid parameters. */
  invalidParams: InvalidParamsHandler | undefined;
}

/** Whether a person has to agree to a call, as its tool says. */
type ApprovalRule = boolean | ((params: unknown, context: unknown) => boolean | Promise<boolean>);

/** Applies the rule. Not `=== true`: only a plain `false` may skip the approval. Throws and rejects as the rule does. */
export function asksApproval(rule: ApprovalRule, params: unknown, context: unknown): boolean | Promise<boolean> {
  if (typeof rule !== "function") return rule;
  const answer: unknown = rule(params, context);
  return isThenable(answer) ? toPromise(answer).then((settled) => settled !== false) : answer !== false;
}
