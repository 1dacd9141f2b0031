import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { createDurable } from "./index.ts";
import { openSqliteEngine } from "./sqlite/sqlite-engine.ts";

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
