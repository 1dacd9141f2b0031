import { z } from "zod";
import { SOURCES, type Source } from "./provenance.ts";

/**
 * The call context of a writing tool. `memorySource` names the least trusted source in the model's conversation. Default: the
 * `source` that the memory was opened with.
 */
export const sourceContext = z.object({ memorySource: z.enum(SOURCES).optional() });

/** The source that the host named, if any. The context may be absent, as all its properties are optional. */
export function sourceOf(context: z.infer<typeof sourceContext> | undefined): Source | undefined {
  return context?.memorySource;
}
