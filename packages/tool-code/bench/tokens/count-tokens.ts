import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

const directory = fileURLToPath(new URL(".", import.meta.url));

/** Counts tokens of a text. */
export interface TokenCounter {
  /** The counter: `o200k_base`, or `characters/4` if the tokenizer cannot be installed. */
  readonly name: string;
  /** How many tokens a text has. */
  readonly count: (text: string) => number;
}

interface Tiktoken {
  encode(text: string, allowed: readonly string[], disallowed: readonly string[]): readonly number[];
}

/** The tokenizer, installed beside this file when it is missing. */
export async function tokenCounter(): Promise<TokenCounter> {
  try {
    execFileSync("npx", ["--yes", "pnpm", "--dir", directory, "install", "--frozen-lockfile", "--silent"], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    const { resolve } = createRequire(`${directory}package.json`);
    const load = (name: string): Promise<unknown> => import(pathToFileURL(resolve(name)).href);
    const lite = (await load("js-tiktoken/lite")) as { readonly Tiktoken: new (ranks: unknown) => Tiktoken };
    const ranks = (await load("js-tiktoken/ranks/o200k_base")) as { readonly default: unknown };
    const tokenizer = new lite.Tiktoken(ranks.default);
    return { name: "o200k_base", count: (text) => tokenizer.encode(text, [], []).length };
  } catch {
    return { name: "characters/4", count: (text) => Math.ceil(text.length / 4) };
  }
}
