import { chmodSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";

/** How long processes may take to end after the last test, and how often they are looked for. */
const END_TIMEOUT_MS = 15_000;
const POLL_INTERVAL_MS = 20;
/**
 * The compile cache of npm and tsc, which tests start without this environment, files of servers that tests kill, and profiles of
 * browsers, which end with their worker and may write while Playwright removes them. All are removed with the directory.
 */
const LEFT_ON_PURPOSE = /^(?:node-compile-cache$|mcp-server-|playwright_chromiumdev_profile-)/;

const directory = realpathSync(mkdtempSync(path.join(tmpdir(), "dispatch-run-")));

/** Gives all tests of a run one temporary directory, and the Node processes that they start one cache of compiled modules. */
export function setup(): void {
  // Some tests run programs as another user.
  chmodSync(directory, 0o711);
  process.env["TMPDIR"] = directory;
  process.env["NODE_COMPILE_CACHE"] ??= path.resolve(import.meta.dirname, "../node_modules/.cache/compiled");
}

/**
 * Ends processes and removes files that the tests left.
 *
 * @throws An `Error` when an entry is in the directory, or a process names it in its arguments or its environment.
 */
export async function teardown(): Promise<void> {
  const deadline = performance.now() + END_TIMEOUT_MS;
  while (findProcesses().length > 0 && performance.now() < deadline) await setTimeout(POLL_INTERVAL_MS);
  const processes = findProcesses();
  for (const { pid } of processes) process.kill(pid, "SIGKILL");
  const entries = readdirSync(directory).filter((entry) => !LEFT_ON_PURPOSE.test(entry));
  const left = [...entries, ...processes.map(({ pid, command }) => `process ${pid}: ${command}`)];
  rmSync(directory, { recursive: true, force: true });
  if (left.length > 0) throw new Error(`Cannot end the test run: tests left behind\n${left.join("\n")}`);
}

/** Processes that a test started, on systems that list them in `/proc`; those of the runner itself end after this. */
function findProcesses(): { readonly pid: number; readonly command: string }[] {
  const pids = process.platform === "linux" ? readdirSync("/proc").filter((name) => /^\d+$/.test(name)) : [];
  return pids.map(Number).flatMap((pid) => {
    try {
      const [status, command, environment] = ["stat", "cmdline", "environ"].map((name) =>
        readFileSync(`/proc/${pid}/${name}`, "utf8").replaceAll("\0", " "),
      ) as [string, string, string];
      const parent = Number(status.slice(status.lastIndexOf(")")).split(" ")[2]);
      const isOurs = `${command} ${environment}`.includes(directory);
      return isOurs && ![pid, parent].includes(process.pid) ? [{ pid, command: command.slice(0, 500) }] : [];
    } catch {
      return [];
    }
  });
}
