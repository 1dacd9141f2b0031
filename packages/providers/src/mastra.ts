import {
  type AnyTool,
  type AnyToolRegistry,
  type DispatchOptions,
  type ToolResult,
  shouldStop,
} from "@dispatch/tools-interface";
import { DISPATCH_OPTIONS, checkOptions, offeredTools, parseParams } from "@dispatch/tools-interface/internal";
import { type ContextOfRegistry, dispatchForAgent } from "./wire/agent-calls.ts";
import {
  type AiSdkModelOutput,
  type AiSdkOutput,
  type AiSdkSchema,
  toAiSdkModelOutput,
  toAiSdkOutput,
  toAiSdkSchema,
  wireNamesOf,
} from "./wire/ai-sdk-shape.ts";
import { objectsIn } from "./wire/read-calls.ts";
import { toRootObject } from "./wire/root-object.ts";

/** Dispatch options of every call. Without `context`, it is the request context of Mastra's run, as a plain object. */
export type MastraOptions<Context = unknown> = DispatchOptions & { readonly context?: Context };

/** Mastra's options of a call. */
export interface MastraCallOptions {
  /** Identifies the call. */
  readonly toolCallId: string;
  /** Aborts when the run does. */
  readonly abortSignal?: AbortSignal | undefined;
  /** The run's context. */
  readonly requestContext?: unknown;
}

/** An image or a file as Mastra takes it. */
export type MastraMedia = { type: "media"; data: string; mediaType: string; filename?: string };

/** A tool as Mastra takes it: in the shape of the AI SDK, with one output instead of several. */
export type MastraTool = {
  /** Its name for the model: Mastra finds a tool by it too. */
  readonly id: string;
  readonly description: string;
  readonly inputSchema: AiSdkSchema;
  /** Whether a person has to agree: the tool's own rule. Not there when `approve` is given. */
  readonly needsApproval?: (input: unknown, options: Pick<MastraCallOptions, "requestContext">) => Promise<boolean>;
  /** Keeps the text of a call's arguments as it arrives: Mastra itself reads unreadable text as no arguments. */
  readonly onInputDelta: (delta: { readonly toolCallId: string; readonly inputTextDelta: string }) => void;
  /** Runs the call through the registry. Throws a failure, with its text for the model. */
  readonly execute: (input: unknown, options: MastraCallOptions) => Promise<AiSdkOutput>;
  /** The model's view of an output. */
  readonly toModelOutput: (output: unknown) => AiSdkModelOutput<MastraMedia>;
};

/** What an agent of Mastra and its runs are given. */
export interface MastraSettings {
  /** The tools, by the names that providers know: for `new Agent({ tools })`. */
  readonly tools: Record<string, MastraTool>;
  /** Ends a run once a tool said `metadata: { stopLoop: true }`: for `generate` and `stream`, beside `maxSteps`. */
  readonly stopWhen: (run: { readonly steps: readonly { readonly content: readonly object[] }[] }) => boolean;
}

/** How many calls are remembered that did not come to their end. Older ones are denied where they need approval. */
const MAX_BEGUN = 10_000;

/** What denies a call whose parameters are not surely those that Mastra showed to a person. */
const NOT_AS_ASKED = { approved: false, reason: "its arguments could not be read. Call it again" } as const;

/**
 * The tools of a registry for an `Agent` of `@mastra/core`, by name. Each call goes through the registry: the same validation, time limit
 * and transcript as any other. Mastra suspends the run if the tool's own rule asks for approval, unless `approve` is
 * given: then the registry asks within the call. Deferred tools are included as ordinary ones.
 *
 * @param registry - Its tools for models are taken.
 * @param options - Dispatch options of every call. Mastra's signal cancels in addition to the one given here.
 *
 * @example
 * ```ts
 * const { tools, stopWhen } = toMastraSettings(registry, { transcript });
 * const agent = new Agent({ id: "coder", name: "Coder", instructions: "Write code", model, tools });
 * const { text } = await agent.generate(prompt, { maxSteps: 20, stopWhen });
 * ```
 */
export function toMastraSettings<Registry extends AnyToolRegistry>(
  registry: Registry,
  options: MastraOptions<ContextOfRegistry<Registry>> = {},
): MastraSettings {
  checkOptions("make tools for Mastra", options, DISPATCH_OPTIONS);
  /** The calls whose results say `stopLoop`. */
  const stopping = new Map<string, true>();
  const onResult = (id: string, result: ToolResult): void => {
    if (shouldStop([result])) remember(stopping, id, true);
  };
  const names = wireNamesOf(registry);
  const offered = offeredTools(registry).filter(({ isSearch }) => !isSearch);
  const tools = offered.map(({ tool }) => {
    const id = names.toWire(tool.name);
    return [id, { id, ...toMastraTool(registry, registry.get(tool.name), options, onResult) }] as const;
  });
  return {
    tools: Object.fromEntries(tools),
    stopWhen: ({ steps }) =>
      objectsIn(steps.at(-1)?.content).some(
        ({ type, toolCallId }) => type === "tool-result" && stopping.delete(String(toolCallId)),
      ),
  };
}

function toMastraTool(
  registry: AnyToolRegistry,
  tool: AnyTool,
  options: MastraOptions,
  onResult: (id: string, result: ToolResult) => void,
): Omit<MastraTool, "id"> {
  /** Whether Mastra has to ask a person, by parameters: it names no call when it asks. */
  const asked = new Map<string, boolean>();
  /** The arguments as they were sent, by call. */
  const sent = new Map<string, string>();
  const contextOf = (requestContext: unknown): unknown => options.context ?? plainContext(requestContext);
  return {
    description: tool.description.toWellFormed(),
    inputSchema: toAiSdkSchema(toRootObject(tool.parameters, () => undefined)),
    ...(options.approve === undefined && {
      async needsApproval(input, { requestContext }) {
        const parsed = parseParams(input, tool);
        if (parsed.error !== undefined) return false;
        const isAsked =
          (await tool.approvalRequest(parsed.params, { context: contextOf(requestContext) })) !== undefined;
        remember(asked, JSON.stringify(input), isAsked);
        return isAsked;
      },
    }),
    onInputDelta({ toolCallId, inputTextDelta }) {
      remember(sent, toolCallId, (sent.get(toolCallId) ?? "") + inputTextDelta);
    },
    async execute(input, { toolCallId, abortSignal, requestContext }) {
      const text = sent.get(toolCallId);
      sent.delete(toolCallId);
      const shown = JSON.stringify(input);
      // Mastra asks for the rule anew before each execution, also after a restart, and executes what it has to ask for
      // only once a person agreed.
      const isAgreed = asked.get(shown) === true && (text === undefined || isTextOf(text, shown));
      const call = { id: toolCallId, name: tool.name, arguments: text ?? input };
      const own = {
        ...options,
        approve: options.approve ?? (() => isAgreed || NOT_AS_ASKED),
        context: contextOf(requestContext),
      };
      const result = await dispatchForAgent(registry, call, own, abortSignal);
      onResult(toolCallId, result);
      return toAiSdkOutput(result);
    },
    toModelOutput: (output) => toAiSdkModelOutput(output, "mastra"),
  };
}

function remember<Value>(values: Map<string, Value>, key: string, value: Value): void {
  values.set(key, value);
  if (values.size > MAX_BEGUN) values.delete(values.keys().next().value as string);
}

/** Whether a text is the JSON of a value, whose own JSON is given. */
function isTextOf(text: string, json: string): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === json;
  } catch {
    return false;
  }
}

function plainContext(requestContext: unknown): unknown {
  const { entries } = (requestContext ?? {}) as { entries?: unknown };
  if (typeof entries !== "function") return requestContext;
  return Object.fromEntries((requestContext as Map<string, unknown>).entries());
}
