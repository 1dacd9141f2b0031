import type { JsonSchema } from "@dispatch/tools-interface";
import { canonicalText, sha256, mapSchemas } from "@dispatch/tools-interface/internal";
import type { ListedTool } from "./listed-tool.ts";

/** A tool as a person agreed to it. */
export interface McpPin {
  /** SHA-256, in hex, of everything the server said of the tool. */
  readonly fingerprint: string;
  /** Its description, so that a change can be shown. */
  readonly tool: ListedTool;
}

/** Remembers tools that were agreed to. */
export interface McpPins {
  /** The tool of a server as it was agreed to; `undefined` when it never was. */
  get(server: string, tool: string): Promise<McpPin | undefined>;
  /** Remembers a tool, replacing its earlier record. */
  set(server: string, tool: string, pin: McpPin): Promise<void>;
}

/** Remembers until the process ends. */
export function memoryPins(): McpPins {
  const pins = new Map<string, McpPin>();
  const key = (server: string, tool: string): string => JSON.stringify([server, tool]);
  return {
    get: (server, tool) => Promise.resolve(pins.get(key(server, tool))),
    set(server, tool, pin) {
      pins.set(key(server, tool), pin);
      return Promise.resolve();
    },
  };
}

/** Makes the pin of a tool: the same for any order of keys and of required fields, which servers may list as they like. */
export function pinOf(tool: ListedTool): McpPin {
  const { title = null, inputSchema, outputSchema } = tool;
  const schemas = { inputSchema: ordered(inputSchema), outputSchema: outputSchema ? ordered(outputSchema) : null };
  return { fingerprint: sha256(canonicalText({ ...tool, title, ...schemas })), tool };
}

function ordered(schema: JsonSchema): JsonSchema {
  return mapSchemas(schema, (node) => {
    const { required } = node;
    const isList = Array.isArray(required) && required.every((name) => typeof name === "string");
    return isList ? { ...node, required: required.toSorted() } : node;
  });
}
