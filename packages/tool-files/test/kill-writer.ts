import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import fs from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { childArguments } from "./child-process.ts";

/** The state found after some writers were killed. */
export interface Killed {
  /** Files that hold a part of the written text, or nothing. */
  readonly torn: readonly string[];
  /** Temporary files left behind. */
  readonly temporaryFiles: number;
  /** Files that were looked at. */
  readonly files: number;
}

/** Has a process write files in `root`, kills it after a random time and looks at every file, as often as `rounds` says. */
export async function killWriters(root: string, rounds: number): Promise<Killed> {
  const torn: string[] = [];
  let temporaryFiles = 0;
  let files = 0;
  fs.writeFileSync(join(root, "edited.txt"), seal("first"));
  for (let round = 0; round < rounds; round += 1) {
    const args = childArguments("killed-writer", root);
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    const closed = once(child, "close");
    await Promise.race([once(child.stdout, "data"), closed]);
    if (child.exitCode !== null) throw new Error("the writer ended before it was killed");
    await setTimeout(Math.random() * 20);
    child.kill("SIGKILL");
    await closed;
    for (const path of fs.readdirSync(root, { recursive: true, encoding: "utf8" })) {
      const name = path.split("/").at(-1) ?? "";
      const full = join(root, path);
      if (!fs.statSync(full).isFile()) continue;
      const isLeftover = name.startsWith(".dispatch-");
      if (isLeftover) temporaryFiles += 1;
      else {
        files += 1;
        if (!isWhole(fs.readFileSync(full, "utf8"))) torn.push(path);
      }
      // What the last one left stays, for whoever asks what becomes of it; for the next writer it would be a lock.
      if (isLeftover ? round < rounds - 1 : name !== "edited.txt" && name !== "written.txt") fs.rmSync(full);
    }
  }
  return { torn, temporaryFiles, files };
}

/** The same as in the writer. */
function seal(body: string): string {
  return `${body}\n${createHash("sha256").update(body).digest("hex")}`;
}

function isWhole(text: string): boolean {
  return text === seal(text.slice(0, text.lastIndexOf("\n")));
}
