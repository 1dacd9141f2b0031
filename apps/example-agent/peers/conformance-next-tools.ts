import { setTimeout } from "node:timers/promises";
import type { McpForm } from "@dispatch/mcp/server";
import { createToolRegistry, defineTool, type AnyToolRegistry } from "@dispatch/tools-interface";
import { asking, type Asking } from "./asking.ts";

const none = { type: "object", properties: {} } as const;

function ask({ user }: Asking, key: string, field: string, signal: AbortSignal): Promise<string> {
  const fields: McpForm["fields"] = {
    type: "object",
    properties: { [field]: field === "ok" ? { type: "boolean" } : { type: "string" } },
    required: [field],
  };
  if (user === undefined) throw new Error("Nobody can be asked");
  return user
    .showForm({ key, text: `Your ${field}?`, fields, signal })
    .then((answer) => (answer.action === "accept" ? String(answer.content[field]) : answer.action));
}

/** The tools that the runner for revision 2026-07-28 asks a server for, beside the earlier ones. Their context holds the client's `user`. */
export function createNextTools(): AnyToolRegistry {
  const askingTool = (name: string, execute: (context: Asking, signal: AbortSignal) => Promise<string>) =>
    defineTool({
      name,
      description: "Asks a person.",
      parameters: none,
      context: asking,
      execute: (_, { context, signal }) => execute(context, signal),
    });
  return createToolRegistry().register([
    askingTool("test_input_required_result_elicitation", async (context, signal) => {
      return `Hello, ${await ask(context, "user_name", "name", signal)}!`;
    }),
    askingTool("test_streaming_elicitation", (context, signal) => ask(context, "user_name", "name", signal)),
    defineTool({ name: "test_logging_tool", description: "Logs nothing.", parameters: none, execute: () => "done" }),
    askingTool("test_input_required_result_request_state", async (context, signal) => {
      return `state-ok, ${await ask(context, "confirm", "ok", signal)}`;
    }),
    askingTool("test_input_required_result_tampered_state", (context, signal) => ask(context, "confirm", "ok", signal)),
    askingTool("test_input_required_result_multi_round", async (context, signal) => {
      const name = await ask(context, "step1", "name", signal);
      return `${name} likes ${await ask(context, "step2", "color", signal)}`;
    }),
    defineTool({
      name: "greet",
      description: "Answers at once.",
      parameters: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      execute: ({ name }) => `Hello, ${String(name)}!`,
    }),
    defineTool({
      name: "slow_compute",
      description: "Takes some seconds.",
      parameters: {
        type: "object",
        properties: { seconds: { type: "number" }, label: { type: "string" } },
        required: ["seconds"],
      },
      async execute({ seconds }, { signal }) {
        await setTimeout(Number(seconds) * 1_000, undefined, { signal });
        return "computed";
      },
    }),
    defineTool({
      name: "failing_job",
      description: "Fails after a moment.",
      parameters: none,
      async execute() {
        await setTimeout(300);
        throw new Error("This job always fails");
      },
    }),
    defineTool({
      name: "confirm_delete",
      description: "Asks before it deletes.",
      parameters: { type: "object", properties: { filename: { type: "string" } }, required: ["filename"] },
      context: asking,
      execute: async ({ filename }, { context, signal }) =>
        `${String(filename)}: ${await ask(context, "confirm", "ok", signal)}`,
    }),
  ]);
}
