import type { AnyToolRegistry } from "@dispatch/tools-interface";
import { toMcpTools, type McpTool, type WireTools } from "@dispatch/tools-interface/mcp";
import type { Toolbox } from "../agent/toolbox.ts";

/** What one kind of client is told of, and what runs it. */
export interface Catalogue {
  readonly registry: AnyToolRegistry;
  readonly wire: WireTools<McpTool>;
  /** For `tools/list`. */
  readonly tools: readonly (McpTool & { readonly title: string })[];
  has(wireName: string): boolean;
}

/** The tools for clients that can ask their person, and for those that cannot. Each is made once, when first asked for. */
export function createCatalogues(
  toolbox: Promise<Pick<Toolbox, "registryFor">>,
): (canAsk: boolean) => Promise<Catalogue> {
  const made = new Map<boolean, Catalogue>();
  return async (canAsk) => {
    const { registryFor } = await toolbox;
    const catalogue = made.get(canAsk) ?? catalogueOf(registryFor({ canAsk }));
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
