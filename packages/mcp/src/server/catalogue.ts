import type { AnyToolRegistry } from "@dispatch/tools-interface";
import { toMcpTools, type McpTool, type McpTools } from "@dispatch/tools-interface/mcp";
import type { McpIcon, McpServerOptions, McpToolOptions } from "./mcp-server-options.ts";

/** A tool as `tools/list` answers it. */
interface ListedTool extends Omit<McpTool, "outputSchema"> {
  readonly title: string;
  icons?: McpIcon[];
  /** Any schema, as since 2026-07-28; for older clients the SDK wraps a non-object in one. */
  outputSchema?: Record<string, unknown>;
}

/** The advertised tools of one registry as clients see them. */
export interface Catalogue {
  readonly registry: AnyToolRegistry;
  readonly wire: McpTools;
  /** By wire name, in order. */
  readonly tools: ReadonlyMap<string, ListedTool>;
}

/** The options that decide how tools are listed. */
type ListOptions = Pick<McpServerOptions, "tools" | "structuredOutput" | "schemaDialect">;

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Makes catalogues, one for each state of a registry: tools may be registered later. */
export function catalogueMaker(options: ListOptions): (registry: AnyToolRegistry) => Catalogue {
  const made = new WeakMap<AnyToolRegistry, { readonly fingerprint: string; readonly catalogue: Catalogue }>();
  return (registry) => {
    const { fingerprint } = registry;
    const found = made.get(registry);
    if (found?.fingerprint === fingerprint) return found.catalogue;
    const catalogue = makeCatalogue(registry, options);
    made.set(registry, { fingerprint, catalogue });
    return catalogue;
  };
}

function makeCatalogue(
  registry: AnyToolRegistry,
  { tools: shown = {}, structuredOutput = false, schemaDialect = false }: ListOptions,
): Catalogue {
  const wire = toMcpTools(registry);
  const listed = wire.tools.map(({ outputSchema, inputSchema, ...tool }): [string, ListedTool] => {
    const name = wire.names.fromWire(tool.name);
    const {
      title,
      icons,
      structuredOutput: own,
    }: McpToolOptions = Object.hasOwn(shown, name) ? (shown[name] ?? {}) : {};
    const output = (own ?? structuredOutput) ? registry.get(name).output : undefined;
    return [
      tool.name,
      {
        ...tool,
        inputSchema: schemaDialect ? { $schema: DIALECT, ...inputSchema } : inputSchema,
        title: title ?? titleOf(tool.name),
        ...(icons && { icons: [...icons] }),
        ...(output && { outputSchema: outputSchema ?? { ...output } }),
      },
    ];
  });
  return { registry, wire, tools: new Map(listed) };
}

/** `read_file` is `Read file` to a person. */
function titleOf(name: string): string {
  const words = name.replaceAll(/[_./-]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
