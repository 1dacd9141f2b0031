import { availableParallelism } from "node:os";
import path from "node:path";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { bundledPrograms } from "./.ci/build/bundled-programs.ts";

/** Tests, like the app, import the packages' source, so nothing has to be built first. */
const conditions = ["@dispatch/source", "node"];

/** Ends what hangs, and nothing that a machine with ten times its load is slow at. */
const HANG_TIMEOUT_MS = 300_000;

/** Tests of packages and pages as users get them, which `npx pnpm check published` runs: they pack, install and compile. */
const PUBLISHED = "**/*.published.test.ts";

/** The tests that these patterns name, which `vitest run --project NAME` runs alone. */
function project(name: string, include: readonly string[], exclude: readonly string[]): TestProjectInlineConfiguration {
  return {
    plugins: [bundledPrograms()],
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    test: {
      name,
      include: [...include],
      exclude: ["**/node_modules/**", ...exclude],
      setupFiles: path.join(import.meta.dirname, ".ci/fixed-seed.ts"),
      testTimeout: HANG_TIMEOUT_MS,
      hookTimeout: HANG_TIMEOUT_MS,
      // By default a poll gives up after a second, which a busy machine may need for anything.
      expect: { poll: { timeout: 100_000, interval: 20 } },
      // The files of a project share one module graph per worker: importing it anew for each costs a quarter of the CPU time.
      isolate: false,
      // Tests that run at once wait for time to pass; those of the gate install packages.
      maxConcurrency: name === "gate" ? 5 : 24,
      // Tests make much that is garbage at once: with room for it, fewer collections find it alive.
      execArgv: ["--max-semi-space-size=32"],
    },
  };
}

export default defineConfig({
  test: {
    // One more than there are cores: tests wait for the processes that they start.
    maxWorkers: availableParallelism() + 1,
    globalSetup: "./.ci/contained-run.ts",
    reporters: ["./.ci/test-reporter.ts"],
    silent: "passed-only",
    projects: [
      // One for all packages, so that a worker loads what they share once; their `test` scripts name their files.
      project("packages", ["{packages,apps}/*/{src/**/,test/**/,template/**/,}*.test.ts"], [PUBLISHED]),
      project("gate", [".ci/{build/,checks/,docs/,release/,}*.test.ts"], []),
      project("published", [PUBLISHED], []),
    ],
  },
});
