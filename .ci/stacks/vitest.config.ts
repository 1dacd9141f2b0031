import { defineConfig } from "vitest/config";

export default defineConfig({
  root: import.meta.dirname,
  test: {
    name: "stacks",
    include: ["*.e2e.test.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    globalSetup: "./unpack.ts",
  },
});
