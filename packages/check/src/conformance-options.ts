import type { LintFinding } from "@dispatch/providers/lint";
import type { AnyTool, Approver } from "@dispatch/tools-interface";

type TypesOf<T> = T extends { readonly "~types"?: infer Types } ? NonNullable<Types> : never;
type InputOf<T> = TypesOf<T> extends { readonly input: infer Input } ? Input : unknown;
type ContextOf<T> = TypesOf<T> extends { readonly context: infer Context } ? Context : unknown;

/** Options of {@link conformanceCases} for a tool. */
export interface ConformanceOptions<T extends AnyTool = AnyTool> {
  /** Parameters that are right, as a model would send them, at least one. */
  readonly params: readonly InputOf<T>[];
  /** The host's context for the tool. Default nothing. */
  readonly context?: ContextOf<T>;
  /**
   * The parameters the tool may be run with: any that it accepts (`true`), `params` alone (`"examples"`), or none at
   * all (`false`), for a tool whose effects are not wanted in a test. Default true.
   */
  readonly execute?: boolean | "examples";
  /** Whether running with each of `params` must be a success. Default true. */
  readonly succeeds?: boolean;
  /** Answers for `params` when the tool needs approval; made-up parameters are never approved. Default yes to all. */
  readonly approve?: Approver;
  /** The longest text of a result, in characters. Default 30,000. */
  readonly maxTextChars?: number;
  /** How long one call may take, in milliseconds. Default 10,000. */
  readonly timeoutMs?: number;
  /** How soon a call must be answered once it is cancelled, in milliseconds. Default 1,000. */
  readonly cancelTimeoutMs?: number;
  /** Which findings of `lintTools` are known and accepted. Default none. */
  readonly accepts?: (finding: LintFinding) => boolean;
  /** With how many made-up parameters the tool is tried; it is run with a quarter of them. Default 200. */
  readonly numRuns?: number;
  /** Seeds the generated parameters. Default: a new seed each time, which a failure reports. */
  readonly seed?: number;
}

/** The options with their defaults, for a tool of any type. */
export interface ConformancePlan {
  readonly tool: AnyTool;
  readonly params: readonly unknown[];
  readonly context: unknown;
  readonly execute: boolean | "examples";
  readonly succeeds: boolean;
  readonly approve: Approver;
  readonly maxTextChars: number;
  readonly timeoutMs: number;
  readonly cancelTimeoutMs: number;
  readonly accepts: (finding: LintFinding) => boolean;
  readonly numRuns: number;
  readonly seed: number | undefined;
}

/** @throws {TypeError} When there is no example. */
export function planOf(tool: AnyTool, options: ConformanceOptions): ConformancePlan {
  const { params, context, execute = true, succeeds = true, approve = () => true, accepts = () => false } = options;
  if (params.length === 0) {
    throw new TypeError(`Cannot make cases for ${tool.name}: params is empty, allowed are one example or more`);
  }
  const { maxTextChars = 30_000, timeoutMs = 10_000, cancelTimeoutMs = 1_000, numRuns = 200, seed } = options;
  const limits = { maxTextChars, timeoutMs, cancelTimeoutMs, numRuns, seed };
  return { tool, params, context, execute, succeeds, approve, accepts, ...limits };
}
