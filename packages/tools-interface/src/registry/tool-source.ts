import type { ToolAnnotations } from "../call/tool-annotations.ts";
import type { ToolDefinition } from "../call/tool.ts";
import type { JsonSchema } from "../json/json.ts";
import type { SchemaChange } from "../schema/older-drafts.ts";
import type { OfferedCaller } from "./tool-offer.ts";
import type { AnyToolRegistry } from "./tool-registry.ts";

/** A tool as a format reads it. Tools and plain definitions both are. */
export interface SourceTool extends ToolDefinition {
  /** JSON Schema of the data of a success. Only some formats have a place for it. */
  readonly output?: JsonSchema | undefined;
  /** The tool's effects on the world. Only some formats have a place for them. */
  readonly annotations?: ToolAnnotations;
  /** Keywords that were read by an older meaning. For `lintTools`. */
  readonly schemaChanges?: readonly SchemaChange[];
}

/** The source of tools: a registry, of which the advertised tools are taken, or a list of tools or definitions. */
export type ToolSource = AnyToolRegistry | readonly SourceTool[];

/** The advertised tools of a source, in order, deferred ones too. */
export function toolsOf(source: ToolSource): readonly SourceTool[] {
  return offeredTools(source)
    .filter(({ isSearch }) => !isSearch)
    .map(({ tool }) => tool);
}

/** A tool and how it is offered. */
export interface OfferedTool {
  /** The tool. */
  readonly tool: SourceTool;
  /** Who may call it. */
  readonly callers: readonly OfferedCaller[];
  /** Whether models have to find it first. */
  readonly isDeferred: boolean;
  /** Whether it is the tool that finds those deferred. */
  readonly isSearch: boolean;
}

/**
 * The tools of a source in order, the search tool first where tools are deferred.
 *
 * @param programs Whether tools that only programs may call are among them.
 */
export function offeredTools(source: ToolSource, programs = false): readonly OfferedTool[] {
  const plain = { callers: ["model"], isDeferred: false, isSearch: false } as const;
  if (!("toModelTools" in source)) return source.map((tool) => ({ ...plain, tool }));
  const search = source.searchTool;
  const offers = source.offers.flatMap(({ tool, callers, isDeferred }) =>
    callers.includes("model") || (programs && callers.includes("program"))
      ? [{ tool: tool as SourceTool, callers, isDeferred, isSearch: false }]
      : [],
  );
  return search === undefined ? offers : [{ ...plain, tool: search, isSearch: true }, ...offers];
}
