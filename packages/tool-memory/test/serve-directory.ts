import { openMemory } from "../src/memory/open-memory.ts";

/** Opens the memory in a directory and keeps it open until its input ends. */
const [directory = ""] = process.argv.slice(2);
const memory = await openMemory(directory);
process.stdout.write("open\n");
process.stdin.resume().on("end", () => void memory.close());
