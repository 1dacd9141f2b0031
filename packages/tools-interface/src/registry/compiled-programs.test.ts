import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const require = createRequire(import.meta.url);
const tsc = path.join(path.dirname(require.resolve("typescript/package.json")), "bin", "tsc");
const source = fileURLToPath(import.meta.resolve("../index.ts"));
const directory = mkdtempSync(path.join(tmpdir(), "compiled-programs-"));
afterAll(() => rmSync(directory, { recursive: true }));

const COUNT = 300;
/** Each tool needs fields that others need too, and each has one of its own in its context. */
const tools = Array.from({ length: COUNT }, (_, at) => {
  const context = `{ readonly key: string; own${at}: number; shared${at % 7}?: boolean }`;
  return `declare const t${at}: Tool<"t${at}", { a${at}: string }, { r${at}: number }, ${context}>;`;
});
const context = `{ key: "k", ${Array.from({ length: COUNT }, (_, at) => `own${at}: ${at}`).join(", ")} }`;
const uses = `
const context = ${context};
const result = await registry.dispatch("t299", { a299: "a" }, { context });
if (result.success) result.data.r299.toFixed();
// @ts-expect-error wrong parameters
await registry.dispatch("t0", { a0: 1 }, { context });
// @ts-expect-error one field of the context is missing
await registry.dispatch("t0", { a0: "a" }, { context: { key: "k" } });
`;
const program = (made: string): string =>
  [`import { createToolRegistry, type Tool } from ${JSON.stringify(source)};`, ...tools, made, uses].join("\n");
const names = Array.from({ length: COUNT }, (_, at) => `t${at}`);

/** Calls with a mistake, and what the compiler says about each. */
const mistakes = {
  'dispatch("query", { sql: "a" })': `Argument of type '"query"' is not assignable to parameter of type '"query" & NeedsContext<{ db: { url: string; }; }>'.`,
  'dispatch({ name: "query" })': `Argument of type '{ name: string; }' is not assignable to parameter of type '{ name: string; } & NeedsContext<{ db: { url: string; }; }>'.`,
  'dispatch("query", { sql: "a" }, {})': `Argument of type '{}' is not assignable to parameter of type 'DispatchOptions<{ db: { url: string; }; }>'.`,
  'dispatch("query", { sql: "a" }, { context: {} })': `Property 'db' is missing in type '{}' but required in type '{ db: { url: string; }; }'.`,
  'dispatch("query", { sql: "a" }, { context: { db: { url: 1 } } })': `Type 'number' is not assignable to type 'string'.`,
  'dispatch("query", { sql: "a" }, { context, aprove: true })': `Object literal may only specify known properties, but 'aprove' does not exist in type 'DispatchOptions<{ db: { url: string; }; }>'. Did you mean to write 'approve'?`,
  'dispatch("query", { sql: 1 }, { context })': `Type 'number' is not assignable to type 'string'.`,
  'dispatch("query", { sq: "a" }, { context })': `Object literal may only specify known properties, and 'sq' does not exist in type '{ sql: string; }'.`,
  'dispatch("querry", { sql: "a" }, { context })': `Argument of type '"querry"' is not assignable to parameter of type '"plain" | "query"'.`,
  'dispatch({ nam: "query" }, { context })': `Object literal may only specify known properties, but 'nam' does not exist in type 'ToolCall'. Did you mean to write 'name'?`,
  "dispatchAll([], { context: {} })": `Property 'db' is missing in type '{}' but required in type '{ db: { url: string; }; }'.`,
  "dispatchAll([])": `Argument of type 'never[]' is not assignable to parameter of type 'readonly ToolCall[] & NeedsContext<{ db: { url: string; }; }>'.`,
  'get("query").call({ sql: "a" })': `Argument of type '{ sql: string; }' is not assignable to parameter of type '{ sql: string; } & NeedsContext<{ db: { url: string; }; }>'.`,
  'subset("querry")': `Argument of type '"querry"' is not assignable to parameter of type '"plain" | "query"'.`,
  'without("plain", "querry", "a", "b", "c")': `Argument of type '"querry"' is not assignable to parameter of type '"plain" | "query"'.`,
  'get("querry")': `Argument of type '"querry"' is not assignable to parameter of type '"plain" | "query"'.`,
};

const programs = {
  chain: program(`const registry = createToolRegistry()${names.map((name) => `.register(${name})`).join("")};`),
  list: program(`const registry = createToolRegistry().register([${names.join(", ")}]);`),
  mistakes: `import { createToolRegistry, type Tool } from ${JSON.stringify(source)};
declare const query: Tool<"query", { sql: string }, number, { db: { url: string } }>;
declare const plain: Tool<"plain", { a?: string }>;
const context = { db: { url: "u" } };
const registry = createToolRegistry().register([query, plain]);
await registry.dispatch("query", { sql: "a" }, { context, onEvent: ({ type }) => void type });
await registry.dispatch({ name: "query", arguments: "{}" }, { context });
${Object.keys(mistakes)
  .map((call) => `void registry.${call};`)
  .join("\n")}`,
};

/** What the compiler says about the programs, all checked in one run of it. */
let said = "";
beforeAll(() => {
  const files = Object.entries(programs).map(([name, text]) => {
    const file = path.join(directory, `${name}.mts`);
    writeFileSync(file, text);
    return file;
  });
  const flags =
    "--strict --exactOptionalPropertyTypes --skipLibCheck --ignoreConfig --checkers 1 --noEmit --module nodenext --target es2023 --lib es2023,es2024.string --types node --allowImportingTsExtensions --extendedDiagnostics";
  const cwd = fileURLToPath(new URL("../..", import.meta.url));
  said = spawnSync(process.execPath, [tsc, ...flags.split(" "), ...files], { cwd, encoding: "utf8" }).stdout;
});
const errors = (): readonly (readonly [file: string, message: string])[] =>
  [...said.matchAll(/^(.*)\(\d+,\d+\): error TS\d+: (.*)$/gm)].map(([, file = "", message = ""]) => [
    path.basename(file),
    message,
  ]);

test("registries of 300 tools with contexts of their own, chained or from a list, compile and keep their types", () => {
  expect(errors().filter(([file]) => file !== "mistakes.mts")).toEqual([]);
  expect(Number(/Instantiations:\s+(\d+)/.exec(said)?.[1])).toBeLessThan(3_000_000);
});

test("a call with a mistake is told the mistake, in one sentence", () => {
  expect(errors().filter(([file]) => file === "mistakes.mts")).toEqual(
    Object.values(mistakes).map((message) => ["mistakes.mts", message]),
  );
});
