import { NotOfferedError, type TortureTool } from "@dispatch/check";
import type { ToolMessage } from "@langchain/core/messages";
import { parseToolCall } from "@langchain/core/output_parsers/openai_tools";
import { tool } from "@langchain/core/tools";
import type { Peer } from "./peer.ts";
import { preparedCalls } from "./prepared-calls.ts";
import { sentText } from "./sent.ts";

/** LangChain's core: a tool that is invoked with a tool call. */
export const langchain: Peer = {
  name: "langchain",
  packageName: "@langchain/core",
  path: "`parseToolCall` on the text of the call, then `tool(…).invoke(toolCall, config)`; the `ToolMessage` it answers",
  options: "`timeout` and `signal` of the config, `callbacks` (`handleToolStart`, `handleToolEnd`, `handleToolError`)",
  notOffered:
    "approval, a schema of outputs, a record of calls; failures are rejections, which the agents of other packages built on it catch",
  subject: {
    name: "langchain",
    prepare: (spec: TortureTool) => {
      if (spec.needsApproval) throw new NotOfferedError("no approval");
      if (spec.output !== undefined) throw new NotOfferedError("no schema of outputs");
      const built = tool(
        (input: unknown, config: { readonly signal?: AbortSignal }) => spec.execute(input, { signal: config.signal }),
        { name: spec.name, description: spec.description, schema: spec.parameters as never },
      );
      const { call } = preparedCalls(spec.name, async ({ id, name, sent }, { signal, record, observe }) => {
        if (record !== undefined) throw new NotOfferedError("no record of calls");
        const raw = { id, type: "function", function: { name, arguments: sentText(sent) } };
        const heard = (...event: readonly unknown[]): void => observe?.(event) as never;
        const message = (await built.invoke(parseToolCall(raw, { returnId: true }) as never, {
          ...(signal && { signal }),
          ...(spec.timeoutMs !== undefined && { timeout: spec.timeoutMs }),
          ...(observe && {
            callbacks: [{ handleToolStart: heard, handleToolEnd: heard, handleToolError: heard }],
          }),
        })) as unknown as ToolMessage;
        return { failed: message.status === "error", text: message.text };
      });
      // A tool alone does not look up tools by name: a framework on top of it does.
      return { call };
    },
  },
};
