import type { CallPolicy } from "../call/call-policy.ts";
import type { DurableCalls } from "../call/durable-call.ts";
import type { ToolMiddleware } from "../call/middleware.ts";
import type { HostOptions } from "../call/tool.ts";
import { checkOptions, type OptionNames } from "../error/check-options.ts";
import type { OutputKeeper } from "../result/limit-output.ts";
import type { Transcript } from "../transcript/transcript.ts";
import type { ToolObserver } from "./tool-event.ts";

/** Options of `createToolRegistry`. */
export interface RegistryOptions {
  /** Wraps the work of every tool, the first one outermost. Default none. */
  readonly middleware?: readonly ToolMiddleware[];
  /**
   * Decides about every call, nested ones included, after its parameters are validated and before anybody is asked. Default: the
   * tools' own rules decide. Through a nested registry the calls are decided by both, and the stricter decision counts.
   */
  readonly policy?: CallPolicy;
  /** Most characters of one result that a model is shown; a tool's own limit counts too. Default the tool's. */
  readonly maxOutputChars?: number;
  /**
   * Keeps the full text of a result that is truncated and says how to read the rest, such as the `keep` of
   * `createOutputArchive()`. Default: the rest is lost, and the text says how much it was.
   */
  readonly keepOutput?: OutputKeeper;
  /** How many calls may lie around a nested call, up to 256: tools that call tools. Beyond it `depth_exceeded`. Default 32. */
  readonly maxDepth?: number;
  /** How many nested calls of one call may be in flight, those nested in them included. Beyond it `too_many_calls`. Default 4,096. */
  readonly maxNestedCalls?: number;
  /**
   * How many calls of this process may run, or wait for an approval, when a call of this registry begins, those of other registries included. Beyond it
   * `too_many_calls`: it bounds tools that call a registry themselves, instead of through their run. Default 10,000.
   */
  readonly maxRunningCalls?: number;
  /**
   * Defers the tools that are registered without `defer`, when the definitions of all that are not deferred would take more
   * tokens than this, at four characters a token: models then find them with a search tool. Default: none are deferred.
   */
  readonly deferAboveTokens?: number;
}

/** The least and the greatest value of each limit. An abort passes through nested calls on one stack, so their depth has one. */
const LIMITS = {
  maxOutputChars: [1, Infinity],
  maxDepth: [0, 256],
  maxNestedCalls: [1, Infinity],
  maxRunningCalls: [1, Infinity],
  deferAboveTokens: [0, Infinity],
} as const;
const NAMES: OptionNames<RegistryOptions> = { middleware: true, policy: true, keepOutput: true, ...LIMITS };

/** Default of `maxDepth`. */
export const DEFAULT_MAX_DEPTH = 32;

/** Default of `maxNestedCalls`. */
export const DEFAULT_MAX_NESTED = 4_096;

/**
 * Checks the options of a registry and copies its middleware, so that a later change of the array has no effect.
 *
 * @throws {TypeError} For an option that there is not; when `middleware` holds anything but functions, or `policy` is none.
 * @throws {RangeError} When a limit is no number that it allows.
 */
export function checkRegistryOptions(options: RegistryOptions): RegistryOptions {
  checkOptions("create a registry", options, NAMES);
  const { middleware = [], policy } = options;
  if (!middleware.every((layer) => typeof layer === "function")) {
    throw new TypeError("Cannot create a registry: middleware holds something else, allowed are functions");
  }
  if (policy !== undefined && typeof policy !== "function") {
    throw new TypeError(`Cannot create a registry: policy is of type ${typeof policy}, allowed is a function`);
  }
  for (const [name, [least, most]] of Object.entries(LIMITS)) {
    const value: unknown = options[name as keyof typeof LIMITS];
    if (value === undefined || (typeof value === "number" && value >= least && value <= most)) continue;
    const found = typeof value === "number" ? String(value) : value === null ? "null" : `of type ${typeof value}`;
    throw new RangeError(
      `Cannot create a registry: ${name} is ${found}, allowed are numbers from ${least}${most < Infinity ? ` to ${most}` : ""}`,
    );
  }
  return { ...options, middleware: [...middleware] };
}

/** Options of `dispatch` and `dispatchAll`. */
export type DispatchOptions<Context = unknown> = HostOptions<Context> & {
  /** Where the call is recorded, with exactly one entry. Default: nowhere. */
  readonly transcript?: Transcript | undefined;
  /**
   * Whether a call that the transcript holds already, with the same turn, id, name and arguments, is answered from there
   * instead of run again. Needs a transcript with `find`, such as `createTranscript()`. Without `turn`, an id that looks
   * numbered, such as `call_0`, may be that of another message: it is answered only the first time in this process, and not
   * for read-only tools. Default true.
   */
  readonly replay?: boolean | undefined;
  /** How long the transcript may take to append one entry, in milliseconds. Default 10,000. */
  readonly recordTimeoutMs?: number | undefined;
  /**
   * Keeps the call where it outlives the process, so that it is neither lost nor run twice: a session of `createDurable` of
   * `@dispatch/durable`. Default: the call ends with its process.
   */
  readonly durable?: DurableCalls | undefined;
  /** Receives events as they happen, those of nested calls included. */
  readonly onEvent?: ToolObserver | undefined;
};

/** Options of `dispatchAll`. */
export type DispatchAllOptions<Context = unknown> = DispatchOptions<Context> & {
  /** How many calls may run at the same time, at least one. Default 8. */
  readonly maxConcurrency?: number;
};
