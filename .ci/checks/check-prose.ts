import { readFile } from "node:fs/promises";
import path from "node:path";
import { root, runCommand, type Outcome } from "../machine/run-command.ts";
import { countProse, proseOf } from "./prose-count.ts";

/** The prose of a package, an app, the gate or the pages at the top. */
interface MeasuredProse {
  readonly name: string;
  readonly words: number;
  /** `FILE:LINE: TEXT` */
  readonly places: readonly string[];
  /** Places per 1,000 words. */
  readonly rate: number;
}

/** The most places per 1,000 words. */
const CEILING = 2;

/** Fails where a package says "what", "whoever" or "is told" more often than is allowed. */
export async function checkProse(): Promise<Outcome> {
  const over = (await measureProse([])).filter(({ rate }) => rate > CEILING);
  const output = over.map(
    ({ name, rate }) =>
      `${name}: ${rate.toFixed(2)} places per 1,000 words say "what", "whoever" or "tells" instead of a noun, at most ${CEILING} are allowed; see \`npx pnpm prose --list ${name}\` and name the subject there`,
  );
  return { ok: over.length === 0, output: output.join("\n") };
}

/**
 * Measures every tracked file, or those below some paths.
 *
 * @param paths - Relative to the root; none for all.
 */
export async function measureProse(paths: readonly string[]): Promise<readonly MeasuredProse[]> {
  const { output } = await runCommand("git", ["ls-files", "--", ...(paths.length === 0 ? ["."] : paths)]);
  const files = output
    .split("\n")
    .filter((file) => /\.(?:ts|md)$/.test(file) && !/^\.changeset\/|^\.ci\/(?:checks\/)?prose/.test(file));
  const groups = new Map<string, { words: number; places: string[] }>();
  for (const file of files) {
    const text = await readFile(path.join(root, file), "utf8").catch(() => "");
    const count = countProse(proseOf(file, text) ?? "");
    const name = /^(?:packages\/[^/]+|apps\/[^/]+|\.ci)(?=\/)/.exec(file)?.[0] ?? "pages at the top";
    const group = groups.get(name) ?? { words: 0, places: [] };
    groups.set(name, group);
    group.words += count.words;
    group.places.push(...count.places.map((place) => `${file}:${place.line}: ${place.text}`));
  }
  return [...groups].map(([name, group]) => ({ name, ...group, rate: (group.places.length * 1000) / group.words }));
}
