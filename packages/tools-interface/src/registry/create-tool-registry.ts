import { readHostOptions } from "../call/host-options.ts";
import { readCall, type ToolCall } from "../call/parse-call.ts";
import type { AnyTool, ToolDefinition } from "../call/tool.ts";
import { createWireNames, MODEL_NAMES, type WireNames } from "../call/wire-names.ts";
import { isTool } from "../define/define-tool.ts";
import { checkOptions } from "../error/check-options.ts";
import { DuplicateToolError, InvalidToolError, thrownMessage, ToolNotFoundError } from "../error/tool-error.ts";
import { sha256 } from "../json/sha256.ts";
import type { ToolResult } from "../result/tool-result.ts";
import { dispatchCall } from "../run-call.ts";
import { printStubs, type StubOptions } from "../stubs/generate-stubs.ts";
import { type ToolStub, toolStubs } from "../stubs/tool-stub.ts";
import { dispatchTurn } from "./dispatch-turn.ts";
import { type Dispatcher, noteDispatcher } from "./dispatcher.ts";
import {
  checkRegistryOptions,
  type DispatchAllOptions,
  type DispatchOptions,
  type RegistryOptions,
} from "./registry-options.ts";
import { checkLoaded, createSearchTool, SEARCH_TOOL, type Searched } from "./search-tool.ts";
import { checkRegisterOptions, type OfferedCaller, type RegisterOptions, type ToolOffer } from "./tool-offer.ts";
import type { AnyToolRegistry, ModelTool, ToolRegistry } from "./tool-registry.ts";

/** Options of a dispatch without any, which need no check. */
const NO_OPTIONS: DispatchOptions = Object.freeze({});
const NONE: readonly string[] = Object.freeze([]);

class Registry {
  readonly #tools = new Map<string, AnyTool>();
  readonly #offers = new Map<string, RegisteredOffer>();
  readonly #restricted = new Map<AnyTool, OfferedCaller>();
  readonly #dispatcher: Dispatcher;
  #search: AnyTool | undefined;
  #made: Catalogue | undefined;
  #names: WireNames | undefined;

  constructor(given: RegistryOptions) {
    const options = checkRegistryOptions(given);
    const find = (name: string): AnyTool | undefined =>
      this.#tools.get(name) ?? this.#tools.get(this.#wireNames.fromWire(name)) ?? this.#searchNamed(name);
    const namesFor: Dispatcher["namesFor"] = (caller) => {
      const known = this.toolNames.filter(
        (name) => caller === "tool" || this.#offers.get(name)?.callers.includes(caller),
      );
      if (caller !== "model") return { offered: known, known };
      const [search, deferred] = [this.searchTool, new Set(this.#catalogue.deferred.map(({ name }) => name))];
      const atRest = known.filter((name) => !deferred.has(name)).map(this.#wireNames.toWire);
      return {
        offered: [...(search === undefined ? [] : [search.name]), ...atRest],
        known: known.map(this.#wireNames.toWire),
      };
    };
    this.#dispatcher = { namesFor, find, restricted: this.#restricted, options };
    noteDispatcher(this, this.#dispatcher);
  }

  register(tools: AnyTool | readonly AnyTool[], options: RegisterOptions = {}): this {
    const how = checkRegisterOptions(options);
    return this.#add((Array.isArray(tools) ? tools : [tools as AnyTool]).map((tool: AnyTool) => ({ ...how, tool })));
  }

  extend(other: AnyToolRegistry): this {
    return this.#add(offersOf(other));
  }

  #add(added: readonly RegisteredOffer[]): this {
    const names = new Set<string>();
    for (const { tool } of added) {
      if (!isTool(tool))
        throw new InvalidToolError(`Cannot register ${describeFound(tool)}: allowed are tools made by defineTool`);
      const isTaken = names.has(tool.name) || this.#tools.has(tool.name) || this.#search?.name === tool.name;
      if (isTaken) throw new DuplicateToolError(tool.name);
      names.add(tool.name);
    }
    this.#checkNamesStay([...names]);
    for (const { tool, callers, defer } of added) {
      this.#tools.set(tool.name, tool);
      this.#offers.set(tool.name, { tool, callers, defer });
      const [only] = callers;
      if (callers.length === 1 && only !== undefined) this.#restricted.set(tool, only);
    }
    this.#made = undefined;
    this.#names = undefined;
    return this;
  }

  /** A name known to models stays that of the same tool: a call by it must not reach another one. */
  #checkNamesStay(added: readonly string[]): void {
    if (this.#made === undefined && this.#names === undefined) return;
    const later = createWireNames([...this.toolNames, ...added], MODEL_NAMES);
    for (const name of this.toolNames) {
      const told = this.#wireNames.toWire(name);
      if (later.toWire(name) !== told) throw new DuplicateToolError(later.fromWire(told), name);
    }
  }

  get(name: string): AnyTool {
    const tool = this.#tools.get(name) ?? this.#searchNamed(name);
    if (tool === undefined) throw new ToolNotFoundError(name, this.toolNames);
    return tool;
  }

  has(name: string): boolean {
    return this.#tools.has(name) || this.#searchNamed(name) !== undefined;
  }

  get tools(): readonly AnyTool[] {
    return [...this.#tools.values()];
  }

  get toolNames(): readonly string[] {
    return [...this.#tools.keys()];
  }

  get offers(): readonly ToolOffer[] {
    return this.#catalogue.offers;
  }

  /** Made once for each set of tools. */
  get #catalogue(): Catalogue {
    const { deferAboveTokens = Infinity } = this.#dispatcher.options;
    return (this.#made ??= createCatalogue([...this.#offers.values()], () => this.#wireNames, deferAboveTokens));
  }

  /** Of all tools, so that one which is not offered any more keeps the name under which it was. */
  get #wireNames(): WireNames {
    return (this.#names ??= createWireNames(this.toolNames, MODEL_NAMES));
  }

  get searchTool(): AnyTool | undefined {
    if (this.#search === undefined && this.#catalogue.deferred.length > 0) {
      const isTaken = (name: string): boolean => this.#tools.has(name) || this.#wireNames.fromWire(name) !== name;
      let name = SEARCH_TOOL;
      for (let number = 2; isTaken(name); number += 1) name = `${SEARCH_TOOL}_${number}`;
      const searched = (): Searched => ({ deferred: this.#catalogue.deferred, toWire: this.#wireNames.toWire });
      this.#search = createSearchTool(name, searched);
      this.#restricted.set(this.#search, "model");
    }
    return this.#catalogue.deferred.length > 0 ? this.#search : undefined;
  }

  #searchNamed(name: string): AnyTool | undefined {
    return name.startsWith(SEARCH_TOOL) && this.searchTool?.name === name ? this.#search : undefined;
  }

  toArray(): readonly ToolDefinition[] {
    return this.#catalogue.definitions;
  }

  subset(...names: readonly string[]): Registry {
    return this.#with(new Set(names.map((name) => this.get(name).name)));
  }

  without(...names: readonly string[]): Registry {
    const left = new Set(names.map((name) => this.get(name).name));
    const rest = this.#with(this.toolNames.filter((name) => !left.has(name)));
    if (this.#search !== undefined && left.has(this.#search.name) && rest.searchTool !== undefined) {
      throw new InvalidToolError(
        `Cannot leave out ${this.#search.name}: models find the deferred tools with it, register them with defer: false or leave them out too`,
      );
    }
    return rest;
  }

  #with(names: Iterable<string>): Registry {
    return new Registry(this.#dispatcher.options).#add([...names].flatMap((name) => this.#offers.get(name) ?? []));
  }

  get size(): number {
    return this.#tools.size;
  }

  get isEmpty(): boolean {
    return this.#tools.size === 0;
  }

  get fingerprint(): string {
    return this.#catalogue.fingerprint;
  }

  toModelTools(options: { readonly loaded?: readonly string[] } = {}): readonly ModelTool[] {
    checkOptions("list tools for a model", options, { loaded: true });
    const { loaded } = options;
    return this.#catalogue.modelTools(this.searchTool, loaded === undefined ? NONE : checkLoaded(loaded));
  }

  generateStubs(options?: StubOptions): string {
    return printStubs(this.#catalogue.stubs, options);
  }

  generateStub(name: string, options: Pick<StubOptions, "declarations"> = {}): string | undefined {
    checkOptions("generate a stub", options, { declarations: true });
    return this.#catalogue.stubs.find((stub) => stub.name === name)?.print("full", options.declarations === true);
  }

  dispatch(call: string | ToolCall, second?: unknown, third?: DispatchOptions): Promise<ToolResult> {
    const isNamed = typeof call === "string";
    const options = (isNamed ? third : (second as DispatchOptions | undefined)) ?? NO_OPTIONS;
    const sent = isNamed ? { id: undefined, name: call, sent: second } : readCall(call);
    return dispatchCall(
      this.#dispatcher,
      sent,
      options === NO_OPTIONS ? options : readHostOptions(options, "dispatch"),
    );
  }

  dispatchAll(calls: readonly ToolCall[], options: DispatchAllOptions = {}): Promise<readonly ToolResult[]> {
    return dispatchTurn(this.#dispatcher, calls, options);
  }
}

/**
 * Creates an empty registry.
 * @throws {TypeError} When `middleware` holds anything but functions.
 * @throws {RangeError} When `maxOutputChars` is below 1, or `deferAboveTokens` below 0.
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

/** Read by public methods: the private fields of a registry of another installed copy cannot be read. */
function offersOf(registry: { readonly offers: readonly ToolOffer[] }): readonly ToolOffer[] {
  try {
    return [...registry.offers];
  } catch (cause) {
    throw new InvalidToolError(`Cannot extend a registry: found ${describeFound(registry)}, allowed is a registry`, {
      cause,
    });
  }
}

/** A value that is no tool or registry, for an error. */
function describeFound(value: unknown): string {
  try {
    const name = (value as { readonly name?: unknown } | undefined)?.name;
    return typeof name === "string" ? JSON.stringify(name.slice(0, 128)) : `a value of type ${typeof value}`;
  } catch (thrown) {
    return `something unreadable, ${thrownMessage(thrown)}`;
  }
}

/** Characters that count as a token, as `generateStubs` counts. */
const CHARS_PER_TOKEN = 4;

type RegisteredOffer = Omit<ToolOffer, "isDeferred">;

type Catalogue = ReturnType<typeof createCatalogue>;

/**
 * A registry's offers in the forms in which they are sent, each made at its first use: a part of every request must cost nothing to
 * build. The stubs are those of the tools offered to programs.
 *
 * @param deferAboveTokens As in the options of the registry.
 */
function createCatalogue(registered: readonly RegisteredOffer[], names: () => WireNames, deferAboveTokens: number) {
  const forModels = registered.filter(({ callers }) => callers.includes("model"));
  const charsOf = ({ tool, defer }: RegisteredOffer): number =>
    defer === true ? 0 : JSON.stringify(tool.definition).length;
  const isAbove =
    deferAboveTokens < Infinity &&
    forModels.reduce((sum, offer) => sum + charsOf(offer), 0) > deferAboveTokens * CHARS_PER_TOKEN;
  const offers = registered.map((offer) => {
    const isDeferred = offer.callers.includes("model") && (offer.defer ?? isAbove);
    return Object.freeze({ ...offer, isDeferred });
  });
  const told = offers.filter(({ callers }) => callers.includes("model"));
  const deferred = told.filter(({ isDeferred }) => isDeferred).map(({ tool }) => tool);
  const atRest = told.filter(({ isDeferred }) => !isDeferred).map(({ tool }) => tool);
  const programs = offers.filter(({ callers }) => callers.includes("program")).map(({ tool }) => tool);

  let [definitions, fingerprint]: [readonly ToolDefinition[] | undefined, string | undefined] = [undefined, undefined];
  let [resting, stubs]: [readonly ModelTool[] | undefined, readonly ToolStub[] | undefined] = [undefined, undefined];
  const modelTool = ({ name, description, parameters }: AnyTool): ModelTool =>
    Object.freeze({ name: names().toWire(name), description, input_schema: parameters });
  return {
    offers: Object.freeze(offers) as readonly ToolOffer[],
    deferred,
    get stubs(): readonly ToolStub[] {
      return (stubs ??= toolStubs(programs));
    },
    get definitions(): readonly ToolDefinition[] {
      return (definitions ??= Object.freeze(told.map(({ tool }) => tool.definition)));
    },
    get fingerprint(): string {
      const parts = told.map(({ tool, isDeferred }) => tool.fingerprint + (isDeferred ? " deferred" : ""));
      return (fingerprint ??= sha256(parts.join()));
    },
    /** The tools that go out, the search tool first where any are deferred. */
    modelTools(searchTool: AnyTool | undefined, loaded: readonly string[]): readonly ModelTool[] {
      resting ??= Object.freeze([...(searchTool === undefined ? [] : [searchTool]), ...atRest].map(modelTool));
      if (loaded.length === 0) return resting;
      const byName = new Map(deferred.map((tool) => [tool.name, tool]));
      const found = [...new Set(loaded)].flatMap((name) => byName.get(name) ?? []);
      return Object.freeze([...resting, ...found.map(modelTool)]);
    },
  };
}
