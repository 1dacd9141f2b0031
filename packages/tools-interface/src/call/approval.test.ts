import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createToolRegistry, defineTool, type Approver } from "../index.ts";

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

describe("approval of destructive tools", () => {
  test("is needed unless the tool says otherwise", async () => {
    const { registry, deleted } = deletions();
    expect(await registry.dispatch(call)).toMatchObject({ code: "denied" });
    expect(deleted).toEqual([]);
    expect(await registry.dispatch(call, { approve: () => true })).toMatchObject({ success: true });
    const tool = defineTool({
      name: "clear_cache",
      description: "Clears.",
      parameters: z.object({}),
      annotations: { destructive: true },
      needsApproval: false,
      execute: () => "cleared",
    });
    expect(await tool.call({})).toMatchObject({ success: true });
  });

  test("shows what will run, as a copy that changes nothing", async () => {
    const { registry, deleted } = deletions();
    const result = await registry.dispatch(call, {
      approve: ({ params, name, callId, digest, expiresAt }) => {
        expect({ params, name, callId }).toEqual({
          params: { branch: "old", options: { force: false } },
          name: "delete_branch",
          callId: "c1",
        });
        expect(digest).toMatch(/^[0-9a-f]{64}$/);
        expect(expiresAt).toBeGreaterThan(Date.now());
        expect(() => ((params as { options: { force: boolean } }).options.force = true)).toThrow(TypeError);
        return true;
      },
    });
    expect(result.success).toBe(true);
    expect(deleted).toEqual(["old"]);
  });

  test("lapses when the arguments change while it is asked for", async () => {
    const { registry, deleted } = deletions();
    const args = { branch: "old", options: { force: false } };
    const approve: Approver = () => ((args.options.force = true), true);
    const result = await registry.dispatch({ ...call, arguments: args }, { approve });
    expect(result).toMatchObject({ code: "denied" });
    expect(String(result)).toContain("its parameters changed while it was asked for");
    expect(deleted).toEqual([]);
  });

  test("lapses when nobody answers in time, and then tells the approver to stop asking", async () => {
    const { registry, deleted } = deletions();
    let signal: AbortSignal | undefined;
    const approve: Approver = (request) => ((signal = request.signal), new Promise(() => {}));
    const result = await registry.dispatch(call, { approve, approvalTimeoutMs: 20 });
    expect(result).toMatchObject({ code: "denied" });
    expect(String(result)).toContain("nobody answered in time");
    expect(signal?.aborted).toBe(true);
    expect(deleted).toEqual([]);
  });

  test.each([["yes"], [1], [{}], [{ approved: "true" }], [undefined], [null], [[]], [Promise.resolve("ok")]])(
    "takes %j for a no",
    async (answer) => {
      const { registry, deleted } = deletions();
      expect(await registry.dispatch(call, { approve: () => answer as never })).toMatchObject({ code: "denied" });
      expect(deleted).toEqual([]);
    },
  );

  test("depends on parameters and context, which is checked first", async () => {
    const deploy = defineTool({
      name: "deploy",
      description: "Deploys.",
      parameters: z.object({ to: z.string() }),
      context: z.object({ live: z.array(z.string()) }),
      needsApproval: ({ to }, { live }) => live.includes(to),
      execute: () => "deployed",
    });
    expect(await deploy.call({ to: "a" }, { context: { live: ["b"] } })).toMatchObject({ success: true });
    expect(await deploy.call({ to: "b" }, { context: { live: ["b"] } })).toMatchObject({ code: "denied" });
    expect(await deploy.call({ to: "b" }, { context: {} as never })).toMatchObject({ code: "missing_context" });
  });

  test("is asked for when needsApproval answers anything but false", async () => {
    const tool = defineTool({
      name: "pay",
      description: "Pays.",
      parameters: z.object({}),
      needsApproval: (async () => undefined) as never,
      execute: () => "paid",
    });
    expect(await tool.call({})).toMatchObject({ code: "denied" });
  });
});
