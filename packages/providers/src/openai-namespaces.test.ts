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
const namespaces = { crm: "Customers and orders", mail: "Messages", none: "Nothing" };
const called = (name: string, namespace?: string) => ({
  type: "function_call",
  call_id: "1",
  name,
  arguments: '{"id":"7"}',
  status: "completed",
  ...(namespace !== undefined && { namespace }),
});
const respond = (...output: readonly object[]) => ({ id: "r", status: "completed", output });

describe("toOpenAiTools() with namespaces", () => {
  test("groups the deferred tools and leaves the search to the API", () => {
    const { tools } = toOpenAiTools(create(), { namespaces });
    const deferred = (name: string) => ({ type: "function", name, defer_loading: true });
    expect(tools).toMatchObject([
      { type: "tool_search" },
      { type: "function", name: "always" },
      {
        type: "namespace",
        name: "crm",
        description: "Customers and orders",
        tools: ["crm_list", "crm_open"].map(deferred),
      },
      { type: "namespace", name: "mail", description: "Messages", tools: [deferred("mail_send")] },
      deferred("crmx"),
      deferred("other"),
    ]);
    expect(tools[0]).toEqual({ type: "tool_search" });
    expect(tools).toHaveLength(6);
    expect(JSON.stringify(toOpenAiTools(create(), { namespaces }).tools)).toBe(JSON.stringify(tools));
  });

  test("sends plain functions where nothing is deferred", () => {
    const { tools } = toOpenAiTools(createToolRegistry().register(tool("crm.list")), { namespaces });
    expect(tools).toMatchObject([{ type: "function", name: "crm_list" }]);
  });

  test.for([["x"], "crm", null, 5, { "a b": "x" }, { crm: 5 }, { "": "x" }] as const)("refuses %j", (wrong) => {
    expect(() => toOpenAiTools(create(), { namespaces: wrong as never })).toThrow(/^Cannot group tools: found /);
  });

  test("refuses to group without the API's own search", () => {
    expect(() => toOpenAiTools(create(), { namespaces, nativeSearch: false } as never)).toThrow(
      /nativeSearch is false/,
    );
  });
});

describe("fromOpenAiResponse() of a call in a namespace", () => {
  test.for([
    ["crm_list", "crm", "crm.list 7"],
    ["mail_send", "mail", "mail/send 7"],
    ["other", "other", "other 7"],
    ["other", undefined, "other 7"],
    ["always", "", "always 7"],
  ] as const)("reads %s of %s", async ([name, namespace, answer]) => {
    const wire = toOpenAiTools(create(), { namespaces });
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
    for (const wire of [toOpenAiTools(create(), { namespaces }), toOpenAiTools(create()), undefined]) {
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
      called("crm_open", "crm"),
    ];
    expect(fromOpenAiResponse(respond(...output), toOpenAiTools(create(), { namespaces }))).toMatchObject([
      { id: "1", name: "crm/open" },
    ]);
  });
});
