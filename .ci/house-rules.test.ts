import { describe, expect, test } from "vitest";
import { findViolations } from "./house-rules.ts";

const manifest = {
  exports: { ".": { "@dispatch/source": "./src/index.ts", types: "./dist/index.d.ts", default: "./dist/index.js" } },
  publishConfig: { exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } } },
};

/** A tree that keeps every rule, then with what the test plants in it. */
function tree(planted: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries({
      "README.md": "",
      ".github/workflows/ci.yml": "",
      "packages/kettle/package.json": JSON.stringify(manifest),
      "packages/kettle/turbo.json": '{ "extends": ["//"], "tags": ["tool"] }',
      "packages/kettle/src/index.ts": 'export { boil, type Kettle } from "./boil.ts";\n',
      "packages/kettle/src/boil.ts": `
/** What boils water. */
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

  test.each(["tools/x.json", "docs/a/b.md"])("names the file when %s stands in another folder at the top", (file) => {
    expect(findViolations(tree({ [file]: "" }))).toEqual([expect.stringContaining(`${file}: only packages`)]);
  });

  test.each(["utils.ts", "helpers.test.ts", "types.ts", "common/boil.ts"])("names the file when it is %s", (name) => {
    const file = `packages/kettle/src/${name}`;
    expect(findViolations(tree({ [file]: "" }))).toEqual([expect.stringContaining(`${file}: a file or folder`)]);
  });

  test("lets a bench be named for what it measures", () => {
    expect(findViolations(tree({ "packages/kettle/bench/types.bench.ts": "" }))).toEqual([]);
  });

  test("counts the lines when a file has more than 300", () => {
    const file = "apps/kitchen/src/main.ts";
    expect(findViolations(tree({ [file]: "let a;\n".repeat(300) }))).toEqual([]);
    expect(findViolations(tree({ [file]: "let a;\n".repeat(301) }))).toEqual([
      `${file}: it has 301 lines, allowed are 300`,
    ]);
  });

  test.each(["export * from './boil.ts';", "export * as all from './boil.ts';"])(
    "names the line when it is %s",
    (line) => {
      const file = "packages/kettle/src/all.ts";
      expect(findViolations(tree({ [file]: `\n${line}` }))).toEqual([expect.stringContaining(`${file}:2: an export`)]);
    },
  );

  test.each(["test.skip", "it.only", "describe.todo", "test.concurrent.skip", "describe.only.each([1])", "test.fails"])(
    "names the line when it holds %s",
    (modifier) => {
      const file = "packages/kettle/src/boil.test.ts";
      const text = `\n${modifier}("boil() boils", () => {});`;
      expect(findViolations(tree({ [file]: text }))).toEqual([
        expect.stringContaining(`${file}:2: no test is left out`),
      ]);
    },
  );

  test("leaves a modifier's name alone when it is not a test's", () => {
    expect(
      findViolations(tree({ "packages/kettle/src/a.ts": 'cursor.skip(1); context.skip("why"); "test.skip";' })),
    ).toEqual([]);
  });

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

describe("findViolations() on documentation", () => {
  const boil = "packages/kettle/src/boil.ts";
  const index = "packages/kettle/src/index.ts";

  test.each([
    ["a function", "export function boil() {}"],
    ["a constant", "export const boil = 1;"],
    ["a class", "export abstract class boil {}"],
    ["a type", "export type boil = 1;"],
    ["a list at the end", "const boil = 1;\nexport { boil };"],
    ["another comment", "/* Boils. */\nexport const boil = 1;"],
    ["an empty comment", "/** */\nexport const boil = 1;"],
    ["a comment of what stands before", "/** Cools. */\nconst cool = 0;\nexport const boil = 1;"],
    ["an import that is exported", "import { heat } from './heat.ts';\nexport { heat as boil };"],
  ])("names what is public without it when it is %s", (_, text) => {
    const planted = { [index]: 'export { boil } from "./boil.ts";', [boil]: text };
    const violations = findViolations(tree({ ...planted, "packages/kettle/src/heat.ts": "export const heat = 1;" }));
    expect(violations).toEqual([expect.stringMatching(/: boil is public and has no TSDoc$/)]);
  });

  test("names the field when an interface has one without it", () => {
    const text = `/** Heats. */
export interface Kettle {
  /** Litres. */ volume: number;
  /** Opens. */ open(): void;
  open(wide: boolean): void;
  lid(): void;
}
/** Boils. */
// A word to the linter.
export const boil = 1;`;
    expect(findViolations(tree({ [boil]: text }))).toEqual([`${boil}:6: Kettle.lid is public and has no TSDoc`]);
  });

  test("asks for none when a thing is not public or comes from another package", () => {
    const planted = {
      [index]:
        'import { pot } from "pots";\nexport { boil as heat } from "./boil.ts";\nexport { pan } from "pans";\nexport { pot };',
      [boil]: "/** Boils. */\nexport const boil = 1;\nexport const cool = 0;",
    };
    expect(findViolations(tree(planted))).toEqual([]);
  });

  test("throws when an exported name leads nowhere", () => {
    const planted = { [index]: 'export { chill } from "./boil.ts";' };
    expect(() => findViolations(tree(planted))).toThrow("Cannot find the declaration of chill");
  });
});
