import { join } from "node:path";
import { watchDisk } from "./power-cut.ts";

/**
 * Opens the memory in a directory that exists, writes to it by several hands, and again and again makes a picture of what a
 * disk could hold if the power went at that moment. Prints a line of JSON for each: the picture, and the writes that had
 * been acknowledged by then.
 */
const [directory = "", pictures = "", count = "", seed = ""] = process.argv.slice(2);
let state = Number(seed) || 1;
/** Marsaglia's xorshift32: the same pictures for the same seed, as far as the disk's own times allow. */
const random = (): number => {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) / 2 ** 32;
};

// By several hands, whose writes reach the disk together, or by one, which waits for the disk each time.
const acknowledged: number[] = Number(seed) % 2 === 0 ? [0, 0, 0, 0] : [0];
const forgotten: string[] = [];
let made = 0;
let countdown = Number.POSITIVE_INFINITY;
const disk = watchDisk(directory, random, () => {
  if (countdown-- > 0 || made >= Number(count)) return;
  countdown = Number.POSITIVE_INFINITY;
  const picture = join(pictures, `${++made}`);
  try {
    disk.cut(picture);
  } catch (error) {
    // Thrown on, it would be taken for an error of the disk.
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  }
  process.stdout.write(`${JSON.stringify({ picture, acknowledged, forgotten })}\n`);
  countdown = Math.floor(random() ** 2 * 3_000);
});

// Ends with whoever started it.
process.stdin.resume().on("end", () => process.exit());
if ("unref" in process.stdin) process.stdin.unref();

const { openMemory } = await import("../src/memory/open-memory.ts");
const { manager, steward, close } = await openMemory(directory);
countdown = 20;
const hand = async (at: number): Promise<void> => {
  for (let n = 1; made < Number(count); n++) {
    const content = `${n} ${"x".repeat(random() * 300)}`;
    const { outcome } = await manager.write({ label: `hand ${at} of ${n % 20}`, content });
    if (outcome !== "applied") throw new Error(`a write was ${outcome}`);
    acknowledged[at] = n;
    if (at > 0 || n % 150 !== 0) continue;
    await steward.write({ label: `secret ${n}`, content: `secret ${n}` });
    await steward.forget(`secret ${n}`);
    forgotten.push(`secret ${n}`);
  }
};
await Promise.all(acknowledged.map((_, at) => hand(at)));
await close();
