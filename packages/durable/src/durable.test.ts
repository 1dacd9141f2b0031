import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { createDurable, createMemoryEngine, type DurableRun } from "./index.ts";
import { openSqliteEngine } from "./sqlite-engine.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "durable-"));
});
afterEach(() => rmSync(root, { recursive: true }));

const call = { id: "toolu_01A09q90qw90", name: "charge", arguments: { cents: 500 } };

test("dispatch() with durable runs a call once and answers it from the record", async () => {
  const durable = createDurable(await openSqliteEngine(join(root, "calls.db")));
  const session = durable.session("chat");
  const effects: string[] = [];
  const charge = defineTool({
    name: "charge",
    description: "Charges.",
    parameters: z.object({ cents: z.number() }),
    execute: ({ cents }, run) => (effects.push(run.effectId), { cents }),
  });
  const registry = createToolRegistry().register(charge);
  const first = await registry.dispatch(call, { durable: session, transcript: session.transcript });
  const second = await registry.dispatch(call, { durable: session, transcript: session.transcript });
  const third = await registry.dispatch(call, { durable: session });
  expect(first).toMatchObject({ success: true, data: { cents: 500 } });
  expect([second.toJSON(), third.toJSON()]).toEqual([first.toJSON(), first.toJSON()]);
  expect(effects).toEqual([expect.stringMatching(/^eff_[0-9a-f]{40}$/)]);
  expect(await session.transcript?.entries()).toHaveLength(1);
  expect(await durable.open()).toEqual({ calls: [], waits: [] });
  await durable.close();
});

test.each([undefined, null, 5])("a session is named by a text: %j", (name) => {
  const durable = createDurable(createMemoryEngine());
  expect(() => durable.session(name as never)).toThrow("the name is no text");
});

test("run.durable.wait() refuses an option that there is not", async () => {
  const ask = defineTool({
    name: "ask",
    description: "Asks.",
    parameters: z.object({}),
    resumable: true,
    async execute(_, run) {
      await (run.durable as DurableRun).wait("answer", "?", { patiencMs: 0 } as object);
      return "";
    },
  });
  const session = createDurable(createMemoryEngine()).session("s");
  const result = await createToolRegistry()
    .register(ask)
    .dispatch({ id: "toolu_01B7XyG3cVvM4kW9nQe5Jt2s", name: "ask" }, { durable: session });
  expect(String(result)).toContain('did you mean "patienceMs"');
});

test.each<[string, (run: DurableRun, round: number) => Promise<unknown>]>([
  ["asks", (run) => run.wait("answer", "?", { patienceMs: 0 })],
  ["makes steps", (run, round) => run.step(`step ${round}`, () => round)],
])("a tool that %s without end is answered when its time is over", async (_, ask) => {
  const over = new AbortController();
  const asking = defineTool({
    name: "ask",
    description: "Asks until there is an answer.",
    parameters: z.object({}),
    timeoutMs: 50,
    resumable: true,
    async execute(_params, run) {
      for (let round = 0; !over.signal.aborted; round += 1) await ask(run.durable as DurableRun, round);
    },
  });
  const session = createDurable(createMemoryEngine()).session("s");
  const registry = createToolRegistry().register(asking);
  const result = await registry.dispatch({ id: "toolu_01A09q90qw90lq91", name: "ask" }, { durable: session });
  over.abort();
  expect(result).toMatchObject({ code: "timeout" });
});
