import { defineConfig } from "vitest/config";

export default defineConfig({
  root: import.meta.dirname,
  test: { name: "mcp-clients", include: ["**/*.e2e.test.ts"], testTimeout: 300_000 },
});
