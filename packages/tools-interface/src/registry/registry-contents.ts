import type { AnyTool, ToolDefinition } from "../call/tool.ts";
import { InvalidToolError, thrownMessage } from "../error/tool-error.ts";

/** Read by public methods: the private fields of a registry of another installed copy cannot be read. */
export function contentsOf(registry: { readonly tools: readonly AnyTool[]; toArray(): readonly ToolDefinition[] }): {
  readonly tools: readonly AnyTool[];
  readonly advertised: ReadonlySet<string>;
} {
  try {
    return { tools: [...registry.tools], advertised: new Set(registry.toArray().map(({ name }) => name)) };
  } catch (cause) {
    throw new InvalidToolError(`Cannot extend a registry: found ${describeFound(registry)}, allowed is a registry`, {
      cause,
    });
  }
}

/** A value that is no tool or registry, for an error. */
export function describeFound(value: unknown): string {
  try {
    const name = (value as { readonly name?: unknown } | undefined)?.name;
    return typeof name === "string" ? JSON.stringify(name.slice(0, 128)) : `a value of type ${typeof value}`;
  } catch (thrown) {
    return `something unreadable, ${thrownMessage(thrown)}`;
  }
}
