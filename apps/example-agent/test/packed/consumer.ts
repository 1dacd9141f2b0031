import { writeFile } from "node:fs/promises";
import path from "node:path";
import { root, type PublishedPackage } from "./packages.ts";
import { runProgram } from "./run-program.ts";

const options = {
  strict: true,
  skipLibCheck: false,
  noEmit: true,
  module: "nodenext",
  target: "es2023",
  types: ["node"],
  typeRoots: [path.join(root, "node_modules/@types")],
};

/** Writes a program into a project that imports all that a package offers, and prints how many names there are. */
export async function writeConsumer(directory: string, { specifiers }: PublishedPackage): Promise<void> {
  const imports = specifiers.map((specifier, index) => `import * as m${index} from "${specifier}";\n`);
  const modules = specifiers.map((_, index) => `m${index}`);
  const text = `${imports.join("")}console.log([${modules.join(", ")}].map((module) => Object.keys(module).length));\n`;
  await writeFile(path.join(directory, "consumer.mts"), text);
  await writeFile(path.join(directory, "consumer.mjs"), text);
  const config = { compilerOptions: options, files: ["consumer.mts"] };
  await writeFile(path.join(directory, "tsconfig.json"), JSON.stringify(config));
}

/** Compiles the consumer, every declaration it reaches included. */
export async function compileConsumer(directory: string): Promise<void> {
  await runProgram(path.join(root, "node_modules/.bin/tsc"), ["--project", directory], directory);
}
