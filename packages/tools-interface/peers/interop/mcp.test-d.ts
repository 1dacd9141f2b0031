import { toOpenAiTools } from "@dispatch/providers/openai";
import { fromMcpCall, toMcpResult, toMcpTools } from "@dispatch/tools-interface/mcp";
import type { CallToolRequest, CallToolResult, ListToolsResult } from "@modelcontextprotocol/sdk/types.js";
import type { ServerResult, Tool, ToolAnnotations } from "@modelcontextprotocol/sdk/types.js";
import { expectTypeOf, test } from "vitest";
import { createToolbox } from "./toolbox.ts";

const wire = toMcpTools(createToolbox());

test("toMcpTools() writes tools as the SDK takes them", () => {
  expectTypeOf(wire.tools).toExtend<Tool[]>();
  expectTypeOf({ tools: wire.tools }).toExtend<ListToolsResult>();
  expectTypeOf<NonNullable<(typeof wire.tools)[number]["annotations"]>>().toExtend<ToolAnnotations>();
  // @ts-expect-error tools of a provider
  expectTypeOf(toOpenAiTools([]).tools).toExtend<Tool[]>();
});

test("fromMcpCall() reads what the SDK's request holds", () => {
  expectTypeOf<CallToolRequest["params"]>().toExtend<{
    name: string;
    arguments?: Record<string, unknown> | undefined;
  }>();
  // @ts-expect-error arguments are no text
  expectTypeOf<CallToolRequest["params"]>().toExtend<{ arguments?: string }>();
  expectTypeOf(fromMcpCall).toBeCallableWith({} as CallToolRequest, wire);
});

test("toMcpResult() writes a result as the SDK takes it", () => {
  expectTypeOf(toMcpResult).returns.toExtend<CallToolResult>();
  expectTypeOf(toMcpResult).returns.toExtend<ServerResult>();
  // @ts-expect-error a failure has no data
  expectTypeOf(toMcpResult).returns.toExtend<Required<Pick<CallToolResult, "structuredContent">>>();
});
