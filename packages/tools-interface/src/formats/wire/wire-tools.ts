import { createWireNames, type NameRule, type WireNames } from "../../call/wire-names.ts";
import type { JsonSchema } from "../../json/json.ts";
import type { FormatChange, ToolReport } from "./format-report.ts";
import type { StrictDialect } from "./strict-dialect.ts";
import { StrictCompiler } from "./strict-schema.ts";
import type { SourceTool, ToolSource } from "./tool-source.ts";
import { toolsOf } from "./tool-source.ts";
import { UnsupportedSchemaError } from "./unsupported-schema-error.ts";
import { decodeWireValue, type WirePlan } from "./wire-plan.ts";

/** Tools as a provider takes them, and what is needed to read its calls. Made once for the tools it is made of. */
export interface WireTools<WireTool = unknown> {
  /** What to send. In the order of the registry, and the same bytes for the same tools. */
  readonly tools: WireTool[];
  /** How each tool goes out, in the same order. */
  readonly report: readonly ToolReport[];
  /** The tools' names beside the provider's. */
  readonly names: WireNames;
  /**
   * Takes out of a call's arguments what the provider's form of the schema put into them, such as a `null` for a field
   * left out. Never throws; arguments of an unknown tool stay as they are.
   *
   * @param wireName - The tool, by the provider's name for it.
   */
  readonly decode: (wireName: string, params: unknown) => unknown;
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
  /** The tool itself. */
  readonly tool: SourceTool;
  /** The provider's name for it. */
  readonly wireName: string;
  /** The schema to send. */
  readonly schema: JsonSchema;
  /** Whether the provider shall enforce it. */
  readonly strict: boolean;
}

/** What a provider makes of one tool's schema. */
export interface PreparedSchema {
  /** The schema to send. */
  readonly schema: JsonSchema;
  /** How values are decoded, one after the other. */
  readonly plans: readonly (WirePlan | undefined)[];
  /** Whether the provider shall enforce it. */
  readonly strict: boolean;
  /** Why not, although asked. */
  readonly notStrict?: string | undefined;
  /** What goes out differently. */
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
): WireTools<WireTool> {
  const sources = toolsOf(source);
  const names = createWireNames(
    sources.map(({ name }) => name),
    rule,
  );
  const plans = new Map<string, readonly (WirePlan | undefined)[]>();
  const report: ToolReport[] = [];
  const tools = sources.map((tool) => {
    const wireName = names.toWire(tool.name);
    const { schema, plans: own, strict, notStrict, changes } = prepare(tool);
    plans.set(wireName, own);
    report.push({ name: tool.name, wireName, strict, notStrict, changes });
    return toWireTool({ tool: { ...tool, description: tool.description.toWellFormed() }, wireName, schema, strict });
  });
  const decode = (wireName: string, params: unknown): unknown =>
    (plans.get(wireName) ?? []).reduce(decodeWireValue, params);
  return { tools, report, names, decode };
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
