/** Folders below a package's `src`, lowest first. Folders in one inner list do not import each other. */
export type Stages = readonly (string | readonly string[])[];

/**
 * The order of the folders in each package. A file imports only from its own folder and from folders before it, type
 * imports included. `.` stands for the files that lie directly in `src`; a nested folder is listed before the folder that
 * uses it, and the longest listed path that holds a file is its folder.
 *
 * Tests and fixtures are exempt: a test may import the package's `index.ts`.
 */
export const stages: Readonly<Record<string, Stages>> = {
  "packages/tools-interface": [
    "json",
    "error",
    "schema",
    "repair",
    "result",
    "wait",
    "call",
    ["define", "transcript", "stubs"],
    "registry",
    "formats/wire",
    ["formats", "otel", "create-tool"],
    ".",
    "testing",
  ],
  "packages/tool-files": [
    "error",
    "thread",
    "sandbox",
    "text",
    "version",
    ["read", "edit", "write", "list"],
    "search",
    "history",
    ".",
  ],
  "packages/tool-memory": [
    "text",
    "block",
    "database",
    "rows",
    "change",
    ["schema", "history"],
    "search",
    ["tools", "memory"],
    ".",
    "cli",
  ],
  "packages/tool-code": [
    ".",
    ["deno/permissions", "deno/bridge"],
    "deno/harness",
    "deno/wall",
    "deno/process",
    "deno/error",
    "deno",
    "testing",
  ],
  "apps/example-agent": [
    "agent",
    "text",
    "supervision",
    "http",
    ["scripted", "session", "host-tools", "terminal"],
    ["models", "chat"],
    "setup",
    ["inspect", "mcp"],
    "start",
    ".",
  ],
};
