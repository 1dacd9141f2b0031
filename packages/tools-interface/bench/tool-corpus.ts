import { readFileSync } from "node:fs";
import { Ajv, type ValidateFunction } from "ajv";
import formats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { defineTool, type AnyTool, type JsonSchema, type RepairPolicy } from "../src/index.ts";
import { wideParameters } from "../src/stubs/__fixtures__/random-schemas.ts";

/** Names a JSON file with an array of tools, each with an `inputSchema`: real ones, which are no part of the project. */
const CORPUS = "DISPATCH_TOOL_CORPUS";

/** A tool of a corpus beside the judge of its calls. */
export interface JudgedTool {
  /** Its name in the corpus. */
  readonly source: string;
  /** Its parameters. */
  readonly schema: JsonSchema;
  /** The verdict of ajv on parameters. */
  readonly accepts: ValidateFunction;
  /** The tool by repair policy. It returns nothing and records its parameters in `received`. */
  readonly tools: { readonly [policy in RepairPolicy]: AnyTool };
  /** The parameters the tool received, in order. */
  readonly received: unknown[];
}

/** The tools of the corpus, and `generated` more made of random schemas. */
export function judgedTools(generated: number): readonly JudgedTool[] {
  const file = process.env[CORPUS];
  const real = file === undefined ? [] : (JSON.parse(readFileSync(file, "utf8")) as CorpusTool[]);
  const drawn = fc.sample(wideParameters, { numRuns: Math.max(generated, 1), seed: 7 }).slice(0, generated);
  const sources = [...real, ...drawn.map((inputSchema) => ({ name: "", inputSchema }))];
  return sources.flatMap(({ name, inputSchema }, index) => {
    const judged = judge(inputSchema, name, `tool_${index}`);
    return judged === undefined ? [] : [judged];
  });
}

interface CorpusTool {
  readonly name: string;
  readonly inputSchema: JsonSchema;
}

/** `undefined` for a schema that ajv or this package refuses. */
function judge(schema: JsonSchema, source: string, name: string): JudgedTool | undefined {
  const text = JSON.stringify(schema);
  const isOld = text.includes("draft-07") || text.includes('"items":[');
  // Two drafts in one schema: neither judge reads both.
  if (isOld && text.includes('"prefixItems"') && source === "") return undefined;
  const options = { strict: false, logger: false, validateFormats: true, ownProperties: true } as const;
  const ajv = isOld ? new Ajv(options) : new Ajv2020(options);
  formats.default(ajv);
  const received: unknown[] = [];
  const make = (repair: RepairPolicy): AnyTool =>
    defineTool({
      name,
      description: "A tool.",
      parameters: schema,
      repair,
      execute: (params) => void received.push(params),
    });
  try {
    const accepts = ajv.compile(schema);
    return {
      source,
      schema,
      accepts,
      tools: { safe: make("safe"), lenient: make("lenient"), off: make("off") },
      received,
    };
  } catch {
    return undefined;
  }
}
