import { canonicalText } from "../json/canonical-text.ts";
import { jsonOrReason, type JsonSchema } from "../json/json.ts";
import { sha256 } from "../json/sha256.ts";
import type { ToolAnnotations } from "./tool-annotations.ts";
import type { ToolDefinition } from "./tool.ts";

/** What a tool is known by. */
interface Known {
  readonly definition: ToolDefinition;
  readonly output: JsonSchema | undefined;
  readonly annotations: ToolAnnotations;
}

/** SHA-256, in hex, of everything a tool says of itself. What it does is not in it: code has no stable form. */
export function fingerprintOf({ definition, output, annotations }: Known): string {
  const { name, description, parameters } = definition;
  return sha256(canonicalText([name, description, parameters, output ?? null, jsonOrReason(annotations)]));
}
