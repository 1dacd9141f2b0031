import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { expect, test } from "vitest";
import { approveCallsBy } from "./approve-calls.ts";
import type { ApprovalPrompt, Decision } from "./approver.ts";
import { createStandingAnswers } from "./standing-answers.ts";

const tool = (name: string) =>
  defineTool({
    name,
    description: "Writes a text.",
    parameters: {
      type: "object",
      properties: { path: { type: "string" }, text: { type: "string" } },
      required: ["path"],
    },
    needsApproval: true,
    execute: ({ path }) => String(path),
  });

/** A registry with a person who answers by these keys, or `y`; `undefined` is a no. */
function setUp(...keys: readonly (string | undefined)[]) {
  const registry = createToolRegistry().register([tool("write"), tool("erase")]);
  const standing = createStandingAnswers(registry.tools);
  const asked: ApprovalPrompt[] = [];
  const approver = {
    name: "you",
    async decide(prompt: ApprovalPrompt): Promise<Decision> {
      const key = keys[asked.push(prompt) - 1];
      const always = prompt.always?.find((offer) => offer.key === key);
      return { approved: key !== undefined, ...(always && { always }) };
    },
  };
  const view = { callerOf: () => undefined, waits: () => () => {} };
  const approve = approveCallsBy(approver, view, registry, standing);
  const call = async (name: string, path: string): Promise<boolean> =>
    (await registry.dispatch({ name, arguments: { path } }, { approve })).success;
  return { standing, asked, call };
}

test("an answer for a tool stands for that tool alone, until it is taken back", async () => {
  const { standing, asked, call } = setUp("t", "y", undefined);
  expect([await call("write", "a"), await call("write", "b"), await call("erase", "a")]).toEqual([true, true, true]);
  expect(asked.map(({ text }) => text)).toEqual(["Let the agent call write?", "Let the agent call erase?"]);
  const [rule] = standing.list();
  expect(rule).toMatchObject({ tool: "write", by: "you" });
  expect([standing.revoke(rule?.id ?? ""), standing.list()]).toEqual([true, []]);
  expect(await call("write", "c")).toBe(false);
  expect(asked).toHaveLength(3);
});

test.each(['a"b', "x\\y", "src/a.ts", "é字", 'a" || true || "b'])(
  "an answer for the path %j stands for that path alone",
  async (path) => {
    const { asked, call, standing } = setUp("p", "y", "y");
    expect([await call("write", path), await call("write", path)]).toEqual([true, true]);
    expect(asked).toHaveLength(1);
    await call("write", "another");
    await call("erase", path);
    expect(asked).toHaveLength(3);
    expect(standing.list()).toHaveLength(1);
  },
);

test("a path that a condition could read otherwise is not offered, and a no gives nothing", async () => {
  const { asked, call, standing } = setUp(undefined, undefined);
  expect([await call("write", "a\nb"), await call("write", "a")]).toEqual([false, false]);
  expect(asked.map(({ always = [] }) => always.map(({ key }) => key))).toEqual([["t"], ["p", "t"]]);
  expect(standing.list()).toEqual([]);
});
