/** Directories below a package's `src`, lowest first. Directories in one inner list do not import each other. */
export type Stages = readonly (string | readonly string[])[];

/**
 * The order of the directories in each package. A file imports only from its own directory and from directories before it,
 * type imports included. `.` stands for the files that lie directly in `src`; a package that has no others needs no entry.
 *
 * The longest listed path that holds a file is its directory. So a nested directory that is not listed belongs, on purpose,
 * to the stage of the one that holds it: the two may import each other's files, but not in a cycle. One that others than
 * its parent use, or that must not know its parent, is listed before it.
 *
 * Tests and fixtures are exempt: a test may import the package's `index.ts`.
 */
export const stages: Readonly<Record<string, Stages>> = {
  "packages/tools-interface": [
    ["json", "image"],
    "error",
    "schema",
    "repair",
    "result",
    "wait",
    "call",
    "display",
    ["define", "transcript", "stubs", "search"],
    "registry",
    "formats/wire",
    ["formats", "otel", "create-tool", "durable", "policy"],
    ["durable/sqlite", "durable/dbos", "durable/restate"],
    ["mcp-server", "mcp-client", "approvals", "agent"],
    ".",
    "testing",
  ],
  "packages/tool-files": [
    "error",
    "thread",
    "sandbox",
    "text",
    "version",
    ["file-system", "habits", "document"],
    ["read", "edit", "write", "list"],
    "search",
    "history",
    "patch",
    ".",
  ],
  "packages/tool-memory": [
    "text",
    "block",
    "database",
    "ranking",
    "postgres",
    "rows",
    "change",
    ["sqlite", "schema", "history"],
    "search",
    ["tools", "memory"],
    ".",
    "cli",
  ],
  "packages/tool-code": [
    ".",
    "program",
    "bridge",
    "run",
    "deno/permissions",
    "deno/harness",
    "deno/wall",
    "deno/process",
    "deno/error",
    "deno",
    "quickjs/guest",
    "quickjs/engine",
    "quickjs/executor",
    "quickjs",
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
