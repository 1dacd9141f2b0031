#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runCreateTool } from "./run-create-tool.ts";

/** The template is tested against it; a published manifest names the versions. */
const INTERFACE = "@dispatch/tools-interface";

interface Manifest {
  readonly devDependencies: { readonly [INTERFACE]: string };
}

const ownPackage = (file: string): string => fileURLToPath(new URL(`../${file}`, import.meta.url));
const manifest = JSON.parse(readFileSync(ownPackage("package.json"), "utf8")) as Manifest;

try {
  runCreateTool(process.argv.slice(2), {
    cwd: process.cwd(),
    template: ownPackage("template"),
    version: manifest.devDependencies[INTERFACE],
    print: (text) => void process.stdout.write(text),
  });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
