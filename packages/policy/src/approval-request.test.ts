import {
  createToolRegistry,
  createTranscript,
  defineTool,
  type AnyToolRegistry,
  type ApprovalRequest,
  type Approver,
} from "@dispatch/tools-interface";
import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { createApprovals } from "./approval-grants.ts";

let computed = 0;

/** A tool whose default is another one each time. */
const tool = defineTool({
  name: "pay",
  description: "Pays.",
  parameters: z.object({
    to: z.string(),
    reference: z.string().default(() => `ref-${(computed += 1)}`),
    options: z.object({ at: z.number().default(() => (computed += 1)) }).optional(),
  }),
  context: z.object({ account: z.string() }),
  approvalContext: ({ account }) => account,
  needsApproval: true,
  execute: ({ to, reference, options }) => (paid.push(`${to} ${reference} ${options?.at ?? ""}`), "paid"),
});
const paid: string[] = [];
const registry = createToolRegistry().register(tool);
beforeEach(() => void paid.splice(0));

const call = { id: "toolu_01A09q90qw90", name: "pay", arguments: { to: "Ada", options: {} } };
const context = { account: "savings" };

async function asked(given = call): Promise<ApprovalRequest> {
  let found: ApprovalRequest | undefined;
  const approve: Approver = (request) => ((found = request), { approved: false, pending: true });
  await registry.dispatch(given, { context, approve });
  return found as ApprovalRequest;
}

describe("the request to an approver", () => {
  test("shows computed defaults, and a later grant runs with those that were shown", async () => {
    const request = await asked();
    const shown = request.params as { reference: string; options: { at: number } };
    expect(request.defaults).toEqual([
      { path: ["reference"], value: shown.reference },
      { path: ["options", "at"], value: shown.options.at },
    ]);
    const approvals = createApprovals();
    const grants = [approvals.grant(request)];
    const result = await registry.dispatch(call, { context, approve: approvals.approver(grants) });
    expect(result.success).toBe(true);
    expect(paid).toEqual([`Ada ${shown.reference} ${shown.options.at}`]);
  });

  test("is not answered by a grant of its digest alone when the defaults are others by now", async () => {
    const { digest } = await asked();
    const approvals = createApprovals();
    const approve = approvals.approver([approvals.grant({ digest })]);
    expect(await registry.dispatch(call, { context, approve })).toMatchObject({ code: "denied" });
    expect(paid).toEqual([]);
  });

  test("takes no other fields for defaults than those that were left out", async () => {
    const approve: Approver = () => ({ approved: true, defaults: [{ path: ["to"], value: "Mallory" }] });
    expect(await registry.dispatch(call, { context, approve })).toMatchObject({ code: "denied" });
    expect(paid).toEqual([]);
  });

  test("is bound to the context that the tool names", async () => {
    const request = await asked();
    expect(request.approvalContext).toBe("savings");
    const approvals = createApprovals();
    const approve = approvals.approver([approvals.grant(request)]);
    const other = { account: "pension" };
    expect(await registry.dispatch(call, { context: other, approve })).toMatchObject({ code: "denied" });
    const changing = { account: "savings" };
    const swaps: Approver = () => ((changing.account = "pension"), true);
    expect(await registry.dispatch(call, { context: changing, approve: swaps })).toMatchObject({ code: "denied" });
    expect(paid).toEqual([]);
    expect(await registry.dispatch(call, { context, approve })).toMatchObject({ success: true });
  });

  test("tells the calls around it and what was repaired", async () => {
    const outer = defineTool({
      name: "outer",
      description: "Calls delete.",
      parameters: z.object({}),
      execute: (_, run) => run.dispatch?.({ name: "wipe", arguments: "{'count': '3',}" }).then(String),
    });
    const wipe = defineTool({
      name: "wipe",
      description: "Wipes.",
      parameters: z.object({ count: z.number() }),
      needsApproval: true,
      execute: () => "wiped",
    });
    const requests: ApprovalRequest[] = [];
    const approve: Approver = (request) => (requests.push(request), true);
    await createToolRegistry().register([outer, wipe]).dispatch({ id: "o1", name: "outer" }, { approve });
    expect(requests[0]?.parents).toEqual([{ callId: "o1", name: "outer" }]);
    expect(requests[0]?.repairs.map(({ kind }) => kind)).toEqual(["json_text", "to_number"]);
  });

  test("holds a copy, also of what cannot be cloned", async () => {
    const seen: unknown[] = [];
    const tagging = defineTool({
      name: "tag",
      description: "Tags.",
      parameters: z.object({ tags: z.array(z.string()) }).transform(({ tags }) => ({ tags, print: String })),
      needsApproval: true,
      execute: ({ tags }) => (seen.push([...tags]), "tagged"),
    });
    const approve: Approver = ({ params }) => ((params as { tags: string[] }).tags.push("more"), true);
    const result = await tagging.call({ tags: ["a"] }, { approve });
    expect(result).toMatchObject({ code: "denied" });
    expect(seen).toEqual([]);
  });

  test.each([2 ** 31, 30 * 86_400_000, Number.POSITIVE_INFINITY])("waits when it may take %d ms", async (ms) => {
    const approve: Approver = () => new Promise((resolve) => setTimeout(resolve, 20, true));
    expect(await registry.dispatch(call, { context, approve, approvalTimeoutMs: ms })).toMatchObject({ success: true });
  });
});

describe("a call that did not run", () => {
  test("runs when it is dispatched again and allowed, whatever the transcript holds", async () => {
    const transcript = createTranscript();
    const codes: unknown[] = [];
    const dispatch = async (of: AnyToolRegistry, options: object) => {
      const result = await of.dispatch(call, { context, transcript, ...options });
      codes.push(result.success || result.code);
    };
    await dispatch(createToolRegistry(), {});
    await dispatch(registry, {});
    await dispatch(registry, { approve: () => false });
    await dispatch(registry, { context: {} });
    await dispatch(registry, { signal: AbortSignal.abort() });
    await dispatch(registry, { approve: () => true });
    await dispatch(registry, { approve: () => true });
    expect(codes).toEqual(["tool_not_found", "denied", "denied", "missing_context", "cancelled", true, true]);
    expect(paid).toHaveLength(1);
    expect(transcript.entries).toHaveLength(6);
  });

  test.each([Number.NaN, 0, Number.POSITIVE_INFINITY])("createApprovals() refuses grants for %d ms", (expiresInMs) => {
    expect(() => createApprovals({ expiresInMs })).toThrow(RangeError);
  });
});
