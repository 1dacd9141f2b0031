import { openMemory } from "../src/memory/open-memory.ts";

/** Opens a memory, writes one block and closes it, so many times. Prints `DONE`; each failure goes to standard error. */
const [url = "", name = "", count = "0"] = process.argv.slice(2);
for (let n = 0; n < Number(count); n++) {
  const { manager, close } = await openMemory(url);
  await manager.write({ label: `${name}/note ${n}`, content: "tea" });
  await close();
}
process.stdout.write("DONE\n");
