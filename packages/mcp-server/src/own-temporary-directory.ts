import { createHash } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";

const PREFIX = "dispatch-mcp";

/**
 * Makes a directory for everything temporary of this process, its children's too, and removes it with the process. Removes those of
 * processes that were killed. A name says whose it is: this user's, this machine's and this space of process ids; any other is left.
 *
 * @returns Removes it now.
 */
export function ownTemporaryDirectory(): () => void {
  const parent = tmpdir();
  const here = placeOfIds();
  const directory = makeDirectory(parent, `${PREFIX}-${here}-${process.pid}-`);
  sweep(parent, here);
  chmodSync(directory, 0o700);
  process.env["TMPDIR"] = directory;
  const remove = (): void => rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  process.once("exit", remove);
  return remove;
}

/** @throws {Error} Fit to be shown as it is. */
function makeDirectory(parent: string, prefix: string): string {
  try {
    return mkdtempSync(path.join(parent, prefix));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`Cannot make a directory for temporary files in ${parent}: ${why}. Set TMPDIR to one that exists`, {
      cause: error,
    });
  }
}

function sweep(parent: string, here: string): void {
  const own = new RegExp(`^${PREFIX}-${here}-(\\d+)-`);
  for (const name of readdirSync(parent)) {
    const pid = Number(own.exec(name)?.[1]);
    if (!(pid > 0) || isAlive(pid)) continue;
    const directory = path.join(parent, name);
    try {
      if (statSync(directory).uid === process.getuid?.()) rmSync(directory, { recursive: true, force: true });
    } catch {
      // Another server sweeps at the same time.
    }
  }
}

/** Ids of processes mean something on one machine since it was started, and in a container in it alone. */
function placeOfIds(): string {
  const parts = [hostname()];
  for (const read of [
    () => readlinkSync("/proc/self/ns/pid"),
    () => readFileSync("/proc/sys/kernel/random/boot_id", "utf8"),
  ]) {
    try {
      parts.push(read());
    } catch {
      // Not on this system.
    }
  }
  return createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 12);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
