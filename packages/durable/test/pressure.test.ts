import { createDurable, type DurableEngine } from "@dispatch/durable";
import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeEngines } from "./all-engines.ts";

const SLOW = 32;

describeEngines(({ open }) => {
  let engine: DurableEngine;
  beforeAll(async () => {
    engine = await open(2 * SLOW);
  });
  afterAll(() => engine.close());

  test("a quick call is done while 32 slow ones run, in one process and by workers", async () => {
    const gate = Promise.withResolvers<void>();
    let begun = 0;
    const parameters = { type: "object" } as const;
    const slow = defineTool({
      name: "slow",
      description: "Waits.",
      parameters,
      execute: async () => ((begun += 1), await gate.promise, "slow"),
    });
    const quick = defineTool({ name: "quick", description: "Is quick.", parameters, execute: () => "quick" });
    const registry = createToolRegistry().register([slow, quick]);
    const durable = createDurable(engine);
    const call = (name: string) => ({ id: `toolu_${crypto.randomUUID()}`, name, arguments: {} });
    const options = { durable: durable.session("s") };
    const dispatched = Array.from({ length: SLOW }, () => registry.dispatch(call("slow"), options));
    await expect.poll(() => begun).toBe(SLOW);
    expect(String(await registry.dispatch(call("quick"), options))).toBe("quick");
    const submitted = [];
    for (let n = 0; n < SLOW; n += 1) submitted.push(await durable.submit(registry, call("slow"), { session: "s" }));
    const stop = durable.serve(registry, { maxConcurrency: SLOW + 1 });
    const last = await durable.submit(registry, call("quick"), { session: "s" });
    expect(String(await last.outcome())).toBe("quick");
    gate.resolve();
    expect(new Set((await Promise.all(dispatched)).map(String))).toEqual(new Set(["slow"]));
    expect(new Set((await Promise.all(submitted.map((one) => one.outcome()))).map(String))).toEqual(new Set(["slow"]));
    await stop();
  });
});
