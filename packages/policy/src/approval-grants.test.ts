import {
  createToolRegistry,
  createTranscript,
  defineTool,
  type ApprovalRequest,
  type Approver,
} from "@dispatch/tools-interface";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { createApprovals } from "./approval-grants.ts";

const secret = "0123456789abcdef0123456789abcdef";

function deletions(description = "Deletes a branch.") {
  const deleted: string[] = [];
  const tool = defineTool({
    name: "delete_branch",
    description,
    parameters: z.object({ branch: z.string(), options: z.object({ force: z.boolean() }).default({ force: false }) }),
    annotations: { destructive: true },
    execute: ({ branch, options }) => void deleted.push(options.force ? `${branch}!` : branch),
  });
  return { deleted, tool, registry: createToolRegistry().register(tool) };
}
const call = { id: "c1", name: "delete_branch", arguments: '{"branch":"old"}' };

/** An approver that records its requests and answers that a person will decide later. */
function later() {
  const asked: ApprovalRequest[] = [];
  const approve: Approver = (request) => (
    asked.push(request),
    { approved: false, pending: true, reason: "Ada is asked" }
  );
  return { asked, approve };
}

describe("createApprovals()", () => {
  test("lets a call run once that a person granted later", async () => {
    const { registry, deleted } = deletions();
    const transcript = createTranscript();
    const { asked, approve } = later();
    const first = await registry.dispatch(call, { approve, transcript });
    expect(first).toMatchObject({ success: false, code: "approval_pending" });
    expect(String(first)).toContain("Ada is asked");
    const grant = createApprovals({ secret }).grant(asked[0] as ApprovalRequest);
    // Another process with the same secret, and the same call again.
    const approvals = createApprovals({ secret });
    const second = await registry.dispatch(call, { approve: approvals.approver([grant]), transcript });
    expect(second).toMatchObject({ success: true });
    const again = await registry.dispatch(call, { approve: approvals.approver([grant]) });
    expect(again).toMatchObject({ code: "denied" });
    expect(deleted).toEqual(["old"]);
    expect(transcript.entries.map(({ result }) => result.success)).toEqual([false, true]);
  });

  test.each([
    ["other arguments", { ...call, arguments: '{"branch":"main"}' }],
    ["an argument more", { ...call, arguments: '{"branch":"old","options":{"force":true}}' }],
    ["another call", { ...call, id: "c2" }],
    ["a call without an id", { name: call.name, arguments: call.arguments }],
  ])("grants nothing to %s", async (_, other) => {
    const { registry, deleted } = deletions();
    const { asked, approve } = later();
    await registry.dispatch(call, { approve });
    const approvals = createApprovals({ secret });
    const grants = [approvals.grant(asked[0] as ApprovalRequest)];
    expect(await registry.dispatch(other, { approve: approvals.approver(grants) })).toMatchObject({ code: "denied" });
    expect(deleted).toEqual([]);
  });

  test("grants nothing to the same call of another turn, or inside of another call", async () => {
    const { registry, tool, deleted } = deletions();
    const approvals = createApprovals({ secret });
    const numbered = { ...call, id: "call_0", turn: "msg_1" };
    const { asked, approve } = later();
    await registry.dispatch(numbered, { approve });
    const grant = approvals.grant(asked[0] as ApprovalRequest);
    const granted = { approve: approvals.approver([grant]) };
    const agent = (name: string) =>
      defineTool({
        name,
        description: "Calls.",
        parameters: z.object({}),
        execute: (_, run) => run.dispatch?.(numbered),
      });
    const nested = createToolRegistry().register([tool, agent("trusted"), agent("other")]);
    for (const other of [
      { ...numbered, turn: "msg_2" },
      { ...numbered, turn: undefined },
    ])
      expect(await registry.dispatch(other, granted)).toMatchObject({ code: "denied" });
    expect(String(await nested.dispatch({ id: "o1", name: "trusted", arguments: {} }, granted))).toContain("no grant");
    await nested.dispatch({ id: "o1", name: "trusted", arguments: {} }, { approve });
    const inside = { approve: approvals.approver([approvals.grant(asked[1] as ApprovalRequest)]) };
    for (const [id, name] of [
      ["o2", "trusted"],
      ["o1", "other"],
    ] as const)
      expect(String(await nested.dispatch({ id, name, arguments: {} }, inside))).toContain("no grant");
    expect(deleted).toEqual([]);
    expect((await registry.dispatch(numbered, granted)).success).toBe(true);
    expect((await nested.dispatch({ id: "o1", name: "trusted", arguments: {} }, inside)).success).toBe(true);
    expect(deleted).toEqual(["old", "old"]);
  });

  test("grants nothing to a tool that has changed", async () => {
    const { asked, approve } = later();
    await deletions().registry.dispatch(call, { approve });
    const approvals = createApprovals({ secret });
    const grants = [approvals.grant(asked[0] as ApprovalRequest)];
    const changed = deletions("Deletes a branch, also on the server.");
    expect(await changed.registry.dispatch(call, { approve: approvals.approver(grants) })).toMatchObject({
      code: "denied",
    });
    expect(changed.deleted).toEqual([]);
  });

  test("takes the same arguments in another order for the same", async () => {
    const { asked, approve } = later();
    const { registry } = deletions();
    await registry.dispatch({ ...call, arguments: { options: { force: true }, branch: "b" } }, { approve });
    await registry.dispatch({ ...call, arguments: '{"branch":"b","options":{"force":true}}' }, { approve });
    expect(asked[0]?.digest).toBe(asked[1]?.digest);
  });

  test("refuses grants that are expired, forged, cut or made with another secret", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { registry, deleted } = deletions();
    const { asked, approve } = later();
    await registry.dispatch(call, { approve });
    const request = asked[0] as ApprovalRequest;
    const approvals = createApprovals({ secret, expiresInMs: 1_000 });
    const expired = approvals.grant(request);
    vi.setSystemTime(Date.now() + 2_000);
    const fresh = approvals.grant(request);
    const [body = "", signature = ""] = fresh.split(".");
    const claims = JSON.parse(Buffer.from(body, "base64url").toString()) as { id: string };
    const forged = Buffer.from(JSON.stringify({ ...claims, id: "x" })).toString("base64url");
    const other = createApprovals({ secret: "another secret of 32 characters!" }).grant(request);
    const bad = [expired, other, `${forged}.${signature}`, body, `${body}.`, "", "a.b.c", fresh.slice(0, -2)];
    expect(await registry.dispatch(call, { approve: approvals.approver(bad) })).toMatchObject({ code: "denied" });
    expect(deleted).toEqual([]);
    expect(await registry.dispatch(call, { approve: approvals.approver([...bad, fresh]) })).toMatchObject({
      success: true,
    });
    vi.useRealTimers();
  });

  test("lets one of many simultaneous calls use a grant", async () => {
    const { registry, deleted } = deletions();
    const { asked, approve } = later();
    await registry.dispatch(call, { approve });
    const approvals = createApprovals();
    const approver = approvals.approver([approvals.grant(asked[0] as ApprovalRequest)]);
    await Promise.all(Array.from({ length: 20 }, () => registry.dispatch(call, { approve: approver })));
    expect(deleted).toEqual(["old"]);
  });

  test("lets a grant be used once, however the clock jumps", async () => {
    const { registry, deleted } = deletions();
    const start = Date.now();
    const clock = vi.spyOn(Date, "now");
    const approvals = createApprovals({ secret });
    const granted = async (id: string) => {
      const { asked, approve } = later();
      await registry.dispatch({ ...call, id }, { approve });
      return approvals.grant(asked[0] as ApprovalRequest);
    };
    const grant = await granted("c1");
    const run = async (id: string, ...grants: string[]) => {
      const result = await registry.dispatch({ ...call, id }, { approve: approvals.approver(grants) });
      return result.success;
    };
    expect(await run("c1", grant)).toBe(true);
    for (const minutes of [11, 60, 1_000_000]) {
      clock.mockReturnValue(start + minutes * 60_000);
      expect(await run("c1", grant)).toBe(false);
      // Another grant is used, and those that have expired are forgotten.
      expect(await run(`later${minutes}`, await granted(`later${minutes}`))).toBe(true);
      clock.mockReturnValue(start);
      expect(await run("c1", grant)).toBe(false);
    }
    clock.mockRestore();
    expect(deleted).toHaveLength(4);
  });

  test.each([0, -1, Number.NaN, Infinity, 2 ** 53, "5", 5n, null])("refuses to last %s", (expiresInMs) => {
    expect(() => createApprovals({ secret, expiresInMs: expiresInMs as number })).toThrow(
      "Cannot create approvals: expiresInMs is",
    );
  });

  test("refuses a weak secret", () => {
    expect(() => createApprovals({ secret: "password" })).toThrow(
      "the secret has 8 characters, allowed are 32 or more",
    );
  });
});
