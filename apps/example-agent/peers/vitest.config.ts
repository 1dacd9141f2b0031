import { defineConfig } from "vitest/config";

/** Our packages run from source here too; the programs they are tried with as they are published. */
const conditions = ["@dispatch/source", "node", "import", "default"];

export default defineConfig({
  root: import.meta.dirname,
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: { name: "mcp", include: ["**/*.e2e.test.ts"], testTimeout: 120_000, hookTimeout: 120_000 },
});
