import type { JsonSchema, AnyToolRegistry } from "@dispatch/tools-interface";
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
export class Catalogues {
  readonly #made = new WeakMap<AnyToolRegistry, { readonly fingerprint: string; readonly catalogue: Catalogue }>();
  readonly #options: ListOptions;

  constructor(options: ListOptions) {
    this.#options = options;
  }

  of(registry: AnyToolRegistry): Catalogue {
    const { fingerprint } = registry;
    const found = this.#made.get(registry);
    if (found?.fingerprint === fingerprint) return found.catalogue;
    const catalogue = this.#make(registry);
    this.#made.set(registry, { fingerprint, catalogue });
    return catalogue;
  }

  #make(registry: AnyToolRegistry): Catalogue {
    const wire = toMcpTools(registry);
    const { tools: shown = {}, structuredOutput = false, schemaDialect = false } = this.#options;
    const listed = wire.tools.map((tool) => {
      const name = wire.names.fromWire(tool.name);
      const options = Object.hasOwn(shown, name) ? shown[name] : undefined;
      const output = (options?.structuredOutput ?? structuredOutput) ? registry.get(name).output : undefined;
      const inputSchema = schemaDialect ? { $schema: DIALECT, ...tool.inputSchema } : tool.inputSchema;
      return [tool.name, listedTool({ ...tool, inputSchema }, options, output)] as const;
    });
    return { registry, wire, tools: new Map(listed) };
  }
}

function listedTool(
  { outputSchema, ...tool }: McpTool,
  { title, icons }: McpToolOptions = {},
  output: JsonSchema | undefined,
): ListedTool {
  return {
    ...tool,
    title: title ?? titleOf(tool.name),
    ...(icons && { icons: [...icons] }),
    ...(output && { outputSchema: outputSchema ?? { ...output } }),
  };
}

/** `read_file` is `Read file` to a person. */
function titleOf(name: string): string {
  const words = name.replaceAll(/[_./-]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
