import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineTool, type ToolResult } from "../index.ts";

let paid = 0;

function payment(
  needsApproval: (params: { amount: number }, context: { limit: number }) => boolean | Promise<boolean>,
) {
  return defineTool({
    name: "pay",
    description: "Pays.",
    parameters: z.object({ amount: z.number().describe("Amount") }),
    context: z.object({ limit: z.number() }),
    timeoutMs: 50,
    needsApproval,
    execute: ({ amount }) => `${(paid += amount)}`,
  });
}

const context = { limit: 10 };
const later = payment(async ({ amount }, { limit }) => amount > limit);

describe("a rule that answers later", () => {
  test("decides whether a person is asked", async () => {
    expect(await later.call({ amount: 5 }, { context })).toMatchObject({ success: true });
    expect(await later.call({ amount: 50 }, { context })).toMatchObject({ code: "denied" });
    expect(await later.call({ amount: 50 }, { context, approve: () => true })).toMatchObject({ success: true });
  });

  test.each([
    ["rejects", () => Promise.reject(new Error("no rule")), "execution_failed"],
    ["never answers", () => new Promise<boolean>(() => {}), "timeout"],
    ["answers anything but false", () => Promise.resolve(0 as unknown as boolean), "denied"],
  ])("runs nothing when it %s", async (_what, rule, code) => {
    const before = paid;
    const result: ToolResult = await payment(rule).call({ amount: 1 }, { context });
    expect(result).toMatchObject({ success: false, code });
    expect(paid).toBe(before);
  });

  test("ends with its call", async () => {
    const abort = new AbortController();
    const call = payment(() => new Promise(() => {})).call({ amount: 1 }, { context, signal: abort.signal });
    abort.abort();
    expect(await call).toMatchObject({ code: "cancelled", effects: "none" });
  });
});

describe("Tool.approvalRequest()", () => {
  test("answers what an approver is asked, and runs nothing", async () => {
    const before = paid;
    const asked = await later.approvalRequest({ amount: "50" }, { callId: "1", context });
    expect(asked).toMatchObject({ callId: "1", name: "pay", params: { amount: 50 }, repairs: [{ kind: "to_number" }] });
    let real: string | undefined;
    await later.call({ amount: "50" } as never, {
      context,
      callId: "1",
      approve: ({ digest }) => {
        real = digest;
        return false;
      },
    });
    expect(asked?.digest).toBe(real);
    expect(paid).toBe(before);
  });

  test.each([
    ["needs none", { amount: 5 }, context],
    ["does not fit", { amount: {} }, context],
    ["lacks its context", { amount: 50 }, undefined],
  ])("answers nothing for a call that %s", async (_what, params, given) => {
    expect(await later.approvalRequest(params, { context: given })).toBeUndefined();
  });
});

describe("an approver's answer that contradicts itself", () => {
  test.each<[string, unknown]>([
    ["yes and later", { approved: true, pending: true }],
    ["yes and later, in words", { approved: true, pending: "yes" }],
    ["yes and later, as null", { approved: true, pending: null }],
    ["yes and later, as a promise", { approved: true, pending: Promise.resolve(false) }],
    // oxlint-disable-next-line unicorn/no-thenable -- what a host may answer by mistake
    ["yes and later, as another thenable", { approved: true, pending: { then: () => {} } }],
    ["yes and later, as 0", { approved: true, pending: 0 }],
    ["yes and later, as no text", { approved: true, pending: "" }],
    ["yes and later, as an empty list", { approved: true, pending: [] }],
    ["yes, and no under another name", { approved: true, denied: true }],
    ["yes, and later misspelt", { approved: true, Pending: true }],
    ["yes, and parameters misspelt", { approved: true, parameters: { amount: 1 } }],
    ["yes, and a field without a meaning", { approved: true, by: null }],
    ["yes, and a field __proto__", JSON.parse('{"approved":true,"__proto__":{"pending":true}}')],
    ["a list of yes", [true]],
    ["a function", () => true],
    ["yes in words", { approved: "yes" }],
    [
      "yes by a getter that fails",
      Object.defineProperty({ approved: true }, "pending", { get: () => Symbol("later") }),
    ],
  ])("denies: %s", async (_, answer) => {
    let runs = 0;
    const tool = defineTool({
      name: "risky",
      description: "R.",
      parameters: z.object({}),
      needsApproval: true,
      execute: () => `${(runs += 1)}`,
    });
    expect(await tool.call({}, { approve: () => answer as never })).toMatchObject({ success: false });
    expect(runs).toBe(0);
  });
});
