import { gitChanges } from "./git-changes.ts";
import { hunksOf, type Hunk } from "./hunk.ts";
import { packageChanges } from "./package-changes.ts";
import { Random } from "./random.ts";

/** Published packages whose versions are compared: source of several languages and styles, and prose. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  express: ["4.17.0", "4.18.0", "4.19.0", "4.21.0", "5.0.0", "5.1.0"],
  semver: ["7.3.0", "7.5.0", "7.6.0", "7.7.0"],
  zod: ["3.20.0", "3.21.0", "3.22.0", "3.23.0"],
  yargs: ["17.0.0", "17.4.0", "17.7.0"],
  "node-gyp": ["9.0.0", "9.4.0", "10.0.0", "11.0.0"],
  marked: ["4.0.0", "4.3.0", "5.0.0"],
};
/** Hunks taken of one package or repository, so that none outweighs the others. */
const MAX_PER_SOURCE = 500;

/** Real changes to real files: from a repository's history, and from successive versions of published packages. */
export async function mineCorpus(repository: string): Promise<Hunk[]> {
  const hunks = sample(gitChanges(repository, 2000).flatMap(hunksOf));
  for (const [name, versions] of Object.entries(PACKAGES)) {
    try {
      hunks.push(...sample((await packageChanges(name, versions)).flatMap(hunksOf)));
    } catch (error) {
      console.error(`Cannot mine ${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return hunks;
}

function sample(hunks: readonly Hunk[]): Hunk[] {
  const random = new Random(hunks.length);
  const left = [...hunks];
  while (left.length > MAX_PER_SOURCE) left.splice(random.below(left.length), 1);
  return left;
}
