import type { CodeError } from "./code-outcome.ts";
import type { CodeDiagnostic } from "./type-checker.ts";

const MAX_HINTS = 3;
/** What is wrong wherever it stands: a name, a field or a parameter that does not exist. */
const UNKNOWN_NAME = new Set([2304, 2339, 2353, 2551, 2552, 2561, 2570]);
/** What is said of values that could be anything, which a program may know better: no types, `unknown`. */
const isNoise = (code: number): boolean =>
  code === 2571 || code === 18_046 || code === 2683 || (code >= 7_000 && code < 7_100);
/** Errors of the engine that types can foresee. */
const FORESEEABLE = /^(?:TypeError|ReferenceError)\b/;

/**
 * Whether the type checker could say why a program failed. What a program throws by itself, or a tool answers to a right
 * call, is no matter of types.
 *
 * @param isRefused Whether a tool refused a call for its name or its parameters.
 */
export function mayHelp({ kind, message }: CodeError, isRefused: boolean): boolean {
  return kind === "tool" ? isRefused : kind === "runtime" && FORESEEABLE.test(message);
}

/** Of all that the type checker said, the little that tells why the program failed, as lines for a model. */
export function typeHints(diagnostics: readonly CodeDiagnostic[], failed: CodeError): readonly string[] {
  const telling = diagnostics.filter(
    ({ code, line }) => !isNoise(code) && (line === failed.line || UNKNOWN_NAME.has(code)),
  );
  return telling
    .toSorted((a, b) => Number(b.line === failed.line) - Number(a.line === failed.line) || a.line - b.line)
    .slice(0, MAX_HINTS)
    .map(({ line, column, message }) => `main.ts:${line}:${column}: ${message}`);
}
