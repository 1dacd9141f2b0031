// Exchanges a directory with a link to the outside, over and over, until its standard input ends.
import fs from "node:fs";

const [directory, kept, link, target] = process.argv.slice(2);
let running = true;
let moved = 0;
process.stdin.on("end", () => (running = false)).resume();

/** Renames; what was made in the way meanwhile is put aside. */
function move(from, to) {
  for (;;) {
    try {
      return fs.renameSync(from, to);
    } catch (error) {
      if (!["ENOTEMPTY", "EEXIST", "EISDIR", "ENOTDIR"].includes(error.code)) throw error;
      fs.renameSync(to, `${to}-aside-${(moved += 1)}`);
    }
  }
}

function spin(times) {
  for (let turn = 0; turn < times; turn += 1);
}

function exchange() {
  for (let round = 0; round < 100; round += 1) {
    move(directory, kept);
    move(link, directory);
    spin((round % 7) * 2000);
    move(directory, link);
    move(kept, directory);
    spin((round % 5) * 20000);
  }
  if (running) setImmediate(exchange);
}

fs.symlinkSync(target, link);
process.stdout.write("ready\n");
exchange();
