import type { BridgeLimits } from "../../bridge/host-message.ts";
import type { CodeLimits } from "../../code-limits.ts";
import type { CodeErrorKind } from "../../code-outcome.ts";
import type { SyntaxFault } from "../../run/program-error.ts";

/** Starts a program. */
export interface SessionRequest {
  readonly code: string;
  /** Functions the program can call, appended to it. */
  readonly stubs: string;
  /** Limits that the sandbox applies early. */
  readonly limits: BridgeLimits & Pick<CodeLimits, "hostMb">;
  readonly heapMb: number;
}

/** A session's reports on its program. */
export type SessionMessage =
  /** A message of the sandboxed side, JSON; long ones as bytes. Untrusted. */
  | { readonly frame: string | Uint8Array }
  /** Printed output of the program. */
  | { readonly text: string }
  /** The session ended the program. */
  | { readonly end: SessionEnd };

/** Why a session ended its program. `isBroken`: the engine or the parser gave up, and must not be used again. */
export type SessionEnd = { readonly isBroken?: boolean } & (
  | { readonly kind: "syntax"; readonly faults: readonly SyntaxFault[]; readonly message: string }
  | { readonly kind: Exclude<CodeErrorKind, "syntax">; readonly message: string }
);

/** The end of a program that needed too much memory. */
export function memoryEnd(heapMb: number): Exclude<SessionEnd, { readonly kind: "syntax" }> {
  return { kind: "memory", message: `the program's memory went over ${heapMb} MiB` };
}
