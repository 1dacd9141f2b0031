import { createToolRegistry, defineTool, type Approver, type CallPolicy } from "@dispatch/tools-interface";
import { expect, test } from "vitest";
import { z } from "zod";
import { approveCallsBy } from "./approve-calls.ts";
import type { EditedArguments } from "./editable-call.ts";

let made = 0;
const SCHEMA = {
  amount: z.number(),
  to: z.string().trim().default("bob"),
  id: z.string().default(() => `id-${(made += 1)}`),
  lines: z.array(z.object({ n: z.number(), at: z.number().default(() => (made += 1)) })).default([]),
};

/** Changes the arguments of a waiting call, as a page does, and approves what was checked. */
async function changed(
  edited: unknown,
  { amount = SCHEMA.amount, policy }: { readonly amount?: z.ZodType; readonly policy?: CallPolicy } = {},
) {
  const ran: unknown[] = [];
  const tool = defineTool({
    name: "pay",
    description: "Pays.",
    parameters: z.object({ ...SCHEMA, amount }),
    needsApproval: true,
    execute: (params) => void ran.push(params),
  });
  const registry = createToolRegistry(policy && { policy }).register(tool);
  const answers: (EditedArguments | { readonly problem: string } | undefined)[] = [];
  const person = {
    name: "you",
    decide: async ({ edit }: { edit?: { check(params: unknown): Promise<EditedArguments | { problem: string }> } }) => {
      const checked = await edit?.check(edited);
      answers.push(checked);
      return checked === undefined || "problem" in checked ? { approved: false } : { approved: true, edited: checked };
    },
  };
  const view = { callerOf: () => undefined, waits: () => () => {} };
  const approve: Approver = approveCallsBy(person as never, view, registry);
  await registry.dispatch("pay", { amount: 5 }, { approve });
  const [answer] = answers;
  return { ran, answer, changes: answer !== undefined && "changes" in answer ? answer.changes : [] };
}

const IDS = { id: "mine", lines: [] };

test.each<[string, unknown, Parameters<typeof changed>[1], readonly string[], unknown]>([
  ["what a person wrote", { amount: 6, to: "eve", ...IDS }, {}, ["+amount: 6", '+to: "eve"'], { amount: 6, to: "eve" }],
  ["what a schema makes of it", { amount: 5, to: " eve ", ...IDS }, {}, ['+to: "eve"'], { to: "eve" }],
  [
    "a transform",
    { amount: 6, ...IDS },
    { amount: z.number().transform((n) => n * 100) },
    ["+amount: 600"],
    { amount: 600 },
  ],
  ["a coercion", { amount: "6", ...IDS }, { amount: z.coerce.number() }, ["+amount: 6"], { amount: 6 }],
])("shows %s as it runs", async (_what, edited, given, rows, params) => {
  const { ran, changes } = await changed(edited, given);
  for (const row of rows) expect(changes).toContain(row);
  expect(ran).toMatchObject([params]);
});

test("runs with the defaults that were shown, not with others that the schema makes when it runs", async () => {
  const { ran, changes } = await changed({ amount: 6, lines: [{ n: 1 }, { n: 2, at: 9 }] });
  const [{ id, lines }] = ran as [{ id: string; lines: { at: number }[] }];
  expect(changes).toContain(`+id: "${id}"`);
  expect(changes).toContain(`+lines[0].at: ${lines[0]?.at}`);
  expect(lines[1]).toEqual({ n: 2, at: 9 });
});

test.each<[string, unknown, Parameters<typeof changed>[1], string]>([
  ["that are none", "text", {}, "pay"],
  ["of another field", { amount: 6, ammount: 7 }, {}, "ammount"],
  ["that a policy denies", { amount: 600 }, { policy: denyAbove(100) }, "denied by policy (limit)"],
  [
    "that come out otherwise each time",
    { amount: 6 },
    { amount: z.number().transform(() => (made += 1)) },
    "each time",
  ],
])("takes no arguments %s, and says why before anything is approved", async (_what, edited, given, why) => {
  const { ran, answer } = await changed(edited, given);
  expect([ran, answer]).toEqual([[], { problem: expect.stringContaining(why) }]);
});

function denyAbove(limit: number): CallPolicy {
  return ({ params }) => ({
    decision: (params as { amount: number }).amount > limit ? "deny" : "default",
    rules: ["limit"],
  });
}
