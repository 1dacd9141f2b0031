import { writeSync } from "node:fs";
import { openMemory } from "../src/memory/open-memory.ts";

/**
 * Makes a memory and writes to it by several hands, or by one, which waits for the disk each time. Says what was acknowledged,
 * one line each: `WROTE hand n`, `FORGOT label`.
 */
const [directory = "", count = "", hands = ""] = process.argv.slice(2);
const { manager, admin, close } = await openMemory(directory);
const say = (text: string): void => void writeSync(1, `${text}\n`);

const write = async (hand: number): Promise<void> => {
  for (let n = 1; n <= Number(count); n++) {
    const content = `${n} ${"x".repeat((n * 37) % 300)}`;
    const { outcome } = await manager.write({ label: `hand ${hand} of ${n % 20}`, content });
    if (outcome !== "applied") throw new Error(`a write was ${outcome}`);
    say(`WROTE ${hand} ${n}`);
    if (hand > 0 || n % 15 !== 0) continue;
    await admin.write({ label: `secret ${n}`, content: `secret ${n}` });
    await admin.forget(`secret ${n}`);
    say(`FORGOT secret ${n}`);
  }
};
await Promise.all(Array.from({ length: Number(hands) }, (_, hand) => write(hand)));
await close();
