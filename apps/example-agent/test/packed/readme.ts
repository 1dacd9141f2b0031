import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";

/** The promises of a README that a program can check. */
export interface Readme {
  /** The packages that it says to install. */
  readonly installs: readonly string[];
  /** Its first TypeScript example, which is JavaScript too. */
  readonly example: string;
}

/**
 * Reads the README of a package.
 *
 * @throws An `Error` when there is none, or it does not name the packages to install, or shows no example.
 */
export async function readReadme(directory: string): Promise<Readme> {
  const text = await readFile(path.join(directory, "README.md"), "utf8");
  const command = /(?:npm (?:install|i)|pnpm add) ([^\n`#]+)/.exec(text)?.[1];
  if (command === undefined) throw new Error("Cannot follow the README: it names no `npm install …`");
  const example = /^```ts\n(?<code>.*?)^```$/ms.exec(text)?.groups?.["code"];
  if (example === undefined) throw new Error("Cannot follow the README: it has no ```ts example");
  return {
    installs: command
      .trim()
      .split(/\s+/)
      .filter((word) => !word.startsWith("-")),
    example,
  };
}

/** The oldest Node that a README's example runs on, if the README names another one than the package does. */
export function exampleNode(directory: string): string | undefined {
  return /needs Node (\d+\.\d+)/.exec(readFileSync(path.join(directory, "README.md"), "utf8"))?.[1];
}
