import type { AnyToolRegistry } from "@dispatch/tools-interface";
import { toMcpTools, type McpTool, type WireTools } from "@dispatch/tools-interface/mcp";

/** The tools advertised to one kind of client, and the registry that runs them. */
export interface Catalogue {
  readonly registry: AnyToolRegistry;
  readonly wire: WireTools<McpTool>;
  /** For `tools/list`. */
  readonly tools: readonly (McpTool & { readonly title: string })[];
  has(wireName: string): boolean;
}

/** Caches two catalogues: for clients that can ask their user, and for those that cannot. */
export function createCatalogues(
  registryFor: (canAsk: boolean) => Promise<AnyToolRegistry>,
): (canAsk: boolean) => Promise<Catalogue> {
  const made = new Map<boolean, Catalogue>();
  return async (canAsk) => {
    const catalogue = made.get(canAsk) ?? catalogueOf(await registryFor(canAsk));
    made.set(canAsk, catalogue);
    return catalogue;
  };
}

function catalogueOf(registry: AnyToolRegistry): Catalogue {
  const wire = toMcpTools(registry);
  const names = new Set(wire.tools.map(({ name }) => name));
  const tools = wire.tools.map((tool) => ({ ...tool, title: titleOf(tool.name) }));
  return { registry, wire, tools, has: (wireName) => names.has(wireName) };
}

/** `read_file` is `Read file` to a person. */
function titleOf(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
