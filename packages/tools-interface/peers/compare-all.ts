/** Compares all systems, or those named by its arguments with each failed case, and prints the figures. Run by `bench/peers.bench.ts`. */
import { compare, countCases, countMended, type Comparison } from "./comparison.ts";
import { peerLoaders } from "./torture/peer-loaders.ts";

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
  for (const { topic, name, verdict } of cases) {
    if (verdict.status === "failed") process.stdout.write(`${peer.name}, ${topic}, ${name}: ${verdict.reason}\n`);
  }
}
