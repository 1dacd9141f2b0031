/**
 * `node .ci/with-chromium.ts COMMAND …` runs a command with `CHROMIUM_PATH`, the browser that tests of pages use: the one
 * that is installed, or else Debian's, which is installed by apt. If it cannot be had that is said; with
 * `DISPATCH_TEST_SERVERS=all` it is a failure, after the command. With `none` or `plain` none is looked for.
 */
import { existsSync } from "node:fs";
import process from "node:process";
import { aptInstall } from "./machine/apt-install.ts";
import { givenCommand, runWithEnvironment } from "./machine/run-with-environment.ts";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
/** For each step of apt. */
const STEP_TIMEOUT_MS = 300_000;

const command = givenCommand();
const wanted = process.env["DISPATCH_TEST_SERVERS"] ?? "any";
const browser = process.env["CHROMIUM_PATH"] ?? find() ?? (["any", "all"].includes(wanted) ? install() : undefined);

process.exitCode = await runWithEnvironment(
  command,
  browser === undefined ? process.env : { ...process.env, CHROMIUM_PATH: browser },
);
if (browser === undefined && wanted === "all") process.exitCode ||= 1;

function find(): string | undefined {
  return PLACES.find((place) => existsSync(place));
}

function install(): string | undefined {
  try {
    aptInstall("chromium", STEP_TIMEOUT_MS);
  } catch (error) {
    console.error(`Cannot install Chromium, so tests of pages are skipped: ${(error as Error).message.split("\n")[0]}`);
  }
  return find();
}
