import { afterAll } from "vitest";
import type { CodeExecution, CodeOutcome } from "../src/index.ts";
import { QuickJsRuntime, type QuickJsRuntimeOptions } from "../src/quickjs/index.ts";
import { noTools } from "./sandbox.ts";

/** A runtime that is closed after the tests of the file, and a short way to run programs in it. */
export function quickJs(
  options: QuickJsRuntimeOptions = {},
): (code: string, more?: Partial<CodeExecution>) => Promise<CodeOutcome> {
  let runtime: QuickJsRuntime | undefined;
  afterAll(() => runtime?.close());
  return (code, more = {}) => {
    runtime ??= new QuickJsRuntime(options);
    return runtime.execute({ code, callTool: noTools, ...more });
  };
}
