#!/usr/bin/env node
import process from "node:process";

// Before anything is loaded that older versions do not have.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major > 22 || (major === 22 && minor >= 16)) await (await import("./main-program.ts")).main();
else {
  process.stderr.write(`This server needs Node 22.16 or later: found ${process.versions.node}\n`);
  process.exitCode = 2;
}
