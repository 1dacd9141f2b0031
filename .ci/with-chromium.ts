/**
 * `node .ci/with-chromium.ts COMMAND …` runs a command with `CHROMIUM_PATH`, the browser that tests of pages use: the one
 * that is installed, or else Debian's, which is installed by apt. If it cannot be had that is said; with
 * `DISPATCH_TEST_SERVERS=all` it is a failure, after the command. With `none` or `plain` none is looked for.
 */
import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import process from "node:process";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const PATIENCE_MS = 300_000;

const [command, ...args] = process.argv.slice(2);
if (command === undefined) throw new Error("Cannot run a command: none was given, allowed is one with its arguments");
const wanted = process.env["DISPATCH_TEST_SERVERS"] ?? "any";
const browser = process.env["CHROMIUM_PATH"] ?? find() ?? (["any", "all"].includes(wanted) ? install() : undefined);

const env = browser === undefined ? process.env : { ...process.env, CHROMIUM_PATH: browser };
const child = spawn(command, args, { env, stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
const code = await new Promise<number | null>((resolve, reject) => {
  child.on("close", resolve).on("error", reject);
});
process.exitCode = code ?? 1;
if (browser === undefined && wanted === "all") process.exitCode ||= 1;

function find(): string | undefined {
  return PLACES.find((place) => existsSync(place));
}

function install(): string | undefined {
  const sudo = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
  const quiet = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  try {
    for (const step of [
      ["update", "-qq"],
      ["install", "-y", "-qq", "--no-install-recommends", "chromium"],
    ]) {
      const [program = "", ...rest] = [...sudo, "apt-get", ...step];
      execFileSync(program, rest, { env: quiet, stdio: ["ignore", "ignore", "pipe"], timeout: PATIENCE_MS });
    }
  } catch (error) {
    console.error(`Cannot install Chromium, so tests of pages are skipped: ${(error as Error).message.split("\n")[0]}`);
  }
  return find();
}
