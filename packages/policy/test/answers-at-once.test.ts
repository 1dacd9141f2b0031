import { spawn } from "node:child_process";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createDurable, type DurableEngine } from "@dispatch/durable";
import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { afterAll, beforeAll, expect, test } from "vitest";
// @boundaries-ignore the engines are opened as in the tests of durable calls
import { describeEngines } from "../../durable/test/all-engines.ts";
import { createApprovalDesk, type DeskAnswer } from "../src/approvals.ts";

/** A place from which approvals are answered. */
interface Place {
  answer(key: string, answer: DeskAnswer): Promise<boolean>;
  close(): Promise<void>;
}

const here = (engine: DurableEngine): Place => ({
  answer: (key, answer) => createApprovalDesk({ engine }).answer(key, answer),
  close: async () => {},
});

async function elsewhere(url: string): Promise<Place> {
  const program = fileURLToPath(new URL("./answer-approvals.ts", import.meta.url));
  const args = ["--no-deprecation", "--conditions=@dispatch/source", program, url];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const said = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  expect(await said.next()).toMatchObject({ value: "ready" });
  return {
    async answer(key, answer) {
      child.stdin.write(`${JSON.stringify([key, answer])}\n`);
      return (await said.next()).value === "true";
    },
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}

const yes: DeskAnswer = { approved: true, by: "Ada" };
const no: DeskAnswer = { approved: false, by: "Bob", reason: "too much" };
const edited = (n: number): DeskAnswer => ({ approved: true, by: `hand ${n}`, params: { n } });

describeEngines(({ open, url }) => {
  let engine: DurableEngine;
  let places: readonly [Place, Place];
  beforeAll(async () => {
    engine = await open();
    const at = url();
    places =
      at === undefined ? [here(engine), here(engine)] : await Promise.all([elsewhere(at), elsewhere(at)] as const);
  });
  afterAll(async () => {
    await Promise.all(places.map((place) => place.close()));
    await engine.close();
  });

  test.each([
    ["yes and yes", yes, { ...yes, by: "Bob" }],
    ["yes and no", yes, no],
    ["two edits", edited(7), edited(8)],
  ])(
    "of two answers from two processes at once one counts, and the call runs once at most: %s",
    async (_, one, other) => {
      const ran: unknown[] = [];
      const pay = defineTool({
        name: "pay",
        description: "Pays.",
        parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
        needsApproval: true,
        execute: (params) => (ran.push(params), "paid"),
      });
      const registry = createToolRegistry().register(pay);
      const desk = createApprovalDesk({ engine });
      const session = createDurable(engine).session("s");
      const dispatch = (id: string) =>
        registry.dispatch(
          { id, name: "pay", arguments: { n: 1 } },
          { durable: session, approve: desk.approver({ session: "s" }) },
        );
      for (let round = 0; round < 5; round += 1) {
        ran.length = 0;
        const id = `toolu_${crypto.randomUUID()}`;
        expect(await dispatch(id)).toMatchObject({ code: "approval_pending" });
        const key = (await desk.waiting()).find(({ callId }) => callId === id)?.key ?? "";
        const answers = round % 2 === 0 ? ([one, other] as const) : ([other, one] as const);
        const counted = await Promise.all(places.map((place, n) => place.answer(key, answers[n]!)));
        expect(counted.filter(Boolean)).toHaveLength(1);
        const first = answers[counted.indexOf(true)]!;
        const results = [...(await Promise.all([dispatch(id), dispatch(id)])), await dispatch(id)];
        expect(await places[0].answer(key, one)).toBe(false);
        if (first.approved) {
          expect(ran).toEqual([first.params ?? { n: 1 }]);
          expect(results.filter(({ success }) => success).length).toBeGreaterThan(0);
        } else {
          expect(ran).toEqual([]);
          expect(results.map(String).join()).toContain("too much");
        }
      }
    },
  );
});
