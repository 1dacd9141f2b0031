import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

const source = path.resolve(import.meta.dirname, "../src");
/** Its files become part of those of the package. */
const sandbox = path.resolve(import.meta.dirname, "../../sandbox/src");

/** All modules a module imports, directly or not: files by path, packages by name. */
function reachable(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, specifier = ""] of readFileSync(file, "utf8").matchAll(
    /^(?:import|export) (?:type )?(?:\{[^}]*\}|\w+) from "([^"]+)";$/gm,
  )) {
    if (specifier === "@dispatch/sandbox") reachable(path.join(sandbox, "index.ts"), seen);
    else if (specifier.startsWith(".")) reachable(path.resolve(path.dirname(file), specifier), seen);
    else seen.add(specifier);
  }
  return seen;
}

describe("the package", () => {
  test("knows nothing of Deno at its root, nor of processes and files", () => {
    const modules = [...reachable(path.join(source, "index.ts"))];
    expect(modules.length).toBeGreaterThan(5);
    const system = /^node:(?!crypto$)/;
    expect(modules.filter((name) => name.startsWith(path.join(source, "deno")) || system.test(name))).toEqual([]);
  });

  test("knows nothing of processes, files and threads where QuickJS runs, but where it is asked for them", () => {
    const modules = [...reachable(path.join(source, "quickjs/index.ts"))];
    expect(modules.filter((name) => name.startsWith("node:"))).toEqual([]);
    const packages = modules.filter((name) => !path.isAbsolute(name));
    expect(new Set(packages)).toEqual(new Set(["@dispatch/tools-interface/internal", "js-tokens"]));
  });

  test("depends on the interface, on zod, on a reader of tokens and on Node alone", () => {
    const packages = [
      ...reachable(path.join(source, "deno/index.ts")),
      ...reachable(path.join(source, "index.ts")),
    ].filter((name) => !path.isAbsolute(name) && !name.startsWith("node:"));
    expect(new Set(packages)).toEqual(
      new Set([
        "@dispatch/tools-interface",
        "@dispatch/tools-interface/image",
        "@dispatch/tools-interface/internal",
        "@dispatch/tools-interface/search",
        "js-tokens",
        "zod",
      ]),
    );
  });

  test("says the same of its entries to those who publish it and those who work on it", () => {
    const { exports, publishConfig } = JSON.parse(readFileSync(path.join(source, "../package.json"), "utf8"));
    const published = Object.fromEntries(
      Object.entries(exports as Record<string, string | Record<string, string>>).map(([name, entry]) => {
        if (typeof entry === "string") return [name, entry];
        const { "@dispatch/source": _, ...rest } = entry;
        return [name, rest];
      }),
    );
    expect(publishConfig.exports).toEqual(published);
  });
});
