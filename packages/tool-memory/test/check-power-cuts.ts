import { replayEvents } from "../src/block/memory-event.ts";
import { openMemory } from "../src/memory/open-memory.ts";
import { cutPower, type Kept } from "./cut-power.ts";

const program = new URL("./write-until-cut.ts", import.meta.url);

/**
 * Makes a memory and writes to it so many times by each hand, cuts its power at so many moments, and opens what is left each time.
 *
 * @returns how many acknowledged writes were missing, and how many were looked for. Throws when a memory does not open,
 * or is not what its events make of it.
 */
export function checkPowerCuts(cuts: number, seed: number, writes: number): Promise<Kept> {
  const hands = seed % 2 === 0 ? "4" : "1";
  return cutPower({ program, args: [`${writes}`, hands], cuts, seed, check: checkPicture });
}

async function checkPicture(picture: string, said: readonly string[]): Promise<Kept> {
  const { admin, close } = await openMemory(picture);
  const { blocks, events } = await admin.export();
  const verified = await admin.verify();
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
