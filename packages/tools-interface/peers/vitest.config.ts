import { defineConfig } from "vitest/config";

/** Our package runs from source here too; the vendors' as they are published. */
const conditions = ["@dispatch/source", "node", "import", "default"];

export default defineConfig({
  root: import.meta.dirname,
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: { name: "peers", include: ["**/*.e2e.test.ts"], testTimeout: 30_000 },
});
