/** Compares all systems, or those named by its arguments with each failed case, and prints the figures. Run by `bench/peers.bench.ts`. */
import { fork } from "node:child_process";
import { once } from "node:events";
import type { RepairReport } from "./repair/repair-process.ts";
import { peerLoaders, loadPeer } from "./torture/peer-loaders.ts";
import type { Peer } from "./torture/peer.ts";
import { runCases, type CaseResult } from "./torture/run-cases.ts";

/** Systems that are tried at the same time: cases mostly wait. */
const LANES = 2;
const OURS = "dispatch";

const chosen = process.argv.slice(2);
const names = Object.keys(peerLoaders).filter((name) => chosen.length === 0 || chosen.includes(name));
const found = new Map<string, Comparison>();
const queue = [...names];

async function lane(): Promise<void> {
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) found.set(name, await compare(name));
}

function metric(name: string, value: number, unit: string): void {
  process.stdout.write(`METRIC ${name} ${value} ${unit}\n`);
}

await Promise.all(Array.from({ length: LANES }, lane));
const all = names.flatMap((name) => found.get(name) ?? []);
for (const { peer, cases, repair } of all) {
  const suffix = peer.name === OURS ? "" : `.${peer.name}`;
  if (peer.name === OURS) metric("torture.cases", cases.length, "cases");
  metric(`torture.passed${suffix}`, countCases(cases, "passed"), "cases");
  metric(`torture.not_offered${suffix}`, countCases(cases, "not_offered"), "cases");
  metric(`torture.passed_with_catch${suffix}`, countCases(cases, "passed", "caught"), "cases");
  metric(`repair.fixed${suffix}`, countMended(repair), "of_10");
  metric(`error.length${suffix}`, repair.error.length, "characters");
  if (chosen.length === 0) continue;
  process.stdout.write(
    `${peer.packageName}: ${peer.path}. Options: ${peer.options}. Not offered: ${peer.notOffered}\n`,
  );
  for (const { topic, name, verdict } of cases) {
    if (verdict.status === "failed") process.stdout.write(`${peer.name}, ${topic}, ${name}: ${verdict.reason}\n`);
  }
}

/** All that was found out about one system. */
interface Comparison {
  /** The system and how it was driven. */
  readonly peer: Omit<Peer, "subject">;
  /** The results of the cases, in their order. */
  readonly cases: readonly CaseResult[];
  /** Its results on damaged calls. */
  readonly repair: RepairReport;
}

/** Puts one system to all the tests, in processes of their own. */
async function compare(name: string): Promise<Comparison> {
  const { subject: _, ...peer } = await loadPeer(name);
  const cases = await runCases(name);
  const repair = (await fromProcess(new URL("repair/repair-process.ts", import.meta.url), [name])) as RepairReport;
  return { peer, cases, repair };
}

/** How many cases ended in this way, where nothing is caught or in a host that catches. */
function countCases(
  cases: readonly CaseResult[],
  status: CaseResult["verdict"]["status"],
  host: "verdict" | "caught" = "verdict",
): number {
  return cases.filter((each) => each[host].status === status).length;
}

/** Number of damaged calls that ran with the intended values. */
function countMended({ mended }: RepairReport): number {
  return mended.filter((each) => each === "mended").length;
}

/**
 * Runs a module in a process of its own and answers the one message that it sends.
 *
 * @throws An `Error` when the process ends without one.
 */
async function fromProcess(module: URL, args: readonly string[]): Promise<unknown> {
  const child = fork(module, args, {
    execArgv: ["--conditions=@dispatch/source", "--expose-gc"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(child, "exit").then(() => undefined);
  const sent = await Promise.race([once(child, "message"), ended]);
  child.kill();
  if (sent === undefined)
    throw new Error(`Cannot compare: ${module.pathname.split("/").at(-1)} ${args.join(" ")} sent nothing`);
  return sent[0] as unknown;
}
