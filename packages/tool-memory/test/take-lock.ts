import { appendFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { lockFolder } from "../src/database/folder-lock.ts";

/** Takes and releases the lock of a directory again and again, noting in a file when it holds it. */
const [directory = "", log = "", ends = ""] = process.argv.slice(2);
const until = Date.now() + Number(ends);
while (Date.now() < until) {
  try {
    const lock = lockFolder(directory);
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
