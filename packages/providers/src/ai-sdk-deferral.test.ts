import { defineTool, createToolRegistry, createTranscript } from "@dispatch/tools-interface";
import { expect, test } from "vitest";
import { z } from "zod";
import { toAiSdkSettings } from "./ai-sdk.ts";

const tool = (name: string) =>
  defineTool({ name, description: `The tool ${name}.`, parameters: z.object({}), execute: () => `${name} ran` });
const call = (toolName: string) => ({
  toolCall: { toolCallId: `call_${toolName}`, toolName, input: "{}" },
  messages: [],
});
const create = () => {
  const transcript = createTranscript();
  const registry = createToolRegistry()
    .register(tool("always"))
    .register([tool("first"), tool("second")], { defer: true })
    .register(tool("for_programs"), { callers: ["program"] })
    .register(tool("for_nobody"), { callers: [] });
  return { transcript, ...toAiSdkSettings(registry, { transcript, context: {} }) };
};
type Tools = Record<string, { execute(input: object, own: object): AsyncIterable<{ readonly content: unknown }> }>;

test("toAiSdkSettings() lets a deferred tool run that was not found yet, and does not tell models of it", async () => {
  const { experimental_repairToolCall: repair, transcript, ...settings } = create();
  const tools = settings.tools as unknown as Tools;
  const run = (name: string, input: object) =>
    Array.fromAsync(tools[name]!.execute(input, { toolCallId: `call_${name}`, messages: [] }));
  const before = Object.keys(tools);
  expect(await repair(call("second"))).toEqual(call("second").toolCall);
  expect(Object.keys(tools)).toEqual(before);
  expect(await run("second", {})).toMatchObject([{ content: [{ text: "second ran" }] }]);
  await run("search_tools", { query: "first" });
  await run("search_tools", { query: "second" });
  expect(Object.keys(tools)).toEqual([...before, "first", "second"]);
  expect(transcript.entries).toHaveLength(3);
});

test("toAiSdkSettings() records and refuses a call of a tool for programs, and runs no tool that is not offered", async () => {
  const { experimental_repairToolCall: repair, transcript } = create();
  await expect(repair(call("for_programs"))).rejects.toMatchObject({ code: "caller_not_allowed" });
  expect(await repair(call("for_nobody"))).toEqual(call("for_nobody").toolCall);
  expect(transcript.entries.map(({ name }) => name)).toEqual(["for_programs"]);
});

test("toAiSdkSettings() has tools whose names every object has", () => {
  const names = ["constructor", "toString", "__proto__"];
  expect(Object.keys(toAiSdkSettings(createToolRegistry().register(names.map(tool))).tools)).toEqual(names);
});
