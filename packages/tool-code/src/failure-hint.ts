import { closestMatch } from "@dispatch/tools-interface/internal";
import type { CodeError } from "./code-outcome.ts";

/** Functions that a hint names. */
const MAX_NAMED = 10;
const NOT_DEFINED = /^ReferenceError: '?([\w$]+)'? is not defined/;
const STARTS_PROCESS = /\bchild_process\b|\bDeno\s*\.\s*(?:Command|run)\b/;
const NO_MODULE = /Cannot find module '([^']+)'|Import "([^"]+)" not a dependency|Importing "([^"]+)"/;
const HTTP_CLIENT = /^(?:axios|node-fetch|got|undici|superagent|request|ky|cross-fetch)$/;
const CIRCULAR = /its result cannot be passed on: JSON cannot hold a value that is circular/;
/** A default function that takes something. */
const TAKES_ARGUMENTS = /\bexport\s+default\s+(?:async\s+)?(?:function\b[^(]*\(\s*[^\s)]|\(\s*[^\s)][^)]*\)\s*=>)/;

/**
 * The error with the next step for a model, where the program's text and its tools tell more than the runtime knows.
 *
 * @param code The program.
 * @param functions The names of the functions that it could call.
 */
export function withHint(error: CodeError, code: string, functions: readonly string[]): CodeError {
  const hint = hintFor(error, code, functions);
  return hint === undefined ? error : { ...error, hint };
}

function hintFor({ kind, message }: CodeError, code: string, functions: readonly string[]): string | undefined {
  const [, unknown] = NOT_DEFINED.exec(message) ?? [];
  if (unknown !== undefined && isCalled(unknown, code)) {
    const near = closestMatch(unknown, functions);
    if (near !== undefined) return `There is no function ${unknown}: did you mean ${near}?`;
    if (functions.length > 0 && !/^(?:Deno|Bun|require)$/.test(unknown))
      return `There is no function ${unknown}. ${namesOf(functions)}`;
  }
  if ((kind === "runtime" || kind === "permission") && STARTS_PROCESS.test(code))
    return `A program can start no other program, neither by child_process nor by Deno.Command. Do it in TypeScript, or call a tool. ${namesOf(functions)}`;
  const [, ...modules] = NO_MODULE.exec(message) ?? [];
  const module = modules.find((name) => name !== undefined);
  if (module !== undefined && HTTP_CLIENT.test(module))
    return `There are no packages here, so no ${module}: use fetch where a host is allowed, or call a tool. ${namesOf(functions)}`;
  if (module !== undefined && /^\.{0,2}\//.test(module))
    return `There is no file ${module}: a path is relative to the working directory, if there is one`;
  if (module !== undefined && /Cannot find module/.test(message))
    return "There are no packages here: use TypeScript's own features, or modules named `node:…`";
  if (CIRCULAR.test(message))
    return "The tool ran: this is a fault of the tool, not of the call, so do not call it again. Go on without its result";
  if (
    kind === "runtime" &&
    message.startsWith("TypeError") &&
    TAKES_ARGUMENTS.test(code) &&
    /undefined|null/.test(message)
  )
    return "A default function is called without arguments: write the values into it, and send the program again";
  return undefined;
}

function isCalled(name: string, code: string): boolean {
  return new RegExp(`(?<![\\w$.])${name.replaceAll("$", "\\$&")}\\s*\\(`).test(code);
}

function namesOf(functions: readonly string[]): string {
  if (functions.length === 0) return "There are no functions of tools";
  const more =
    functions.length > MAX_NAMED ? `, and ${functions.length - MAX_NAMED} more, which describeTool() lists` : "";
  return `The functions are ${functions.slice(0, MAX_NAMED).join(", ")}${more}`;
}
