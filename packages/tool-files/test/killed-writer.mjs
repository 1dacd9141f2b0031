// Writes files through the sandbox for ever, each whole text telling its own length, until it is killed.
import { createHash } from "node:crypto";
import { openSandbox } from "../src/sandbox/open-sandbox.ts";

const [worktree = ""] = process.argv.slice(2);
const sandbox = openSandbox(worktree);

/** A text of which no part is one: its last line is the hash of all before. */
function sealed(number, length) {
  const body = `${number}\n`.padEnd(length, "x\n");
  return `${body}\n${createHash("sha256").update(body).digest("hex")}`;
}

for (let number = 0; ; number += 1) {
  const bytes = Buffer.from(sealed(number, 2000 + (number % 5) * 30_000));
  sandbox.writeFile("written.txt", bytes);
  sandbox.changeFile("edited.txt", bytes.length * 100, () => bytes);
  sandbox.createFile(`made-${number % 3}/${process.pid}-${number}.txt`, bytes);
  if (number === 0) process.stdout.write("ready\n");
}
