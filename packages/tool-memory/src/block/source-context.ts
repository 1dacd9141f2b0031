import { z } from "zod";
import { SOURCES, type Source } from "./provenance.ts";

/**
 * What a tool that writes takes of its host: `memorySource`, the least trusted thing that the model has before it. Left
 * out, the `source` the memory was opened with holds.
 */
export const sourceContext = z.object({ memorySource: z.enum(SOURCES).optional() });

/** The source a host names; none when it gave no context at all, which a tool with an optional one must expect. */
export function sourceOf(context: z.infer<typeof sourceContext> | undefined): Source | undefined {
  return context?.memorySource;
}
