import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

/** The result of a program. */
export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const RUNNER = path.join(import.meta.dirname, "node_modules/@modelcontextprotocol/conformance/dist/index.js");

/** Runs a program that is installed here, with a home of its own: some write there. */
export function runProgram(name: "conformance" | "mcp-inspector", args: readonly string[]): Promise<Finished> {
  // Two versions of the runner have one name in `.bin`.
  if (name === "conformance") return runFile(process.execPath, [RUNNER, ...args]);
  return runFile(path.join(import.meta.dirname, "node_modules/.bin", name), args);
}

/** Runs a file, with a home of its own. */
export function runFile(file: string, args: readonly string[]): Promise<Finished> {
  const home = mkdtempSync(path.join(tmpdir(), "mcp-peers-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const env = {
    ...process.env,
    HOME: home,
    NO_COLOR: "1",
    PATH: `${path.dirname(process.execPath)}:${process.env["PATH"]}`,
  };
  return new Promise((resolve) => {
    execFile(file, args, { env, cwd: home, timeout: 100_000 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ code, stdout, stderr });
    });
  });
}
