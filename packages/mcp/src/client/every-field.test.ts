import {
  createToolRegistry,
  defineTool,
  failure,
  success,
  type FailureOptions,
  type SuccessOptions,
  type ToolResult,
} from "@dispatch/tools-interface";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { approve, connectTo } from "./__fixtures__/servers.ts";

/** A field that a result may have is set here: the compiler asks for each new one. */
const SHARED = {
  repairs: [{ path: ["n"], kind: "to_number", message: '"n" was sent as text' }],
  ignored: [{ path: ["m"], meant: "n" }],
  metadata: { stopLoop: false, cost: { cents: 3 } },
} as const;
const OF_SUCCESS: Required<SuccessOptions<unknown>> = {
  ...SHARED,
  data: { n: [] },
  content: [
    { type: "text", text: "seen" },
    { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
  ],
};
const OF_FAILURE: Required<FailureOptions> = {
  ...SHARED,
  code: "too_cold",
  issues: [{ path: [0, "n"], message: "too low", expected: "1 or more", received: "0", suggestion: "send 1" }],
  stopped: false,
  effects: "possible",
};
const FULL: readonly (readonly [string, ToolResult])[] = [
  ["success", success("done", OF_SUCCESS)],
  ["failure", failure("too cold", OF_FAILURE)],
];

const checked = (result: ToolResult) =>
  defineTool({
    name: "checked",
    description: "Works.",
    parameters: z.object({}),
    output: z.object({ n: z.array(z.number()) }),
    execute: () => result as never,
  });

describe("the fields of a result that come over MCP", () => {
  test.each(FULL)("of a %s: text, parts and data, and nothing that is the host's", async (_, full) => {
    const registry = createToolRegistry().register(
      await connectTo(createToolRegistry().register(checked(full))).tools(),
    );
    const found = await registry.dispatch("other__checked", {}, { approve });
    const { success: isSuccess, data, content } = full as never as Record<string, unknown>;
    expect(found).toMatchObject(isSuccess === true ? { success: true, data, content } : { success: false });
    if (!found.success) expect(found.error).toContain("too cold");
    expect([found.repairs, found.ignored, found.metadata]).toEqual([[], [], {}]);
  });
});
