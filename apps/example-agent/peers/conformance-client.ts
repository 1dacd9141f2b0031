import { connectMcp, type McpElicit } from "@dispatch/mcp/client";
/** The client that the conformance runner starts, with the address of its server as the last argument: it calls every tool. */
import { createToolRegistry } from "@dispatch/tools-interface";
import { signInWay } from "./oauth-provider.ts";

/** A user who accepts the form's suggestion. */
const elicit: McpElicit = ({ fields }) => {
  const properties = (fields["properties"] ?? {}) as Record<
    string,
    { readonly default?: string | number | boolean | string[] }
  >;
  const content = Object.fromEntries(
    Object.entries(properties).flatMap(([name, field]) =>
      field.default === undefined ? [] : [[name, field.default] as const],
    ),
  );
  return Promise.resolve({ action: "accept", content });
};

const scenario = process.env["MCP_CONFORMANCE_SCENARIO"] ?? "";
const url = process.argv.at(-1) ?? "";
const server = { url, ...(scenario.startsWith("auth/") && signInWay(scenario)) };
const source = connectMcp("conformance", server, { elicit });
try {
  const registry = createToolRegistry().register(await source.tools());
  for (const name of registry.toolNames) {
    const params = name.endsWith("add_numbers") ? { a: 5, b: 3 } : {};
    console.error(name, String(await registry.dispatch(name, params, { approve: () => true })));
  }
} finally {
  await source.close();
}
