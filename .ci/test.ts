/** `node .ci/test.ts …` runs the tests, with Vitest's own arguments: all files, or those whose names are given. */
import { createRequire } from "node:module";
import path from "node:path";
import process from "node:process";
import { runInMemory } from "./machine/memory-directory.ts";

const manifest = createRequire(import.meta.url).resolve("vitest/package.json");
const vitest = path.join(path.dirname(manifest), "vitest.mjs");
// Each test uses the compiler on a few files: it checks them in less processor time without collecting garbage.
process.env["GOGC"] ??= "off";
process.env["GOMEMLIMIT"] ??= "1GiB";
const args = process.argv.slice(2);
// Tests of the packages as published belong to the gate.
const project = args.some((arg) => arg.startsWith("--project")) ? [] : ["--project=!published"];
process.exitCode = await runInMemory([process.execPath, vitest, "run", ...project, ...args]);
