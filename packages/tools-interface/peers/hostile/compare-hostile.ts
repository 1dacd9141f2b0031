/**
 * Tries every client in all hostile cases, or those named by its arguments with each case that is not kept, and prints the figures. Run by
 * `bench/mcp-hostile.bench.ts`.
 */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { hostileMcpCases } from "@dispatch/check";
import { subjects } from "./subjects.ts";

/** A case whose process says nothing for so long blocks it. */
const SILENCE_MS = 25_000;
/** So much memory is enough for every answer that a client should hold. */
const MEMORY_MB = 1_024;
/** Cases at the same time: most wait. */
const WORKERS = 4;

/** Fills in the verdict of each case, by its index, in processes that each take the next one. */
async function judge(name: string, verdicts: string[], next: () => number | undefined): Promise<void> {
  let child: ChildProcess | undefined;
  for (let index = next(); index !== undefined; index = next()) {
    let verdict: string | Stopped = { why: "" };
    // A case that stops a process is tried again in a fresh one: leftovers of an earlier case may be the cause.
    for (let tries = 0; tries < 2 && typeof verdict !== "string"; tries += 1) {
      if (child?.connected !== true) child = await start(name);
      verdict = await verdictOf(child, index);
      if (typeof verdict === "string") continue;
      child.kill("SIGKILL");
      child = undefined;
    }
    verdicts[index] = typeof verdict === "string" ? verdict : verdict.why;
  }
  child?.disconnect();
}

/** A case ended its process, or blocked it. */
interface Stopped {
  readonly why: string;
}

/** A process that has loaded everything. */
async function start(name: string): Promise<ChildProcess> {
  const child = fork(new URL("hostile-process.ts", import.meta.url), [name], {
    execArgv: ["--conditions=@dispatch/source", `--max-old-space-size=${MEMORY_MB}`],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  child.on("error", () => {});
  await once(child, "message");
  return child;
}

function verdictOf(child: ChildProcess, index: number): Promise<string | Stopped> {
  return new Promise((resolve) => {
    const end = (verdict: string | Stopped): void => {
      clearTimeout(timer);
      child.off("message", end).off("exit", onExit);
      resolve(verdict);
    };
    const onExit = (): void => end({ why: "the process ended" });
    const timer = setTimeout(() => end({ why: "the process was blocked" }), SILENCE_MS);
    child.on("message", end).on("exit", onExit);
    child.send(index);
  });
}

const chosen = process.argv.slice(2);
for (const name of chosen.length > 0 ? chosen : Object.keys(subjects)) {
  const verdicts: string[] = [];
  let at = 0;
  const next = (): number | undefined => (at < hostileMcpCases.length ? at++ : undefined);
  await Promise.all(Array.from({ length: WORKERS }, () => judge(name, verdicts, next)));
  const suffix = name === "dispatch" ? "" : `.${name.replaceAll(/[^a-z]+/g, "_").replace(/^_/, "")}`;
  const passed = verdicts.filter((one) => one === "passed").length;
  process.stdout.write(`METRIC mcp.hostile.passed${suffix} ${passed} cases\n`);
  if (name === "dispatch" && passed < hostileMcpCases.length) process.exitCode = 1;
  if (chosen.length === 0) continue;
  for (const [index, { topic, name: about }] of hostileMcpCases.entries()) {
    const verdict = verdicts[index] ?? "";
    if (verdict !== "passed")
      process.stdout.write(`${name}, ${topic}, ${about}: ${JSON.stringify(verdict.slice(0, 120))}\n`);
  }
}
