import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, onTestFinished, TestRunner } from "vitest";
import { DenoRuntime, type DenoRuntimeOptions } from "../src/deno/index.ts";
import type { CallTool, CodeExecution, CodeOutcome } from "../src/index.ts";

/** Text that a test must not see anywhere: it stands in files the sandbox must not read. */
export const SECRET = "s3cret-of-the-host";

/** Refuses every call. */
export const noTools: CallTool = (name) => Promise.reject(new Error(`There is no tool ${name}`));

/** Runs after the test that asked for it or, outside of tests, after those of the file. */
function whenDone(remove: () => unknown): void {
  const finish = async (): Promise<void> => void (await remove());
  if (TestRunner.getCurrentTest() === undefined) afterAll(finish);
  else onTestFinished(finish);
}

/** A directory that is removed after the test, or those of the file. */
export function temporaryDirectory(): string {
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), "code-test-")));
  whenDone(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

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
