/** One thing a type checker says of a program. */
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
 * What a `CodeRuntime` may have beside its own: a type checker, which is asked after a program has failed.
 *
 * What must hold: nothing of the program is run, no file of the host is read for it, and the answer comes in a few
 * seconds, whatever the program is.
 */
export interface TypeChecker {
  /** What is wrong with the types of a program, by line; empty when nothing is, or when it cannot be told. Never rejects. */
  check(program: CheckedProgram): Promise<readonly CodeDiagnostic[]>;
}
