import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const require = createRequire(import.meta.url);
const tsc = path.join(path.dirname(require.resolve("typescript/package.json")), "bin", "tsc");
const fixture = fileURLToPath(import.meta.resolve("./__fixtures__/shown-types.ts"));
const root = fileURLToPath(new URL("../..", import.meta.url));
const directory = mkdtempSync(path.join(tmpdir(), "shown-types-"));
afterAll(() => rmSync(directory, { recursive: true }));

/** The types of the fixture's exports as the compiler prints them, in one line each. */
let shown: Readonly<Record<string, string>> = {};
beforeAll(() => {
  const flags =
    "--strict --exactOptionalPropertyTypes --skipLibCheck --ignoreConfig --checkers 1 --declaration --emitDeclarationOnly --module nodenext --target es2023 --lib es2023,es2024.string";
  const more = "--types node --allowImportingTsExtensions --rootDir src --outDir";
  execFileSync(process.execPath, [tsc, ...flags.split(" "), ...more.split(" "), directory, fixture], { cwd: root });
  const text = readFileSync(path.join(directory, "registry", "__fixtures__", "shown-types.d.ts"), "utf8");
  const declared = text
    .replaceAll(/import\("[^"]+"\)\./g, "")
    .replaceAll(/\s+/g, " ")
    .matchAll(/const (\w+): (.*?); (?=export|$)/g);
  shown = Object.fromEntries(Array.from(declared, ([, name, type]) => [name, type]));
});

const LOOK =
  'Tool<"look", { at: string; }, { seen: boolean; }, { eyes: number; light?: boolean | undefined; }, { at: string; }>';
const WALK = 'Tool<"walk", { to?: string | undefined; }, string, { eyes: number; feet: number; }, { to: string; }>';
const CONTEXT = "{ eyes: number; feet: number; light?: boolean | undefined; }";

describe("the types of a registry that an editor shows", () => {
  test("name its tools and their context, merged", () => {
    expect(shown["both"]).toBe(`ToolRegistry<{ readonly look: ${LOOK}; readonly walk: ${WALK}; }, ${CONTEXT}>`);
    expect(shown["chained"]).toBe(
      `ToolRegistry<{ readonly look: ${LOOK}; } & { readonly walk: ${WALK}; }, ${CONTEXT}>`,
    );
    expect(shown["extended"]).toBe(shown["chained"]);
    expect(shown["listed"]).toBe(shown["both"]);
    expect(shown["narrowed"]).toContain("{ eyes: number; light?: boolean | undefined; }>");
  });

  test("name the data of a call", () => {
    expect(shown["result"]).toBe("Promise<ToolResult<{ seen: boolean; }>>");
  });

  test("name nothing that the package does not export", () => {
    const names = Object.values(shown)
      .join()
      .match(/\b[A-Z]\w+(?=<)/g);
    expect([...new Set(names)].toSorted()).toEqual([
      "Pick",
      "Promise",
      "RegisteredTool",
      "Tool",
      "ToolRegistry",
      "ToolResult",
    ]);
  });
});
