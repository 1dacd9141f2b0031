/**
 * `node find-tools.ts SYSTEM` reads `{ tools: [{ name, description }], queries: [text] }` from its standard input and prints
 * the names that the system's own tool search finds for each query, at most five, as JSON.
 */
import process from "node:process";
import { json } from "node:stream/consumers";

interface Task {
  readonly tools: readonly { readonly name: string; readonly description: string }[];
  readonly queries: readonly string[];
}
type Search = (query: string) => Promise<readonly string[]>;

const FOUND = 5;
const noFields = { type: "object", properties: {} } as const;

/** AI SDK 7: the search runs in a generation, whose model asks for it. */
async function aiSdk({ tools }: Task): Promise<Search> {
  const { generateText, isStepCount, jsonSchema, tool, toolSearch } = await import("ai");
  const { MockLanguageModelV4 } = await import("ai/test");
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const deferred = tools.map(({ name, description }) => [
    name,
    { ...tool({ description, inputSchema: jsonSchema(noFields) }), deferLoading: true },
  ]);
  const all = { toolSearch: toolSearch({ maxResults: FOUND }), ...(Object.fromEntries(deferred) as {}) };
  return async (query) => {
    const input = JSON.stringify({ query });
    const model = new MockLanguageModelV4({
      doGenerate: {
        content: [{ type: "tool-call", toolCallId: "1", toolName: "toolSearch", input }],
        finishReason: { unified: "tool-calls", raw: undefined },
        usage,
        warnings: [],
      },
    });
    const { toolResults } = await generateText({ model, prompt: "go", tools: all, stopWhen: isStepCount(1) });
    const [result] = toolResults as readonly { readonly output: { readonly tools: readonly { name: string }[] } }[];
    return result?.output.tools.map(({ name }) => name) ?? [];
  };
}

/** Mastra: the search is a tool that a processor of the agent's input adds. */
async function mastra({ tools }: Task): Promise<Search> {
  const { ToolSearchProcessor } = await import("@mastra/core/processors");
  const { createTool } = await import("@mastra/core/tools");
  const { MessageList } = await import("@mastra/core/agent");
  const { z } = await import("zod");
  const made = tools.map(({ name, description }) => [
    name,
    createTool({ id: name, description, inputSchema: z.object({}) }),
  ]);
  const processor = new ToolSearchProcessor({
    tools: Object.fromEntries(made) as ConstructorParameters<typeof ToolSearchProcessor>[0]["tools"],
    search: { topK: FOUND },
  });
  const messageList = new MessageList();
  const step = (await processor.processInputStep({ tools: {}, messageList } as never)) as unknown as {
    readonly tools: { readonly search_tools: { execute(input: object, context: object): Promise<unknown> } };
  };
  return async (query) => {
    const found = (await step.tools.search_tools.execute({ query }, {})) as { results?: readonly { name: string }[] };
    return found.results?.map(({ name }) => name) ?? [];
  };
}

const systems: Readonly<Record<string, (task: Task) => Promise<Search>>> = { ai: aiSdk, mastra };

const task = (await json(process.stdin)) as Task;
const search = await systems[process.argv[2] ?? ""]?.(task);
const found: (readonly string[])[] = [];
for (const query of task.queries) found.push((await search?.(query)) ?? []);
console.log(JSON.stringify(found));
