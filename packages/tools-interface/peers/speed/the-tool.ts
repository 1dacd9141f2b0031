import { z } from "zod";

/** The parameters of the measured tool: the same as in `bench/dispatch.bench.ts`. */
export const parameters = z.object({
  path: z.string().min(1),
  start_line: z.number().int().optional(),
  mode: z.enum(["text", "bytes"]).default("text"),
  tags: z.array(z.string()).optional(),
});

/** Parameters of the tool, checked. */
export type Params = z.output<typeof parameters>;

/** Parameters that fit. */
export const valid = { path: "src/index.ts", start_line: 3, tags: ["a", "b"] };

/** The same as a model sends them. */
export const validJson = JSON.stringify(valid);

/** The work of the tool. */
export async function handler({ path }: Params): Promise<string> {
  return path;
}
