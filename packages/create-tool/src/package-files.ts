import { readFileSync } from "node:fs";
import path from "node:path";
import type { ToolNames } from "./tool-names.ts";

/** Options of a new package. */
export interface PackageWishes {
  readonly tool: ToolNames;
  /** Name of the package. */
  readonly name: string;
  /** A package by itself, or one more of this repository. */
  readonly home: "standalone" | "workspace";
  /** Name of the directory that holds the package. */
  readonly directory: string;
  /** Versions of `@dispatch/tools-interface` that it takes, such as `^1.2.3`. */
  readonly version: string;
  /** Directory of the template, absolute: a package that works, whose tool is called `count_words`. */
  readonly template: string;
}

const TEMPLATE = ["README.md", "src/index.ts", "src/count-words.ts", "src/count-words.test.ts"];

const COMPILED = { rootDir: "src", outDir: "dist", noEmit: false, declaration: true };
const TESTS = ["src/**/*.test.ts"];

/** Settings of a package by itself, which one of the repository takes from there. */
const STANDALONE = {
  "tsconfig.json": {
    compilerOptions: {
      target: "es2023",
      module: "nodenext",
      strict: true,
      noUncheckedIndexedAccess: true,
      verbatimModuleSyntax: true,
      rewriteRelativeImportExtensions: true,
      skipLibCheck: true,
      noEmit: true,
    },
    include: ["src"],
  },
  "tsconfig.build.json": { extends: "./tsconfig.json", compilerOptions: COMPILED, exclude: TESTS },
};

/** Additional settings of a package of the repository. */
const IN_WORKSPACE = {
  "turbo.json": { extends: ["//"], tags: ["tool"] },
  "tsconfig.build.json": {
    extends: "../../tsconfig.base.json",
    compilerOptions: { ...COMPILED, customConditions: [] },
    include: ["src"],
    exclude: TESTS,
  },
};

/** The files of a tool package: the text of each by its path, with `/` between directories. */
export function packageFiles(wishes: PackageWishes): ReadonlyMap<string, string> {
  const { tool, template } = wishes;
  const rename = (text: string): string =>
    text
      .replaceAll("PACKAGE_NAME", wishes.name)
      .replaceAll("count_words", tool.snake)
      .replaceAll("count-words", tool.kebab)
      .replaceAll("countWords", tool.camel);
  const inWorkspace = wishes.home === "workspace";
  const made = Object.entries({
    "package.json": packageManifest(wishes),
    ...(inWorkspace ? IN_WORKSPACE : STANDALONE),
  });
  return new Map([
    ...made.map(([file, content]) => [file, `${JSON.stringify(content, undefined, 2)}\n`] as const),
    ...TEMPLATE.map((file) => [rename(file), rename(readFileSync(path.join(template, file), "utf8"))] as const),
    ...(inWorkspace ? [] : [[".gitignore", "node_modules/\ndist/\n"] as const]),
  ]);
}

const TYPES_AND_CODE = { types: "./dist/index.d.ts", default: "./dist/index.js" };

/** The `package.json` of a tool package: by itself, or as one more package of this repository. */
function packageManifest(wishes: PackageWishes): object {
  const { name, home, directory, version, tool } = wishes;
  const exports = { ".": TYPES_AND_CODE, "./package.json": "./package.json" };
  const common = {
    name,
    version: "0.0.0",
    description: `The tool ${tool.snake} for AI agents`,
    license: "MIT",
    files: ["dist"],
    type: "module",
    sideEffects: false,
  };
  if (home === "workspace") {
    const source = { "@dispatch/source": "./src/index.ts", ...TYPES_AND_CODE };
    return {
      ...common,
      exports: { ...exports, ".": source },
      publishConfig: { access: "public", provenance: true, exports },
      scripts: {
        build: "rm -rf dist && tsc -p tsconfig.build.json",
        test: `vitest run --root ../.. --project packages packages/${directory}/`,
      },
      dependencies: { "@dispatch/tools-interface": "workspace:^", zod: "catalog:" },
      devDependencies: { vitest: "catalog:" },
      engines: { node: ">=20.19" },
    };
  }
  return {
    ...common,
    exports,
    scripts: { build: "tsc -p tsconfig.build.json", check: "tsc", test: "vitest run", prepack: "npm run build" },
    dependencies: { "@dispatch/tools-interface": version, zod: "^4.2.0" },
    // The next vitest needs Node 22, the package itself does not.
    devDependencies: { typescript: ">=5.9.0", vitest: "^4.1.0" },
    engines: { node: ">=20.19" },
  };
}
