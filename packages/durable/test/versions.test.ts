import { createDurable } from "@dispatch/durable";
import { createToolRegistry, defineTool, type AnyToolRegistry } from "@dispatch/tools-interface";
import { expect, onTestFinished, test } from "vitest";
import { describeEngines } from "./all-engines.ts";

/** A registry with one version of the tool `charge`, which takes the amount under a name of its own. */
function version(field: string): { readonly ran: string[]; readonly registry: AnyToolRegistry } {
  const ran: string[] = [];
  const charge = defineTool({
    name: "charge",
    description: `Charges by ${field}.`,
    parameters: { type: "object", properties: { [field]: { type: "number" } }, required: [field] },
    execute: (_, { effectId }) => (ran.push(effectId), `by ${field}`),
  });
  return { ran, registry: createToolRegistry().register(charge) };
}

describeEngines(({ open }) => {
  const opened = async () => {
    const said: string[] = [];
    const durable = createDurable(await open(), { onError: (error) => said.push(String(error)) });
    onTestFinished(() => durable.close());
    const call = { id: `toolu_${crypto.randomUUID()}`, name: "charge", arguments: { euros: 5 } };
    return { durable, said, call };
  };

  test("a worker with another version leaves a submitted call, says so, and one with its version does it", async () => {
    const { durable, said, call } = await opened();
    const [old, next] = [version("euros"), version("cents")];
    const submitted = await durable.submit(old.registry, call, { session: "s" });
    const stopNext = durable.serve(next.registry);
    await expect.poll(() => said).toHaveLength(1);
    expect(said[0]).toMatch(/charge.*another version/);
    const stopOld = durable.serve(old.registry);
    expect(String(await submitted.outcome())).toBe("by euros");
    expect([old.ran.length, next.ran.length]).toEqual([1, 0]);
    expect(said).toHaveLength(1);
    await Promise.all([stopNext(), stopOld()]);
  });

  test("dispatch() with another version does not run a submitted call, and does not end it", async () => {
    const { durable, call } = await opened();
    const [old, next] = [version("euros"), version("cents")];
    // The arguments fit no field of the next version, and may fit those of a third.
    const third = version("euros and more");
    const submitted = await durable.submit(old.registry, call, { session: "s" });
    const session = durable.session("s");
    for (const { registry } of [next, third]) {
      const result = await registry.dispatch(call, { durable: session, transcript: session.transcript });
      expect(result).toMatchObject({ success: false, code: "durable_unavailable", effects: "none" });
      expect(String(result)).toContain("another version");
    }
    expect((await durable.open()).calls.filter(({ callId }) => callId === call.id)).toMatchObject([
      { state: "submitted", name: "charge" },
    ]);
    const stop = durable.serve(old.registry);
    expect(String(await submitted.outcome())).toBe("by euros");
    expect([old.ran.length, next.ran.length, third.ran.length]).toEqual([1, 0, 0]);
    await stop();
  });
});
