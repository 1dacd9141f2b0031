import { openMemory } from "../src/open-memory.ts";

/** Opens a memory in a process of its own and prints how long that took and what it weighs: JSON `{ ms, rss, bare }`. */
const [url = ""] = process.argv.slice(2);
const bare = process.memoryUsage.rss();
const opening = performance.now();
const memory = await openMemory(url);
const ms = performance.now() - opening;
process.stdout.write(`${JSON.stringify({ ms, rss: process.memoryUsage.rss(), bare })}\n`);
await memory.close();
