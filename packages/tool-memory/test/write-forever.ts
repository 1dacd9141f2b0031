import { openMemory } from "../src/memory/open-memory.ts";

/** Opens the memory in a directory and writes until it is killed, printing each write once it was acknowledged. */
const [directory = "", round = ""] = process.argv.slice(2);
const { manager } = await openMemory(directory);
process.stdout.write("open\n");
for (let n = 1; ; n++) {
  const results = await Promise.all([
    manager.write({ label: `round ${round}`, content: `line ${n}`, tier: "archival" }),
    manager.write({ label: `counter ${round}`, content: `${n}` }),
  ]);
  if (results.every(({ outcome }) => outcome === "applied")) process.stdout.write(`${n}\n`);
}
