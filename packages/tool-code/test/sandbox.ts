// @boundaries-ignore tests of both make and remove directories in one way
import { temporaryDirectory, whenDone } from "../../sandbox/test/temporary-directory.ts";
import { DenoRuntime, type DenoRuntimeOptions } from "../src/deno/index.ts";
import type { CallTool, CodeExecution, CodeOutcome } from "../src/index.ts";

/** Text that a test must not see anywhere: it stands in files the sandbox must not read. */
export const SECRET = "s3cret-of-the-host";

export { temporaryDirectory };

/** Refuses every call. */
export const noTools: CallTool = (name) => Promise.reject(new Error(`There is no tool ${name}`));

/** A runtime that is closed after the test, or those of the file, and a short way to run programs in it. */
export function sandbox(
  options: DenoRuntimeOptions = {},
): (code: string, more?: Partial<CodeExecution>) => Promise<CodeOutcome> {
  let runtime: DenoRuntime | undefined;
  whenDone(() => runtime?.close());
  return (code, more = {}) => {
    runtime ??= new DenoRuntime(options);
    return runtime.execute({ code, callTool: noTools, ...more });
  };
}

/** All that a model or a host could read of an outcome. */
export function everything(outcome: CodeOutcome): string {
  return JSON.stringify(outcome);
}
