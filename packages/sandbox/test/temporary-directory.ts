import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, onTestFinished, TestRunner } from "vitest";

/** Runs after the test that asked for it or, outside of tests, after those of the file. */
export function whenDone(remove: () => unknown): void {
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
