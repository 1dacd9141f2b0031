import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Disk } from "./power-cut.ts";
import { traceWrites } from "./trace-writes.ts";

/** The records that a cut left: how many acknowledged ones are missing, and how many are there. */
export interface Kept {
  readonly lost: number;
  readonly found: number;
}

/** A program that writes, and the check of its files. */
export interface PowerCuts {
  /** Writes below the directory that is its first argument, and says what was acknowledged. */
  readonly program: URL;
  /** The program's other arguments. */
  readonly args: readonly string[];
  readonly cuts: number;
  readonly seed: number;
  /** Opens the files that a cut left in a directory. Throws when they cannot be what the program wrote. */
  readonly check: (picture: string, said: readonly string[]) => Promise<Kept>;
}

/** Runs a program once, cuts its power at so many moments, and sums up the checks of the files that are left each time. */
export async function cutPower({ program, args, cuts, seed, check }: PowerCuts): Promise<Kept> {
  const root = mkdtempSync(join(tmpdir(), "power-cut-"));
  const random = createRandom(seed);
  const total = { lost: 0, found: 0 };
  try {
    const directory = join(root, "written");
    const operations = await traceWrites(program, [directory, ...args], directory, join(root, "trace"));
    // A third of the cuts while the files are made and first written.
    const end = (n: number): number => (n % 3 === 0 ? Math.min(200, operations.length) : operations.length);
    const moments = new Set(Array.from({ length: cuts }, (_, n) => Math.floor(random() * end(n))));
    const disk = new Disk();
    const said: string[] = [];
    for (const [at, operation] of operations.entries()) {
      disk.apply(operation);
      if (operation.kind === "say") said.push(operation.text);
      if (!moments.has(at)) continue;
      const picture = join(root, "picture");
      mkdirSync(picture);
      for (const [path, bytes] of disk.cut(random)) writeFileSync(join(picture, basename(path)), bytes);
      const { lost, found } = await check(picture, said);
      total.lost += lost;
      total.found += found;
      rmSync(picture, { recursive: true });
    }
    return total;
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** Marsaglia's xorshift32: the same cuts for the same seed and trace. */
function createRandom(seed: number): () => number {
  let state = seed || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
