import process from "node:process";
import { createInterface } from "node:readline";
// @boundaries-ignore the engines are opened as in the tests of durable calls
import { openEngine } from "../../durable/test/open-engine.ts";
import { createApprovalDesk, type DeskAnswer } from "../src/approvals.ts";

/**
 * Answers approvals from a process of its own: `node answer-approvals.ts ENGINE`. Says `ready`, and then for each line `[key,
 * answer]` whether that answer counts.
 */
const [url = ""] = process.argv.slice(2);
const engine = await openEngine(url, false);
const desk = createApprovalDesk({ engine });
process.stdout.write("ready\n");
for await (const line of createInterface({ input: process.stdin })) {
  const [key, answer] = JSON.parse(line) as [string, DeskAnswer];
  process.stdout.write(`${await desk.answer(key, answer)}\n`);
}
await engine.close();
