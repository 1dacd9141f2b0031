// Exchanges the entries of a worktree with links to the outside, in one way after the other, until its standard input
// ends.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";

const [root = "", outside = ""] = process.argv.slice(2);
const aside = join(root, ".aside");
/** How often one thing is exchanged before the next. */
const TIMES = 50;
let running = true;
let moved = 0;
let removed = 0;
process.stdin.on("end", () => (running = false)).resume();

const link = (target) => ({ kind: "isSymbolicLink", make: (path) => fs.symlinkSync(target, path) });

/** The entries to exchange with each other. */
const ways = [
  { path: "x/dir", ...link(outside) },
  { path: "x/dir", ...link("../../root-evil") },
  { path: "x", ...link(`${outside}/`) },
  { path: "x/dir", ...link(join(outside, "not-there")) },
  { path: "x/dir/secret.txt", ...link(join(outside, "secret.txt")) },
  { path: "x/dir", ...link("/proc/self/cwd") },
  { path: "x/dir/secret.txt", kind: "isFIFO", make: (path) => execFileSync("sh", ["-c", 'mkfifo "$0"', path]) },
  { path: "x/dir", kind: "isFile", make: (path) => fs.writeFileSync(path, "a file") },
].map(({ path, kind, make }, index) => {
  const other = join(aside, `other-${index}`);
  const prepare = () => {
    // An entry that a tool put in its place meanwhile came back instead of it.
    if (fs.lstatSync(other, { throwIfNoEntry: false })?.[kind]() === true) return;
    fs.rmSync(other, { recursive: true, force: true });
    make(other);
  };
  return { path: join(root, path), other, prepare, kept: join(aside, `kept-${index}`) };
});

/** Renames; an entry that was made in the way meanwhile is put aside. */
function move(from, to) {
  for (;;) {
    try {
      return fs.renameSync(from, to);
    } catch (error) {
      if (!["ENOTEMPTY", "EEXIST", "EISDIR", "ENOTDIR"].includes(error.code)) throw error;
      fs.renameSync(to, join(aside, `aside-${(moved += 1)}`));
    }
  }
}

function remove(path) {
  try {
    fs.rmSync(path, { recursive: true, force: true });
  } catch {
    // A tool was at work there: it stays aside.
  }
}

function spin(times) {
  for (let time = 0; time < times; time += 1);
}

function exchange(round) {
  const { path, other, kept, prepare } = ways[round % ways.length];
  for (let time = 0; time < TIMES; time += 1) {
    prepare();
    move(path, kept);
    move(other, path);
    spin((time % 7) * 2000);
    move(path, other);
    move(kept, path);
    spin((time % 5) * 20_000);
  }
  while (removed < moved) remove(join(aside, `aside-${(removed += 1)}`));
  if (running) setImmediate(exchangeInWorktree, round + 1);
}

/** The worktree is removed under this process when its test ends early: then there is nothing left to exchange. */
function exchangeInWorktree(round) {
  try {
    exchange(round);
  } catch (error) {
    if (fs.existsSync(root)) throw error;
    process.exit();
  }
}

fs.mkdirSync(aside);
process.stdout.write("ready\n");
exchangeInWorktree(0);
