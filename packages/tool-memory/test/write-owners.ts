import { openMemory } from "../src/memory/open-memory.ts";

/** Writes to so many owners in turn, by eight hands, and prints `DONE`. */
const [url = "", name = "", owners = "", writes = ""] = process.argv.slice(2);
const memories = await Promise.all(
  Array.from({ length: Number(owners) }, (_, n) =>
    openMemory(url, { owner: `${name} ${n}`, partitions: 64, connections: 1 }),
  ),
);
const numbers = Array.from({ length: Number(writes) }, (_, n) => n).values();
const hand = async (): Promise<void> => {
  for (const n of numbers) {
    const { outcome } = await (memories[n % memories.length]?.manager.write({
      label: `block ${n % 50}`,
      content: `what ${name} wrote as number ${n}`,
    }) ?? Promise.reject(new Error("there is no memory")));
    if (outcome !== "applied") throw new Error(`a write was ${outcome}`);
  }
};
await Promise.all(Array.from({ length: 8 }, hand));
process.stdout.write("DONE\n");
process.exit();
