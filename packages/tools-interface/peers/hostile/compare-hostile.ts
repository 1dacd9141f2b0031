/**
 * Tries every client in all hostile cases, writes PEERS-MCP.md and prints the figures. Run by
 * `bench/mcp-hostile.bench.ts`.
 */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { hostileMcpCases } from "@dispatch/check";
import { markdownTable } from "../markdown-table.ts";
import { subjects } from "./subjects.ts";

/** A case whose process says nothing for so long blocks it. */
const SILENCE_MS = 25_000;
/** So much memory is enough for every answer that a client should hold. */
const MEMORY_MB = 1_024;
/** Cases at the same time: most wait. */
const WORKERS = 4;
const TOPICS = ["tools", "names", "pages", "results", "protocol", "changes"] as const;

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

const { dependencies } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  dependencies: Record<string, string>;
};
const rows: string[][] = [];
const failures: string[] = [];
const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(subjects);
const found: [name: string, verdicts: string[]][] = [];
for (const name of names) {
  const verdicts: string[] = [];
  let at = 0;
  const next = (): number | undefined => (at < hostileMcpCases.length ? at++ : undefined);
  await Promise.all(Array.from({ length: WORKERS }, () => judge(name, verdicts, next)));
  found.push([name, verdicts]);
}
for (const [name, verdicts] of found) {
  const passed = (topic?: string): string => {
    const about = hostileMcpCases
      .map((one, index) => [one.topic, verdicts[index]] as const)
      .filter(([of]) => topic === undefined || of === topic);
    return `${about.filter(([, verdict]) => verdict === "passed").length} of ${about.length}`;
  };
  rows.push([
    name,
    name === "dispatch" ? "" : (dependencies[name] ?? ""),
    passed(),
    ...TOPICS.map((topic) => passed(topic)),
  ]);
  const suffix = name === "dispatch" ? "" : `.${name.replaceAll(/[^a-z]+/g, "_").replace(/^_/, "")}`;
  process.stdout.write(
    `METRIC mcp.hostile.passed${suffix} ${verdicts.filter((one) => one === "passed").length} cases\n`,
  );
  const failed = hostileMcpCases.flatMap(({ topic, name: about }, index) =>
    verdicts[index] === "passed"
      ? []
      : [`- ${topic}, ${about}: ${(verdicts[index] ?? "").replaceAll(/[\s|`<>*_[\]\\]+/g, " ").slice(0, 120)}`],
  );
  if (name === "dispatch" && failed.length > 0) process.exitCode = 1;
  failures.push(`## ${name}\n\n${failed.length === 0 ? "Keeps all." : failed.join("\n")}`);
}
const page = `# Clients of MCP and hostile servers

Written by \`npx pnpm bench mcp-hostile\`, over the cases of \`hostileMcpCases\`. Each client is used as its documentation does, over streamable HTTP, with its
time limits set; calls are approved. Promises that a client does not make, such as pins, count as not kept.

${markdownTable([["client", "version", "kept", ...TOPICS], ...rows])}

Requirements not kept, and the findings:

${failures.join("\n\n")}
`;
if (process.argv.length === 2) writeFileSync(new URL("../../PEERS-MCP.md", import.meta.url), page);
else process.stdout.write(page);
