import { appendFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { lockFolder } from "../src/database/folder-lock.ts";

/** Takes and releases the lock of a directory so many times, and logs to a file when it holds it. Is killed at random. */
const [directory = "", log = "", times = ""] = process.argv.slice(2);
for (let taken = 0; taken < Number(times);) {
  try {
    const lock = lockFolder(directory);
    taken++;
    appendFileSync(log, `+${process.pid}\n`);
    await setTimeout(Math.random() * 3);
    appendFileSync(log, `-${process.pid}\n`);
    if (Math.random() < 0.1) process.kill(process.pid, "SIGKILL");
    lock.release();
  } catch (error) {
    if ((error as { code?: string }).code !== "memory_locked") throw error;
  }
  await setTimeout(Math.random() * 2);
}
