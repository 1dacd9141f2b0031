import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

/** Tests, like the app, import the packages' source, so nothing has to be built first. */
const conditions = ["@dispatch/source", "node"];

/** Makes the empty database that every memory is copied from. */
const templateDatabase = "./packages/tool-memory/test/make-seed.ts";

/** The tests of one directory, which `vitest run --project NAME` runs alone. */
function project(
  root: string,
  name: string,
  test: TestProjectInlineConfiguration["test"] = {},
): TestProjectInlineConfiguration {
  return {
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    test: {
      name,
      include: [`${root}/{src,test,template}/**/*.test.ts`],
      testTimeout: 120_000,
      hookTimeout: 120_000,
      // The files of a project share one module graph per worker: importing it anew for each costs a quarter of the CPU time.
      isolate: false,
      ...test,
    },
  };
}

export default defineConfig({
  test: {
    // By default one core is left free.
    maxWorkers: "100%",
    projects: [
      project("packages/tools-interface", "tools-interface"),
      project("packages/tool-files", "tool-files"),
      project("packages/tool-memory", "tool-memory", { globalSetup: templateDatabase }),
      project("packages/tool-code", "tool-code"),
      project("apps/example-agent", "example-agent", {
        globalSetup: templateDatabase,
        testTimeout: 300_000,
        hookTimeout: 300_000,
      }),
      project(".ci", "gate", { include: [".ci/*.test.ts"] }),
    ],
  },
});
