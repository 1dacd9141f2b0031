import { createDurable, createMemoryEngine } from "@dispatch/durable";
import { createToolRegistry, defineTool, failure, type Approver, type CallPolicy } from "@dispatch/tools-interface";
import { expect, test } from "vitest";
import { z } from "zod";

/**
 * A call of an idempotent tool whose process "dies" in it: the work never ends, and another session takes it over.
 *
 * @param refused - Approves the call before, in which the tool finds that it cannot do anything.
 */
async function begunAgain(approve: Approver, refused?: Approver, policy?: CallPolicy): Promise<readonly unknown[]> {
  const ran: unknown[] = [];
  let isBusy = refused !== undefined;
  let made = 0;
  const pay = defineTool({
    name: "pay",
    description: "Pays.",
    parameters: z.object({ amount: z.number(), reference: z.string().default(() => `ref-${(made += 1)}`) }),
    annotations: { idempotent: true },
    needsApproval: true,
    execute: (params) => (isBusy ? failure("busy", { effects: "none" }) : (ran.push(params), "paid")),
  });
  const engine = createMemoryEngine();
  // A crash after the record that the call has begun: the step is found as running, and its work is begun again.
  let crash = true;
  const crashing = new Proxy(engine, {
    get(target, key) {
      if (key === "find") {
        return async (step: string) => {
          const found = await target.find(step);
          return !crash && found === undefined && !step.includes("/") ? { state: "broken", intent: null } : found;
        };
      }
      if (key === "run") {
        return async (step: string, given: Parameters<typeof target.run>[1]) => {
          if (step.includes("/") || !crash) return target.run(step, given);
          throw new Error("the process died");
        };
      }
      const value: unknown = Reflect.get(target, key);
      return typeof value === "function" ? (value as () => unknown).bind(target) : value;
    },
  });
  const call = { id: "toolu_01A09q90qw90lq91", name: "pay", arguments: { amount: 5 } };
  const registry = createToolRegistry(policy && { policy }).register(pay);
  if (refused) await registry.dispatch(call, { approve: refused, durable: createDurable(engine).session("s") });
  isBusy = false;
  await registry.dispatch(call, { approve, durable: createDurable(crashing).session("s") });
  crash = false;
  const never: Approver = () => Promise.reject(new Error("asked again"));
  await registry.dispatch(call, { approve: never, durable: createDurable(crashing).session("s") });
  return ran;
}

test("a call that was approved before its process died begins again with the defaults that were shown", async () => {
  const shown: unknown[] = [];
  expect(await begunAgain(({ params }) => shown.push(params) > 0)).toEqual(shown);
  expect(shown).toHaveLength(1);
});

test("a call that was approved with edits before its process died begins again with them", async () => {
  const params = { amount: 2, reference: "mine" };
  expect(await begunAgain(() => ({ approved: true, params }))).toEqual([params]);
});

test("a call that was approved again begins again with the last answer, not with earlier edits", async () => {
  const edited = { approved: true, params: { amount: 2, reference: "mine" } };
  const later = { approved: true, params: { amount: 3, reference: "mine" } };
  expect(
    await begunAgain(
      () => later,
      () => edited,
    ),
  ).toEqual([later.params]);
  const shown: unknown[] = [];
  expect(
    await begunAgain(
      ({ params }) => shown.push(params) > 0,
      () => edited,
    ),
  ).toEqual(shown);
  expect(shown).toHaveLength(1);
});

test("a call that was approved with edits begins again with the defaults that were shown for what they leave out", async () => {
  const small: CallPolicy = ({ params }) => {
    const isSmall = (params as { amount: number }).amount < 5;
    return { decision: isSmall ? "ask" : "default", rules: isSmall ? ["small"] : [] };
  };
  const shown: unknown[] = [];
  const approve: Approver = ({ params }) => shown.push(params) > 1 || { approved: true, params: { amount: 2 } };
  expect(await begunAgain(approve, undefined, small)).toEqual([shown[1]]);
  expect(shown).toMatchObject([{ amount: 5 }, { amount: 2, reference: expect.stringContaining("ref-") }]);
});
