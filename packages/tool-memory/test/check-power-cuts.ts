import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { replayEvents } from "../src/block/replay.ts";
import { openMemory } from "../src/memory/open-memory.ts";
import { Disk } from "./power-cut.ts";
import { traceWrites } from "./trace-writes.ts";

const writeUntilCut = new URL("./write-until-cut.ts", import.meta.url);

/**
 * Makes a memory and writes to it so many times by each hand, cuts its power at so many moments, and opens what is left each time.
 *
 * @returns how many acknowledged writes were missing, and how many were looked for. Throws when a memory does not open,
 * or is not what its events make of it.
 */
export async function checkPowerCuts(
  cuts: number,
  seed: number,
  writes: number,
): Promise<{ readonly lost: number; readonly found: number }> {
  const root = mkdtempSync(join(tmpdir(), "power-cut-"));
  const random = createRandom(seed);
  const total = { lost: 0, found: 0 };
  try {
    const directory = join(root, "memory");
    const hands = seed % 2 === 0 ? "4" : "1";
    const operations = await traceWrites(
      writeUntilCut,
      [directory, `${writes}`, hands],
      directory,
      join(root, "trace"),
    );
    // A third of the cuts while it is made and first written.
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
      const { lost, found } = await checkPicture(picture, said);
      total.lost += lost;
      total.found += found;
      rmSync(picture, { recursive: true });
    }
    return total;
  } finally {
    rmSync(root, { recursive: true });
  }
}

async function checkPicture(
  picture: string,
  said: readonly string[],
): Promise<{ readonly lost: number; readonly found: number }> {
  const { steward, close } = await openMemory(picture);
  const { blocks, events } = await steward.export();
  const verified = await steward.verify();
  await close();
  if (!verified.ok || JSON.stringify(replayEvents(events)) !== JSON.stringify(blocks))
    throw new Error("the events do not make the blocks");
  const written = new Set(events.map(({ label, after }) => `${label}: ${after.split(" ")[0]}`));
  const total = { lost: 0, found: 0 };
  for (const line of said) {
    const [kind, hand, n] = line.split(" ");
    const isKept =
      kind === "WROTE"
        ? written.has(`hand ${hand} of ${Number(n) % 20}: ${n}`)
        : events.every((event) => event.label !== `secret ${n}`);
    total[isKept ? "found" : "lost"] += 1;
  }
  return total;
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
