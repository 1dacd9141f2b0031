import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import type { Reporter, TestModule, TestRunEndReason } from "vitest/node";

/**
 * A reporter that writes one line, `N passed, N failed, N skipped`, to the file that `CLOSING_LINE` names, adding to
 * the counts of an earlier run, and fails the run when a test was skipped without a reason, which
 * `context.skip("reason")` gives.
 *
 * A file that does not load and an error outside every test count as one failure each.
 */
export default class ClosingLine implements Reporter {
  /** Counts the tests of the run. */
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[], reason: TestRunEndReason): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const states = tests.map((test) => test.result().state);
    const count = (state: string): number => states.filter((found) => found === state).length;
    const broken = modules
      .flatMap((module) => [module, ...module.children.allSuites()])
      .flatMap((suite) => suite.errors());
    const failed = count("failed") + broken.length + errors.length;
    const file = process.env["CLOSING_LINE"];
    if (file === undefined) throw new Error("Cannot write the closing line: CLOSING_LINE names no file");
    const before = readFileSync(file, { encoding: "utf8", flag: "a+" }).match(/\d+/g)?.map(Number) ?? [];
    const [passed = 0, failures = 0, skipped = 0] = before;
    const sums = [passed + count("passed"), failures + failed, skipped + count("skipped")] as const;
    writeFileSync(file, `${sums[0]} passed, ${sums[1]} failed, ${sums[2]} skipped\n`);

    // Where a hook failed its tests are skipped, and the run has failed for that.
    if (reason !== "passed") return;
    for (const test of tests) {
      const result = test.result();
      if (result.state !== "skipped" || result.note) continue;
      console.error(`Cannot skip "${test.fullName}": it gives no reason, context.skip("reason") does`);
      process.exitCode = 1;
    }
  }
}
