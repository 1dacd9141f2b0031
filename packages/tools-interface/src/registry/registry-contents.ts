import { InvalidToolError, thrownMessage } from "../error/tool-error.ts";
import type { ToolOffer } from "./tool-offer.ts";

/** Read by public methods: the private fields of a registry of another installed copy cannot be read. */
export function offersOf(registry: { readonly offers: readonly ToolOffer[] }): readonly ToolOffer[] {
  try {
    return [...registry.offers];
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
