import type { McpUser } from "@dispatch/mcp/server";

/** The context of tools that ask a person. */
export interface Asking {
  readonly user: McpUser | undefined;
}

export const asking = {
  "~standard": {
    version: 1,
    vendor: "conformance",
    types: undefined as { readonly input: Asking; readonly output: Asking } | undefined,
    validate: (value: unknown) => ({ value: value as Asking }),
  },
} as const;
