import { openMemoryStore } from "../src/memory/open-memory-store.ts";

/** Writes to so many owners in turn, by eight hands, and prints `DONE`. */
const [url = "", name = "", owners = "", writes = ""] = process.argv.slice(2);
const store = await openMemoryStore(url, { partitions: 64 });
const numbers = Array.from({ length: Number(writes) }, (_, n) => n).values();
const hand = async (): Promise<void> => {
  for (const n of numbers) {
    const { outcome } = await store.owner(`${name} ${n % Number(owners)}`).manager.write({
      label: `block ${n % 50}`,
      content: `what ${name} wrote as number ${n}`,
    });
    if (outcome !== "applied") throw new Error(`a write was ${outcome}`);
  }
};
await Promise.all(Array.from({ length: 8 }, hand));
process.stdout.write("DONE\n");
process.exit();
