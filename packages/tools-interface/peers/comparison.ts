import { readFileSync } from "node:fs";
import { fromProcess } from "./from-process.ts";
import type { RepairReport } from "./repair/repair-report.ts";
import { loadPeer } from "./torture/peer-loaders.ts";
import type { Peer } from "./torture/peer.ts";
import { runCases, type CaseResult } from "./torture/run-cases.ts";

/** All that was found out about one system. */
export interface Comparison {
  /** The system and how it was driven. */
  readonly peer: Omit<Peer, "subject">;
  /** Version of its package. */
  readonly version: string;
  /** The results of the cases, in their order. */
  readonly cases: readonly CaseResult[];
  /** Its results on damaged calls. */
  readonly repair: RepairReport;
}

/** Puts one system to all the tests, in processes of their own. */
export async function compare(name: string): Promise<Comparison> {
  const { subject: _, ...peer } = await loadPeer(name);
  const cases = await runCases(name);
  const repair = (await fromProcess(new URL("repair/repair-process.ts", import.meta.url), [name])) as RepairReport;
  return { peer, version: versionOf(peer.packageName), cases, repair };
}

function versionOf(packageName: string): string {
  const manifest = new URL(`node_modules/${packageName}/package.json`, import.meta.url);
  return (JSON.parse(readFileSync(manifest, "utf8")) as { readonly version: string }).version;
}

/** How many cases ended in this way, where nothing is caught or in a host that catches. */
export function countCases(
  cases: readonly CaseResult[],
  status: CaseResult["verdict"]["status"],
  host: "verdict" | "caught" = "verdict",
): number {
  return cases.filter((each) => each[host].status === status).length;
}

/** Number of damaged calls that ran with the intended values. */
export function countMended({ mended }: RepairReport): number {
  return mended.filter((each) => each === "mended").length;
}
