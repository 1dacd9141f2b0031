import * as otel from "@dispatch/otel";
import { createApprovals } from "@dispatch/policy/approvals";
import { toAiSdkSettings } from "@dispatch/providers/ai-sdk";
import { toAnthropicTools } from "@dispatch/providers/anthropic";
import { toGeminiTools } from "@dispatch/providers/gemini";
import { lintTools } from "@dispatch/providers/lint";
import { toOpenAiTools } from "@dispatch/providers/openai";
// Uses the part of tools-interface that needs no `process`: definition of every kind, fingerprints, approvals, all
// formats.
import { defineTool, createToolRegistry, createTranscript } from "@dispatch/tools-interface";
import { toMcpTools } from "@dispatch/tools-interface/mcp";
import * as outputs from "@dispatch/tools-interface/outputs";
import "@dispatch/tools-interface/zod-mini";
import { z } from "zod";
import * as mini from "zod/mini";
import { z as z3 } from "zod/v3";

const sources = {
  zod: z.object({ n: z.number() }),
  mini: mini.object({ n: mini.number() }),
  zod3: z3.object({ n: z3.number() }),
  json: { type: "object", properties: { n: { $ref: "#/$defs/n" } }, required: ["n"], $defs: { n: { type: "number" } } },
};

/** Returns the names of the failed parts. */
export async function runEdge() {
  const failed = [];
  let registry = createToolRegistry();
  for (const [name, parameters] of Object.entries(sources)) {
    const tool = defineTool({
      name,
      description: "Doubles",
      parameters,
      needsApproval: () => true,
      execute: ({ n }) => n * 2,
    });
    registry = registry.register(tool);
  }
  const approvals = createApprovals();
  for (const name of Object.keys(sources)) {
    const call = { id: `call-${name}`, name, arguments: '{"n":21}' };
    const asked = [];
    const ask = (request) => (asked.push(request), { approved: false, pending: true });
    const first = await registry.dispatch(call, { approve: ask, transcript: createTranscript() });
    const grant = approvals.grant(asked[0]);
    const second = await registry.dispatch(call, { approve: approvals.approver([grant]) });
    const wrong = await registry.dispatch({ ...call, arguments: '{"n":"x"}' }, {});
    if (first.code !== "approval_pending" || second.data !== 42 || wrong.code !== "invalid_params")
      failed.push(name, String(second), String(wrong));
  }
  if (!/^[0-9a-f]{64}$/.test(registry.fingerprint)) failed.push("fingerprint");
  for (const convert of [toAiSdkSettings, toAnthropicTools, toGeminiTools, toMcpTools, toOpenAiTools, lintTools]) {
    try {
      convert(registry);
    } catch (error) {
      failed.push(`${convert.name}: ${String(error)}`);
    }
  }
  if (Object.keys(otel).length === 0 || Object.keys(outputs).length === 0) failed.push("otel, outputs");
  return failed;
}
