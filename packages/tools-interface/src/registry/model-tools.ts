import type { AnyTool } from "../call/tool.ts";
import type { JsonSchema } from "../json/json.ts";

/** A tool as model providers take it. */
export interface ModelTool {
  /** Name of the tool. */
  readonly name: string;
  /** What it does. */
  readonly description: string;
  /** JSON Schema of the parameters: `type: "object"`, `properties`, `required`. */
  readonly input_schema: JsonSchema;
}

/** A tool as model providers take it. */
export function toModelTool({ name, description, parameters }: AnyTool): ModelTool {
  return { name, description, input_schema: parameters };
}
