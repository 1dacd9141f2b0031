// Is killed in the moment in which it alone may replace the file `a.txt`: for a test of the leftovers.
import fs from "node:fs";
import { assertUnchanged, publishFile } from "../src/sandbox/atomic-write.ts";
import { KernelDirectory } from "../src/sandbox/kernel-directory.ts";

const [root = ""] = process.argv.slice(2);
const directory = KernelDirectory.open(root)!;
const seen = fs.lstatSync(directory.at("a.txt"), { bigint: true });
fs.writeFileSync(directory.at(".dispatch-000000000000000000.tmp"), "never to be seen");
publishFile(directory, ".dispatch-000000000000000000.tmp", "a.txt", seen, () => {
  assertUnchanged(directory, "a.txt", seen);
  process.kill(process.pid, "SIGKILL");
});
