// The cost of writing, and the state left after a kill or on a full disk.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFileHistory, openSandbox, registerFileTools, type FileToolsOptions } from "@dispatch/tool-files";
import { createToolRegistry } from "@dispatch/tools-interface";
// @boundaries-ignore benches measure in one way
import { metric, ratio } from "../../tools-interface/bench/measure.ts";
import { killWriters } from "../test/kill-writer.ts";

/** Writers that are killed. */
const KILLS = Number(process.argv[2] ?? 200);
const WRITES = 150;
const TEXT = "export const value = 1;\n".repeat(350);

const home = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "tool-files-writes-")));
try {
  const root = join(home, "root");
  fs.mkdirSync(root);
  const writer = (options: FileToolsOptions) => {
    const registry = registerFileTools(createToolRegistry(), options);
    return async () => {
      const result = await registry.dispatch(
        { name: "write_file", arguments: { path: "a.txt", content: TEXT } },
        { context: { worktreePath: root } },
      );
      if (!result.success) throw new Error(result.error);
    };
  };
  const plain = writer({});
  const byHand = async () => {
    // The usual careful way: write beside, then rename.
    await fs.promises.writeFile(join(root, "b.tmp"), TEXT, { flag: "wx" });
    await fs.promises.rename(join(root, "b.tmp"), join(root, "b.txt"));
  };
  metric("files.write_small.vs_rename", await ratio([plain, WRITES], [byHand, WRITES]), "x");
  const memory = writer({ history: createFileHistory() });
  metric("files.write_small.history_memory", await ratio([memory, WRITES], [plain, WRITES]), "x");
  const directory = writer({ history: createFileHistory({ directory: join(home, "journal") }) });
  metric("files.write_small.history_folder", await ratio([directory, WRITES], [plain, WRITES]), "x");

  const killed = join(home, "killed");
  fs.mkdirSync(killed);
  const { torn, temporaryFiles, files } = await killWriters(killed, KILLS);
  metric("files.kill.rounds", KILLS, "count", 0);
  metric("files.kill.files_checked", files, "count", 0);
  metric("files.kill.torn", torn.length, "count", 0);
  metric("files.kill.leftovers", temporaryFiles, "count", 0);
  fullDisk(join(home, "full"));
} finally {
  fs.rmSync(home, { recursive: true, force: true });
}

/** Writes to a disk of 256 KB until it is full, where one may be mounted. */
function fullDisk(disk: string): void {
  fs.mkdirSync(disk);
  try {
    execFileSync("sh", ["-c", 'mount -t tmpfs -o size=256k tmpfs "$0"', disk], { stdio: "ignore" });
  } catch {
    console.error("no disk may be mounted here: a full one was not tried");
    return;
  }
  const sandbox = openSandbox(disk);
  try {
    const old = Buffer.alloc(100_000, "old");
    sandbox.writeFile("a.txt", old);
    const codes = ["a.txt", "b.txt"].map((path) => {
      try {
        sandbox.writeFile(path, Buffer.alloc(200_000, "new"));
        return "written";
      } catch (error) {
        return (error as { code?: string }).code;
      }
    });
    const kept = fs.readFileSync(join(disk, "a.txt")).equals(old) && fs.readdirSync(disk).join() === "a.txt";
    metric("files.full_disk.lost", codes.join() === "no_space,no_space" && kept ? 0 : 1, "count", 0);
  } finally {
    sandbox.close();
    execFileSync("sh", ["-c", 'umount "$0"', disk]);
  }
}
