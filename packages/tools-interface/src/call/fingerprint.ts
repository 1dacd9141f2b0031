import { canonicalText } from "../json/canonical-text.ts";
import { jsonOrReason, toJsonText, type JsonSchema } from "../json/json.ts";
import { sha256 } from "../json/sha256.ts";
import type { ToolAnnotations } from "./tool-annotations.ts";
import type { ToolDefinition } from "./tool.ts";

/** The parts of a tool that its fingerprint covers. */
interface FingerprintedTool {
  readonly definition: ToolDefinition;
  readonly output: JsonSchema | undefined;
  readonly annotations: ToolAnnotations;
}

/**
 * SHA-256, in hex, of definition and output schema as they go out, so that another order of their keys counts too, and of
 * the annotations. The code is not covered: it has no stable form.
 */
export function fingerprintOf({ definition, output, annotations }: FingerprintedTool): string {
  const { name, description, parameters } = definition;
  return sha256(toJsonText([name, description, parameters, output ?? null, canonicalText(jsonOrReason(annotations))]));
}
