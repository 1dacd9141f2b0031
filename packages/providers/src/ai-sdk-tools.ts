import type {
  AnyTool,
  AnyToolRegistry,
  Approver,
  DispatchOptions,
  JsonSchema,
  ToolResult,
} from "@dispatch/tools-interface";
import {
  DISPATCH_OPTIONS,
  MODEL_NAMES,
  type WireNames,
  checkLoaded,
  checkOptions,
  createWireNames,
  foundNames,
  isNumberedId,
  offeredTools,
  parseParams,
} from "@dispatch/tools-interface/internal";
import { toAiSdkModelOutput, toAiSdkOutput } from "./ai-sdk-output.ts";
import type { AiSdkCallOptions, AiSdkOutput, AiSdkSchema, AiSdkTool, AiSdkTools } from "./ai-sdk-types.ts";
import { type AgentDispatchOptions, type ContextOfRegistry, dispatchForAgent } from "./dispatch-for-agent.ts";
import { objectsIn } from "./read-calls.ts";
import { toRootObject } from "./wire/root-object.ts";

/** Options of `toAiSdkTools` and `toAiSdkSettings`, beside those of `dispatch`. */
export interface AiSdkOptions {
  /** The major version of the AI SDK: 6 takes images and files in other words than 7. Default 7. */
  readonly version?: 6 | 7;
  /** The deferred tools that the conversation has found so far, as `loadedTools(registry, entries)` answers them. Default none. */
  readonly loaded?: readonly string[];
}

/** Dispatch options of every call. Without `context`, it is taken from the AI SDK's own request. */
export type AiSdkDispatchOptions<Context> = AiSdkOptions & DispatchOptions & { readonly context?: Context };

/** The mark by which the AI SDK recognises its own schemas, also across copies of it. */
const schemaMark = Symbol.for("vercel.ai.schema");

/**
 * Tools for `generateText`, `streamText` and the agents of the AI SDK, by name. Each call goes through the registry:
 * the same validation, time limit and transcript as any other. The AI SDK asks for approval if the tool's own rule says
 * so, unless `approve` is given: then the registry asks. The context of a call is that of the AI SDK's request,
 * `toolsContext` in version 7 and `experimental_context` in 6, unless `context` is given.
 *
 * Deferred tools are added to the returned object once the registry's search tool has found them, in the order found:
 * pass it on as it is, and make one for each conversation.
 *
 * @param registry - Its tools for models are taken.
 * @param options - Dispatch options of every call. The AI SDK's signal cancels in addition to the one given here.
 *
 * @example
 * ```ts
 * const tools = toAiSdkTools(registry, { context: { worktreePath }, transcript });
 * const { text } = await generateText({ model, prompt, tools, stopWhen: isStepCount(20) });
 * ```
 */
export function toAiSdkTools<
  Registry extends AnyToolRegistry,
  const Options extends AiSdkDispatchOptions<ContextOfRegistry<Registry>> = {},
>(registry: Registry, options?: Options & DispatchOptions): AiSdkTools<Registry, Options> {
  return createAiSdkTools(registry, options ?? {}, new Map()).tools as never;
}

/**
 * Creates the tools, by name. `allow` lets a deferred tool be called that was not found yet, without telling models of it.
 *
 * @param damaged - The arguments of calls that were repaired before the AI SDK read them, as they were sent, by call id.
 */
export function createAiSdkTools(
  registry: AnyToolRegistry,
  options: AiSdkDispatchOptions<unknown>,
  damaged: Map<string, string>,
): { readonly tools: Record<string, AiSdkTool>; readonly allow: (name: string) => void } {
  checkOptions("make tools for the AI SDK", options, { ...DISPATCH_OPTIONS, version: true, loaded: true });
  const names = wireNamesOf(registry);
  const { loaded, ...given } = options;
  const tools: Record<string, AiSdkTool> = {};
  const define = (tool: AnyTool, isTold: boolean): void => {
    const name = names.toWire(tool.name);
    if (Object.hasOwn(tools, name) && (!isTold || Object.keys(tools).includes(name))) return;
    // Later advertised tools come last, also if they were allowed before.
    delete tools[name];
    const value = toAiSdkTool(registry, tool, given, damaged, load);
    Object.defineProperty(tools, name, { value, enumerable: isTold, configurable: true, writable: true });
  };
  const offered = offeredTools(registry);
  const deferred = new Set(offered.flatMap(({ tool, isDeferred }) => (isDeferred ? tool.name : [])));
  const load = (found: readonly string[]): void => {
    for (const name of found) if (deferred.has(name)) define(registry.get(name), true);
  };
  for (const { tool, isDeferred } of offered) if (!isDeferred) define(registry.get(tool.name), true);
  load(checkLoaded(loaded));
  const allow = (name: string): void => {
    if (deferred.has(name)) define(registry.get(name), false);
  };
  return { tools, allow };
}

/** The names of a registry's advertised tools, as the AI SDK receives them. */
export function wireNamesOf(registry: AnyToolRegistry): WireNames {
  return createWireNames(
    offeredTools(registry).map(({ tool }) => tool.name),
    MODEL_NAMES,
  );
}

function toAiSdkTool(
  registry: AnyToolRegistry,
  tool: AnyTool,
  options: AiSdkDispatchOptions<unknown>,
  damaged: Map<string, string>,
  load: (found: readonly string[]) => void,
): AiSdkTool {
  const { version = 7, ...given } = options;
  const isSearch = tool === registry.searchTool;
  const contextOf = (own: object): unknown => given.context ?? contextOfRequest(own);
  return {
    description: tool.description.toWellFormed(),
    inputSchema: toAiSdkSchema(toRootObject(tool.parameters, () => undefined)),
    ...(given.context === undefined && { contextSchema: toAiSdkSchema({}) }),
    ...(given.approve === undefined && {
      async needsApproval(input, own) {
        const parsed = parseParams(input, tool);
        if (parsed.error !== undefined) return false;
        const asked = await tool.approvalRequest(parsed.params, { callId: own.toolCallId, context: contextOf(own) });
        return asked !== undefined;
      },
    }),
    execute(input, own) {
      const approve: Approver = given.approve ?? (() => isApproved(own) || { approved: false });
      const sent = damaged.get(own.toolCallId) ?? input;
      const call = { id: own.toolCallId, turn: turnOf(own, tool.name), name: tool.name, arguments: sent };
      damaged.delete(own.toolCallId);
      const ended = (result: ToolResult): void => {
        if (isSearch) load(foundNames(result));
      };
      return executeCall(registry, call, { ...given, approve, context: contextOf(own) }, own.abortSignal, ended);
    },
    toModelOutput: ({ output }) => toAiSdkModelOutput(output, version),
  };
}

/** Runs a call and yields its progress as it comes, then its output. */
async function* executeCall(
  registry: AnyToolRegistry,
  call: { readonly id: string; readonly name: string; readonly arguments: unknown },
  options: AgentDispatchOptions,
  signal: AbortSignal | undefined,
  onResult: (result: ToolResult) => void,
): AsyncGenerator<AiSdkOutput> {
  const said: AiSdkOutput[] = [];
  let wake = (): void => {};
  let isDone = false;
  const ended = dispatchForAgent(
    registry,
    call,
    {
      ...options,
      onEvent(event) {
        options.onEvent?.(event);
        if (event.type !== "call-progress" || event.callId !== call.id) return;
        said.push({ content: [], progress: event.update });
        wake();
      },
    },
    signal,
  ).finally(() => {
    isDone = true;
    wake();
  });
  for (;;) {
    yield* said.splice(0);
    if (isDone) break;
    await new Promise<void>((resolve) => (wake = resolve));
  }
  const result = await ended;
  onResult(result);
  yield toAiSdkOutput(result);
}

/** The place of the answer that makes a call, for an id that comes with every answer: answers themselves have no id there. */
function turnOf({ messages, toolCallId }: AiSdkCallOptions, name: string): string | undefined {
  if (!isNumberedId(toolCallId, name)) return undefined;
  const all = objectsIn(messages);
  // After an approval the conversation holds the answer already.
  const isResumed = objectsIn(all.at(-1)?.["content"]).some(({ type }) => type === "tool-approval-response");
  return `message ${isResumed ? all.findLastIndex(({ role }) => role === "assistant") : all.length}`;
}

/** The context of a request: of the tool in AI SDK 7, of the whole request in 6. */
function contextOfRequest(own: object): unknown {
  const { context, experimental_context: older } = own as { context?: unknown; experimental_context?: unknown };
  return context ?? older;
}

/** Whether the conversation ends with a person's yes to this call, in the AI SDK's own approval parts. */
function isApproved({ messages, toolCallId }: AiSdkCallOptions): boolean {
  const parts = (role: string) =>
    objectsIn(messages).flatMap((message) => (message["role"] === role ? objectsIn(message["content"]) : []));
  const asked = new Set(
    parts("assistant").flatMap((part) =>
      part["type"] === "tool-approval-request" && part["toolCallId"] === toolCallId ? [part["approvalId"]] : [],
    ),
  );
  const last = objectsIn(messages).at(-1);
  return (
    last?.["role"] === "tool" &&
    objectsIn(last["content"]).find(
      ({ type, approvalId }) => type === "tool-approval-response" && asked.has(approvalId),
    )?.["approved"] === true
  );
}

/** A schema that lets every value through to the registry. */
export function toAiSdkSchema(jsonSchema: JsonSchema): AiSdkSchema {
  const copy = (): Record<string, unknown> => ({ ...jsonSchema });
  const schema = {
    [schemaMark]: true,
    _type: undefined,
    jsonSchema,
    validate: undefined,
    "~standard": {
      version: 1,
      vendor: "dispatch",
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: copy, output: copy },
    },
  } as const;
  return schema;
}
