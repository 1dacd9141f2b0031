import type { CodeError } from "./code-outcome.ts";
import type { CodeDiagnostic } from "./type-checker.ts";

const MAX_HINTS = 3;
/** Codes that matter on any line: a name, a field or a parameter that does not exist. */
const UNKNOWN_NAME = new Set([2304, 2339, 2353, 2551, 2552, 2561, 2570]);
/** Complaints about values of unknown type, which a program may use correctly. */
const isNoise = (code: number): boolean =>
  code === 2571 || code === 18_046 || code === 2683 || (code >= 7_000 && code < 7_100);
/** Engine errors that a type check can explain. */
const FORESEEABLE = /^(?:TypeError|ReferenceError)\b/;

/**
 * Whether a type check could explain the failure. Errors that the program throws itself, and failures of valid tool
 * calls, have nothing to do with types.
 *
 * @param isRefused Whether a tool refused a call for its name or its parameters.
 */
export function mayHelp({ kind, message }: CodeError, isRefused: boolean): boolean {
  return kind === "tool" ? isRefused : kind === "runtime" && FORESEEABLE.test(message);
}

/** Selects the diagnostics that explain the failure, as lines for a model. */
export function typeHints(diagnostics: readonly CodeDiagnostic[], failed: CodeError): readonly string[] {
  const telling = diagnostics.filter(
    ({ code, line }) => !isNoise(code) && (line === failed.line || UNKNOWN_NAME.has(code)),
  );
  return telling
    .toSorted((a, b) => Number(b.line === failed.line) - Number(a.line === failed.line) || a.line - b.line)
    .slice(0, MAX_HINTS)
    .map(({ line, column, message }) => `main.ts:${line}:${column}: ${message}`);
}
