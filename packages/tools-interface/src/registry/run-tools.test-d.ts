import { expectTypeOf, test } from "vitest";
import { createToolRegistry, defineTool, runTools, shouldStop, success } from "../index.ts";

const loop = { ask: () => 1, read: () => ({ calls: [] }), add() {} };
const whoami = defineTool({
  name: "whoami",
  description: "Who is asking.",
  parameters: { type: "object", properties: {} },
  context: { type: "object", properties: { user: { type: "string" } }, required: ["user"] },
  execute: () => success("ada", { metadata: { stopLoop: true } }),
});

test("runTools() knows the answer, and asks for the context that the tools need", async () => {
  const run = await runTools(createToolRegistry(), loop);
  expectTypeOf(run.answer).toEqualTypeOf<number | undefined>();
  const { context } = { context: { user: "ada" } };
  await runTools(createToolRegistry().register(whoami), { ...loop, context });
  expectTypeOf(shouldStop(run.results)).toEqualTypeOf<boolean>();
});

test("stopLoop is a boolean", () => {
  // @ts-expect-error a text
  success("done", { metadata: { stopLoop: "yes" } });
});
