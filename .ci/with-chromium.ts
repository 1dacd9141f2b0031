/**
 * `node .ci/with-chromium.ts COMMAND …` runs a command with `CHROMIUM_PATH`, the browser that tests of pages use: Chromium
 * without windows, which is installed by apt, or else the browser that is installed. If none can be had that is said; with
 * `DISPATCH_TEST_SERVERS=all` it is a failure, after the command. With `none` or `plain` none is looked for.
 */
import { existsSync } from "node:fs";
import process from "node:process";
import { aptInstall } from "./machine/apt-install.ts";
import { givenCommand, runWithEnvironment } from "./machine/run-with-environment.ts";

/** Chromium without windows first: a page takes it a sixth of the processor time. */
const PLACES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"].map(
  (name) => `/usr/bin/${name}`,
);
/** For each step of apt: where a browser is missing, and where another one is there. */
const STEP_TIMEOUT_MS = 300_000;
const SHORT_STEP_TIMEOUT_MS = 60_000;

const command = givenCommand();
const wanted = process.env["DISPATCH_TEST_SERVERS"] ?? "any";
const browser = process.env["CHROMIUM_PATH"] ?? (["any", "all"].includes(wanted) ? findOrInstall() : find());

process.exitCode = await runWithEnvironment(
  command,
  browser === undefined ? process.env : { ...process.env, CHROMIUM_PATH: browser },
);
if (browser === undefined && wanted === "all") process.exitCode ||= 1;

function find(): string | undefined {
  return PLACES.find((place) => existsSync(place));
}

function findOrInstall(): string | undefined {
  for (const [at, name] of ["chromium-headless-shell", "chromium"].entries()) {
    const found = find();
    if (found !== undefined && (at > 0 || found === PLACES[0])) return found;
    try {
      aptInstall(name, found === undefined ? STEP_TIMEOUT_MS : SHORT_STEP_TIMEOUT_MS);
    } catch (error) {
      console.error(`Cannot install ${name} for tests of pages: ${(error as Error).message.split("\n")[0]}`);
    }
  }
  return find();
}
