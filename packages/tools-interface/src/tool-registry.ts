import { DEFAULT_CONCURRENCY, dispatchInOrder, inCallOrder } from "./dispatch-all.ts";
import { dispatchCall, type DispatchOptions } from "./dispatch.ts";
import { toModelTool, type ModelTool } from "./model-tools.ts";
import { generateStubs, type StubOptions } from "./stubs/generate-stubs.ts";
import type { ToolCall } from "./tool-call.ts";
import { DuplicateToolError, ToolNotFoundError } from "./tool-error.ts";
import { notify } from "./tool-event.ts";
import type { ToolResult } from "./tool-result.ts";
import type { AnyTool, OptionsOf, ToolDefinition } from "./tool.ts";

/** Tools by their names, as a registry's type keeps them. */
export type ToolRecord = { readonly [name: string]: AnyTool };

/** Options of `register`. */
export interface RegisterOptions {
  /**
   * Whether models are told of the tool. A tool that is not advertised still runs when called, so that a restored
   * transcript can be continued. Default true.
   */
  readonly advertised?: boolean;
}

/** Options of `dispatchAll`. */
export type DispatchAllOptions<Context = unknown> = DispatchOptions<Context> & {
  /** How many calls of read-only tools may run at the same time, at least one. Default 8. */
  readonly maxConcurrency?: number;
};

/** Collects tools, tells models of them, and runs what models ask for. Made by {@link createToolRegistry}. */
export interface ToolRegistry<Tools extends ToolRecord = {}, Context = unknown> {
  /** Adds one tool or several, all or none. Returns the same registry, typed with the new tools.
   * @throws {DuplicateToolError} When a name is taken. */
  register<const T extends AnyTool | readonly AnyTool[]>(
    tools: T,
    options?: RegisterOptions,
  ): ToolRegistry<Tools & RecordOf<T>, Context & ContextOfTools<T>>;
  /** The tool of this name. @throws {ToolNotFoundError} When there is none. */
  get<Name extends keyof Tools & string>(name: Name): Tools[Name];
  get(name: string): AnyTool;
  /** Whether there is a tool of this name, advertised or not. */
  has(name: string): boolean;
  /** All tools, advertised or not, in the order of registration. */
  readonly tools: readonly AnyTool[];
  /** The names of all tools, advertised or not, in the order of registration. */
  readonly toolNames: readonly string[];
  /** Name, description and parameters of the advertised tools. */
  toArray(): readonly ToolDefinition[];
  /** A new registry with these tools only. @throws {ToolNotFoundError} When one is unknown. */
  subset<Name extends keyof Tools & string>(...names: readonly Name[]): ToolRegistry<Pick<Tools, Name>, Context>;
  subset(...names: readonly string[]): ToolRegistry<Tools, Context>;
  /** How many tools there are, advertised or not. */
  readonly size: number;
  /** Whether there is no tool at all. */
  readonly isEmpty: boolean;
  /** The advertised tools as `{ name, description, input_schema }`. */
  toModelTools(): readonly ModelTool[];
  /** TypeScript source with one function for each advertised tool, for code that runs in a sandbox. */
  generateStubs(options?: StubOptions): string;
  /** Runs one call to its result and records it. Never rejects: every fault is a failure a model can read. */
  dispatch(call: ToolCall, ...options: OptionsOf<DispatchOptions<Context>>): Promise<ToolResult>;
  dispatch<Name extends keyof Tools & string>(
    name: Name,
    params: InputOf<Tools[Name]>,
    ...options: OptionsOf<DispatchOptions<Context>>
  ): Promise<ToolResult<DataOfTool<Tools[Name]>>>;
  dispatch<Name extends string>(
    name: Name extends keyof Tools ? never : Name,
    params: unknown,
    ...options: OptionsOf<DispatchOptions<Context>>
  ): Promise<ToolResult>;
  /**
   * Runs the calls of one turn; results and transcript entries come in the order of the calls. Neighbouring calls of
   * read-only tools run at the same time, any other call runs alone.
   */
  dispatchAll(
    calls: readonly ToolCall[],
    ...options: OptionsOf<DispatchAllOptions<Context>>
  ): Promise<readonly ToolResult[]>;
}

/** A registry whatever its tools. */
// oxlint-disable-next-line typescript/no-explicit-any -- the only type to which every registry is assignable
export type AnyToolRegistry = ToolRegistry<any, any>;

type RecordOf<T> = T extends readonly AnyTool[]
  ? { readonly [Item in T[number] as Item["name"]]: Item }
  : T extends AnyTool
    ? { readonly [Name in T["name"]]: T }
    : never;
type TypesOf<T> = T extends { readonly "~types"?: infer Types } ? NonNullable<Types> : never;
type InputOf<T> = TypesOf<T> extends { readonly input: infer Input } ? Input : never;
type DataOfTool<T> = TypesOf<T> extends { readonly data: infer Data } ? Data : never;
/** A union of functions is only callable with the intersection of what they take: all context of all tools. */
type Taking<T> = T extends AnyTool
  ? TypesOf<T> extends { readonly context: infer Context }
    ? (context: Context) => void
    : never
  : never;
type ContextOfTools<T> =
  Taking<T extends readonly AnyTool[] ? T[number] : T> extends (context: infer Context) => void ? Context : unknown;

class Registry {
  readonly #tools = new Map<string, AnyTool>();
  readonly #hidden = new Set<string>();

  register(tools: AnyTool | readonly AnyTool[], { advertised = true }: RegisterOptions = {}): this {
    const added: readonly AnyTool[] = Array.isArray(tools) ? tools : [tools as AnyTool];
    const names = new Set(this.#tools.keys());
    for (const { name } of added) {
      if (names.has(name)) throw new DuplicateToolError(name);
      names.add(name);
    }
    for (const tool of added) {
      this.#tools.set(tool.name, tool);
      if (!advertised) this.#hidden.add(tool.name);
    }
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

  get #advertised(): readonly AnyTool[] {
    return this.tools.filter(({ name }) => !this.#hidden.has(name));
  }

  toArray(): readonly ToolDefinition[] {
    return this.#advertised.map(({ definition }) => definition);
  }

  subset(...names: readonly string[]): Registry {
    const subset = new Registry();
    for (const tool of names.map((name) => this.get(name))) {
      subset.register(tool, { advertised: !this.#hidden.has(tool.name) });
    }
    return subset;
  }

  get size(): number {
    return this.#tools.size;
  }

  get isEmpty(): boolean {
    return this.#tools.size === 0;
  }

  toModelTools(): readonly ModelTool[] {
    return this.#advertised.map(toModelTool);
  }

  generateStubs(options?: StubOptions): string {
    return generateStubs(this.#advertised, options);
  }

  dispatch(call: string | ToolCall, second?: unknown, third?: DispatchOptions): Promise<ToolResult> {
    return typeof call === "string"
      ? dispatchCall(this.#tools, { name: call, arguments: second }, third ?? {})
      : dispatchCall(this.#tools, call, (second as DispatchOptions | undefined) ?? {});
  }

  async dispatchAll(calls: readonly ToolCall[], options: DispatchAllOptions = {}): Promise<readonly ToolResult[]> {
    const { maxConcurrency = DEFAULT_CONCURRENCY, transcript, onEvent } = options;
    const ordered =
      transcript &&
      inCallOrder(transcript, calls.length, ({ callId, name }, error) =>
        notify(onEvent, { type: "transcript-error", callId, parentCallId: undefined, name, error }),
      );
    const results = await dispatchInOrder(this.#tools, calls, maxConcurrency, (call, index) =>
      dispatchCall(this.#tools, call, { ...options, transcript: ordered?.transcripts[index] }),
    );
    await ordered?.recorded();
    return results;
  }
}

/**
 * An empty registry.
 *
 * @example
 * ```ts
 * const registry = createToolRegistry().register(readFile).register([writeFile, editFile]);
 * const result = await registry.dispatch({ name: "read_file", arguments: '{"path":"a.txt"}' }, { context });
 * ```
 */
export function createToolRegistry(): ToolRegistry {
  return new Registry() as unknown as ToolRegistry;
}
