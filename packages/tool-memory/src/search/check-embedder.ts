import { MemoryError } from "../text/memory-error.ts";
import type { Embedder } from "./embedder.ts";

/** pgvector cannot index longer vectors, and no row can hold them. */
const MAX_DIMENSIONS = 2_000;

/**
 * Checks the properties of an embedder and returns it.
 *
 * @throws MemoryError `memory_options`.
 */
export function checkEmbedder(embedder: Embedder): Embedder {
  const { id, dimensions, weight = 0, floor = 0, batch = 1 } = embedder;
  const refuse = (option: string, found: unknown, allowed: string): never => {
    throw new MemoryError(
      `Cannot open the memory: embedder.${option} is ${JSON.stringify(found)}, allowed is ${allowed}`,
      "memory_options",
    );
  };
  if (typeof id !== "string" || id.length < 1 || id.length > 200 || id.includes("\0") || !id.isWellFormed())
    refuse("id", id, "well-formed text of 1 to 200 characters");
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > MAX_DIMENSIONS)
    refuse("dimensions", dimensions, `a whole number from 1 to ${MAX_DIMENSIONS}`);
  if (!(weight >= 0 && weight <= 1)) refuse("weight", weight, "a number from 0 to 1");
  if (!(floor >= -1 && floor <= 1)) refuse("floor", floor, "a number from -1 to 1");
  if (!Number.isInteger(batch) || batch < 1) refuse("batch", batch, "a whole number from 1");
  return embedder;
}
