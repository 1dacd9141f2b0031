/** What the host sends to start the program. */
export interface RunMessage {
  /** Marks the kind of message. */
  readonly t: "run";
  /** The program. */
  readonly code: string;
  /** Functions it can call, appended to it. */
  readonly stubs: string;
  /** Where it runs; where the process started when absent. */
  readonly cwd?: string | undefined;
  /** How names of files in there begin, as a URL and as a path; empty when absent. */
  readonly homes: readonly string[];
  /** See `CodeLimits`. */
  readonly outputBytes: number;
  /** See `CodeLimits`. */
  readonly frameBytes: number;
  /** See `CodeLimits`. */
  readonly calls: number;
  /** See `CodeLimits`. */
  readonly inFlight: number;
}

/** What the host sends, one JSON text a line, after a first line that is the token. */
export type HostMessage =
  | RunMessage
  /** The answer to a call. */
  | { readonly t: "result"; readonly id: number; readonly value?: unknown }
  /** What the call throws at the program. */
  | { readonly t: "error"; readonly id: number; readonly message: string; readonly code?: string };

/** The message as the text that is sent. @throws {TypeError} When it holds what JSON cannot. */
export function hostMessage(message: HostMessage): string {
  return JSON.stringify(message);
}
