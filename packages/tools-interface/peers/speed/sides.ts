import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { sideOf, type Side } from "./side.ts";
import { handler, parameters, valid, validJson } from "./the-tool.ts";

const tool = { name: "read", description: "Reads." };

/** Both sides of a comparison, fed with the same. */
export interface Sides {
  /** This package. */
  readonly ours: Side;
  /** The other one. */
  readonly theirs: Side;
}

const registry = createToolRegistry().register(defineTool({ ...tool, parameters, execute: handler }));
const ofObject = sideOf(() => registry.dispatch("read", valid));
const ofText = sideOf(() => registry.dispatch({ name: "read", arguments: validJson }));

/** The comparisons by the name of the other side, each loaded only where it is used. */
export const comparisons: Readonly<Record<string, () => Promise<Sides>>> = {
  async anthropic() {
    const { betaZodTool } = await import("@anthropic-ai/sdk/helpers/beta/zod");
    // The function its runner calls for each tool; not part of its documented API.
    const { runRunnableTool } = await import("@anthropic-ai/sdk/lib/tools/BetaRunnableTool");
    const built = betaZodTool({ ...tool, inputSchema: parameters, run: handler });
    const context = { toolUse: { type: "tool_use", id: "1", name: "read", input: valid } } as never;
    return { ours: ofObject, theirs: sideOf(() => runRunnableTool(built, valid, context)) };
  },
  async mastra() {
    const { createTool } = await import("@mastra/core/tools");
    const built = createTool({ ...tool, id: "read", inputSchema: parameters, execute: handler });
    return { ours: ofObject, theirs: sideOf(() => built.execute?.(valid as never, {} as never)) };
  },
  async langchain() {
    const lib = await import("@langchain/core/tools");
    const built = lib.tool(handler, { ...tool, schema: parameters });
    return { ours: ofObject, theirs: sideOf(() => built.invoke(valid)) };
  },
  async mcp() {
    const { connectedClient } = await import("./mcp-client.ts");
    const client = await connectedClient();
    return { ours: ofObject, theirs: sideOf(() => client.callTool({ name: "read", arguments: valid })) };
  },
  async openai_agents() {
    const lib = await import("@openai/agents");
    const built = lib.tool({ ...tool, parameters: parameters as never, execute: handler });
    const context = new lib.RunContext();
    return { ours: ofText, theirs: sideOf(() => built.invoke(context, validJson)) };
  },
  async ai() {
    const { perCallInGenerateText } = await import("./ai-steps.ts");
    return { ours: ofText, theirs: perCallInGenerateText };
  },
};
