import type {
  AgentModel,
  AnyTool,
  AnyToolRegistry,
  Approver,
  DispatchOptions,
  ToolResult,
} from "@dispatch/tools-interface";
import {
  DISPATCH_OPTIONS,
  MODEL_NAMES,
  checkLoaded,
  checkOptions,
  foundNames,
  isJsonObject,
  isNumberedId,
  jsonSnapshot,
  offeredTools,
  parseParams,
  recordAnswered,
  refused,
  shownParts,
  shownText,
} from "@dispatch/tools-interface/internal";
import {
  type AgentDispatchOptions,
  type ContextOfRegistry,
  FailedCallError,
  type NoOthers,
  dispatchForAgent,
} from "./wire/agent-calls.ts";
import {
  type AiSdkCallOptions,
  type AiSdkOutput,
  type AiSdkTool,
  type AiSdkTools,
  toAiSdkModelOutput,
  toAiSdkOutput,
  toAiSdkSchema,
  wireNamesOf,
} from "./wire/ai-sdk-shape.ts";
import { prepareForOpenAi } from "./wire/openai-schema.ts";
import { endOfAnswer, fieldOf, markCutOff, objectsIn, readWireCall, sumOf } from "./wire/read-calls.ts";
import { answeredCalls } from "./wire/result-parts.ts";
import { toRootObject } from "./wire/root-object.ts";
import { createWireTools, loadFound } from "./wire/wire-tools.ts";
export { FailedCallError, type ContextOfRegistry } from "./wire/agent-calls.ts";
export type {
  AiSdk6File,
  AiSdkCallOptions,
  AiSdkFile,
  AiSdkModelOutput,
  AiSdkOutput,
  AiSdkSchema,
  AiSdkTool,
  AiSdkTools,
} from "./wire/ai-sdk-shape.ts";

/** A call that the AI SDK could not read, as its repair function is given it. */
export interface AiSdkBrokenCall {
  /** The call, with its arguments as text. */
  readonly toolCall: { readonly toolCallId: string; readonly toolName: string; readonly input: string };
  /** The conversation until then. */
  readonly messages: readonly object[];
}

/** Settings for `generateText`, `streamText` and the agents of the AI SDK, to be spread into theirs. */
export interface AiSdkSettings<Tools> {
  /** The tools, by the names that providers know. */
  readonly tools: Tools;
  /**
   * Passes broken JSON and unknown tools to the registry: broken JSON is repaired where there is one way to, and any other
   * such call is recorded and refused with the registry's text.
   */
  readonly experimental_repairToolCall: <Broken extends AiSdkBrokenCall>(broken: Broken) => Promise<Broken["toolCall"]>;
  /** Records the calls that a person denied, which the AI SDK answers by itself. Changes nothing of a step. */
  readonly prepareStep: (step: { readonly messages: readonly object[] }) => Promise<undefined>;
}

/**
 * Everything for a request of the AI SDK: the tools, the repair of calls that it cannot read, and the record of those that
 * a person denied. Call `prepareStep` from your own if you have one. Each call goes through the registry: the same
 * validation, time limit and transcript as any other. The AI SDK asks for approval if the tool's own rule says so, unless
 * `approve` is given: then the registry asks. The context of a call is that of the AI SDK's request, `toolsContext` in
 * version 7 and `experimental_context` in 6, unless `context` is given.
 *
 * Deferred tools are added to `tools` once the registry's search tool has found them, in the order found: pass it on as it
 * is, and make one for each conversation.
 *
 * @param registry - Its tools for models are taken.
 * @param options - Dispatch options of every call. The AI SDK's signal cancels in addition to the one given here.
 *
 * @example
 * ```ts
 * const settings = toAiSdkSettings(registry, { context: { worktreePath }, transcript });
 * const { text } = await generateText({ model, prompt, ...settings, stopWhen: [isStepCount(20), stopLoop] });
 * ```
 */
export function toAiSdkSettings<
  Registry extends AnyToolRegistry,
  const Options extends AiSdkDispatchOptions<ContextOfRegistry<Registry>> = {},
>(
  registry: Registry,
  options?: Options & NoOthers<Options, AiSdkDispatchOptions<unknown>>,
): AiSdkSettings<AiSdkTools<Registry, Options>> {
  const names = wireNamesOf(registry);
  const { version: _version, loaded: _loaded, ...given } = (options ?? {}) as AiSdkDispatchOptions<object>;
  const damaged = new Map<string, string>();
  const { tools, allow } = createAiSdkTools(registry, options ?? {}, damaged);
  return {
    tools: tools as never,
    async experimental_repairToolCall({ toolCall, messages }) {
      const { toolCallId, toolName, input } = toolCall;
      const name = names.fromWire(toolName);
      allow(name);
      const parsed =
        registry.has(name) && Object.hasOwn(tools, toolName) ? parseParams(input, registry.get(name)) : undefined;
      if (parsed !== undefined && parsed.error === undefined && isJsonObject(parsed.params)) {
        damaged.set(toolCallId, input);
        return { ...toolCall, input: JSON.stringify(parsed.params) };
      }
      // A tool without callers would run, and the AI SDK could not be given its result.
      if (registry.offers.some(({ tool, callers }) => tool.name === name && callers.length === 0)) return toolCall;
      const turn = turnOf({ messages, toolCallId }, toolName);
      const result = await registry.dispatch({ id: toolCallId, turn, name, arguments: input }, given);
      throw result.success ? new TypeError(`${name} ran as it was repaired`) : new FailedCallError(result);
    },
    async prepareStep({ messages }) {
      for (const { id, turn, name: wireName, params, reason } of deniedCalls(objectsIn(messages))) {
        const name = names.fromWire(wireName);
        if (registry.has(name))
          await recordAnswered({ id, turn, name, arguments: params }, refused(name, reason), given);
      }
      return undefined;
    },
  };
}

/** The calls of the last answer that a person denied, in the AI SDK's own parts. */
function deniedCalls(messages: readonly { readonly [key: string]: unknown }[]) {
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  const asked = objectsIn(messages[last]?.["content"]);
  return messages
    .slice(last + 1)
    .flatMap(({ content }) => objectsIn(content))
    .flatMap(({ toolCallId: id, toolName: name, output }) => {
      const isDenied = isJsonObject(output) && output["type"] === "execution-denied";
      if (!isDenied || typeof id !== "string" || typeof name !== "string") return [];
      const call = asked.find((part) => part["type"] === "tool-call" && part["toolCallId"] === id);
      const reason = typeof output["reason"] === "string" ? output["reason"] : undefined;
      const turn = isNumberedId(id, name) ? `message ${last}` : undefined;
      return [{ id, turn, name, params: call?.["input"], reason }];
    });
}

/**
 * A condition for `stopWhen`: a tool of the last step asked for the end with `metadata: { stopLoop: true }`.
 *
 * @example
 * ```ts
 * const { text } = await generateText({ model, prompt, ...toAiSdkSettings(registry), stopWhen: [isStepCount(20), stopLoop] });
 * ```
 */
export function stopLoop({ steps }: { readonly steps: readonly { readonly content: readonly object[] }[] }): boolean {
  return objectsIn(steps.at(-1)?.content).some(({ type, output, error }) =>
    type === "tool-error"
      ? error instanceof FailedCallError && error.result.metadata.stopLoop === true
      : type === "tool-result" && isJsonObject(output) && output["stopLoop"] === true,
  );
}

/** Options of `toAiSdkSettings`, beside those of `dispatch`. */
export interface AiSdkOptions {
  /** The major version of the AI SDK: 6 takes images and files in other words than 7. Default 7. */
  readonly version?: 6 | 7;
  /** The deferred tools that the conversation has found so far, as `loadedTools(registry, entries)` answers them. Default none. */
  readonly loaded?: readonly string[];
}

/** Dispatch options of every call. Without `context`, it is taken from the AI SDK's own request. */
export type AiSdkDispatchOptions<Context> = AiSdkOptions & DispatchOptions & { readonly context?: Context };

/**
 * Creates the tools, by name. `allow` lets a deferred tool be called that was not found yet, without telling models of it.
 *
 * @param damaged - The arguments of calls that were repaired before the AI SDK read them, as they were sent, by call id.
 */
function createAiSdkTools(
  registry: AnyToolRegistry,
  options: AiSdkDispatchOptions<unknown>,
  damaged: Map<string, string>,
): { readonly tools: Record<string, AiSdkTool>; readonly allow: (name: string) => void } {
  checkOptions("make tools for the AI SDK", options, { ...DISPATCH_OPTIONS, version: true, loaded: true });
  const { version = 7 } = options;
  if (version !== 6 && version !== 7)
    throw new TypeError(`Cannot make tools for the AI SDK: found version ${String(version)}, allowed are 6 and 7`);
  const names = wireNamesOf(registry);
  const { loaded, ...given } = options;
  const tools: Record<string, AiSdkTool> = {};
  const define = (tool: AnyTool, isTold: boolean): void => {
    const name = names.toWire(tool.name);
    if (Object.hasOwn(tools, name) && (!isTold || Object.keys(tools).includes(name))) return;
    // Later advertised tools come last, also if they were allowed before.
    delete tools[name];
    const value = toAiSdkTool(registry, tool, name, given, damaged, load);
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

function toAiSdkTool(
  registry: AnyToolRegistry,
  tool: AnyTool,
  wireName: string,
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
      const call = { id: own.toolCallId, turn: turnOf(own, wireName), name: tool.name, arguments: sent };
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
function turnOf(
  { messages, toolCallId }: Pick<AiSdkCallOptions, "messages" | "toolCallId">,
  wireName: string,
): string | undefined {
  if (!isNumberedId(toolCallId, wireName)) return undefined;
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

/** The parts of a language model of the AI SDK that are used, of the specifications `v3` (AI SDK 6) and `v4` (7). */
export interface AiSdkLanguageModel {
  /** The version of the interface. */
  readonly specificationVersion: string;
  /** Asks for a whole answer. */
  doGenerate(request: {
    readonly prompt: unknown;
    readonly tools?: unknown;
    readonly abortSignal?: AbortSignal | undefined;
  }): PromiseLike<{
    readonly content: readonly unknown[];
    readonly finishReason: unknown;
    readonly usage: unknown;
    readonly response?: unknown;
  }>;
}

/** An answer, as plain data. */
interface Answer {
  readonly id: unknown;
  readonly content: unknown;
  readonly finishReason: unknown;
  readonly usage: unknown;
}

const COMPLETE: ReadonlySet<string> = new Set(["stop", "tool-calls"]);
const ENDS = { complete: COMPLETE, length: new Set(["length"]) };
/** The parts of an answer that go back to the model. */
const SENT_BACK: ReadonlySet<unknown> = new Set(["text", "reasoning", "tool-call"]);

/**
 * A model for `createAgentTool` from a language model of the AI SDK, of any of its providers.
 *
 * @param settings Settings of each request, such as `{ maxOutputTokens: 8000, providerOptions }`.
 *
 * @example
 * ```ts
 * import { anthropic } from "@ai-sdk/anthropic";
 * const model = fromAiSdkModel(anthropic("claude-sonnet-4-5"), { maxOutputTokens: 8000 });
 * ```
 */
export function fromAiSdkModel(model: AiSdkLanguageModel, settings: object = {}): AgentModel<Answer> {
  const version = model.specificationVersion === "v3" ? 6 : 7;
  return {
    begin({ instructions, task, registry }) {
      const wire = createWireTools(
        registry,
        MODEL_NAMES,
        (tool) => prepareForOpenAi(tool, {}),
        ({ tool, wireName: name, schema }) => ({
          type: "function",
          name,
          description: tool.description,
          inputSchema: schema,
        }),
      );
      const prompt: object[] = [{ role: "system", content: instructions }];
      const say = (text: string): void => void prompt.push({ role: "user", content: [{ type: "text", text }] });
      say(task);
      return {
        say,
        async ask(abortSignal) {
          const request = { ...settings, prompt: [...prompt], tools: [...wire.tools], abortSignal };
          const { content, finishReason, usage, response } = await model.doGenerate(request);
          const parts = objectsIn(content).filter(
            (part) => SENT_BACK.has(part["type"]) && part["providerExecuted"] !== true,
          );
          return jsonSnapshot({
            id: fieldOf(response, "id"),
            content: parts,
            finishReason,
            usage,
          }) as unknown as Answer;
        },
        text: ({ content }) =>
          objectsIn(content)
            .map((part) => (part["type"] === "text" ? part["text"] : ""))
            .join(""),
        read({ id: turn, content, finishReason, usage }) {
          const reason = fieldOf(finishReason, "unified") ?? null;
          const calls = objectsIn(content).flatMap(({ type, toolCallId: id, toolName: name, input: params }) =>
            type === "tool-call" ? [readWireCall({ id, turn, name, params }, wire)] : [],
          );
          const [input, output] = [fieldOf(usage, "inputTokens"), fieldOf(usage, "outputTokens")];
          const tokens = sumOf(fieldOf(input, "total"), fieldOf(output, "total"));
          return { calls: markCutOff(calls, reason, COMPLETE), ...endOfAnswer(reason, ENDS), tokens };
        },
        add({ content }, calls, results) {
          prompt.push({ role: "assistant", content: objectsIn(content).map(toPromptPart) });
          if (calls.length === 0) return;
          const names = objectsIn(content).filter(({ type }) => type === "tool-call");
          const answers = answeredCalls("the AI SDK", calls, results).map(({ call, index, result }) => {
            loadFound({ call, result }, wire);
            const output = result.success
              ? toAiSdkModelOutput({ content: shownParts(result) }, version)
              : { type: "error-text", value: shownText(result) };
            return { type: "tool-result", toolCallId: call.id, toolName: names[index]?.["toolName"], output };
          });
          prompt.push({ role: "tool", content: answers });
        },
      };
    },
  };
}

/** A part of an answer as a prompt holds it. Its metadata, such as the signature of a thought, are the provider's options. */
function toPromptPart({ providerMetadata, ...part }: { readonly [key: string]: unknown }): object {
  const options = providerMetadata === undefined ? {} : { providerOptions: providerMetadata };
  return part["type"] === "tool-call"
    ? { ...part, ...options, input: objectOf(part["input"]) }
    : { ...part, ...options };
}

/** Providers take nothing but an object. */
function objectOf(text: unknown): object {
  try {
    const value: unknown = JSON.parse(String(text));
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
