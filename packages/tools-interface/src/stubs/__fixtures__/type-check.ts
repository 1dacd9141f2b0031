import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";

const require = createRequire(import.meta.url);
const tsc = path.join(path.dirname(require.resolve("typescript/package.json")), "bin", "tsc");
const flags =
  "--strict --noEmit --pretty false --target es2023 --lib es2023 --module esnext --types  --skipLibCheck --ignoreConfig --checkers 1";

/** What `tsc --strict` says of a module: its complaints by the line they are about, counted from 0. */
export function typeErrors(source: string, ...options: readonly string[]): ReadonlyMap<number, string> {
  return typeErrorsOfEach([source], ...options)[0] ?? new Map<number, string>();
}

/** The same for several modules in one run, which takes less time than one for each. */
export function typeErrorsOfEach(sources: readonly string[], ...options: readonly string[]) {
  const directory = mkdtempSync(path.join(tmpdir(), "stubs-"));
  try {
    const files = sources.map((_, index) => path.join(directory, `stubs-${index}.ts`));
    for (const [index, file] of files.entries()) writeFileSync(file, `${sources[index]}\nexport {};\n`);
    const errors = parse(run([...flags.split(" "), ...options, ...files]));
    return sources.map((_, index) => errors.get(index) ?? new Map<number, string>());
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function run(options: readonly string[]): string {
  try {
    execFileSync(process.execPath, [tsc, ...options], { encoding: "utf8", maxBuffer: 2 ** 28 });
    return "";
  } catch (error) {
    return String((error as { stdout?: string }).stdout ?? error);
  }
}

function parse(output: string): ReadonlyMap<number, ReadonlyMap<number, string>> {
  const errors = new Map<number, Map<number, string>>();
  for (const line of output.split("\n")) {
    const [, file, number, message = ""] = /stubs-(\d+)\.ts\((\d+),\d+\): (error .*)$/.exec(line) ?? [];
    if (number === undefined && /^\S.*\berror\b/.test(line)) throw new Error(`tsc did not check the source: ${line}`);
    if (number === undefined) continue;
    const found = errors.get(Number(file)) ?? new Map<number, string>();
    errors.set(Number(file), found.set(Number(number) - 1, message));
  }
  return errors;
}
