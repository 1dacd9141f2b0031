import type { CaseResult } from "./torture/run-cases.ts";

/** Cases that failed in the same way. */
export interface FailureGroup {
  /** Their topic. */
  readonly topic: string;
  /** In which way they failed. */
  readonly cause: string;
  /** How many there are. */
  readonly count: number;
  /** Names of the events; one name may stand for two. */
  readonly names: readonly string[];
}

/** The failed cases, grouped by topic and kind of failure. */
export function failuresOf(cases: readonly CaseResult[]): readonly FailureGroup[] {
  const groups = new Map<string, { topic: string; cause: string; names: string[] }>();
  for (const { topic, name, verdict } of cases) {
    if (verdict.status !== "failed") continue;
    const cause = causeOf(verdict.reason);
    const key = `${topic}, ${cause}`;
    const group = groups.get(key) ?? { topic, cause, names: [] };
    group.names.push(name);
    groups.set(key, group);
  }
  return [...groups.values()].map((group) => ({ ...group, count: group.names.length, names: joined(group.names) }));
}

const PAIRS = [
  ["a tool throws ", "a tool rejects with ", "a tool throws or rejects with "],
  ["a tool returns ", "a tool resolves with ", "a tool returns or resolves with "],
] as const;

/** Two cases that differ in whether the tool is asynchronous become one. */
function joined(names: readonly string[]): readonly string[] {
  const all = new Set(names);
  return names.flatMap((name) => {
    for (const [atOnce, later, either] of PAIRS) {
      if (name.startsWith(later) && all.has(name.replace(later, atOnce))) return [];
      if (name.startsWith(atOnce) && all.has(name.replace(atOnce, later))) return [name.replace(atOnce, either)];
    }
    return [name];
  });
}

function causeOf(reason: string): string {
  if (reason.includes("a rejection:")) return "rejected";
  if (reason.includes("still pending")) return "never settled";
  if (reason.includes("unhandled:")) return "left a rejection unhandled";
  if (reason.startsWith("the process")) return "stopped the process";
  if (reason.startsWith("expected a failure")) return "told the model of a success";
  if (reason.startsWith("expected a success")) return "told the model of a failure";
  if (reason.includes("characters, found")) return "too long a text";
  if (reason.startsWith("expected a text") || reason.startsWith("expected no text")) return "another text";
  return "something else";
}
