import { mkdirSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createDurable } from "@dispatch/durable";
import { openSqliteEngine } from "@dispatch/durable/sqlite";
import { APPROVAL, callOf, charging, SESSION } from "./charging.ts";

/**
 * Makes a file of durable calls and makes so many calls by each hand. Says what was recorded, one line each: `SUBMITTED hand n
 * EFFECT`, `ASKED hand n`, `ANSWERED hand n`, `DONE hand n EFFECT`; and `BEGAN EFFECT` as the effect itself.
 */
const [directory = "", count = "", hands = ""] = process.argv.slice(2);
mkdirSync(directory);
const durable = createDurable(await openSqliteEngine(join(directory, "calls.db")));
const session = durable.session(SESSION);
const say = (text: string): void => void writeSync(1, `${text}\n`);
const registry = charging((effectId) => say(`BEGAN ${effectId}`));

const work = async (hand: number): Promise<void> => {
  for (let n = 1; n <= Number(count); n++) {
    const call = callOf(hand, n);
    if (n % 3 === 0) {
      const { effectId } = await durable.submit(registry, call, { session: SESSION });
      say(`SUBMITTED ${hand} ${n} ${effectId}`);
      if (n % 2 === 0) continue;
    }
    if (n % 4 === 0) {
      const key = `${hand} ${n}`;
      await durable.engine.wait(key, { kind: APPROVAL, question: key, patienceMs: 0 });
      say(`ASKED ${key}`);
      if (!(await durable.answer(key, key))) throw new Error("an answer did not count");
      say(`ANSWERED ${key}`);
    }
    const result = await registry.dispatch(call, { durable: session, transcript: session.transcript });
    if (!result.success) throw new Error(String(result));
    say(`DONE ${hand} ${n} ${result.output}`);
  }
};
await Promise.all(Array.from({ length: Number(hands) }, (_, hand) => work(hand)));
await durable.close();
