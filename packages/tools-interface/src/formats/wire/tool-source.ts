import type { ToolAnnotations } from "../../call/tool-annotations.ts";
import type { ToolDefinition } from "../../call/tool.ts";
import type { JsonSchema } from "../../json/json.ts";
import type { AnyToolRegistry } from "../../registry/tool-registry.ts";

/** A tool as a format reads it. Tools and plain definitions both are. */
export interface SourceTool extends ToolDefinition {
  /** JSON Schema of the data of a success. Only some formats have a place for it. */
  readonly output?: JsonSchema | undefined;
  /** What the tool does to the world. Only some formats have a place for it. */
  readonly annotations?: ToolAnnotations;
}

/** Where tools are taken from: a registry, of which those that are advertised, or a list of tools or definitions. */
export type ToolSource = AnyToolRegistry | readonly SourceTool[];

/** The tools of a source, in order. */
export function toolsOf(source: ToolSource): readonly SourceTool[] {
  if (!("toModelTools" in source)) return source;
  const advertised = new Set(source.toArray().map(({ name }) => name));
  return source.tools.filter(({ name }) => advertised.has(name));
}
