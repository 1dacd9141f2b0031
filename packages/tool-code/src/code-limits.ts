import { describeUnknown } from "@dispatch/tools-interface/internal";

/**
 * Every limit of one execution, with its unit and default. All are positive integers.
 *
 * To add a limit: a field here and in `DEFAULT_CODE_LIMITS`; its check in `running-program.ts`, for every runtime, or in
 * `check` of `deno/program-run.ts`, for what only a process has; a case in `limits.test.ts`.
 */
export interface CodeLimits {
  /** Size of the program, in bytes of UTF-8. Default 51,200. */
  readonly codeBytes: number;
  /**
   * Time for the program, in milliseconds. Waiting for tools is not counted, so a person may take long to approve a
   * call. Default 60,000.
   */
  readonly wallMs: number;
  /** Time from start to end, with waiting for tools, in milliseconds. Default 600,000. */
  readonly totalMs: number;
  /**
   * Time that tool calls get which a program did not wait for, in milliseconds; and timers, requests and the like, unless
   * it returned a value. Default 5,000.
   */
  readonly lingerMs: number;
  /** Heap of the JavaScript engine, in MiB. Default 256. */
  readonly heapMb: number;
  /** Memory of the whole process, in MiB, where the runtime can measure it. Default 512. */
  readonly rssMb: number;
  /** Time of processors, all threads together, in milliseconds, where the runtime can measure it. Default 60,000. */
  readonly cpuMs: number;
  /** Disk space that a program may add, in MiB, if it may write at all. Default 256. */
  readonly diskMb: number;
  /**
   * Output, and returned value, in bytes of UTF-8 each. A program that prints more is stopped; a longer value is shortened by
   * its structure, and up to `frameBytes` of it are kept. Default 1,048,576.
   */
  readonly outputBytes: number;
  /** Parameters, or result, of one tool call, in bytes of UTF-8 each. Default 8,388,608. */
  readonly frameBytes: number;
  /**
   * Values in the parameters of one tool call, and in the returned value: each array, object, text, number, boolean and
   * null. The host works for each of them, however few bytes it has. Default 30,000.
   */
  readonly frameValues: number;
  /**
   * Memory that the names, parameters and results of all tool calls of one execution take on the host, in MiB: one byte a
   * character, two where a text has characters beyond Latin-1, and 128 for each value. Default 24.
   */
  readonly hostMb: number;
  /** Tool calls in one execution. Default 100. */
  readonly calls: number;
  /** Tool calls that run at a time. Further ones wait. Default 16. */
  readonly maxConcurrency: number;
  /** Text that the model is shown of one execution, in characters. A longer text loses its middle. Default 20,000. */
  readonly textChars: number;
  /** Declarations of the other tools in the description of `execute_code`, in characters. Default 8,000. */
  readonly declarationChars: number;
}

/** The default limits. */
export const DEFAULT_CODE_LIMITS: CodeLimits = Object.freeze({
  codeBytes: 50 * 1024,
  wallMs: 60_000,
  totalMs: 600_000,
  lingerMs: 5_000,
  heapMb: 256,
  rssMb: 512,
  cpuMs: 60_000,
  diskMb: 256,
  outputBytes: 1024 * 1024,
  frameBytes: 8 * 1024 * 1024,
  frameValues: 30_000,
  hostMb: 24,
  calls: 100,
  maxConcurrency: 16,
  textChars: 20_000,
  declarationChars: 8_000,
});

/** The longest delay of a timer, in milliseconds. */
const MAX_LIMIT = 2_147_483_647;

/**
 * Returns all limits: the given ones, and those of `base` for the rest.
 *
 * @throws {RangeError} When a limit is unknown or is not an integer from 1 to 2,147,483,647.
 *
 * @example
 * ```ts
 * const limits = resolveCodeLimits({ wallMs: 10_000 }); // all others are the defaults
 * ```
 */
export function resolveCodeLimits(
  limits: Partial<CodeLimits> = {},
  base: CodeLimits = DEFAULT_CODE_LIMITS,
): CodeLimits {
  const resolved: Record<string, number> = { ...base };
  for (const [name, value] of Object.entries(limits)) {
    if (!Object.hasOwn(DEFAULT_CODE_LIMITS, name)) {
      throw new RangeError(
        `Cannot set limit ${JSON.stringify(name)}: there is none of that name, ${describeUnknown(name, Object.keys(DEFAULT_CODE_LIMITS))}`,
      );
    }
    if (value === undefined) continue;
    if (!Number.isInteger(value) || value < 1 || value > MAX_LIMIT) {
      throw new RangeError(
        `Cannot set limit ${name}: found ${String(value)}, allowed are integers from 1 to ${MAX_LIMIT}`,
      );
    }
    resolved[name] = value;
  }
  return Object.freeze(resolved) as unknown as CodeLimits;
}

/** Checks an option of a runtime that counts processes or engines. Throws a `RangeError` unless it is an integer up to 1,000. */
export function checkCount(name: string, value: number, least: number): number {
  if (Number.isInteger(value) && value >= least && value <= 1_000) return value;
  throw new RangeError(`Cannot set ${name}: found ${String(value)}, allowed are integers from ${least} to 1000`);
}
