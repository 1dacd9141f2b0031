import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { fromOpenAiResponse, toOpenAiResults, toOpenAiTools } from "./openai.ts";

const tool = (name: string) =>
  defineTool({
    name,
    description: `The tool ${name}.`,
    parameters: z.object({ id: z.string() }),
    execute: ({ id }) => `${name} ${id}`,
  });
const create = () =>
  createToolRegistry()
    .register(tool("always"))
    .register([tool("crm.list"), tool("mail/send"), tool("crm/open"), tool("crmx"), tool("other")], { defer: true });
const called = (name: string, namespace?: string) => ({
  type: "function_call",
  call_id: "1",
  name,
  arguments: '{"id":"7"}',
  status: "completed",
  ...(namespace !== undefined && { namespace }),
});
const respond = (...output: readonly object[]) => ({ id: "r", status: "completed", output });

describe("fromOpenAiResponse() of a call in a namespace", () => {
  test.for([
    ["other", "other", "other 7"],
    ["other", undefined, "other 7"],
    ["always", "", "always 7"],
  ] as const)("reads %s of %s", async ([name, namespace, answer]) => {
    const wire = toOpenAiTools(create());
    const calls = fromOpenAiResponse(respond(called(name, namespace)), wire);
    const items = toOpenAiResults(calls, await create().dispatchAll(calls), wire);
    expect(items).toMatchObject([{ type: "function_call_output", call_id: "1", output: answer }]);
  });

  test.for([
    ["always", "billing"],
    ["crm_list", "mail"],
    ["list", "crm"],
    ["other", "constructor"],
    ["crm_list", "CRM"],
  ] as const)("takes %s of %s for no tool of ours", async ([name, namespace]) => {
    for (const wire of [toOpenAiTools(create()), undefined]) {
      const calls = fromOpenAiResponse(respond(called(name, namespace)), wire);
      expect(await create().dispatchAll(calls)).toMatchObject([{ code: "tool_not_found" }]);
    }
  });

  test("passes over searches that the API ran itself", () => {
    const output = [
      {
        type: "tool_search_call",
        execution: "server",
        call_id: null,
        arguments: { paths: ["crm"] },
        status: "completed",
      },
      { type: "tool_search_output", execution: "server", call_id: null, tools: [], status: "completed" },
      called("crm_open", "crm_open"),
    ];
    expect(fromOpenAiResponse(respond(...output), toOpenAiTools(create()))).toMatchObject([
      { id: "1", name: "crm/open" },
    ]);
  });
});
