import { canonicalText } from "../json/canonical-text.ts";
import { jsonOrReason, type JsonSchema } from "../json/json.ts";
import { sha256 } from "../json/sha256.ts";
import type { ToolAnnotations } from "./tool-annotations.ts";
import type { ToolDefinition } from "./tool.ts";

/** The parts of a tool that its fingerprint covers. */
interface FingerprintedTool {
  readonly definition: ToolDefinition;
  readonly output: JsonSchema | undefined;
  readonly annotations: ToolAnnotations;
}

/** SHA-256, in hex, of definition, output schema and annotations. The code is not covered: it has no stable form. */
export function fingerprintOf({ definition, output, annotations }: FingerprintedTool): string {
  const { name, description, parameters } = definition;
  return sha256(canonicalText([name, description, parameters, output ?? null, jsonOrReason(annotations)]));
}
