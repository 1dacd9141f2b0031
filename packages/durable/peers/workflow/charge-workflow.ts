import { WorkflowAgent } from "@ai-sdk/workflow";
import { getWritable } from "workflow";
import { z } from "zod";
import { scriptedModel } from "./scripted-model.ts";

async function charge({ n }: { readonly n: number }): Promise<string> {
  "use step";
  return (globalThis as unknown as { charge: (n: number) => Promise<string> }).charge(n);
}

async function chargeOnce({ n }: { readonly n: number }): Promise<string> {
  "use step";
  return (globalThis as unknown as { charge: (n: number) => Promise<string> }).charge(n);
}
chargeOnce.maxRetries = 0;

const inputSchema = z.object({ n: z.number() });

/** An agent whose tool is a step, as its page says: with three retries. */
export async function chargeWorkflow(n: number) {
  "use workflow";
  const tool = { description: "Charges.", inputSchema, execute: charge };
  const agent = new WorkflowAgent({ model: scriptedModel(n), tools: { charge: tool } });
  const messages = [{ role: "user" as const, content: `Charge ${n}` }];
  const { steps } = await agent.stream({ messages, writable: getWritable() });
  return JSON.stringify(steps.flatMap(({ content }) => content));
}

/** The same with a step that is not to be retried. */
export async function chargeOnceWorkflow(n: number) {
  "use workflow";
  const tool = { description: "Charges.", inputSchema, execute: chargeOnce };
  const agent = new WorkflowAgent({ model: scriptedModel(n), tools: { charge: tool } });
  const messages = [{ role: "user" as const, content: `Charge ${n}` }];
  const { steps } = await agent.stream({ messages, writable: getWritable() });
  return JSON.stringify(steps.flatMap(({ content }) => content));
}
