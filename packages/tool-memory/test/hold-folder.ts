import { openMemory } from "../src/memory/open-memory.ts";

/** Opens the memory in a folder and keeps it open until its input ends. */
const [folder = ""] = process.argv.slice(2);
const memory = await openMemory(folder);
process.stdout.write("open\n");
process.stdin.resume().on("end", () => void memory.close());
