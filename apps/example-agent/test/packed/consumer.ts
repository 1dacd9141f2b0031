import { writeFile } from "node:fs/promises";
import path from "node:path";
import { root, type PublishedPackage } from "./packages.ts";
import { runProgram } from "./run-program.ts";

const options = {
  strict: true,
  skipLibCheck: false,
  skipDefaultLibCheck: true,
  noEmit: true,
  module: "nodenext",
  target: "es2023",
  types: ["node"],
  typeRoots: [path.join(root, "node_modules/@types")],
};

/** The program of a project that imports all that a package offers, without its ending. */
export function consumerOf({ name }: PublishedPackage): string {
  return `consumer-${path.basename(name)}`;
}

/** Writes a program for each package into a project. It prints how many names each subpath exports. */
export async function writeConsumers(directory: string, packages: readonly PublishedPackage[]): Promise<void> {
  for (const published of packages) {
    const { specifiers } = published;
    const imports = specifiers.map((specifier, index) => `import * as m${index} from "${specifier}";\n`);
    const modules = specifiers.map((_, index) => `m${index}`);
    const text = `${imports.join("")}console.log([${modules.join(", ")}].map((module) => Object.keys(module).length));\n`;
    await writeFile(path.join(directory, `${consumerOf(published)}.mts`), text);
    await writeFile(path.join(directory, `${consumerOf(published)}.mjs`), text);
  }
  const config = { compilerOptions: options, include: ["*.mts"] };
  await writeFile(path.join(directory, "tsconfig.json"), JSON.stringify(config));
}

/** Compiles the programs of a project, every declaration they reach included. */
export async function compileConsumers(directory: string): Promise<void> {
  await runProgram(path.join(root, "node_modules/.bin/tsc"), ["--project", directory, "--checkers", "1"], directory);
}
