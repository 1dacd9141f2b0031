/**
 * `node .ci/with-restate.ts COMMAND …` runs a command with `DISPATCH_TEST_RESTATE_SERVER`, the program of Restate's server that
 * durable calls are tested with: 226 MB from npm, under the Business Source License, so no dependency of this repository.
 * If it cannot be had that is said; with `DISPATCH_TEST_SERVERS=all` it is a failure, after the command. With `none` or
 * `plain` it is not installed.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { root } from "./machine/run-command.ts";
import { runQuietly } from "./machine/run-quietly.ts";
import { givenCommand, runWithEnvironment } from "./machine/run-with-environment.ts";

const VERSION = "1.7.12";
const PACKAGE = `@restatedev/restate-server-${process.platform}-${process.arch}`;
const DIRECTORY = path.join(root, "node_modules/.cache", `restate-${VERSION}`);
const INSTALL_TIMEOUT_MS = 300_000;

const command = givenCommand();
const wanted = process.env["DISPATCH_TEST_SERVERS"] ?? "any";
const server = process.env["DISPATCH_TEST_RESTATE_SERVER"] ?? installed();

process.exitCode = await runWithEnvironment(
  command,
  server === undefined ? process.env : { ...process.env, DISPATCH_TEST_RESTATE_SERVER: server },
);
if (server === undefined && wanted === "all") process.exitCode ||= 1;

function installed(): string | undefined {
  const program = path.join(DIRECTORY, "node_modules", PACKAGE, "bin/restate-server");
  if (!existsSync(program) && ["any", "all"].includes(wanted)) install();
  return existsSync(program) ? program : undefined;
}

function install(): void {
  try {
    const quiet = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts"];
    runQuietly(["npm", "install", "--prefix", DIRECTORY, ...quiet, `${PACKAGE}@${VERSION}`], INSTALL_TIMEOUT_MS);
  } catch (error) {
    console.error(
      `Cannot install Restate's server, so its tests are skipped: ${(error as Error).message.split("\n")[0]}`,
    );
  }
}
