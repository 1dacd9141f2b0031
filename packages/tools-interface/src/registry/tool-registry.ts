import { readHostOptions } from "../call/host-options.ts";
import { readCall, type ToolCall } from "../call/parse-call.ts";
import type { AnyTool, OptionsOf, ToolDefinition } from "../call/tool.ts";
import { createWireNames, MODEL_NAMES, type WireNames } from "../call/wire-names.ts";
import { isTool } from "../define/define-tool.ts";
import { DuplicateToolError, InvalidToolError, ToolNotFoundError } from "../error/tool-error.ts";
import { sha256 } from "../json/sha256.ts";
import type { ToolResult } from "../result/tool-result.ts";
import type { StubOptions } from "../stubs/generate-stubs.ts";
import { StubCatalogue } from "../stubs/stub-catalogue.ts";
import type { DispatchAllOptions, DispatchOptions } from "./dispatch-options.ts";
import { dispatchTurn } from "./dispatch-turn.ts";
import { dispatchCall, type Dispatcher } from "./dispatch.ts";
import { toModelTool, type ModelTool } from "./model-tools.ts";
import type {
  ContextWith,
  DataOfTool,
  InputOf,
  ItemOf,
  Known,
  RecordOf,
  RegisteredTool,
  RegistryTypes,
  ToolRecord,
  ToolsOf,
  TypedRegistry,
  UnknownName,
} from "./registered-tools.ts";
import { contentsOf, describeFound } from "./registry-contents.ts";
import { checkRegistryOptions, type RegistryOptions } from "./registry-options.ts";

/** Options of `register`. */
export interface RegisterOptions {
  /**
   * Whether models are told of the tool. A tool that is not advertised still runs when called, so that a restored
   * transcript can be continued. Default true.
   */
  readonly advertised?: boolean;
}

/** Collects tools, tells models of them, and runs what models ask for. Made by {@link createToolRegistry}. */
export interface ToolRegistry<Tools extends ToolRecord = {}, Context = unknown> {
  /** The types behind the registry, for inference; never there at run time. */
  readonly "~types"?: RegistryTypes<Tools, Context>;
  /** Adds one tool or several, all or none. Returns the same registry, typed with the new tools.
   * @throws {DuplicateToolError} When a name is taken.
   * @throws {InvalidToolError} For anything but tools made by `defineTool`. */
  register<const T extends AnyTool | readonly AnyTool[]>(
    tools: T,
    options?: RegisterOptions,
  ): ToolRegistry<Tools & RecordOf<ItemOf<T>>, ContextWith<Context, ItemOf<T>>>;
  /** Adds all tools of another registry, all or none, hidden ones hidden. Returns the same registry, typed with them.
   * @throws {DuplicateToolError} When a name is taken. */
  extend<More extends ToolRecord, Needed>(
    other: ToolRegistry<More, Needed>,
  ): ToolRegistry<Tools & Known<More>, ContextWith<Context, RegisteredTool<More, Needed>>>;
  /** The tool of a name that is known only at run time. @throws {ToolNotFoundError} When there is none. */
  get<Name extends string, Self extends TypedRegistry>(this: Self, name: UnknownName<Name, Self>): AnyTool;
  /** The tool of this name. @throws {ToolNotFoundError} When there is none. */
  get<Name extends keyof Tools & string, Self extends TypedRegistry>(this: Self, name: Name): ToolsOf<Self>[Name];
  /** Whether there is a tool of this name, advertised or not. */
  has(name: string): boolean;
  /** All tools, advertised or not, in the order of registration. */
  readonly tools: readonly RegisteredTool<Tools, Context>[];
  /** The names of all tools, advertised or not, in the order of registration. */
  readonly toolNames: readonly string[];
  /** Name, description and parameters of the advertised tools. */
  toArray(): readonly ToolDefinition[];
  /** A new registry with these tools only, which needs only their context. @throws {ToolNotFoundError} When one is unknown. */
  subset<Name extends keyof Tools & string>(
    ...names: readonly Name[]
  ): ToolRegistry<Pick<Tools, Name>, ContextWith<unknown, Tools[Name]>>;
  /** The same for names that are known only at run time. @throws {ToolNotFoundError} When one is unknown. */
  subset<Name extends string, Self extends TypedRegistry>(
    this: Self,
    ...names: readonly UnknownName<Name, Self>[]
  ): ToolRegistry<Tools, Context>;
  /** A new registry without these tools and the context that only they need. @throws {ToolNotFoundError} When one is unknown. */
  without<Name extends keyof Tools & string>(
    ...names: readonly Name[]
  ): ToolRegistry<Omit<Tools, Name>, ContextWith<unknown, Tools[Exclude<keyof Tools, Name>]>>;
  /** The same for names that are known only at run time. @throws {ToolNotFoundError} When one is unknown. */
  without<Name extends string, Self extends TypedRegistry>(
    this: Self,
    ...names: readonly UnknownName<Name, Self>[]
  ): ToolRegistry<Tools, Context>;
  /** How many tools there are, advertised or not. */
  readonly size: number;
  /** Whether there is no tool at all. */
  readonly isEmpty: boolean;
  /**
   * SHA-256, in hex, of the advertised tools and their order: the same for the same catalogue in any process. A change
   * between sessions means that a tool says something else than when it was looked at, or that a prompt cache is lost.
   */
  readonly fingerprint: string;
  /**
   * The advertised tools as `{ name, description, input_schema }`, under names that every provider accepts and that
   * `dispatch` understands (`files/read` is `files_read`), in the order of registration: the same bytes every
   * time, and a tool that is registered later comes last, so that what a provider has cached of them stays valid.
   */
  toModelTools(): readonly ModelTool[];
  /** TypeScript source with one function for each advertised tool, for code that runs in a sandbox. See {@link StubOptions}. */
  generateStubs(options?: StubOptions): string;
  /** The stub of one advertised tool with all its documentation; `undefined` when there is none of that name. */
  generateStub(name: string, options?: Pick<StubOptions, "declarations">): string | undefined;
  /** Runs one call to its result and records it. Never rejects: every fault is a failure a model can read. */
  dispatch(call: ToolCall, ...options: OptionsOf<DispatchOptions<Context>>): Promise<ToolResult>;
  /** Runs a tool by a name that is known only at run time. Records it and never rejects. */
  dispatch<Name extends string, Self extends TypedRegistry>(
    this: Self,
    name: UnknownName<Name, Self>,
    params: unknown,
    ...options: OptionsOf<DispatchOptions<Context>>
  ): Promise<ToolResult>;
  /** Runs a tool by its name, with the types of its parameters and data. Records it and never rejects. */
  dispatch<Name extends keyof Tools & string, Self extends TypedRegistry>(
    this: Self,
    name: Name,
    params: InputOf<ToolsOf<Self>[Name]>,
    ...options: OptionsOf<DispatchOptions<Context>>
  ): Promise<ToolResult<DataOfTool<ToolsOf<Self>[Name]>>>;
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

/** A registry whatever its tools. */
// oxlint-disable-next-line typescript/no-explicit-any -- the only type to which every registry is assignable
export type AnyToolRegistry = ToolRegistry<any, any>;

/** Options of a dispatch without any, which need no check. */
const NO_OPTIONS: DispatchOptions = Object.freeze({});

/** The advertised tools in the forms in which they go out. */
interface Catalogue {
  readonly tools: readonly AnyTool[];
  readonly definitions: readonly ToolDefinition[];
  readonly modelTools: readonly ModelTool[];
  readonly stubs: StubCatalogue;
}

class Registry {
  readonly #tools = new Map<string, AnyTool>();
  readonly #hidden = new Set<string>();
  readonly #dispatcher: Dispatcher;
  #catalogue: Catalogue | undefined;
  #names: WireNames | undefined;

  constructor(options: RegistryOptions) {
    const find = (name: string): AnyTool | undefined =>
      this.#tools.get(name) ?? this.#tools.get(this.#wireNames.fromWire(name));
    this.#dispatcher = { tools: this.#tools, find, options: checkRegistryOptions(options) };
  }

  register(tools: AnyTool | readonly AnyTool[], { advertised = true }: RegisterOptions = {}): this {
    return this.#add(Array.isArray(tools) ? tools : [tools as AnyTool], () => advertised);
  }

  extend(other: AnyToolRegistry): this {
    const { tools, advertised } = contentsOf(other);
    return this.#add(tools, (name) => advertised.has(name));
  }

  #add(added: readonly AnyTool[], isAdvertised: (name: string) => boolean): this {
    const names = new Set<string>();
    for (const tool of added) {
      if (!isTool(tool))
        throw new InvalidToolError(`Cannot register ${describeFound(tool)}: allowed are tools made by defineTool`);
      if (names.has(tool.name) || this.#tools.has(tool.name)) throw new DuplicateToolError(tool.name);
      names.add(tool.name);
    }
    for (const tool of added) {
      this.#tools.set(tool.name, tool);
      if (!isAdvertised(tool.name)) this.#hidden.add(tool.name);
    }
    this.#catalogue = undefined;
    this.#names = undefined;
    return this;
  }

  get(name: string): AnyTool {
    const tool = this.#tools.get(name);
    if (tool === undefined) throw new ToolNotFoundError(name, this.toolNames);
    return tool;
  }

  has(name: string): boolean {
    return this.#tools.has(name);
  }

  get tools(): readonly AnyTool[] {
    return [...this.#tools.values()];
  }

  get toolNames(): readonly string[] {
    return [...this.#tools.keys()];
  }

  /** Made once for each set of tools: what goes out in every request must not cost anything. */
  get #advertised(): Catalogue {
    if (this.#catalogue === undefined) {
      const tools = this.tools.filter(({ name }) => !this.#hidden.has(name));
      this.#catalogue = {
        tools,
        definitions: Object.freeze(tools.map(({ definition }) => definition)),
        modelTools: Object.freeze(tools.map((tool) => toModelTool(tool, this.#wireNames.toWire(tool.name)))),
        stubs: new StubCatalogue(tools),
      };
    }
    return this.#catalogue;
  }

  /** Of all tools, so that a hidden one keeps the name under which it was advertised. */
  get #wireNames(): WireNames {
    return (this.#names ??= createWireNames(this.toolNames, MODEL_NAMES));
  }

  toArray(): readonly ToolDefinition[] {
    return this.#advertised.definitions;
  }

  subset(...names: readonly string[]): Registry {
    return this.#with(names.map((name) => this.get(name)));
  }

  without(...names: readonly string[]): Registry {
    const left = new Set(names.map((name) => this.get(name)));
    return this.#with(this.tools.filter((tool) => !left.has(tool)));
  }

  #with(tools: readonly AnyTool[]): Registry {
    return new Registry(this.#dispatcher.options).#add(tools, (name) => !this.#hidden.has(name));
  }

  get size(): number {
    return this.#tools.size;
  }

  get isEmpty(): boolean {
    return this.#tools.size === 0;
  }

  get fingerprint(): string {
    return sha256(this.#advertised.tools.map(({ fingerprint }) => fingerprint).join());
  }

  toModelTools(): readonly ModelTool[] {
    return this.#advertised.modelTools;
  }

  generateStubs(options?: StubOptions): string {
    return this.#advertised.stubs.source(options);
  }

  generateStub(name: string, options?: Pick<StubOptions, "declarations">): string | undefined {
    return this.#advertised.stubs.stub(name, options);
  }

  dispatch(call: string | ToolCall, second?: unknown, third?: DispatchOptions): Promise<ToolResult> {
    const isNamed = typeof call === "string";
    const options = (isNamed ? third : (second as DispatchOptions | undefined)) ?? NO_OPTIONS;
    const sent = isNamed ? { id: undefined, name: call, sent: second } : readCall(call);
    return dispatchCall(this.#dispatcher, sent, options === NO_OPTIONS ? options : readHostOptions(options));
  }

  dispatchAll(calls: readonly ToolCall[], options: DispatchAllOptions = {}): Promise<readonly ToolResult[]> {
    return dispatchTurn(this.#dispatcher, calls, options);
  }
}

/**
 * Creates an empty registry.
 * @throws {TypeError} When `middleware` holds anything but functions.
 * @throws {RangeError} When `maxOutputChars` is below 1.
 *
 * @example
 * ```ts
 * const registry = createToolRegistry().register(readFile).register([writeFile, editFile]);
 * const result = await registry.dispatch({ name: "read_file", arguments: '{"path":"a.txt"}' }, { context });
 * ```
 */
export function createToolRegistry(options: RegistryOptions = {}): ToolRegistry {
  return new Registry(options) as unknown as ToolRegistry;
}
