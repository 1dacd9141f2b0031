#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runCreateTool } from "./run-create-tool.ts";

const ownPackage = (file: string): string => fileURLToPath(new URL(`../../${file}`, import.meta.url));
const { version } = JSON.parse(readFileSync(ownPackage("package.json"), "utf8")) as { readonly version: string };

try {
  runCreateTool(process.argv.slice(2), {
    cwd: process.cwd(),
    template: ownPackage("template"),
    version,
    print: (text) => void process.stdout.write(text),
  });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
