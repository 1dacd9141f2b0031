import type { CodeRuntime } from "../../src/index.ts";
import { unmark, type ErrorLineCase } from "./error-line-cases.ts";

const STUBS = 'async function boom(params = {}) { return __callTool__("boom", params); }\n';

/** Where the error of a case should be and where it was found to be, each as `line:column`. */
export async function errorPlace(
  runtime: CodeRuntime,
  { marked }: ErrorLineCase,
): Promise<{ readonly wanted: string; readonly found: string }> {
  const { code, line, column } = unmark(marked);
  const callTool = (): Promise<unknown> => Promise.reject(new Error("The oven is cold: heat it first"));
  const { error } = await runtime.execute({ code, stubs: STUBS, callTool });
  return { wanted: `${line}:${column}`, found: `${error?.line}:${error?.column}` };
}
