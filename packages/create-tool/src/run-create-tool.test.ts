import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { runCreateTool } from "./run-create-tool.ts";

const scratch = mkdtempSync(path.join(tmpdir(), "create-tool-"));
const template = path.join(import.meta.dirname, "../template");
afterAll(() => rmSync(scratch, { recursive: true }));

let directories = 0;

/** Runs the command in a directory of its own and returns the files in it afterwards. */
function create(...args: readonly string[]) {
  directories += 1;
  const cwd = path.join(scratch, `${directories}`);
  mkdirSync(cwd);
  const said: string[] = [];
  const run = () => runCreateTool(args, { cwd, template, version: "^1.2.3", print: (text) => said.push(text) });
  const files = () =>
    readdirSync(cwd, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(cwd, path.join(entry.parentPath, entry.name)))
      .toSorted();
  const read = (file: string) => readFileSync(path.join(cwd, file), "utf8");
  return { cwd, run, files, read, said };
}

describe("runCreateTool()", () => {
  test.each(["look_up_order", "look-up-order", "lookUpOrder", "Look up order"])("takes the name %s", (name) => {
    const { run, files, read } = create(name);
    run();
    expect(files()).toEqual([
      "tool-look-up-order/.gitignore",
      "tool-look-up-order/README.md",
      "tool-look-up-order/package.json",
      "tool-look-up-order/src/index.ts",
      "tool-look-up-order/src/look-up-order.test.ts",
      "tool-look-up-order/src/look-up-order.ts",
      "tool-look-up-order/tsconfig.build.json",
      "tool-look-up-order/tsconfig.json",
    ]);
    const code = read("tool-look-up-order/src/look-up-order.ts");
    expect(code).toContain("export const lookUpOrderTool");
    expect(code).toContain('name: "look_up_order"');
    expect(
      files()
        .map((file) => read(file))
        .join("\n"),
    ).not.toMatch(/count.words|PACKAGE_NAME/i);
    expect(JSON.parse(read("tool-look-up-order/package.json"))).toMatchObject({
      name: "tool-look-up-order",
      dependencies: { "@dispatch/tools-interface": "^1.2.3" },
    });
  });

  test("makes the directory and the package that the arguments name", () => {
    const { run, read } = create("look up order", "--name", "@acme/tool-orders", "--dir", "tools/orders");
    run();
    expect(read("tools/orders/README.md")).toContain('from "@acme/tool-orders"');
  });

  test("makes one more package of a workspace", () => {
    const { run, files, read } = create("look_up_order", "--workspace");
    run();
    expect(files()).toContain("packages/tool-look-up-order/turbo.json");
    expect(files()).not.toContain("packages/tool-look-up-order/tsconfig.json");
    expect(read("packages/tool-look-up-order/package.json")).toContain('"workspace:^"');
    expect(JSON.parse(read("packages/tool-look-up-order/package.json"))).toMatchObject({
      scripts: { test: "vitest run --root ../.. --project packages packages/tool-look-up-order/" },
    });
  });

  test("names the tests of a workspace's package by its directory", () => {
    const { run, read } = create("look_up_order", "--workspace", "--dir", "packages/orders");
    run();
    expect(JSON.parse(read("packages/orders/package.json"))).toMatchObject({
      scripts: { test: "vitest run --root ../.. --project packages packages/orders/" },
    });
  });

  test.each([
    ["../../etc/passwd", /two words or more/],
    ["order", /two words or more/],
    [`a_${"b".repeat(80)}`, /60 characters/],
    ["__proto__", /two words or more/],
    ["look_up`; import", /two words or more/],
  ])("refuses the name %j and writes nothing", (name, reason) => {
    const { run, files } = create(name);
    expect(run).toThrow(reason);
    expect(files()).toEqual([]);
  });

  test.each([["a b"], ["@acme"], ['x", "evil": "'], ["../x"]])("refuses the package name %j", (name) => {
    const { run, files } = create("look_up_order", "--name", name);
    expect(run).toThrow(/Cannot name a package/);
    expect(files()).toEqual([]);
  });

  test("touches nothing that is there already", () => {
    const { cwd, run, files, read } = create("look_up_order");
    mkdirSync(path.join(cwd, "tool-look-up-order"));
    writeFileSync(path.join(cwd, "tool-look-up-order/mine.txt"), "mine");
    expect(run).toThrow(/something is there already/);
    expect(files()).toEqual(["tool-look-up-order/mine.txt"]);
    expect(read("tool-look-up-order/mine.txt")).toBe("mine");
  });

  test.each([[], ["--help"]])("says how it is used when given %j", (...args) => {
    const { cwd, run, said } = create(...args);
    run();
    expect(said.join("")).toContain("Examples");
    expect(existsSync(path.join(cwd, "packages"))).toBe(false);
  });
});
