import type { AnyTool } from "../call/tool.ts";
import type { JsonSchema } from "../json/json.ts";

/** A tool as model providers take it. */
export interface ModelTool {
  /** Name of the tool, in the characters that providers accept: dots and slashes are replaced. */
  readonly name: string;
  /** Describes the tool to a model. */
  readonly description: string;
  /** JSON Schema of the parameters: `type: "object"`, `properties`, `required`. */
  readonly input_schema: JsonSchema;
}

/** A tool as model providers take it, under the name that they accept. */
export function toModelTool({ description, parameters }: AnyTool, name: string): ModelTool {
  return { name, description, input_schema: parameters };
}
