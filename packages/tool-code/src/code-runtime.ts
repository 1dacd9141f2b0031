import type { CodeLimits } from "./code-limits.ts";
import type { CodeOutcome } from "./code-outcome.ts";

/**
 * Answers a tool call of a program. The program receives the resolved value as JSON. A rejection is thrown in the
 * program as an `Error` named `ToolError` with the same message, the name of the tool as `tool` and the rejection's
 * `code` (if a string) as `code`. `name` and `params` come from untrusted code.
 *
 * `keep` counts the bytes of memory that the host keeps of the result against `hostMb`. Where it returns false they are
 * over it: the result must be dropped, and the program ends. Default: the size of the returned value is counted.
 */
export type CallTool = (
  name: string,
  params: unknown,
  options: { readonly signal: AbortSignal; readonly keep?: (bytes: number) => boolean },
) => Promise<unknown>;

/** One program to run. */
export interface CodeExecution {
  /** The program, TypeScript: an expression, a function body or a module. Untrusted. */
  readonly code: string;
  /**
   * Functions the program can call, as `registry.generateStubs()` makes them, or in JavaScript. Trusted. Each costs time to
   * load, so `execute_code` gives those that the program names. Default none.
   */
  readonly stubs?: string;
  /** Runs the program's tool calls. Its `signal` aborts when the execution ends. */
  readonly callTool: CallTool;
  /** Cancels the execution. */
  readonly signal?: AbortSignal;
  /** Limits that differ from the runtime's own. */
  readonly limits?: Partial<CodeLimits>;
  /** Called with the text the program prints, as it prints it. Its errors are ignored. */
  readonly onOutput?: (text: string) => void;
}

/**
 * Runs untrusted programs. Knows neither tools nor models: tool calls go to `callTool`.
 *
 * Every implementation guarantees: a program can only compute, print, access the resources that the runtime was
 * configured to allow, and call `callTool`; an execution leaves nothing for the next; every limit ends the execution,
 * even against a program that resists.
 */
export interface CodeRuntime {
  /**
   * What programs can and cannot do in this runtime, for a model: sentences of the tool's description. Default: files
   * and hosts, if allowed.
   */
  readonly description?: string;
  /** Runs a program to its end. Every act of the program becomes an outcome; rejects only on misuse. */
  execute(execution: CodeExecution): Promise<CodeOutcome>;
  /**
   * Reads a file that an outcome names; `undefined` when it is gone, longer than `maxBytes`, or not in the working
   * directory. Never rejects. Absent in a runtime without files.
   */
  readFile?(path: string, maxBytes: number): Promise<Buffer | undefined>;
  /** Ends every execution and frees everything. Executions asked for later are `unavailable`. */
  close(): Promise<void>;
}
