import { defineConfig } from "vitest/config";

/** Tests, like the app, run from source: no build is needed first. */
const conditions = ["@dispatch/source"];

const unit = ["{packages,apps}/*/src/**/*.test.ts", "packages/*/{test,template}/**/*.test.ts", ".ci/*.test.ts"];
const e2e = ["apps/*/test/**/*.e2e.test.ts"];

export default defineConfig({
  resolve: { conditions: [...conditions, "node"] },
  ssr: { resolve: { conditions: [...conditions, "node"] } },
  test: {
    globalSetup: "./packages/tool-memory/test/make-seed.ts",
    projects: [
      { extends: true, test: { name: "unit", include: unit, testTimeout: 30_000 } },
      { extends: true, test: { name: "e2e", include: e2e, testTimeout: 300_000, hookTimeout: 300_000 } },
    ],
  },
});
