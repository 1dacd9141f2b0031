import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { replayEvents } from "../src/block/replay.ts";
import { openMemory } from "../src/memory/open-memory.ts";
import { startChild, type Child } from "./child.ts";

/**
 * Cuts the power of a memory that is being written, so many times, and opens what is left each time.
 *
 * @returns how many acknowledged writes were missing, and how many were looked for. Throws when a memory does not open,
 * or is not what its events make of it.
 */
export async function checkPowerCuts(
  cuts: number,
  seed: number,
): Promise<{ readonly lost: number; readonly found: number }> {
  const root = mkdtempSync(join(tmpdir(), "power-cut-"));
  let child: Child | undefined;
  try {
    const directory = join(root, "memory");
    await (await openMemory(directory)).close();
    child = startChild(new URL("./cut-power.ts", import.meta.url), directory, root, `${cuts}`, `${seed}`);
    const total = { lost: 0, found: 0 };
    for (let n = 0; n < cuts; n++) {
      await child.printed(n + 1);
      const line = child.lines[n];
      if (line === undefined) throw new Error(`the writer ended after ${n} cuts`);
      const { picture, acknowledged, forgotten } = JSON.parse(line) as Picture;
      const { lost, found } = await checkPicture(picture, acknowledged, forgotten);
      total.lost += lost;
      total.found += found;
      rmSync(picture, { recursive: true });
    }
    await child.ended;
    return total;
  } finally {
    child?.process.kill("SIGKILL");
    await child?.ended;
    rmSync(root, { recursive: true });
  }
}

interface Picture {
  readonly picture: string;
  readonly acknowledged: readonly number[];
  readonly forgotten: readonly string[];
}

async function checkPicture(
  picture: string,
  acknowledged: readonly number[],
  forgotten: readonly string[],
): Promise<{ readonly lost: number; readonly found: number }> {
  pretendAnotherBoot(picture);
  const { steward, close } = await openMemory(picture);
  const { blocks, events } = await steward.export();
  await close();
  if (JSON.stringify(replayEvents(events)) !== JSON.stringify(blocks))
    throw new Error("the events do not make the blocks");
  const written = new Set(events.map(({ label, after }) => `${label}: ${after.split(" ")[0]}`));
  let lost = forgotten.filter((label) => events.some((event) => event.label === label)).length;
  let found = 0;
  for (const [at, last] of acknowledged.entries()) {
    for (let n = 1; n <= last; n++) {
      if (written.has(`hand ${at} of ${n % 20}: ${n}`)) found++;
      else lost++;
    }
  }
  return { lost, found };
}

/** The holder would otherwise be seen to live, as it does. */
function pretendAnotherBoot(picture: string): void {
  for (const name of readdirSync(picture).filter((entry) => entry.startsWith("lock."))) {
    const file = join(picture, name);
    writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, "utf8")) as object), boot: "another" }));
  }
}
