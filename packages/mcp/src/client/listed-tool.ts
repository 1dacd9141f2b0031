import { type JsonSchema } from "@dispatch/tools-interface";
import { cleanText, oneLine } from "@dispatch/tools-interface/display";
import { isJsonObject } from "@dispatch/tools-interface/internal";

/** A server's description of one of its tools. Nothing of it is trusted. */
export interface ListedTool {
  /** As the server knows it. */
  readonly name: string;
  /** For a person, on one line. */
  readonly title: string | undefined;
  /** For a model, with nothing in it that cannot be seen. */
  readonly description: string;
  /** As the server sent it. */
  readonly inputSchema: JsonSchema;
  /** As the server sent it. */
  readonly outputSchema: JsonSchema | undefined;
  /** The server's own hints on the tool's effects. */
  readonly hints: {
    readonly readOnly: boolean;
    readonly destructive: boolean;
    readonly idempotent: boolean;
    readonly openWorld: boolean;
  };
  /** Whether it may, or must, be called as a task of 2025-11-25. Left out where it must not. */
  readonly taskSupport?: "optional" | "required";
}

/** Characters of a description that are kept. */
const MAX_DESCRIPTION_CHARS = 16_000;
/** Characters of a tool's JSON: its description and schemas. Servers' real ones have up to 60,000. */
const MAX_TOOL_CHARS = 250_000;
const MAX_NAME_CHARS = 256;
const MAX_TITLE_CHARS = 200;
/** How deep a tool's JSON may be nested: reading it needs the stack. */
const MAX_DEPTH = 200;

/** Reads one entry of `tools/list`; a text says why it cannot be used. */
export function readListedTool(entry: unknown): ListedTool | string {
  if (!isJsonObject(entry)) return "it is no object";
  const { name, title, description, inputSchema, outputSchema, annotations, execution } = entry;
  if (typeof name !== "string" || name === "" || name.length > MAX_NAME_CHARS) {
    return `its name is no text of 1 to ${MAX_NAME_CHARS} characters`;
  }
  if (depthOf(entry) > MAX_DEPTH) return `it is nested deeper than ${MAX_DEPTH}`;
  const size = JSON.stringify(entry).length;
  if (size > MAX_TOOL_CHARS) return `it has ${size} characters, allowed are ${MAX_TOOL_CHARS}`;
  if (!isJsonObject(inputSchema)) return "its inputSchema is no object";
  const hints = isJsonObject(annotations) ? annotations : {};
  const taskSupport = isJsonObject(execution) ? execution["taskSupport"] : undefined;
  const shown = [title, hints["title"]].find((text) => typeof text === "string" && text !== "");
  return {
    name,
    title: typeof shown === "string" ? oneLine(shown).slice(0, MAX_TITLE_CHARS) : undefined,
    description: typeof description === "string" ? cleanText(description).slice(0, MAX_DESCRIPTION_CHARS).trim() : "",
    inputSchema,
    outputSchema: isJsonObject(outputSchema) ? outputSchema : undefined,
    hints: {
      readOnly: hints["readOnlyHint"] === true,
      // MCP's defaults.
      destructive: hints["readOnlyHint"] !== true && hints["destructiveHint"] !== false,
      idempotent: hints["idempotentHint"] === true,
      openWorld: hints["openWorldHint"] !== false,
    },
    ...((taskSupport === "optional" || taskSupport === "required") && { taskSupport }),
  };
}

/** Levels of nesting, counted without the stack. */
function depthOf(value: unknown): number {
  let depth = 0;
  let level: unknown[] = [value];
  while (level.length > 0 && depth <= MAX_DEPTH) {
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
    depth += 1;
  }
  return depth;
}
