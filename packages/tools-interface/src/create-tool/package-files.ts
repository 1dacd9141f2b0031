import { readFileSync } from "node:fs";
import path from "node:path";
import { packageManifest, type ManifestWishes } from "./package-manifest.ts";
import type { ToolNames } from "./tool-names.ts";

/** Options of a new package. */
export interface PackageWishes extends Omit<ManifestWishes, "description"> {
  readonly tool: ToolNames;
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
export function packageFiles({ tool, template, ...wishes }: PackageWishes): ReadonlyMap<string, string> {
  const rename = (text: string): string =>
    text
      .replaceAll("PACKAGE_NAME", wishes.name)
      .replaceAll("count_words", tool.snake)
      .replaceAll("count-words", tool.kebab)
      .replaceAll("countWords", tool.camel);
  const inWorkspace = wishes.home === "workspace";
  const manifest = packageManifest({ ...wishes, description: `The tool ${tool.snake} for AI agents` });
  const made = Object.entries({ "package.json": manifest, ...(inWorkspace ? IN_WORKSPACE : STANDALONE) });
  return new Map([
    ...made.map(([file, content]) => [file, `${JSON.stringify(content, undefined, 2)}\n`] as const),
    ...TEMPLATE.map((file) => [rename(file), rename(readFileSync(path.join(template, file), "utf8"))] as const),
    ...(inWorkspace ? [] : [[".gitignore", "node_modules/\ndist/\n"] as const]),
  ]);
}
