import { defineTool, type CallDecision, type DecidedCall } from "@dispatch/tools-interface";
import { z } from "zod";
import { createPolicy, type PolicyOptions, type PolicyRule } from "../index.ts";

/** A tool with an amount. */
export const pay = defineTool({
  name: "pay",
  description: "Pays.",
  parameters: z.object({ amount: z.number(), to: z.string(), memo: z.string().optional() }),
  execute: () => "paid",
});
const read = defineTool({
  name: "read_file",
  description: "Reads.",
  parameters: z.object({ path: z.string(), ranges: z.array(z.object({ from: z.number() })).optional() }),
  annotations: { readOnly: true },
  execute: () => "text",
});
const fetchUrl = defineTool({
  name: "fetch_url",
  description: "Fetches.",
  parameters: z.object({ url: z.string(), headers: z.array(z.string()).optional() }),
  execute: () => "page",
});
/** All of them. */
export const tools = [pay, read, fetchUrl];

/** A call of one of the tools, as a policy is given it. */
export function called(name: string, params: unknown, more: Partial<DecidedCall> = {}): DecidedCall {
  const tool = tools.find((one) => one.name === name) ?? pay;
  const { annotations, fingerprint } = tool;
  const call = { callId: "1", name, fingerprint, annotations, parents: [], caller: "model" as const, context: {} };
  return { ...call, params: params as DecidedCall["params"], ...more };
}

/** What a policy of these rules says to a call. */
export function decisionOf(
  rules: readonly PolicyRule[],
  call: DecidedCall,
  options: Partial<PolicyOptions> = {},
): CallDecision {
  return createPolicy({ rules, tools, ...options }).decide(call);
}

/** One rule that denies. */
export const deny = (when: string, ...names: string[]): PolicyRule[] => [
  { id: "no", effect: "deny", when, ...(names.length > 0 && { tools: names }) },
];
/** Whether a condition denies a call. */
export const isDenied = (when: string, name: string, params: unknown, options: Partial<PolicyOptions> = {}): boolean =>
  decisionOf(deny(when, name), called(name, params), options).decision === "deny";
