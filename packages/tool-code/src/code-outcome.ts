/**
 * The reason why an execution ended early:
 * - `size`: the program is empty or too long
 * - `syntax`: it is not TypeScript that can be parsed
 * - `runtime`: it threw
 * - `permission`: it asked for a file, host or ability it is not allowed
 * - `tool`: a tool it called failed, and it did not catch the error
 * - `timeout`, `memory`, `disk`, `output`, `calls`: it exceeded a limit
 * - `exit`: its process ended before the program did
 * - `protocol`: its process sent a message that no program should send
 * - `aborted`: the caller cancelled it
 * - `unavailable`: it was not started, for a reason outside of the program
 */
export type CodeErrorKind =
  | "size"
  | "syntax"
  | "runtime"
  | "permission"
  | "tool"
  | "timeout"
  | "memory"
  | "disk"
  | "output"
  | "calls"
  | "exit"
  | "protocol"
  | "aborted"
  | "unavailable";

/** Why an execution failed. */
export interface CodeError {
  /** The kind of failure. */
  readonly kind: CodeErrorKind;
  /** The failure described for a model; names the program `main.ts`, never a file of the host. */
  readonly message: string;
  /** Line of the program as it was given, 1-based. */
  readonly line?: number;
  /** Column in that line, 1-based. */
  readonly column?: number;
  /** The text of that line, at most 160 characters of it; absent where the message shows it. */
  readonly excerpt?: string;
  /** Lines of the stack inside the program, innermost first; empty when there is none. */
  readonly stack: readonly string[];
  /** The next step for the model, if the runtime knows more than the kind implies. */
  readonly hint?: string;
  /**
   * Why the program was not started, for the host: the system's own code or text, such as `EACCES`. May name paths of
   * the host and is never shown to a model.
   */
  readonly reason?: string;
}

/** One tool call a program made. */
export interface CodeCall {
  /** The name the program asked for, cut to 200 characters. */
  readonly name: string;
  /** `abandoned`: the execution ended first, and the call was cancelled. */
  readonly status: "succeeded" | "failed" | "abandoned";
  /** From the program's request to the answer, in milliseconds. */
  readonly durationMs: number;
}

/** A file that a program made or changed. */
export interface CodeFile {
  /** Relative to the working directory, with slashes. Chosen by the program. */
  readonly path: string;
  /** Its size. */
  readonly bytes: number;
}

/** A returned value that was too long. Chosen by the program. */
export interface CutValue {
  /** How long its JSON is, in characters. */
  readonly chars: number;
  /** Its JSON; `undefined` if that was too long to be sent. */
  readonly json: string | undefined;
}

/** How an execution ended. Plain data. */
export interface CodeOutcome {
  /** Whether the program ran to its end. */
  readonly ok: boolean;
  /**
   * The program's return value as JSON data: a Map becomes a list of pairs, a Set or a typed array a list, a Date, a
   * BigInt or `NaN` text; values without data become the text that a console prints. `undefined` if it returned nothing
   * or failed.
   */
  readonly value: unknown;
  /** The whole of a returned value that was too long, when `value` holds the beginnings of its lists and texts. */
  readonly cut?: CutValue;
  /** The program's printed output, in order. */
  readonly output: string;
  /** Why it failed; `undefined` when `ok`. */
  readonly error: CodeError | undefined;
  /** The tool calls it made, in the order of its requests. */
  readonly calls: readonly CodeCall[];
  /**
   * Files of the working directory that were made or changed meanwhile, at most 100; absent when there are none. Those of
   * programs that run at the same time in the same directory are among them.
   */
  readonly files?: readonly CodeFile[];
  /** From start to end, in milliseconds, waiting for a free process not counted. */
  readonly durationMs: number;
  /** Whether `output` is not all that was printed. */
  readonly truncated: boolean;
}

/** The outcome of an execution that never started. */
export function notStarted(error: Omit<CodeError, "stack">): CodeOutcome {
  return {
    ok: false,
    value: undefined,
    output: "",
    error: { ...error, stack: [] },
    calls: [],
    durationMs: 0,
    truncated: false,
  };
}
