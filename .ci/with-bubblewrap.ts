/**
 * `node .ci/with-bubblewrap.ts COMMAND …` runs a command where `bwrap` is installed, which tests of walls use: the one that
 * is there, or else Debian's, which apt installs for the command alone. If it cannot be had that is said; with
 * `DISPATCH_TEST_SERVERS=all` it is a failure, after the command. With `none` or `plain` none is looked for.
 */
import { existsSync } from "node:fs";
import process from "node:process";
import { aptInstall, aptRemove } from "./machine/apt-install.ts";
import { givenCommand, runWithEnvironment } from "./machine/run-with-environment.ts";

const PLACE = "/usr/bin/bwrap";
/** For each step of apt. */
const STEP_TIMEOUT_MS = 120_000;

const command = givenCommand();
const wanted = process.env["DISPATCH_TEST_SERVERS"] ?? "any";
const isWanted = process.platform === "linux" && ["any", "all"].includes(wanted);
const isMissing = isWanted && !existsSync(PLACE);
if (isMissing) install();

process.exitCode = await runWithEnvironment(command, process.env);
if (isWanted && !existsSync(PLACE) && wanted === "all") process.exitCode ||= 1;
if (isMissing && existsSync(PLACE)) aptRemove("bubblewrap", STEP_TIMEOUT_MS);

function install(): void {
  try {
    aptInstall("bubblewrap", STEP_TIMEOUT_MS);
  } catch (error) {
    console.error(`Cannot install bubblewrap, so its tests are skipped: ${(error as Error).message.split("\n")[0]}`);
  }
}
