import type { CodeLimits } from "../code-limits.ts";
import type { ProgramReading } from "../program/program-readings.ts";

/** Limits that the program's end of the bridge applies early; the host enforces them too. */
export type BridgeLimits = Pick<
  CodeLimits,
  "outputBytes" | "frameBytes" | "frameValues" | "calls" | "maxConcurrency" | "lingerMs" | "textChars"
>;

/** Starts the program. */
export interface RunMessage extends BridgeLimits {
  readonly t: "run";
  /** The ways to read the program; the first that can be parsed is run. */
  readonly readings: readonly ProgramReading[];
  readonly lines: number;
  /** Names that it assigns and does not declare. */
  readonly assigned: readonly string[];
  /** Whether it may read its standard input as a file. */
  readonly readsInput: boolean;
  /** Functions the program can call, appended to it. */
  readonly stubs: string;
  /** Working directory. Absent: the directory in which the process started. */
  readonly cwd?: string | undefined;
  /** Prefixes of the names of files in `cwd`, as a URL and as a path; empty without `cwd`. */
  readonly homes: readonly string[];
}

/** Has an idle process load a module, so that the first of a program finds the compiler ready. */
interface WarmMessage {
  readonly t: "warm";
  /** The module. Trusted: it runs. */
  readonly code: string;
}

/** A message from the host: one JSON text a line, after a first line that holds the token. */
export type HostMessage = RunMessage | WarmMessage | CallAnswer;

/** The host's answer to a call. */
export type CallAnswer =
  /** The result of a call. */
  | { readonly t: "result"; readonly id: number; readonly value?: unknown }
  /** The error that the call throws in the program. */
  | { readonly t: "error"; readonly id: number; readonly message: string; readonly code?: string };

/** Serialises a message. @throws {TypeError} When JSON cannot hold it. */
export function hostMessage(message: HostMessage): string {
  return JSON.stringify(message);
}
