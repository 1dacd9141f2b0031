import { attackCase, type AttackCase } from "./attack-case.ts";
import type { AttackTrial } from "./attack-trial.ts";
import { attemptAll, type Attempt } from "./attempt.ts";
import { waysToLoad, type WayToLoad } from "./ways-to-load.ts";
import { moreWaysToRead, waysToRead, type WayToRead } from "./ways-to-read.ts";

const harmlessWaysToRead = moreWaysToRead.filter(({ leavesTraces }) => !leavesTraces);

/** Reads a file outside: every way to read in code that is loaded in every way, then more ways to read. */
export const readingCases: readonly AttackCase[] = [
  ...waysToLoad.map((load) =>
    attackCase("reading", `every way in ${load.name}`, (trial) => readInEveryWay(trial, load), waysToRead.length),
  ),
  attackCase(
    "reading",
    "in more ways",
    (trial) => trial.attackAll(attemptsToRead(trial, harmlessWaysToRead)),
    harmlessWaysToRead.length,
  ),
  ...moreWaysToRead
    .filter(({ leavesTraces }) => leavesTraces)
    .map((read) => attackCase("reading", read.name, (trial) => trial.attack(read.body(trial.secrets.directory)))),
  attackCase("reading", "any file without a directory of its own", async (trial) => {
    trial.runtimeOptions = { tempDir: trial.tempDir };
    await trial.denied(`return Deno.readTextFileSync(${JSON.stringify(`${trial.secrets.directory}/secret.txt`)});`);
    await trial.denied("return [...Deno.readDirSync('.')].length;");
  }),
];

function attemptsToRead(trial: AttackTrial, ways: readonly WayToRead[]): readonly Attempt[] {
  return ways.map(({ name, body }) => ({ name, body: body(trial.secrets.directory) }));
}

/** Checks that each way was tried, or that the program was refused as a whole. */
async function readInEveryWay(trial: AttackTrial, load: WayToLoad): Promise<void> {
  const reads = attemptsToRead(trial, waysToRead);
  const { ok, value, error } = await trial.attack(load.program(attemptAll(reads)));
  // A worker answers with an object that holds the value, or with a text when it did not start.
  const found = Array.isArray(value) ? value : (value as { readonly v?: unknown } | undefined)?.v;
  if (Array.isArray(found)) trial.expect(found.length === reads.length, "every way to be tried", found);
  else trial.expect(ok || error?.kind === "runtime" || error?.kind === "permission", "a refusal to load", error);
}
