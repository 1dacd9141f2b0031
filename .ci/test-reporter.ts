import { appendFileSync } from "node:fs";
import process from "node:process";
import { styleText } from "node:util";
import { DefaultReporter, type TestModule, type TestRunEndReason } from "vitest/node";

/** Without a terminal, a line is printed each time so many files are done. */
const FILES_A_LINE = 50;

/**
 * Prints failures and, at the end, the reason of each group of skipped tests; on a terminal also which files run. Fails the
 * run when a test was skipped without a reason, which `context.skip("reason")` gives.
 *
 * Adds `PASSED FAILED SKIPPED`, one line a run, to the file that `TEST_COUNTS` names. A file that does not load and an error
 * outside every test count as one failure each.
 */
export default class TestReporter extends DefaultReporter {
  #done = 0;

  /** Keeps files that passed off the screen. */
  protected override printTestModule(module: TestModule): void {
    this.#done += 1;
    if (module.state() === "failed") super.printTestModule(module);
    else if (!this.isTTY && this.#done % FILES_A_LINE === 0) this.log(styleText("dim", `${this.#done} files are done`));
  }

  /** Counts the tests of the run. */
  override onTestRunEnd(
    modules: readonly TestModule[],
    errors: Parameters<DefaultReporter["onTestRunEnd"]>[1],
    reason: TestRunEndReason,
  ): void {
    super.onTestRunEnd(modules, errors, reason);
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const results = tests.map((test) => ({ test, result: test.result() }));
    const count = (state: string): number => results.filter(({ result }) => result.state === state).length;
    const broken = modules
      .flatMap((module) => [module, ...module.children.allSuites()])
      .flatMap((suite) => suite.errors());
    const failed = count("failed") + broken.length + errors.length;
    const file = process.env["TEST_COUNTS"];
    if (file !== undefined) appendFileSync(file, `${count("passed")} ${failed} ${count("skipped")}\n`);

    const skipped = Map.groupBy(
      results.flatMap(({ test, result }) => (result.state === "skipped" ? [{ test, note: result.note }] : [])),
      ({ note }) => note,
    );
    const reasons = [...skipped].toSorted(([, left], [, right]) => right.length - left.length);
    for (const [note, of] of reasons) if (note) this.log(styleText("dim", `${of.length} skipped: ${note}`));
    // Where a hook failed its tests are skipped, and the run has failed for that; `-t` leaves out all others.
    if (reason !== "passed" || this.ctx.config.testNamePattern !== undefined) return;
    for (const { test } of reasons.flatMap(([note, of]) => (note ? [] : of))) {
      this.error(`Cannot skip "${test.fullName}": it gives no reason, context.skip("reason") does`);
      process.exitCode = 1;
    }
  }
}
