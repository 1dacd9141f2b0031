import { ToolError, type AnyTool, type AnyToolRegistry } from "@dispatch/tools-interface";
import { createToolIndexInSlices, type ToolIndex } from "@dispatch/tools-interface/search";
import type { HostFunction } from "./host-function.ts";

/** Functions that an answer or an error names. */
const MAX_NAMED = 20;

/**
 * `describeTool(name)`: returns the full declaration of a tool's function, for tools whose declarations are too long for
 * the description of `execute_code`. The name may be the tool's or its function's. Without a name it lists all functions
 * in short; any other words list the functions that fit them, best first.
 *
 * @param excluded Tools that programs cannot call.
 */
export function describeTool(registry: AnyToolRegistry, excluded: readonly string[]): HostFunction {
  return {
    name: "describeTool",
    parameters: "[name?: string]",
    returns: "string",
    async call([wanted]) {
      const declared = declarations(registry, excluded);
      if (wanted === undefined || wanted === null || wanted === "") {
        return declared.map(({ declaration }) => declaration).join("") || "There are no tools";
      }
      if (typeof wanted !== "string") {
        throw new ToolError(`Describing a tool: the name is of type ${typeof wanted}, allowed is a string`, {
          code: "invalid_params",
        });
      }
      const tool = declared.find(({ name, identifier }) => wanted === name || wanted === identifier);
      const stub = tool && registry.generateStub(tool.name, { declarations: true });
      if (stub !== undefined) return stub;
      const near = (await indexOf(registry)).search(wanted, { limit: MAX_NAMED, exclude: excluded });
      if (near.length > 0) {
        const byName = new Map(declared.map((one) => [one.name, one.declaration]));
        return near.map((found) => byName.get(found.name) ?? "").join("");
      }
      const names = declared.map(({ identifier }) => identifier);
      const more = names.length > MAX_NAMED ? `, and ${names.length - MAX_NAMED} more` : "";
      throw new ToolError(
        `Describing ${JSON.stringify(wanted.slice(0, 100))}: there is no such function, allowed are ${names.slice(0, MAX_NAMED).join(", ")}${more}. Call it without a name for all of them`,
        { code: "tool_not_found" },
      );
    },
  };
}

/** By the list of offers, which a registry makes anew when a tool is added. */
const indexes = new WeakMap<object, Promise<ToolIndex>>();

function indexOf(registry: AnyToolRegistry): Promise<ToolIndex> {
  const index = indexes.get(registry.offers) ?? createToolIndexInSlices(forPrograms(registry));
  indexes.set(registry.offers, index);
  return index;
}

/** The tools that programs are offered, in order. */
function forPrograms({ offers }: AnyToolRegistry): readonly AnyTool[] {
  return offers.filter(({ callers }) => callers.includes("program")).map(({ tool }) => tool);
}

interface Declared {
  readonly name: string;
  readonly identifier: string;
  /** Its comment and its head, without types. */
  readonly declaration: string;
}

/** Every function in its shortest form, in the order of the tools. */
function declarations(registry: AnyToolRegistry, excluded: readonly string[]): readonly Declared[] {
  const names = forPrograms(registry).flatMap(({ name }) => (excluded.includes(name) ? [] : name));
  const source = registry.generateStubs({ exclude: excluded, declarations: true, detail: "names" });
  let from = 0;
  return [...source.matchAll(/^declare function (\w+)\(.*\n/gm)].map(([line, identifier = ""], at) => {
    const end = source.indexOf(line, from) + line.length;
    const comment = source.slice(from, end).lastIndexOf("/**");
    const declaration = source.slice(comment === -1 ? end - line.length : from + comment, end);
    from = end;
    return { name: names[at] ?? identifier, identifier, declaration };
  });
}
