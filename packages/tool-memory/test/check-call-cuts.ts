import { join } from "node:path";
import { createDurable } from "@dispatch/durable";
import { openSqliteEngine } from "@dispatch/durable/sqlite";
import { APPROVAL, callOf, charging, SESSION } from "./charging.ts";
import { cutPower, type Kept } from "./cut-power.ts";

const program = new URL("./write-calls-until-cut.ts", import.meta.url);

/**
 * Makes a file of durable calls, cuts its power at so many moments, and dispatches every call of the file that is left.
 *
 * @returns how many acknowledged records were missing, and how many were looked for. Throws when the file does not open, or a
 * call that had begun is begun again.
 */
export function checkCallCuts(cuts: number, seed: number, calls: number): Promise<Kept> {
  const hands = seed % 2 === 0 ? "4" : "1";
  return cutPower({ program, args: [`${calls}`, hands], cuts, seed, check: checkPicture });
}

async function checkPicture(picture: string, said: readonly string[]): Promise<Kept> {
  const durable = createDurable(await openSqliteEngine(join(picture, "calls.db")));
  const session = durable.session(SESSION);
  const begun = new Set(said.flatMap((line) => (line.startsWith("BEGAN ") ? [line.slice(6)] : [])));
  const registry = charging((effectId) => {
    if (begun.has(effectId)) throw new Error(`${effectId} was begun twice`);
    begun.add(effectId);
  });
  const total = { lost: 0, found: 0 };
  const look = (isKept: boolean): void => void (total[isKept ? "found" : "lost"] += 1);
  try {
    for (const effectId of begun) look((await durable.engine.find(`${effectId}.1`)) !== undefined);
    const done = new Set((await session.transcript?.entries())?.map(({ callId }) => callId));
    const asked = new Set((await durable.open()).waits.map(({ key }) => key));
    const isAnswered = async (key: string): Promise<boolean> =>
      (await durable.engine.wait(key, { kind: APPROVAL, question: key, patienceMs: 0 }))?.answer === key;
    for (const line of said) {
      const [kind, hand, n, effectId] = line.split(" ");
      const key = `${hand} ${n}`;
      if (kind === "SUBMITTED") look((await durable.engine.find(`${effectId}.1`)) !== undefined);
      if (kind === "ASKED") look(asked.has(key) || (await isAnswered(key)));
      if (kind === "ANSWERED") look(await isAnswered(key));
      if (kind === "DONE") look(done.has(callOf(Number(hand), Number(n)).id ?? ""));
    }
    const wasDone = new Set(said.flatMap((line) => (line.startsWith("DONE ") ? [line.split(" ")[3]] : [])));
    for (const [hand, n] of callsOf(said)) {
      const options = { durable: session, transcript: session.transcript };
      const result = await registry.dispatch(callOf(hand, n), options);
      if (result.success && begun.has(result.output)) continue;
      if (result.success || result.code !== "outcome_unknown") throw new Error(String(result));
    }
    const ended = new Set(
      (await session.transcript?.entries())?.flatMap(({ result }) => (result.success ? [result.output] : [])),
    );
    for (const effectId of wasDone) look(ended.has(effectId));
    return total;
  } finally {
    await durable.close();
  }
}

/** The calls that the program may have begun: up to the one after the last that each hand spoke of. */
function callsOf(said: readonly string[]): readonly (readonly [hand: number, n: number])[] {
  const last = new Map<number, number>([[0, 0]]);
  for (const line of said) {
    const [kind, hand, n] = line.split(" ");
    if (kind !== "BEGAN") last.set(Number(hand), Number(n));
  }
  return [...last].flatMap(([hand, n]) => Array.from({ length: n + 1 }, (_, before) => [hand, before + 1] as const));
}
