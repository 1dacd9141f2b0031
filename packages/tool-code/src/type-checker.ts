/** One error that a type checker reports. */
export interface CodeDiagnostic {
  /** Line of the program as it was given, 1-based. */
  readonly line: number;
  /** Column in that line, 1-based. */
  readonly column: number;
  /** TypeScript's number of the diagnostic, such as 2552. */
  readonly code: number;
  /** One line, for a model. Names nothing but what stands in the program and its stubs. */
  readonly message: string;
}

/** A program to check. */
export interface CheckedProgram {
  /** The program, as it was run. Untrusted. */
  readonly code: string;
  /** The functions it could call, as it was run with. */
  readonly stubs: string;
  /** Stops the check. */
  readonly signal?: AbortSignal;
}

/**
 * A type checker that a `CodeRuntime` may also be. It is used after a program has failed.
 *
 * Every implementation guarantees: no code of the program runs, no file of the host is read for it, and the answer comes
 * within a few seconds, whatever the program is.
 */
export interface TypeChecker {
  /** The type errors of a program, by line; empty when there are none or they are unknown. Never rejects. */
  check(program: CheckedProgram): Promise<readonly CodeDiagnostic[]>;
}
