import type { JsonSchema, OfferedCaller, ToolCall, ToolDefinition, ToolResult } from "@dispatch/tools-interface";
import {
  type NameRule,
  type OfferedTool,
  type SourceTool,
  type ToolSource,
  type WireNames,
  checkLoaded,
  closestMatch,
  createWireNames,
  foundNames,
  offeredTools,
} from "@dispatch/tools-interface/internal";
import { type FormatChange, type ToolReport, UnsupportedSchemaError } from "./format-report.ts";
import { StrictCompiler, type StrictDialect } from "./strict-schema.ts";
import { type WirePlan, decodeWireValue } from "./wire-plan.ts";

/** Tools in a provider's format, and the mapping needed to read its calls. Made once for a set of tools. */
export interface WireTools<WireTool = unknown> {
  /**
   * The tools to send. In the order of the registry, and the same bytes for the same tools. Deferred tools that the
   * conversation finds are appended to this very array, unless the provider takes them otherwise: so make one for each
   * conversation.
   */
  readonly tools: WireTool[];
  /** How each tool goes out, in the same order. */
  readonly report: readonly ToolReport[];
  /** The tools' names beside the provider's. */
  readonly names: WireNames;
  /**
   * Removes from a call's arguments the placeholders that the provider's form of the schema requires, such as a `null`
   * for a field left out. Never throws; arguments of an unknown tool stay as they are.
   *
   * @param wireName - The tool, by the provider's name for it.
   */
  readonly decode: (wireName: string, params: unknown) => unknown;
  /** The deferred tools; `undefined` when there are none. */
  readonly deferred?: DeferredTools<WireTool> | undefined;
}

/** The deferred tools of a conversation. */
export interface DeferredTools<WireTool = unknown> {
  /** The registry's search tool. */
  readonly searchTool: ToolDefinition;
  /** The provider's names of those that were found so far, in the order found. */
  readonly found: readonly string[];
  /**
   * Takes in the tools that a search has found, by their own names, and answers them as the provider takes them. Names that
   * are not deferred are left out. `to…Results(calls, results, wire)` does so with the results of a search.
   */
  readonly load: (names: readonly string[]) => readonly WireTool[];
}

/** Options of `to…Tools` for registries with deferred tools. */
export interface LoadOptions {
  /** The tools that the conversation has found so far, as `loadedTools(registry, entries)` answers them. Default none. */
  readonly loaded?: readonly string[] | undefined;
}

/** Options of every `to…Tools` that can ask for strict schemas. */
export interface StrictOptions {
  /**
   * Whether the provider is asked to enforce the schemas: of all tools, of none, or of the tools named. A tool whose
   * schema the provider's strict subset cannot say goes out without, and the report says why. Default false.
   */
  readonly strict?: boolean | readonly string[];
}

/** A tool made ready for a provider. */
export interface PreparedTool {
  readonly tool: SourceTool;
  /** The provider's name for it. */
  readonly wireName: string;
  readonly schema: JsonSchema;
  readonly strict: boolean;
  readonly callers: readonly OfferedCaller[];
  /** Whether the model has to find it first. */
  readonly isDeferred: boolean;
}

/** How a provider takes deferred tools. */
export interface Deferral extends LoadOptions {
  /**
   * Where they go out: `appended` once they were found; `marked` among the others from the beginning; `apart`, in results
   * alone, with the search tool; `at_once`, as if they were not deferred, without the search tool. Default `appended`.
   */
  readonly deferral?: "appended" | "marked" | "apart" | "at_once";
  /** Whether tools that only programs may call go out too. Default false. */
  readonly programs?: boolean;
  /** The options that list tools by name, such as `strict`. A name that no tool has is an error. Default none. */
  readonly named?: Readonly<Record<string, unknown>>;
}

/** A tool's schema converted for a provider. */
export interface PreparedSchema {
  readonly schema: JsonSchema;
  /** How values are decoded, one after the other. */
  readonly plans: readonly (WirePlan | undefined)[];
  readonly strict: boolean;
  /** Why not, although asked. */
  readonly notStrict?: string | undefined;
  readonly changes: readonly FormatChange[];
}

/**
 * Creates the tools of a provider format. To add a provider format, write a file beside `gemini.ts` that passes its rule for
 * names, the preparation of a schema and the wire form of a tool, reads calls with `readWireCall` (`read-calls.ts`) and
 * writes results with `answeredCalls` (`result-parts.ts`). Then list it as a subpath in `package.json` and in `lint.ts`.
 */
export function createWireTools<WireTool>(
  source: ToolSource,
  rule: NameRule,
  prepare: (tool: SourceTool) => PreparedSchema,
  toWireTool: (tool: PreparedTool) => WireTool,
  { loaded: given, deferral = "appended", programs = false, named = {} }: Deferral = {},
): WireTools<WireTool> {
  const loaded = checkLoaded(given);
  checkNamed(source, named);
  const offered = offeredTools(source, programs);
  const names = createWireNames(
    offered.map(({ tool }) => tool.name),
    rule,
  );
  const byWireName = new Map(offered.map((one) => [names.toWire(one.tool.name), one]));
  const made = new Map<string, MadeTool<WireTool>>();
  const make = (wireName: string, { tool, callers, isDeferred }: OfferedTool): MadeTool<WireTool> => {
    const known = made.get(wireName);
    if (known !== undefined) return known;
    const { schema, plans, strict, notStrict, changes } = prepare(tool);
    const shown = { ...tool, description: tool.description.toWellFormed() };
    const wireTool = toWireTool({ tool: shown, wireName, schema, strict, callers, isDeferred });
    const one = { wireTool, plans, report: { name: tool.name, wireName, strict, notStrict, changes } };
    made.set(wireName, one);
    return one;
  };
  const report: ToolReport[] = [];
  const send = (one: OfferedTool): WireTool => {
    const sent = make(names.toWire(one.tool.name), one);
    report.push(sent.report);
    return sent.wireTool;
  };
  const isSent = ({ isDeferred, isSearch }: OfferedTool): boolean => {
    if (isSearch) return deferral === "appended" || deferral === "marked";
    return !isDeferred || deferral === "marked" || deferral === "at_once";
  };
  const tools = offered.filter(isSent).map(send);
  // A model that knows a tool it was not sent, from an earlier conversation for instance, knows it by the tool's own schema.
  const decode = (wireName: string, params: unknown): unknown =>
    (made.get(wireName)?.plans ?? []).reduce(decodeWireValue, params);
  const search = deferral === "at_once" ? undefined : offered.find(({ isSearch }) => isSearch);
  if (search === undefined) return { tools, report, names, decode };

  const found = new Set<string>();
  const load = (wanted: readonly string[]): readonly WireTool[] =>
    [...new Set(wanted)].flatMap((name) => {
      const wireName = names.toWire(name);
      const one = byWireName.get(wireName);
      if (one?.isDeferred !== true || one.tool.name !== name) return [];
      if (!found.has(wireName) && deferral !== "marked") {
        const wireTool = send(one);
        if (deferral === "appended") tools.push(wireTool);
      }
      found.add(wireName);
      return make(wireName, one).wireTool;
    });
  load(loaded);
  const deferred = {
    searchTool: search.tool,
    load,
    get found() {
      return [...found];
    },
  };
  return { tools, report, names, decode, deferred };
}

/** Refuses a tool's name that there is not: a misspelt one would be a tool that was never named. */
function checkNamed(source: ToolSource, named: Readonly<Record<string, unknown>>): void {
  const known = ("offers" in source ? source.offers.map(({ tool }) => tool) : source).map(({ name }) => name);
  for (const [option, names] of Object.entries(named)) {
    const listed: readonly string[] = Array.isArray(names) ? names.map(String) : [];
    const unknown = listed.find((name) => !known.includes(name));
    if (unknown === undefined) continue;
    const near = closestMatch(unknown, known);
    const allowed = near === undefined ? "allowed are the names of the tools" : `did you mean ${JSON.stringify(near)}`;
    throw new TypeError(`Cannot make tools: ${option} names the tool ${JSON.stringify(unknown)}, ${allowed}`);
  }
}

/** A converted tool, and the mapping needed to read its calls. */
interface MadeTool<WireTool> {
  readonly wireTool: WireTool;
  readonly plans: readonly (WirePlan | undefined)[];
  readonly report: ToolReport;
}

/** Whether strict was asked for a tool. */
export function asksStrict({ strict = false }: StrictOptions, { name }: SourceTool): boolean {
  return typeof strict === "boolean" ? strict : strict.includes(name);
}

/** A schema compiled to a strict subset, or the reason why it cannot be. */
export function compileStrict(
  schema: JsonSchema,
  dialect: StrictDialect,
):
  | { readonly schema: JsonSchema; readonly plan: WirePlan | undefined; readonly changes: readonly FormatChange[] }
  | string {
  const compiler = new StrictCompiler(schema, dialect);
  try {
    return { ...compiler.compileRoot(), changes: compiler.changes };
  } catch (error) {
    if (error instanceof UnsupportedSchemaError) return `${dialect.label} cannot say the schema: ${error.message}`;
    throw error;
  }
}

/** Whether a call is one of the search for deferred tools. */
export function isSearchCall(call: ToolCall, wire: Pick<WireTools, "deferred"> | undefined): boolean {
  return wire?.deferred !== undefined && call.name === wire.deferred.searchTool.name;
}

/** Takes in the deferred tools that a call has found, and answers them as the provider takes them. */
export function loadFound<WireTool>(
  { call, result }: { readonly call: ToolCall; readonly result: ToolResult },
  wire: Pick<WireTools<WireTool>, "deferred"> | undefined,
): readonly WireTool[] {
  return isSearchCall(call, wire) ? (wire?.deferred?.load(foundNames(result)) ?? []) : [];
}
