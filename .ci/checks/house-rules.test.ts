import { describe, expect, test } from "vitest";
import { findViolations } from "./house-rules.ts";

const manifest = {
  exports: { ".": { "@dispatch/source": "./src/index.ts", types: "./dist/index.d.ts", default: "./dist/index.js" } },
  publishConfig: { exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } } },
};

/** A tree that keeps every rule, then with the files that the test plants in it. */
function tree(planted: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries({
      "README.md": "",
      ".github/workflows/ci.yml": "",
      "packages/kettle/package.json": JSON.stringify(manifest),
      "packages/kettle/turbo.json": '{ "extends": ["//"], "tags": ["tool"] }',
      "packages/kettle/src/index.ts": 'export { boil, type Kettle } from "./boil.ts";\n',
      "packages/kettle/src/boil.ts": `
/** Boils water. */
export interface Kettle {
  /** Litres. */
  readonly volume: number;
}

/** Boils the water. */
export function boil(kettle: Kettle): void;
export function boil(): void {}
`,
      "packages/kettle/src/boil.test.ts": 'test("boil() boils", () => {});\ntest.each([1])("%d", () => {});\n',
      ...planted,
    }),
  );
}

describe("findViolations()", () => {
  test("finds none when every rule is kept", () => {
    expect(findViolations(tree({}))).toEqual([]);
  });

  test.each(["tools/x.json", "docs/a/b.md"])(
    "names the file when %s stands in another directory at the top",
    (file) => {
      expect(findViolations(tree({ [file]: "" }))).toEqual([expect.stringContaining(`${file}: only packages`)]);
    },
  );

  test.each(["utils.ts", "helpers.test.ts", "types.ts", "common/boil.ts"])("names the file when it is %s", (name) => {
    const file = `packages/kettle/src/${name}`;
    expect(findViolations(tree({ [file]: "" }))).toEqual([expect.stringContaining(`${file}: a file or directory`)]);
  });

  test("lets a bench be named for what it measures", () => {
    expect(findViolations(tree({ "packages/kettle/bench/types.bench.ts": "" }))).toEqual([]);
  });

  test.each(["skip", "run"])("names the file where a test is left out by %sIf(), without a reason", (word) => {
    const file = "packages/kettle/src/steam.test.ts";
    const text = `test.${word}If(process.platform === "linux")("steams", () => {});`;
    expect(findViolations(tree({ [file]: text }))).toEqual([expect.stringContaining(`${file}: a test is skipped by`)]);
  });

  test.each(["export * from './boil.ts';", "export * as all from './boil.ts';"])(
    "names the file when it holds %s",
    (line) => {
      const file = "packages/kettle/src/all.ts";
      expect(findViolations(tree({ [file]: `\n${line}` }))).toEqual([expect.stringContaining(`${file}: an export`)]);
    },
  );

  test.each(['{ "extends": ["//"] }', '{ "tags": ["app"] }', ""])(
    "names the file when a package is tagged by %j",
    (text) => {
      const file = "packages/kettle/turbo.json";
      expect(findViolations(tree({ [file]: text }))).toEqual([expect.stringContaining(`${file}: it must tag`)]);
    },
  );

  test("says so when what is published differs from what the source exports", () => {
    const exports = { ...manifest.exports, "./lid": "./dist/lid.js" };
    const text = JSON.stringify({ ...manifest, exports });
    const [violation] = findViolations(tree({ "packages/kettle/package.json": text }));
    expect(violation).toContain("packages/kettle/package.json: publishConfig.exports must be");
  });
});
