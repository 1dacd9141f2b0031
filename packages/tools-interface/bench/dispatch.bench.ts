import { z } from "zod";
import { createToolRegistry, createTranscript, defineTool } from "../src/index.ts";
import { metric, ratio } from "./measure.ts";

const parameters = z.object({
  path: z.string().min(1),
  start_line: z.number().int().optional(),
  mode: z.enum(["text", "bytes"]).default("text"),
  tags: z.array(z.string()).optional(),
});
const valid = { path: "src/index.ts", start_line: 3, tags: ["a", "b"] };
const invalid = { path: 7, start_line: "x", mode: "hex" };
const validJson = JSON.stringify(valid);

type Params = z.infer<typeof parameters>;
const handler = async ({ path }: Params): Promise<string> => path;

/** The floor: the same work written by hand. */
async function bare(input: unknown): Promise<string> {
  const parsed = parameters.safeParse(input);
  return parsed.success ? await handler(parsed.data) : z.prettifyError(parsed.error);
}

/** Calls in one round of one side. */
const CALLS = 200_000;

/** How many times longer `work` takes than `floor`. */
function timesAsLong(work: () => unknown, floor: () => unknown): Promise<number> {
  return ratio([work, CALLS], [floor, CALLS]);
}

const tool = defineTool({ name: "read", description: "Reads.", parameters, execute: handler });
const registry = createToolRegistry().register(tool);

metric(
  "dispatch.valid.vs_bare",
  await timesAsLong(
    () => registry.dispatch("read", valid),
    () => bare(valid),
  ),
  "x",
);
const rawTool = defineTool({
  name: "raw",
  description: "Reads.",
  parameters: {
    type: "object",
    properties: {
      path: { type: "string", minLength: 1 },
      start_line: { type: "integer" },
      mode: { enum: ["text", "bytes"] },
      tags: { type: "array", items: { type: "string" } },
    },
    required: ["path"],
    additionalProperties: false,
  } as const,
  execute: async ({ path }) => path as string,
});
metric(
  "raw_schema.vs_zod",
  await timesAsLong(
    () => rawTool.call(valid),
    () => tool.call(valid),
  ),
  "x",
);
metric(
  "dispatch.invalid.vs_bare",
  await timesAsLong(
    () => registry.dispatch("read", invalid as never),
    () => bare(invalid),
  ),
  "x",
);
metric(
  "dispatch.json.vs_bare_json",
  await timesAsLong(
    () => registry.dispatch({ name: "read", arguments: validJson }),
    () => bare(JSON.parse(validJson)),
  ),
  "x",
);
metric(
  "call.valid.vs_bare",
  await timesAsLong(
    () => tool.call(valid),
    () => bare(valid),
  ),
  "x",
);

let transcript = createTranscript();
let recorded = 0;
metric(
  "dispatch.recorded.vs_bare",
  await timesAsLong(
    () => {
      if ((recorded += 1) % 1_000 === 0) transcript = createTranscript();
      return registry.dispatch("read", valid, { transcript });
    },
    () => bare(valid),
  ),
  "x",
);
