import { execFile } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exportedNames, exportedSymbols } from "./symbol-examples.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const directory = path.join(import.meta.dirname, "generated-symbols");
const run = promisify(execFile);

/** Names that examples may use without declaring them: a host's own objects, and those of the vendors' packages. */
const PRELUDE = `
import type * as face from "@dispatch/tools-interface";
declare global {
  const registry: face.AnyToolRegistry;
  const call: face.ToolCall;
  const calls: face.ToolCall[];
  const transcript: face.Transcript;
  const tool: any;
  const context: { readonly worktreePath: string };
  const worktreePath: string;
  const bytes: Buffer;
  const durable: import("@dispatch/durable").Durable;
  const session: any, desk: any, userOf: any, pay: any, save: any, rules: any;
  const memory: import("@dispatch/tool-memory").Memory;
  const sql: import("@dispatch/tool-memory").Sql;
  const secrets: import("@dispatch/check").PlantedSecrets;
  const restored: readonly face.TranscriptEntry[];
  const etagOf: (path: string) => Promise<string>;
  const messages: any[], input: any[], contents: any[];
  const client: any, model: any, max_tokens: number, prompt: string, wire: any, stream: any, server: any, lastMessage: any;
  const agent: any, run: any, Agent: any, generateText: any, isStepCount: any;
  const ListToolsRequestSchema: any, CallToolRequestSchema: any;
  const approve: face.Approver;
  const next: () => Promise<unknown>;
  const audit: face.Middleware;
  const show: (event: unknown) => void;
  const file: { write(text: string): void };
  const readFile: any, writeFile: any, editFile: any;
  const test: any, expect: any;
}
`;

const symbols = await exportedSymbols();
const modules = [...(await exportedNames())];
/** A name of two modules, such as \`FailedCallError\`, is one symbol with one example. */
const examples = [...new Map(symbols.map((symbol) => [`${symbol.file ?? ""} ${symbol.name}`, symbol])).values()];

/** The example as a file: with the imports of all of our exports that it names and does not declare. */
function toFile({ module, example = "" }: (typeof symbols)[number]): string {
  const ownFirst = modules.toSorted(([a], [b]) => Number(b === module) - Number(a === module));
  const imports = [...new Set(example.match(/\b[A-Za-z_]\w*\b/g))].flatMap((name) => {
    const [from] = ownFirst.find(([, names]) => names.has(name)) ?? [];
    const declared = new RegExp(String.raw`\b(?:const|class|function|import) (?:\{[^}]*\b)?${name}\b`).test(example);
    return from === undefined || declared ? [] : [`import { ${name} } from "${from}";`];
  });
  return ['import { z } from "zod";', ...imports, example, "export {};", ""].join("\n");
}

beforeAll(() => mkdirSync(directory, { recursive: true }));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe("every exported function and class", () => {
  test("has an example in its comment", () => {
    const without = symbols.filter(({ example }) => example === undefined);
    const messages = without.map(
      ({ module, name, file = "its file" }) =>
        `${module}: ${name} has no example; add \`@example\` with a \`\`\`ts fence to its comment in ${file}`,
    );
    expect(messages).toEqual([]);
  });

  test("has an example that compiles", async () => {
    for (const [index, symbol] of examples.entries()) {
      writeFileSync(path.join(directory, `${index}-${symbol.name}.ts`), toFile(symbol));
    }
    writeFileSync(path.join(directory, "prelude.d.ts"), PRELUDE);
    const compilerOptions = {
      lib: ["esnext"],
      noImplicitAny: false,
      noUnusedLocals: false,
      noUncheckedIndexedAccess: false,
      verbatimModuleSyntax: false,
    };
    const config = { extends: "../../../../tsconfig.base.json", compilerOptions, include: ["."] };
    writeFileSync(path.join(directory, "tsconfig.json"), JSON.stringify(config));
    const tsc = path.join(root, "node_modules/.bin/tsc");
    const said = await run(tsc, ["-p", directory, "--checkers", "1"]).catch((error: { stdout: string }) => error);
    // The packages' own sources are checked elsewhere, with their own options; other vendors' packages need not be installed.
    const isOurs = (line: string): boolean => !/TS2307: Cannot find module '(?!@dispatch\/)/.test(line);
    const faults = said.stdout.split("\n").filter((line) => line.includes(path.basename(directory)) && isOurs(line));
    expect(faults).toEqual([]);
  });
});
