import { once } from "node:events";
import { openMemory } from "../src/memory/open-memory.ts";

/**
 * Opens a memory, waits for the end of its input, then writes so many new blocks, one after the other. Prints `OPEN` and
 * `DONE`.
 */
const [url = "", name = "", count = "0"] = process.argv.slice(2);
const { manager, close } = await openMemory(url);
process.stdout.write("OPEN\n");
process.stdin.resume();
await once(process.stdin, "end");
for (let n = 0; n < Number(count); n++)
  await manager.write({ label: `${name}/note ${n}`, content: `The plan of the ${n % 7}th meeting on tea, note ${n}` });
process.stdout.write("DONE\n");
await close();
