/** Tries every client in all hostile cases, writes PEERS-MCP.md and prints what was measured. Run by `bench/mcp-hostile.bench.ts`. */
import { fork } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { hostileMcpCases } from "@dispatch/tools-interface/testing";
import { markdownTable } from "../markdown-table.ts";
import { subjects } from "./subjects.ts";

/** A case that says nothing for so long blocks its process. */
const SILENCE_MS = 40_000;
const TOPICS = ["tools", "names", "pages", "results", "protocol", "changes"] as const;

/** The verdict of each case, by its index. */
async function verdictsOf(name: string): Promise<readonly string[]> {
  const verdicts: string[] = [];
  while (verdicts.length < hostileMcpCases.length) {
    const reached = await runFrom(name, verdicts);
    if (verdicts.length < hostileMcpCases.length) verdicts.push(reached);
  }
  return verdicts;
}

/** Runs on in a process of its own. Answers why it ended. */
function runFrom(name: string, verdicts: string[]): Promise<string> {
  const child = fork(new URL("hostile-process.ts", import.meta.url), [name, `${verdicts.length}`], {
    execArgv: ["--conditions=@dispatch/source"],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  return new Promise((resolve) => {
    let why = "the process ended";
    const wait = (): NodeJS.Timeout =>
      setTimeout(() => {
        why = "the process was blocked";
        child.kill("SIGKILL");
      }, SILENCE_MS);
    let timer = wait();
    child.on("message", ({ verdict }: { readonly verdict: string }) => {
      clearTimeout(timer);
      timer = wait();
      if (verdict !== "begun") verdicts.push(verdict);
    });
    child.once("exit", () => {
      clearTimeout(timer);
      resolve(why);
    });
  });
}

const { dependencies } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  dependencies: Record<string, string>;
};
const rows: string[][] = [];
const failures: string[] = [];
const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(subjects);
// At the same time: most cases wait.
const found = await Promise.all(names.map(async (name) => [name, await verdictsOf(name)] as const));
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
time limits set; calls are approved. What a client does not promise, such as pins, counts as not kept.

${markdownTable([["client", "version", "kept", ...TOPICS], ...rows])}

What was not kept, and what was found:

${failures.join("\n\n")}
`;
if (process.argv.length === 2) writeFileSync(new URL("../../PEERS-MCP.md", import.meta.url), page);
else process.stdout.write(page);
