import type { ToolCall } from "../call/parse-call.ts";
import type { AnyTool, NeedsContext, OptionsOf, ToolDefinition, TooMany } from "../call/tool.ts";
import type { JsonSchema } from "../json/json.ts";
import type { ToolResult } from "../result/tool-result.ts";
import type { StubOptions } from "../stubs/generate-stubs.ts";
import type {
  CallFor,
  ContextWith,
  DataFor,
  ItemOf,
  Known,
  ObjectCall,
  ObjectRest,
  RecordOf,
  RegisteredTool,
  RegistryTypes,
  RestFor,
  RunTimeNames,
  ToolFor,
  ToolRecord,
  TypedRegistry,
} from "./registered-tools.ts";
import type { DispatchAllOptions, DispatchOptions } from "./registry-options.ts";
import type { RegisterOptions, ToolOffer } from "./tool-offer.ts";

/**
 * The methods by which a registry's tools run, apart from its tools: an editor shows the type arguments of a method's owner.
 */
interface RegistryCalls<Context = unknown> {
  /**
   * The tool of this name: with its types where the name is written in the source.
   * @throws {ToolNotFoundError} When there is none.
   */
  get<Name extends string, Self extends TypedRegistry>(this: Self, name: CallFor<Name, Self>): ToolFor<Name, Self>;
  /**
   * Runs one call by the name of a tool and its parameters, to its result and records it. Never rejects: every fault is a
   * failure a model can read. A name that is written in the source is checked, and gives the types of the parameters and of
   * the data.
   */
  dispatch<Call extends string | object, Self extends TypedRegistry>(
    this: Self,
    call: CallFor<Call, Self>,
    ...rest: RestFor<Call, Self, OptionsOf<DispatchOptions<Context>>>
  ): Promise<ToolResult<DataFor<Call, Self>>>;
  /** Runs one call as a model asked for it, to its result and records it. Never rejects. */
  dispatch<Call extends string | object>(
    call: ObjectCall<Call>,
    ...options: ObjectRest<Call, OptionsOf<DispatchOptions<Context>>>
  ): Promise<ToolResult>;
  /** Never to be called: here the compiler finds the calls without the context that the tools need, and says so. */
  dispatch<Call extends string | object>(
    call: Call & NeedsContext<Context>,
    ...rest: object extends Context ? TooMany : Call extends string ? [params: unknown] : []
  ): Promise<never>;
  /** Never to be called: here the compiler finds the calls without the context that the tools need, and says so. */
  dispatchAll(
    calls: readonly ToolCall[] & NeedsContext<Context>,
    ...rest: object extends Context ? TooMany : []
  ): Promise<never>;
  /**
   * Runs the calls of one turn; results and transcript entries come in the order of the calls. Calls run at the same time
   * unless their tools declare otherwise: those that touch the same `resource` run in their order unless both only read, and
   * a call of a tool that declares changes and no `resource` runs alone.
   */
  dispatchAll(
    calls: readonly ToolCall[],
    ...options: OptionsOf<DispatchAllOptions<Context>>
  ): Promise<readonly ToolResult[]>;
}

/** A tool as model providers take it. */
export interface ModelTool {
  /** Name of the tool, in the characters that providers accept: dots and slashes are replaced. */
  readonly name: string;
  /** Describes the tool to a model. */
  readonly description: string;
  /** JSON Schema of the parameters: `type: "object"`, `properties`, `required`. */
  readonly input_schema: JsonSchema;
}

/** Collects tools, advertises them to models, and runs the models' calls. Made by {@link createToolRegistry}. */
export interface ToolRegistry<Tools extends ToolRecord = {}, Context = unknown> extends RegistryCalls<Context> {
  /** The types behind the registry, for inference; never there at run time. */
  readonly "~types"?: RegistryTypes<Tools, Context>;
  /**
   * Adds one tool or several, all or none. Returns the same registry, typed with the new tools.
   * @throws {DuplicateToolError} When a name is taken, or was advertised to models for another tool.
   * @throws {InvalidToolError} For anything but tools made by `defineTool`.
   */
  register<const T extends AnyTool | readonly AnyTool[]>(
    tools: T,
    options?: RegisterOptions,
  ): ToolRegistry<Tools & RecordOf<ItemOf<T>>, ContextWith<Context, ItemOf<T>>>;
  /**
   * Adds all tools of another registry, all or none, each offered as there. Returns the same registry, typed with them.
   * @throws {DuplicateToolError} When a name is taken, or was advertised to models for another tool.
   */
  extend<More extends ToolRecord, Needed>(
    other: ToolRegistry<More, Needed>,
  ): ToolRegistry<Tools & Known<More>, ContextWith<Context, RegisteredTool<More, Needed>>>;
  /** Whether there is a tool of this name, for any caller. */
  has(name: string): boolean;
  /** All tools, in the order of registration, without the search tool. */
  readonly tools: readonly RegisteredTool<Tools, Context>[];
  /** The names of all tools, in the order of registration, without the search tool. */
  readonly toolNames: readonly string[];
  /** All tools and how each is offered, in the order of registration. */
  readonly offers: readonly ToolOffer[];
  /**
   * The tool by which models find deferred tools, `search_tools`; `undefined` while no tool is deferred. It is there by
   * itself, and its calls are dispatched like all others. Answers `data` with the names found: `{ tools: [{ name, description }] }`.
   */
  readonly searchTool: AnyTool | undefined;
  /** Name, description and parameters of the tools offered to models, deferred ones too. */
  toArray(): readonly ToolDefinition[];
  /** A new registry with these tools only, which needs only their context. @throws {ToolNotFoundError} When one is unknown. */
  subset<Name extends keyof Tools & string>(
    ...names: readonly Name[]
  ): ToolRegistry<Pick<Tools, Name>, ContextWith<unknown, Tools[Name]>>;
  /** The same for names that are known only at run time. @throws {ToolNotFoundError} When one is unknown. */
  subset<Name extends string, Self extends TypedRegistry>(
    this: Self,
    ...names: RunTimeNames<Name, Self>
  ): ToolRegistry<Tools, Context>;
  /** A new registry without these tools and the context that only they need. @throws {ToolNotFoundError} When one is unknown. */
  without<Name extends keyof Tools & string>(
    ...names: readonly Name[]
  ): ToolRegistry<Omit<Tools, Name>, ContextWith<unknown, Tools[Exclude<keyof Tools, Name>]>>;
  /** The same for names that are known only at run time. @throws {ToolNotFoundError} When one is unknown. */
  without<Name extends string, Self extends TypedRegistry>(
    this: Self,
    ...names: RunTimeNames<Name, Self>
  ): ToolRegistry<Tools, Context>;
  /** How many tools there are, without the search tool. */
  readonly size: number;
  /** Whether there is no tool at all. */
  readonly isEmpty: boolean;
  /**
   * SHA-256, in hex, of the tools offered to models and their order: the same for the same catalogue in any process. A change
   * between sessions means that a tool says something else than when it was looked at, or that a prompt cache is lost.
   */
  readonly fingerprint: string;
  /**
   * The tools offered to models as `{ name, description, input_schema }`, under names that every provider accepts and
   * that `dispatch` understands (`files/read` is `files_read`), in the order of registration: the same bytes every
   * time, and a tool that is registered later comes last, so that a provider's cache of them stays valid. If tools are
   * deferred, the search tool comes first, and of those deferred only the `loaded` ones are sent: last, in this order.
   */
  toModelTools(options?: {
    /** Names of deferred tools that were found, as `loadedTools(transcript)` answers them. */
    readonly loaded?: readonly string[];
  }): readonly ModelTool[];
  /** TypeScript source with one function for each tool offered to programs. See {@link StubOptions}. */
  generateStubs(options?: StubOptions): string;
  /** The stub of one tool offered to programs with all its documentation; `undefined` when there is none of that name. */
  generateStub(name: string, options?: Pick<StubOptions, "declarations">): string | undefined;
}

/** A registry with any tools. */
// oxlint-disable-next-line typescript/no-explicit-any -- the only type to which every registry is assignable
export type AnyToolRegistry = ToolRegistry<any, any>;
